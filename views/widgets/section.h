#pragma once
// The head of a collapsible section, quieter than ImGui's: the content counts.
#include "views/shell/theme.h"

namespace pt2::views {

// True while the section is open. `label` may carry a count before "###".
inline bool section_header(const Theme& theme, const char* label, bool open_at_first = true) {
  ImGui::PushStyleColor(ImGuiCol_Header, theme.color(Role::Raised));
  ImGui::PushStyleColor(ImGuiCol_HeaderHovered, theme.color(Role::SelectionRow));
  ImGui::PushStyleColor(ImGuiCol_HeaderActive, theme.color(Role::SelectionRow));
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme.px(4), theme.px(2)));
  const bool open = ImGui::CollapsingHeader(label, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor(3);
  return open;
}

}  // namespace pt2::views
