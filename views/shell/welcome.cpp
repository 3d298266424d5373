// What the window shows without a document: ways to begin, recent files, tips.
#include <algorithm>
#include <filesystem>

#include "core/base/display.h"
#include "core/base/text.h"
#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"
#include "views/widgets/tab_stops.h"
#include "views/workspace/labels.h"
#include "views/workspace/titles.h"

namespace pt2::views {

namespace {

// A wide button with an icon, a title and its shortcut.
bool action(ShellContext& c, const char* id, const char* glyph, std::string_view title, std::string_view detail, const std::string& keys, std::string_view probe, float width, bool enabled = true) {
  const float height = c.px(44);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool clicked = compat::invisible_button(id, ImVec2(width, height)) && enabled;
  const bool hovered = ImGui::IsItemHovered() && enabled;
  c.probe.item(probe, title, enabled);
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddRectFilled(at, ImVec2(at.x + width, at.y + height), c.theme.color(hovered ? Role::SelectionRow : Role::Raised), c.px(6));
  ImFont *font = c.theme.fonts.body, *small = c.theme.fonts.caption;
  const ImU32 color = c.theme.color(enabled ? Role::Text : Role::Disabled);
  draw->AddText(font, font->FontSize, ImVec2(IM_FLOOR(at.x + c.px(14)), IM_FLOOR(at.y + (height - font->FontSize) / 2)), c.theme.color(enabled ? Role::Accent : Role::Disabled), glyph);
  const float keys_w = keys.empty() ? 0 : ui::text_width(small, keys) + c.px(14);
  ui::clipped_text(draw, font, ImVec2(at.x + c.px(44), at.y + c.px(5)), width - c.px(52) - keys_w, color, title);
  ui::clipped_text(draw, small, ImVec2(at.x + c.px(44), at.y + c.px(25)), width - c.px(52) - keys_w, c.theme.color(enabled ? Role::Text2 : Role::Disabled), detail);
  if (!keys.empty()) draw->AddText(small, small->FontSize, ImVec2(IM_FLOOR(at.x + width - keys_w), IM_FLOOR(at.y + (height - small->FontSize) / 2)), c.theme.color(Role::Text2), keys.c_str());
  return clicked;
}

void recent_list(ShellContext& c, const std::string& probe, float width, size_t most) {
  ImFont *font = c.theme.fonts.body, *small = c.theme.fonts.caption;
  ImDrawList* draw = ImGui::GetWindowDrawList();
  if (c.workspace.recent.empty()) {
    compat::push_font(c.theme.fonts.table);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Text2));
    ImGui::TextUnformatted("Files you open are listed here.");
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
    return;
  }
  std::vector<std::string> paths;
  for (const RecentFile& file : c.workspace.recent) paths.push_back(file.path);
  const std::vector<std::string> names = distinct_names(paths);
  std::string removed;
  for (size_t i = 0; i < std::min(most, c.workspace.recent.size()); ++i) {
    const RecentFile& file = c.workspace.recent[i];
    const float height = c.px(44);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::PushID(int(i));
    const bool missing = file.missing;
    const bool over_remove = missing && ImGui::GetIO().MousePos.x > at.x + width - c.px(64);
    const bool clicked = compat::invisible_button("recent", ImVec2(width, height));
    const bool hovered = ImGui::IsItemHovered();
    tab_stops::add_row();
    if (c.probe.on()) c.probe.item(probe + std::to_string(i), file.path);
    ui::tooltip(c, display(file.path));
    ImGui::PopID();
    if (hovered && !missing) draw->AddRectFilled(at, ImVec2(at.x + width, at.y + height), c.theme.color(Role::SelectionRow, 0.7f), c.px(6));
    const std::filesystem::path path(file.path);
    float right = at.x + width - c.px(12);
    const std::string detail = missing ? "Remove" : file.nodes ? with_commas(file.nodes) + " operators" : "";
    if (!detail.empty()) {
      const float w = ui::text_width(small, detail);
      draw->AddText(small, small->FontSize, ImVec2(IM_FLOOR(right - w), IM_FLOOR(at.y + (height - small->FontSize) / 2)), c.theme.color(over_remove && hovered ? Role::Accent : Role::Text2), detail.c_str());
      right -= w + c.px(12);
    }
    ui::clipped_text(draw, font, ImVec2(at.x + c.px(12), at.y + c.px(5)), right - at.x - c.px(12), c.theme.color(missing ? Role::Disabled : Role::Text), display(names[i]));
    std::string where = display(path.parent_path().string());
    if (missing) where = "not there any more: " + where;
    ui::clipped_text(draw, small, ImVec2(at.x + c.px(12), at.y + c.px(25)), right - at.x - c.px(12), c.theme.color(missing ? Role::Disabled : Role::Text2), where);
    if (clicked && missing && over_remove) removed = file.path;
    else if (clicked && !missing) c.commands.push("file.open", file.path);
    ImGui::Dummy(ImVec2(0, c.px(2)));
  }
  if (!removed.empty()) c.commands.push("file.forget_recent", removed);
}

}  // namespace

