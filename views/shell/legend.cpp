// What colours, signs, frames and lines of the graph mean. Nothing is told apart by colour alone.
#include <functional>

#include "imgui_internal.h"
#include "views/compat.h"
#include "views/shell/shell.h"
#include "views/widgets/badges.h"
#include "views/widgets/draw.h"

namespace pt2::views {

namespace {

constexpr int kColumns = 3;
constexpr float kSampleWidth = 44, kSampleHeight = 18, kRow = 22, kTextAt = 64;

// A sample in a rectangle of the screen.
using Sample = std::function<void(ImDrawList*, const Theme&, ImVec2 min, ImVec2 max)>;
struct Entry {
  std::string name, text;
  Sample draw;
};

void plain_box(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, float alpha = 1) {
  list->AddRectFilled(min, max, theme.family(OpFamily::Convolution, alpha), theme.px(4));
  compat::add_rect(list, min, max, theme.color(Role::Outline, 0.8f * alpha), theme.px(4));
}

void frame(ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max, Role role, float out, float width) {
  compat::add_rect(list, {min.x - out, min.y - out}, {max.x + out, max.y + out}, theme.color(role), theme.px(4) + out, width);
}

Sample framed(Role role, float out, float width) {
  return [=](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
    plain_box(list, theme, min, max);
    frame(list, theme, min, max, role, out, width);
  };
}

// An input or output of the selection: the bar is at the side that faces it.
Sample neighbour(Role role, bool bar_below) {
  return [=](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
    plain_box(list, theme, min, max);
    frame(list, theme, min, max, role, 0, 2.5f);
    const float bar = theme.px(3);
    list->AddRectFilled({min.x, bar_below ? max.y : min.y - bar}, {max.x, bar_below ? max.y + bar : min.y}, theme.color(role));
  };
}

Sample line(Role role, float width, float dash = 0, float gap = 0) {
  return [=](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
    const float y = (min.y + max.y) / 2, head = theme.px(7);
    const ImVec2 ends[] = {{min.x, y}, {max.x - head, y}};
    const ImU32 color = theme.color(role);
    if (dash > 0) draw::dashed_line(list, ends, color, theme.px(width), theme.px(dash), theme.px(gap));
    else list->AddLine(ends[0], ends[1], color, theme.px(width));
    list->AddTriangleFilled({max.x, y}, {max.x - head, y - head * 0.45f}, {max.x - head, y + head * 0.45f}, color);
  };
}

// A line at the selected box: it ends there or begins there.
Sample line_at_selection(Role role, bool ends_there) {
  return [=](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
    const float side = theme.px(12), y = (min.y + max.y) / 2;
    const ImVec2 box{ends_there ? max.x - side : min.x, y - side / 2};
    line(role, 2.5f)(list, theme, {ends_there ? min.x : min.x + side, min.y}, {ends_there ? max.x - side : max.x, max.y});
    framed(Role::SelectionRing, 0, 2)(list, theme, box, {box.x + side, box.y + side});
  };
}

std::vector<Entry> families(bool patterns) {
  std::vector<Entry> entries;
  for (int i = 0; i < kOpFamilyCount; ++i)
    entries.push_back({"family/" + std::to_string(i), std::string(family_name(OpFamily(i))), [i, patterns](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
                         list->AddRectFilled(min, max, theme.family(OpFamily(i)), theme.px(4));
                         if (patterns) draw::family_pattern(list, min, max, OpFamily(i), theme.family_pattern(), theme.scale);
                         compat::add_rect(list, min, max, theme.color(Role::Outline), theme.px(4));
                         const ImFont* font = theme.fonts.caption;
                         list->AddText(font, font->FontSize, {IM_FLOOR(min.x + theme.px(8)), IM_FLOOR(min.y + theme.px(3))}, theme.family_text(), std::string(family_code(OpFamily(i))).c_str());
                       }});
  return entries;
}

std::vector<Entry> signs() {
  std::vector<Entry> entries;
  for (const BadgeRow& row : kBadges)
    entries.push_back({std::string("sign/") + row.name, row.text, [badge = row.badge](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
                         draw_badge(list, theme, badge, {(min.x + max.x) / 2, (min.y + max.y) / 2}, theme.px(13));
                       }});
  return entries;
}

std::vector<Entry> boxes() {
  return {{"box/selected", "Selected", framed(Role::SelectionRing, 1, 2)},
          {"box/current", "Current: the frame stands apart", framed(Role::Current, 4, 2)},
          {"box/hit", "Found by the search; thick where F3 stands", framed(Role::Accent, 3, 1)},
          {"box/failed", "Failed: could not run", framed(Role::Breakpoint, 0, 2)},
          {"box/input", "Input of the selection", neighbour(Role::Upstream, true)},
          {"box/output", "Output of the selection", neighbour(Role::Downstream, false)},
          {"box/different", "Differs: a wide strip, hatched where changed", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
             plain_box(list, theme, min, max);
             list->AddRectFilled(min, {min.x + theme.px(6), max.y}, theme.color(Role::Changed), theme.px(4), ImDrawFlags_RoundCornersLeft);
             draw::hatch(list, min, {min.x + theme.px(6), max.y}, theme.color(Role::Canvas, 0.8f), theme.px(4));
           }},
          {"box/folded", "Folded module or run of nodes", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
             const float step = theme.px(3);
             list->AddRectFilled({min.x + step, min.y + step}, {max.x + step, max.y + step}, theme.color(Role::Border), theme.px(4));
             list->AddRectFilled(min, max, theme.color(Role::Raised), theme.px(4));
             compat::add_rect(list, min, max, theme.color(Role::Outline, 0.8f), theme.px(4));
           }},
          {"box/dashed", "Sub-graph; in a comparison: removed", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
             list->AddRectFilled(min, max, theme.color(Role::Raised), theme.px(4));
             draw::dashed_rect(list, min, max, theme.color(Role::Outline), 1);
           }},
          {"box/unsupported", "No implementation of the operator here", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
             plain_box(list, theme, min, max);
             draw::hatch(list, min, max, theme.color(Role::Text, 0.3f), theme.px(6));
           }},
          {"box/pale", "Not run yet; not in the highlight; the same in both", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) { plain_box(list, theme, min, max, 0.4f); }}};
}

