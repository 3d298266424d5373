#include "views/widgets/row_cursor.h"

#include <imgui_internal.h>

namespace pt2::views {

void offer_row(const PaneContext& context, bool selected) {
  RowCursor* cursor = context.cursor;
  if (!cursor || !cursor->wanted || (cursor->offered && !selected)) return;
  cursor->offered = true;
  ImGuiWindow* window = ImGui::GetCurrentWindow();
  ImGui::FocusWindow(window);
  ImGui::SetFocusID(ImGui::GetItemID(), window);
  show_keyboard_cursor();
}

bool row_has_cursor(const PaneContext& context) { return context.focused && ImGui::IsItemFocused() && ImGui::IsAnyItemFocused(); }

}  // namespace pt2::views
