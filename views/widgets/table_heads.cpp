#include "views/widgets/table_heads.h"

#include "imgui_internal.h"

namespace pt2::views {

void table_heads() {
  ImGui::TableHeadersRow();
  ImGui::GetCurrentTable()->Flags &= ~ImGuiTableFlags_NoBordersInBody;  // what can be pressed is settled; the lines are still to be drawn
}

}  // namespace pt2::views