Sample chip(ChipKind kind) {
  return [kind](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
    const float side = float(int(theme.px(11)) | 1);
    draw_chip_sign(list, kind, {IM_FLOOR((min.x + max.x - side) / 2), IM_FLOOR((min.y + max.y - side) / 2)}, side, theme.color(Role::Text));
  };
}

std::vector<Entry> chips() {
  return {{"chip/parameter", "Parameter", chip(ChipKind::Parameter)}, {"chip/buffer", "Buffer", chip(ChipKind::Buffer)}, {"chip/constant", "Constant", chip(ChipKind::Constant)},
          {"chip/object", "Object", chip(ChipKind::Object)},
          {"chip/nonfinite", "NaN or Inf in it", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) { draw::hexagon(list, {(min.x + max.x) / 2, (min.y + max.y) / 2}, theme.px(11), theme.color(Role::NonFinite)); }},
          {"chip/written", "Violet frame: gets a new value", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) { frame(list, theme, min, max, Role::Mutated, 0, 1.5f); }}};
}

std::vector<Entry> lines() {
  return {{"line/tensor", "Tensor", line(Role::Outline, 1.5f)},
          {"line/scalar", "Number, symbol or list", line(Role::Outline, 1.5f, 2, 3)},
          {"line/mutation", "New value of a buffer or input", line(Role::Mutated, 1.5f, 6, 4)},
          {"line/subgraph", "Sub-graph to the operator that runs it", line(Role::Outline, 1.5f, 12, 5)},
          {"line/input", "Into the selection", line_at_selection(Role::Upstream, true)},
          {"line/output", "Out of the selection", line_at_selection(Role::Downstream, false)},
          {"line/selected", "Selected value", line(Role::SelectionRing, 3.5f)},
          {"line/cut", "Cut line: the same number is at its other end", [](ImDrawList* list, const Theme& theme, ImVec2 min, ImVec2 max) {
             const ImVec2 low{min.x + theme.px(8), min.y + theme.px(2)}, high{max.x - theme.px(8), max.y - theme.px(2)};
             compat::add_rect(list, low, high, theme.color(Role::Outline), (high.y - low.y) / 2);
             list->AddText(theme.fonts.caption, theme.fonts.caption->FontSize, {IM_FLOOR((low.x + high.x) / 2 - theme.px(3)), low.y}, theme.color(Role::Text2), "7");
           }}};
}

void section(ShellContext& c, const char* title, const std::vector<Entry>& entries) {
  ImGui::TextDisabled("%s", title);
  if (!ImGui::BeginTable(title, kColumns, ImGuiTableFlags_SizingStretchSame)) return;
  ImFont* font = c.theme.fonts.table;
  for (const Entry& entry : entries) {
    ImGui::TableNextColumn();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, top = at.y + (c.px(kRow) - c.px(kSampleHeight)) / 2, left = at.x + c.px(6);
    ImDrawList* list = ImGui::GetWindowDrawList();
    entry.draw(list, c.theme, {left, top}, {left + c.px(kSampleWidth), top + c.px(kSampleHeight)});
    ui::clipped_text(list, font, ImVec2(at.x + c.px(kTextAt), at.y + (c.px(kRow) - font->FontSize) / 2), width - c.px(kTextAt), c.theme.color(Role::Text), entry.text);
    ImGui::Dummy(ImVec2(width, c.px(kRow)));
    c.probe.item("legend/" + entry.name, entry.text);
    if (ui::text_width(font, entry.text) > width - c.px(kTextAt)) ui::tooltip(c, entry.text);
  }
  ImGui::EndTable();
  ImGui::Spacing();
}

}  // namespace

void draw_legend(ShellContext& c) {
  if (!ui::begin_dialog(c, "legend", "Legend", ImVec2(1060, 720))) return;
  compat::begin_child("legend body", ImVec2(0, 0));
  section(c, "Operators", families(c.workspace.ui.preferences.patterns));
  section(c, "Signs at a box", signs());
  section(c, "Boxes", boxes());
  section(c, "Signs of what a box reads", chips());
  section(c, "Lines", lines());
  ui::fit_dialog("legend", ui::spare_height());
  ImGui::EndChild();
  ui::end_dialog(c);
}

}  // namespace pt2::views
