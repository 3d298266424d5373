// Keyboard sheet, about.
#include <algorithm>

#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/key_sheet.h"
#include "views/shell/shell.h"

namespace pt2::views {

namespace {

void wrapped(const std::string& text) {
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopTextWrapPos();
}

void draw_section(ShellContext& c, const KeySection& section) {
  if (section.rows.empty()) return;
  ImGui::Dummy(ImVec2(0, c.px(4)));
  ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Accent));
  ImGui::TextUnformatted(section.title.c_str());
  ImGui::PopStyleColor();
  if (!ImGui::BeginTable(section.title.c_str(), 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, c.px(150));
  ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [keys, action] : section.rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Text2));
    wrapped(keys);
    ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    wrapped(action);
  }
  ImGui::EndTable();
}

}  // namespace

void draw_help(ShellContext& c) {
  if (!ui::begin_dialog(c, "help", "Keyboard and mouse", ImVec2(900, 640))) return;
  c.probe.item("help/title", "Keyboard and mouse");
  compat::begin_child("sheet", ImVec2(0, 0));
  if (ImGui::BeginTable("columns", 2, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    // Commands to the left, panes' own keys to the right.
    for (const KeySection& section : key_sheet(c.registry)) {
      if (section.title == "Outside of text fields") ImGui::TableNextColumn();
      draw_section(c, section);
    }
    ImGui::EndTable();
  }
  ImGui::EndChild();
  ui::end_dialog(c);
}

void draw_about(ShellContext& c) {
  if (!ui::begin_dialog(c, "about", "About pt2scope", ImVec2(560, 400))) return;
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(("Version " + c.workspace.ui.version + ". Visualizer and step-through debugger for PyTorch Export IR (.pt2).").c_str());
  ImGui::Spacing();
  const std::string& renderer = c.workspace.ui.renderer;
  const bool software = renderer.find("llvmpipe") != std::string::npos || renderer.find("softpipe") != std::string::npos || renderer.find("SwiftShader") != std::string::npos;
  ImGui::TextUnformatted(("Renderer: " + (renderer.empty() ? std::string("none") : renderer) + (software ? " (software rendering: animations are off)" : "")).c_str());
  ImGui::Spacing();
  ImGui::TextDisabled("Libraries");
  ImGui::TextUnformatted((std::string("Dear ImGui ") + IMGUI_VERSION + " (MIT), GLFW (zlib), FreeType (FTL), Graphviz (EPL), nlohmann_json (MIT), CLI11 (BSD), Eigen (MPL2), zlib, stb (public domain)").c_str());
  ImGui::Spacing();
  ImGui::TextDisabled("Fonts");
  ImGui::TextUnformatted("Roboto (Apache-2.0), JetBrains Mono (OFL-1.1), DejaVu Sans (Bitstream Vera), Font Awesome 4.7 (OFL-1.1)");
  ImGui::PopTextWrapPos();
  ui::fit_dialog("about", ui::spare_height());
  ui::end_dialog(c);
}

}  // namespace pt2::views
