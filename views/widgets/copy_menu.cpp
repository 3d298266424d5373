#include "views/widgets/copy_menu.h"

namespace pt2::views {

namespace {

void entry(const std::string& text) {
  if (ImGui::MenuItem("Copy")) ImGui::SetClipboardText(text.c_str());
  ImGui::EndPopup();
}

}  // namespace

void copy_menu(const char* id, const std::string& text) {
  if (ImGui::BeginPopupContextItem(id)) entry(text);
}

void copy_menu(const char* id, const std::string& text, ImVec2 min, ImVec2 max) {
  const bool pointed_at = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByPopup) && ImGui::IsMouseHoveringRect(min, max, false);
  if (pointed_at && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) ImGui::OpenPopup(id);
  if (ImGui::BeginPopup(id)) entry(text);
}

void copied_probe(PaneContext& context, std::string_view name, const std::string& text) {
  context.probe.item(name, text);
  copy_menu(std::string(name).c_str(), text);
}

}  // namespace pt2::views