void draw_welcome(ShellContext& c, ImVec2 pos, ImVec2 size) {
  ImGui::SetCursorScreenPos(pos);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  compat::begin_child("welcome", size);
  ImGui::PopStyleVar();
  const float width = std::min(size.x - c.px(48), c.px(860)), column = (width - c.px(40)) / 2;
  const float x = IM_FLOOR(pos.x + (size.x - width) / 2), top = IM_FLOOR(pos.y + std::max(c.px(32), (size.y - c.px(520)) * 0.38f));
  ImDrawList* draw = ImGui::GetWindowDrawList();
  draw->AddText(c.theme.fonts.heading, c.theme.fonts.heading->FontSize, ImVec2(x, top), c.theme.color(Role::Text), "pt2scope");
  draw->AddText(c.theme.fonts.table, c.theme.fonts.table->FontSize, ImVec2(x, top + c.px(26)), c.theme.color(Role::Text2), "See, step through and compare exported PyTorch programs (.pt2)");

  float y = top + c.px(64);
  auto label = [&](float at_x, const char* text) { draw->AddText(c.theme.fonts.caption, c.theme.fonts.caption->FontSize, ImVec2(at_x, y), c.theme.color(Role::Text2), text); };
  label(x, "Start");
  label(x + column + c.px(40), "Recent files");
  y += c.px(22);
  auto keys = [&](std::string_view id) { const Command* command = c.registry.find(id); return command ? c.registry.shortcut(*command) : std::string(); };
  float row = y;
  auto next = [&] {
    ImGui::SetCursorScreenPos(ImVec2(x, row));
    row += c.px(52);
  };
  next();
  if (action(c, "open", icon::folder_open, "Open…", "A .pt2 file, or one with tensors", keys("file.open"), "welcome/open", column)) c.commands.push("file.open");
  next();
  if (action(c, "compare", icon::columns, "Open two to compare…", "Before and after decomposition, two exports", keys("file.open_compare"), "welcome/compare", column)) c.commands.push("file.open_two");
  next();
  if (action(c, "sample", icon::cube, "Open the sample", "ConvBnReLU: three operators, with inputs", "", "welcome/sample", column)) c.commands.push("file.open_sample");
  // Drop zone
  const ImVec2 zone(x, row), zone_end(x + column, row + c.px(72));
  compat::add_rect(draw, zone, zone_end, c.theme.color(Role::Border), c.px(6));
  const std::string drop = "or drop a file anywhere in this window";
  ui::clipped_text(draw, c.theme.fonts.table, ImVec2(zone.x + std::max(c.px(8), (column - ui::text_width(c.theme.fonts.table, drop)) / 2), zone.y + c.px(29)), column - c.px(16), c.theme.color(Role::Text2), drop);

  ImGui::SetCursorScreenPos(ImVec2(x + column + c.px(40), y));
  ImGui::BeginGroup();
  recent_list(c, "welcome/recent/", column, 6);
  ImGui::EndGroup();

  float tips = std::max(zone_end.y + c.px(36), ImGui::GetCursorScreenPos().y + c.px(24));
  constexpr const char* lines[] = {"Ctrl+P goes to any node, operator, module or command by name.", "Ctrl+click a node's name anywhere to select it; Alt+Left goes back.",
                                   "Without a window: pt2scope info, print, run, compare, render, tensor."};
  for (const char* line : lines) {
    ui::clipped_text(draw, c.theme.fonts.table, ImVec2(x, tips), width, c.theme.color(Role::Text2), line);
    tips += c.px(22);
  }
  ImGui::SetCursorScreenPos(ImVec2(x, tips));
  ImGui::Dummy(ImVec2(1, 1));
  ImGui::EndChild();
}

void draw_recent(ShellContext& c) {
  if (!ui::begin_dialog(c, "recent", "Recent files", ImVec2(620, 440))) return;
  compat::begin_child("recent list", ImVec2(0, 0));
  const float width = ImGui::GetContentRegionAvail().x;
  const size_t documents = c.workspace.documents().size();
  recent_list(c, "recent/", width, c.workspace.recent.size());
  if (!c.commands.empty() && documents == c.workspace.documents().size()) c.workspace.ui.dialog.clear();
  ImGui::EndChild();
  ui::end_dialog(c);
}

}  // namespace pt2::views
