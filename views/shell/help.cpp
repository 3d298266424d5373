// Keyboard sheet, about.
#include <algorithm>

#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"

namespace pt2::views {

namespace {

struct KeyRow { const char *keys, *action; };
// Keys that belong to a pane, not to a command.
constexpr KeyRow kGraphKeys[] = {
    {"Down, Up", "First consumer, first producer"}, {"Left, Right", "Previous, next sibling"}, {"Home, End", "First, last step"}, {"PgUp, PgDn, K, J", "Previous, next in execution order"},
    {"Space", "Fold or unfold"}, {"Enter", "Tensor pane; module alone"}, {"Backspace", "Leave module"}, {"I, O", "Select all inputs, outputs"}, {"U, D", "Highlight upstream, downstream"},
    {"F", "Fit all"}, {"Z", "Fit selection"}, {"+, -, 1", "Zoom in, out, 100 %"}, {"P", "Parameters: attached, nodes, hidden"}, {"L", "Direction"}, {"M", "Mini-map"}, {"H, Shift+H", "Hide, unhide all"}, {"Ctrl+I", "The card of the selection"},
    {"Menu, Shift+F10", "Context menu; also in text and tables"}};
constexpr KeyRow kMouse[] = {
    {"Wheel", "Zoom at the pointer"}, {"Drag on empty space", "Pan (also with the middle button)"}, {"Click, Shift+click", "Select, add to the selection"}, {"Ctrl+drag", "Rubber band"},
    {"Double click", "Node: tensor; module: fold or unfold"}, {"Ctrl+click a name", "Go to it"}, {"Alt+click an edge", "Go to its far end"}, {"Right click", "Menu"}};

void sheet(ShellContext& c, const char* title, const std::vector<std::pair<std::string, std::string>>& rows) {
  if (rows.empty()) return;
  ImGui::Dummy(ImVec2(0, c.px(4)));
  ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Accent));
  ImGui::TextUnformatted(title);
  ImGui::PopStyleColor();
  if (!ImGui::BeginTable(title, 2, ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, c.px(150));
  ImGui::TableSetupColumn("action", ImGuiTableColumnFlags_WidthStretch);
  for (const auto& [keys, action] : rows) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Text2));
    ImGui::TextUnformatted(keys.c_str());
    ImGui::PopStyleColor();
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(action.c_str());
  }
  ImGui::EndTable();
}

std::vector<std::pair<std::string, std::string>> table_rows(std::span<const KeyRow> rows) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const KeyRow& row : rows) out.emplace_back(row.keys, row.action);
  return out;
}

std::vector<std::pair<std::string, std::string>> command_rows(ShellContext& c, std::string_view menu) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Command& command : c.registry.commands())
    if (command.menu == menu)
      if (const std::string keys = c.registry.shortcut(command); !keys.empty()) out.emplace_back(keys, command.title);
  return out;
}

}  // namespace

void draw_help(ShellContext& c) {
  if (!ui::begin_dialog(c, "help", "Keyboard and mouse", ImVec2(900, 640))) return;
  c.probe.item("help/title", "Keyboard and mouse");
  compat::begin_child("sheet", ImVec2(0, 0));
  if (ImGui::BeginTable("columns", 2, ImGuiTableFlags_SizingStretchSame)) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    for (const char* menu : {"Run", "File", "Edit", "Go", "View", "Compare", "Help"}) sheet(c, menu, command_rows(c, menu));
    ImGui::TableNextColumn();
    sheet(c, "In the graph", table_rows(kGraphKeys));
    sheet(c, "Mouse in the graph", table_rows(kMouse));
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
  ui::end_dialog(c);
}

}  // namespace pt2::views
