#pragma once
// What tables with heads have in common: columns are told apart by lines and resized by their heads.
#include "imgui.h"

namespace pt2::views {

// Below the heads a line that could be pulled would take clicks on a row.
inline constexpr ImGuiTableFlags kTableLook = ImGuiTableFlags_RowBg | ImGuiTableFlags_Resizable | ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_NoBordersInBody;
// ImGui::BeginTable for a table that scrolls in itself.
bool begin_list(const char* id, int columns, ImGuiTableFlags flags, ImVec2 size = {0, 0});
// The row of heads of a table that has this look, after its columns were set up.
void table_heads();

}  // namespace pt2::views
