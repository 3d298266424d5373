#include "views/widgets/table_heads.h"

#include <algorithm>
#include <cmath>

#include "imgui_internal.h"

namespace pt2::views {

// Of such a table less than a pixel may be in sight. Dear ImGui 1.86 begins it then, but its window, which lies on whole pixels, is out of sight:
// an assertion ends the program.
bool begin_list(const char* id, int columns, ImGuiTableFlags flags, ImVec2 size) {
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  const ImVec2 room = ImGui::GetContentRegionAvail(), whole = ImGui::CalcItemSize(size, std::max(room.x, 1.0f), std::max(room.y, 1.0f));
  const ImVec2 corner(std::floor(window->DC.CursorPos.x), std::floor(window->DC.CursorPos.y));
  ImRect seen(corner, ImVec2(corner.x + std::floor(whole.x), corner.y + std::floor(whole.y)));
  seen.ClipWith(window->ClipRect);
  if (seen.Min.x < seen.Max.x && seen.Min.y < seen.Max.y) return ImGui::BeginTable(id, columns, flags, size);
  ImGui::ItemSize(whole);
  return false;
}

void table_heads() {
  ImGui::TableHeadersRow();
  ImGui::GetCurrentTable()->Flags &= ~ImGuiTableFlags_NoBordersInBody;  // what can be pressed is settled; the lines are still to be drawn
}

}  // namespace pt2::views
