#pragma once
#include "imgui.h"

namespace pt2::views {

// The line goes on where there is room for what comes next, of this width in pixels.
inline void go_on(float width, float gap) {
  ImGui::SameLine(0, gap);
  if (ImGui::GetContentRegionAvail().x < width) ImGui::NewLine();
}

}  // namespace pt2::views
