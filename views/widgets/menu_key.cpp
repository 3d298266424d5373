#include "views/widgets/menu_key.h"

namespace pt2::views {

bool menu_key(PaneContext& context) {
  if (!context.focused || ImGui::GetIO().WantTextInput) return false;
  return context.input.pressed(Key::Menu) || context.input.pressed(Chord{Key::F10, false, true, false});
}

void open_menu_below_item(const char* popup) {
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos(ImVec2(low.x + ImGui::GetTextLineHeight(), high.y));
  ImGui::OpenPopup(popup);
  show_keyboard_cursor();  // on the first entry, also where the row was clicked
}

}  // namespace pt2::views
