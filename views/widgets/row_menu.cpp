#include "views/widgets/row_menu.h"

#include <imgui_internal.h>

#include "views/widgets/menu_key.h"
#include "views/widgets/row_cursor.h"

namespace pt2::views {

bool menu_key_of_list(PaneContext& context) {
  const ImGuiWindow *list = ImGui::GetCurrentWindow(), *used = ImGui::GetCurrentContext()->NavWindow;
  const bool other_list = used && used != list && (used->Flags & ImGuiWindowFlags_ChildWindow) && used->ParentWindow == list->ParentWindow;
  return !other_list && menu_key(context);
}

bool menu_of_row(const PaneContext& context, bool selected, bool any_selected) {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  const bool used_last = imgui.NavWindow == ImGui::GetCurrentWindow();
  if (used_last && ImGui::IsAnyItemFocused()) return row_has_cursor(context);
  return any_selected ? selected : used_last && imgui.NavId == ImGui::GetItemID();
}

}  // namespace pt2::views
