#include "views/widgets/row_menu.h"

#include <imgui_internal.h>

#include "views/widgets/row_cursor.h"

namespace pt2::views {

bool menu_of_row(const PaneContext& context, bool selected) {
  const bool cursor_in_list = ImGui::IsAnyItemFocused() && ImGui::GetCurrentContext()->NavWindow == ImGui::GetCurrentWindow();
  return cursor_in_list ? row_has_cursor(context) : selected;
}

}  // namespace pt2::views
