#pragma once
#include "imgui.h"

namespace pt2::views {

// ImGui's check box with a frame: without one an unchecked box is hardly told from what is behind it.
inline bool check_box(const char* label, bool* on) {
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1);
  ImGui::PushStyleColor(ImGuiCol_Border, ImGui::GetStyleColorVec4(ImGuiCol_TextDisabled));
  const bool changed = ImGui::Checkbox(label, on);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  return changed;
}

}  // namespace pt2::views
