// What lies around and over the graph: the bar with breadcrumb and zoom, the minimap, the hover card.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/base/display.h"
#include "core/base/json_tree.h"
#include "core/base/text.h"
#include "core/graph/results.h"
#include "core/graph/shown_frame.h"
#include "views/compat.h"
#include "views/panes/graph_pane.h"
#include "views/widgets/cell_text.h"
#include "views/widgets/draw.h"
#include "views/widgets/text_field.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"
#include "views/workspace/tensor_image.h"

namespace pt2::views {
namespace {

constexpr float kMinimapWidth = 160, kMinimapHeight = 110, kMinimapMargin = 12, kFaint = 0.3f, kMostMinimap = 0.1f;
constexpr double kCardDelay = 0.4;        // seconds

// A line for each of the first results of a call with several.
std::string result_types(const Graph& graph, NodeId call) {
  constexpr size_t kTold = 8;
  const auto results = taken_results(graph, call);
  std::string text;
  size_t told = 0;
  for (const auto& [index, item] : results) {
    if (!text.empty()) text += '\n';
    if (told++ == kTold) return text + "and " + with_commas(uint64_t(results.size() - kTold)) + " more";
    text += "[" + std::to_string(index) + "] " + type_label(graph.node(item).val);
  }
  return text;
}

// What was drawn since the list had `begin` vertices.
void fade(ImDrawList* list, int begin, float alpha) {
  for (int i = begin; i < list->VtxBuffer.Size; ++i) {
    ImU32& color = list->VtxBuffer[i].col;
    color = (color & ~IM_COL32_A_MASK) | (ImU32(float(color >> IM_COL32_A_SHIFT) * alpha) << IM_COL32_A_SHIFT);
  }
}

void tooltip(const char* text) {
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", text);
}

// The card of a group of nodes.
std::string group_text(const GraphScene& scene, std::string_view title, uint32_t nodes, ModuleId module, std::string_view advice) {
  std::string text = std::string(title) + "\n" + with_commas(uint64_t(nodes)) + (nodes == 1 ? " op" : " ops");
  if (module) text += "\n" + display(scene.program->modules.modules[module].type);
  return text.append("\n").append(advice);
}

// What boxes are coloured by now.
std::string overlay_label(const PaneContext& context) {
  const Document& document = *context.document;
  return document.overlay == OverlayKind::Data && document.data ? display_cut(document.data->columns[document.data_column].name, 40) : std::string(overlay_title(document.overlay));
}

}  // namespace

void GraphPane::header(PaneContext& context) {
  const Document& document = *context.document;
  const Theme& theme = context.theme;
  const std::string prefix = context.graph_prefix() + "/";
  compat::push_font(theme.fonts.table);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(theme.px(6), theme.px(2)));
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  const float start = ImGui::GetCursorPosX(), right = start + ImGui::GetContentRegionAvail().x;

  // The shown root and what is around it.
  if (document.graph.root) {
    std::vector<ModuleId> chain;
    const auto& modules = document.program()->modules.modules;
    for (ModuleId m = document.graph.root; m; m = modules[m].parent) chain.push_back(m);
    for (size_t i = chain.size(); i-- > 0;) {
      const Module& module = modules[chain[i]];
      ImGui::PushID(int(i));
      const std::string name = module.parent ? display_cut(module.name, 40) : std::string(class_label(module.type).empty() ? "all" : display(class_label(module.type)));
      if (ImGui::Button(name.c_str())) context.push("view.open_module", chain[i], "graph");
      ImGui::PopID();
      ImGui::SameLine(0, 0);
      if (i) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextDisabled("›");
        ImGui::SameLine(0, 0);
      }
    }
  }
  const float pad = theme.px(6);
  ImGui::Dummy({pad, ImGui::GetFrameHeight()});
  ImGui::SameLine(0, 0);

  notes(context, start + pad, right);

  // At the right, in one line: the menu of colours gives room first, down to its arrow, then the zoom is left out. What stands to the left
  // has a line of its own where there is no room for both.
  const ImVec2 square{theme.px(28), 0};
  const float gap = theme.px(2), zoom_w = theme.px(52), others = zoom_w + 4 * square.x + 5 * gap, arrow = ImGui::GetFrameHeight();
  const float widest = std::clamp(ImGui::CalcTextSize(("by " + overlay_label(context)).c_str()).x + arrow + theme.px(16), theme.px(136), theme.px(220)), least = theme.px(72);
  auto room_for_colors = [&] { return right - ImGui::GetCursorPosX() - others; };
  if (room_for_colors() < least && ImGui::GetCursorPosX() > start + pad + 1) ImGui::NewLine();
  const float room = room_for_colors(), colors = room < least ? arrow : std::min(room, widest);
  const bool zoom_shown = room >= arrow;
  auto next = [&] { ImGui::SameLine(0, gap); };
  ImGui::SetCursorPosX(std::max(start, right - colors - others + (zoom_shown ? 0 : zoom_w + gap)));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, theme.color(Role::Raised));
  ImGui::PushStyleColor(ImGuiCol_Button, theme.color(Role::Raised));
  overlay_menu(context, colors);
  ImGui::PopStyleColor(2);
  next();
  if (zoom_shown) {
    zoom_field(context, zoom_w);
    next();
  }
  if (ImGui::Button("\xef\x82\xb2##fit", square)) context.push("view.fit", {}, "graph");
  tooltip("Fit all (F)");
  context.probe.item(prefix + "fit", "Fit all");
  next();
  const bool down = document.graph.direction == Direction::TopDown;
  if (ImGui::Button(down ? "↓##direction" : "→##direction", square)) context.push("view.direction", {}, "graph");
  tooltip(down ? "Top down; click for left to right (L)" : "Left to right; click for top down (L)");
  context.probe.item(prefix + "direction", down ? "Top down" : "Left to right");
  next();
  if (ImGui::Button("▤##parameters", square)) context.push("view.parameters", {}, "graph");
  const char* modes[] = {"Parameters are attached to their readers (P)", "Parameters are drawn as nodes (P)", "Parameters are hidden (P)"};
  tooltip(modes[int(document.graph.parameters)]);
  context.probe.item(prefix + "parameters", modes[int(document.graph.parameters)]);
  next();
  if (ImGui::Button("?##legend", square)) context.push("help.legend", {}, "graph");
  tooltip("Legend");
  context.probe.item(prefix + "legend", "Legend");
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
}

void GraphPane::zoom_field(PaneContext& context, float width) {
  if (edit_zoom_) {
    ImGui::SetNextItemWidth(width);
    ImGui::SetKeyboardFocusHere();
    if (input_text("##zoom", zoom_text_, "", ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll)) {
      if (const double percent = std::strtod(zoom_text_.c_str(), nullptr); percent > 0) {
        canvas_.look_at(canvas_.target_center(), float(percent / 100), context.animate);
        fitted_ = false;
      }
      edit_zoom_ = false;
    } else if (ImGui::IsItemDeactivated()) {
      edit_zoom_ = false;
    }
  } else {
    // Not rounded up: at "80 %" everything is there that shows from 80 % on.
    char zoom[24];
    const double percent = double(canvas_.target_zoom()) * 100;
    std::snprintf(zoom, sizeof zoom, percent < 1 ? "%.2f %%##zoom" : "%.0f %%##zoom", percent < 1 ? percent : std::floor(percent + 0.01));
    if (ImGui::Button(zoom, {width, 0})) {
      edit_zoom_ = true;
      zoom_text_.assign(zoom, std::strcspn(zoom, " "));
    }
    tooltip("Zoom; click to type");
    context.probe.item(context.graph_prefix() + "/zoom", std::string_view(zoom, std::strcspn(zoom, "#")));
  }
}

void GraphPane::overlay_menu(PaneContext& context, float width) {
  const OverlayKind now = context.document->overlay;
  const NodeData* data = context.document->data.get();
  const std::string shown = overlay_label(context);
  const float arrow = ImGui::GetFrameHeight();
  const bool words = width > arrow + 1;
  const std::string title = words ? draw::elided({ImGui::GetFont(), ImGui::GetFontSize()}, "by " + shown, width - arrow - 2 * ImGui::GetStyle().FramePadding.x) : "";
  ImGui::SetNextItemWidth(width);
  if (ImGui::BeginCombo("##overlay", title.c_str(), ImGuiComboFlags_HeightLargest | (words ? 0 : ImGuiComboFlags_NoPreview))) {
    for (int i = 0; i < kOverlayKinds; ++i) {
      const OverlayKind kind = OverlayKind(i);
      if (kind == OverlayKind::Data) continue;
      if (ImGui::Selectable(std::string(overlay_title(kind)).c_str(), kind == now)) context.push("view.color_by", std::string(overlay_name(kind)), "graph");
    }
    ImGui::Separator();
    for (size_t i = 0; data && i < data->columns.size(); ++i) {
      const std::string label = display_cut(data->columns[i].name, 40) + "##column" + std::to_string(i);
      if (ImGui::Selectable(label.c_str(), now == OverlayKind::Data && context.document->data_column == i)) context.push("view.data_column", data->columns[i].name, "graph");
      if (context.probe.on()) context.probe.item(context.graph_prefix() + "/overlay/column/" + std::to_string(i), data->columns[i].name);
    }
    if (ImGui::Selectable("Values from a file…")) context.push("view.data_file", {}, "graph");
    ImGui::EndCombo();
  }
  tooltip("What boxes are coloured by");
  context.probe.item(context.graph_prefix() + "/overlay", shown);
}

bool GraphPane::over_overlay_scale(const PaneContext& context) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  return overlay_control_.active() || (context.document->overlay != OverlayKind::Family && !overlay_scale_.empty() && overlay_scale_.contains({mouse.x, mouse.y}));
}

namespace {

// Why no box has a colour.
std::string nothing_text(const Document& document) {
  if (!overlay_needs_run(document.overlay)) return "Nothing to show";
  const interp::Debugger* debugger = document.debug ? document.debug->debugger() : nullptr;
  if (!debugger || debugger->trace().steps().empty()) return "Run the program first (F5)";
  return document.overlay == OverlayKind::Mismatch && !debugger->reference() ? "No reference to compare with" : "Nothing to show";
}

}  // namespace

// The scale of the overlay in the lower left corner: a strip with handles for numbers, squares for classes and for what has no place on the strip.
void GraphPane::draw_overlay_scale(PaneContext& context) {
  overlay_scale_ = {};
  if (overlay_.kind == OverlayKind::Family) return;
  const Theme& theme = context.theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  compat::push_font(theme.fonts.caption);
  const float line = ImGui::GetTextLineHeight(), pad = theme.px(8), width = theme.px(190), handles = theme.px(6);
  const bool strip = has_strip(overlay_);
  const bool no_box = std::none_of(box_value_.begin(), box_value_.end(), [](double v) { return !std::isnan(v); });
  const std::vector<OverlayRow> rows = no_box ? std::vector<OverlayRow>() : overlay_rows(overlay_);
  const bool nothing = !strip && rows.empty();
  const float height = line + theme.px(4) + (nothing ? line : float(rows.size() + 2 * strip) * (line + theme.px(2)) + (strip ? handles : 0));
  const ImVec2 max{canvas_.screen_min().x + theme.px(12) + width + 2 * pad, canvas_.screen_max().y - theme.px(12)}, min{max.x - width - 2 * pad, max.y - height - 2 * pad};
  overlay_scale_ = {min.x, min.y, max.x - min.x, max.y - min.y};
  context.kept_clear->push_back(overlay_scale_);
  const int first_vertex = list->VtxBuffer.Size;
  list->AddRectFilled(min, max, theme.color(Role::Panel, 0.92f), 4);
  compat::add_rect(list, min, max, theme.color(Role::Border), 4);
  float y = min.y + pad;
  std::string said = overlay_.title;
  auto text = [&](float x, ImU32 color, const std::string& words) { list->AddText({std::floor(x), std::floor(y)}, color, words.c_str()); };
  text(min.x + pad, theme.color(Role::Text), display_cut(overlay_.title, 30));
  if (strip && context.document->overlay_range) {
    const char* reset = "all";
    const ImVec2 size = ImGui::CalcTextSize(reset), at{max.x - pad - size.x, y};
    list->AddText(at, theme.color(Role::Accent), reset);
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && ImGui::IsMouseClicked(ImGuiMouseButton_Left) && mouse.x >= at.x && mouse.x <= at.x + size.x && mouse.y >= at.y && mouse.y <= at.y + size.y)
      context.push("view.color_range", std::string("all"), "graph");
    context.probe.add(context.graph_prefix() + "/scale/reset", at, {at.x + size.x, at.y + size.y}, reset);
  }
  y += line + theme.px(4);
  if (nothing) {
    const std::string words = nothing_text(*context.document);
    text(min.x + pad, theme.color(Role::Text2), words);
    said += "\n" + words;
  }
  if (strip) {
    const double floor = overlay_.linear ? overlay_.all_low : overlay_.all_high * 1e-9, first = std::max(overlay_.all_low, floor);
    double low = std::max(overlay_.low, floor), high = overlay_.high;  // a range given by numbers may reach beyond what is drawn
    const RangeScale scale{first, overlay_.all_high, !overlay_.linear, nullptr, [](double part) { return ImU32(palette_color(Palette::Viridis, part)); }};
    const auto change = overlay_control_.draw(context, {min.x + pad, y}, {max.x - pad, y + line}, scale, low, high, context.graph_prefix() + "/scale/range");
    if (change == RangeControl::Change::Range) context.push("view.color_range", number_label(low, 17) + " " + number_label(high, 17), "graph");
    if (change == RangeControl::Change::Reset) context.push("view.color_range", std::string("all"), "graph");
    if (overlay_control_.active()) context.draw_again_in(0);
    y += line + theme.px(2) + handles;
    const std::string low_text = overlay_.text(low), high_text = overlay_.text(high);
    text(min.x + pad, theme.color(Role::Text2), low_text);
    text(max.x - pad - ImGui::CalcTextSize(high_text.c_str()).x, theme.color(Role::Text2), high_text);
    said += "\n" + low_text + " … " + high_text;
    y += line + theme.px(2);
  }
  for (const OverlayRow& row : rows) {
    list->AddRectFilled({min.x + pad, y}, {min.x + pad + line, y + line}, IM_COL32(row.rgb >> 16, (row.rgb >> 8) & 0xFF, row.rgb & 0xFF, 255), 2);
    text(min.x + pad + line + theme.px(6), theme.color(Role::Text2), row.text);
    said += "\n" + row.text;
    y += line + theme.px(2);
  }
  if (!overlay_control_.active() && over_boxes(overlay_scale_)) {
    fade(list, first_vertex, kFaint);
    said += "\nfaint";
  }
  context.probe.add(context.graph_prefix() + "/scale", min, max, said);
  ImGui::PopFont();
}

// While there are boxes out of sight, and where it leaves most of the pane to the graph.
bool GraphPane::minimap_shown(const PaneContext& context, const WorldRect& view) const {
  if (!minimap_on_ || !picture_) return false;
  const Rect frame = minimap_rect(context);
  if (frame.w * frame.h > canvas_.size().x * canvas_.size().y * kMostMinimap) return false;
  return view.x0 > boxes_.x || view.y0 > boxes_.y || view.x1 < boxes_.right() || view.y1 < boxes_.bottom();
}

// And the pointer is elsewhere: what lies over boxes is faint until it comes.
bool GraphPane::over_boxes(const Rect& card) const {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (card.contains({mouse.x, mouse.y})) return false;
  const ImVec2 low = canvas_.world_from_screen({card.x, card.y}), high = canvas_.world_from_screen({card.right(), card.bottom()});
  return any_box_in({low.x, low.y, high.x, high.y});
}

bool GraphPane::faint_minimap(const PaneContext& context) const { return !minimap_drag_ && over_boxes(minimap_rect(context)); }

Rect GraphPane::minimap_rect(const PaneContext& context) const {
  const float w = context.theme.px(kMinimapWidth), h = context.theme.px(kMinimapHeight), margin = context.theme.px(kMinimapMargin);
  const ImVec2 max = canvas_.screen_max();
  return {max.x - w - margin, max.y - h - margin, w, h};
}

void GraphPane::draw_minimap(PaneContext& context) {
  if (!minimap_shown(context)) {
    minimap_drag_ = false;
    return;
  }
  const Theme& theme = context.theme;
  const Rect frame = minimap_rect(context);
  const Rect& bounds = picture_->layout.bounds;
  // The whole picture inside the frame, keeping its proportions.
  const float pad = 4, scale = std::min((frame.w - 2 * pad) / std::max(bounds.w, 1.0f), (frame.h - 2 * pad) / std::max(bounds.h, 1.0f));
  const float w = bounds.w * scale, h = bounds.h * scale, x = frame.x + (frame.w - w) / 2, y = frame.y + (frame.h - h) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float alpha = faint_minimap(context) ? kFaint : 1;
  list->AddRectFilled({frame.x, frame.y}, {frame.right(), frame.bottom()}, theme.color(Role::Panel, 0.92f * alpha), 4);
  compat::add_rect(list, {frame.x, frame.y}, {frame.right(), frame.bottom()}, theme.color(Role::Border, alpha), 4);
  const ImU32 fill = theme.color(Role::Outline, 0.7f * alpha);
  for (const Rect& run : picture_->minimap)
    list->AddRectFilled({x + run.x * w, y + run.y * h}, {std::max(x + run.right() * w, x + run.x * w + 1), std::max(y + run.bottom() * h, y + run.y * h + 1)}, fill);
  if (const Rect r = picture_->rect_of(context.document->selection.current()); !r.empty()) {
    const ImVec2 at{x + (r.center().x - bounds.x) * scale, y + (r.center().y - bounds.y) * scale};
    list->AddCircleFilled(at, 3, theme.color(Role::SelectionRing, alpha));
  }
  const WorldRect view = canvas_.visible();
  const ImVec2 low{std::max(frame.x, x + (view.x0 - bounds.x) * scale), std::max(frame.y, y + (view.y0 - bounds.y) * scale)};
  const ImVec2 high{std::min(frame.right(), x + (view.x1 - bounds.x) * scale), std::min(frame.bottom(), y + (view.y1 - bounds.y) * scale)};
  list->AddRectFilled(low, high, theme.color(Role::Accent, 0.15f * alpha));
  compat::add_rect(list, low, high, theme.color(Role::Accent, alpha), 0, 1);
  context.kept_clear->push_back(frame);

  const ImGuiIO& io = ImGui::GetIO();
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) && ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && frame.contains({io.MousePos.x, io.MousePos.y})) minimap_drag_ = true;
  if (minimap_drag_ && scale > 0) {
    canvas_.look_at({bounds.x + (io.MousePos.x - x) / scale, bounds.y + (io.MousePos.y - y) / scale}, canvas_.zoom(), false);
    fitted_ = false;
  }
  if (!io.MouseDown[ImGuiMouseButton_Left]) minimap_drag_ = false;
}

// Beside what is selected where there is room, as far as that is in sight, else below or above it; it grows away from the nearer edge of the
// pane. The width of its lines. No tooltip: that of what the pointer rests on would take its place, and it would lie over menus and dialogs.
float GraphPane::begin_card(const PaneContext& context, float widest) const {
  const ImVec2 low = canvas_.screen_min(), high = canvas_.screen_max();
  const Rect r = picture_->rect_of(context.document->selection.current());
  const ImVec2 from = canvas_.screen_from_world({r.x, r.y}), to = canvas_.screen_from_world({r.right(), r.bottom()});
  const float gap = context.theme.px(8), least = context.theme.px(160), room_left = from.x - low.x - 2 * gap, room_right = high.x - to.x - 2 * gap;
  const bool right = room_right >= std::min(widest, room_left), upper = from.y + to.y < low.y + high.y;
  float width = std::clamp(right ? room_right : room_left, least, widest);
  ImVec2 at{right ? to.x + gap : from.x - gap, std::clamp(upper ? from.y : to.y, low.y, high.y)}, pivot{right ? 0.0f : 1.0f, upper ? 0.0f : 1.0f};
  if (std::max(room_left, room_right) < least) {
    const bool below = high.y - to.y >= from.y - low.y;
    width = std::min(widest, high.x - low.x - 2 * gap);
    at = {std::max(low.x + gap, std::min(from.x, high.x - gap - width)), below ? to.y + gap : from.y - gap};
    pivot = {0, below ? 0.0f : 1.0f};
    // As far as the window goes: what fills it is covered.
    const float most = context.input.height - card_height_;
    at.y = below ? std::max(0.0f, std::min(at.y, most)) : std::max(at.y, std::min(card_height_, context.input.height));
  }
  ImGui::SetNextWindowPos(at, ImGuiCond_Always, pivot);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImGui::GetStyleColorVec4(ImGuiCol_PopupBg));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ImGui::GetStyle().PopupBorderSize);
  ImGui::Begin(("##card " + context.graph_prefix()).c_str(), nullptr, ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  return width - 2 * ImGui::GetStyle().WindowPadding.x;
}

// True: a card that a key asked for was there.
bool GraphPane::close_card() { return std::exchange(card_by_key_, false) && card_frame_ + 1 >= ImGui::GetFrameCount(); }

// Of a folded group, with how many breakpoints are in it.
std::string GraphPane::folded_card(BoxId id, const char* advice) const {
  const SceneBox& box = picture_->scene.boxes[id];
  const auto [on, off] = breakpoints_inside_[id.index];
  std::string inside;
  if (on || off) inside = with_commas(uint64_t{on + off}) + (on + off == 1 ? " breakpoint inside" : " breakpoints inside") + (!off ? "\n" : !on ? ", off\n" : ", " + with_commas(uint64_t{off}) + " off\n");
  return group_text(picture_->scene, box.title, box.node_count, box.module, inside + advice);
}

// Of the selected module, folded or open; empty: none is.
std::string GraphPane::module_card(const Selection& selection) const {
  const GraphScene& scene = picture_->scene;
  if (!selection.module) return {};
  if (const BoxId box = picture_->box_of(selection)) return folded_card(box, "Space unfolds it");
  const ClusterId cluster = picture_->cluster_of(selection.module);
  return cluster ? group_text(scene, scene.clusters[cluster].title, scene.clusters[cluster].node_count, selection.module, "Space folds it") : "";
}

void GraphPane::hover_card(PaneContext& context) {
  const GraphScene& scene = picture_->scene;
  NodeRef node;
  std::string group;
  const Interface& ui = context.workspace.ui;
  if (!ui.dialog.empty() || ui.palette || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) card_by_key_ = false;
  if (card_by_key_) {
    const Selection& selection = context.document->selection.current();
    if (!picture_->rect_of(selection).empty()) node = selection.shown(), group = module_card(selection);
  } else {
    const bool something = hover_.box || hover_.edge != GraphPicture::kNoEdge || hover_.stub;
    if (!something || ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsPopupOpen("##graph menu") || ImGui::IsPopupOpen("##readers")) return;
    const double waited = context.workspace.now - hover_since_;
    if (waited < kCardDelay) return context.draw_again_in(kCardDelay - waited + 0.001);
    if (hover_.chip) node = {scene.program->root(), hover_.chip};
    else if (hover_.box) node = scene.boxes[hover_.box].node;
    else if (hover_.stub) node = scene.boxes[hover_.stub->from].node;
    else if (const auto values = scene.values_of(scene.edges[hover_.edge]); !values.empty()) node = values[0];
    if (hover_.box && !hover_.chip) {
      if (scene.boxes[hover_.box].folded()) group = folded_card(hover_.box, "Double click to unfold");
    }
  }
  if (!node.node && group.empty()) return;
  const Theme& theme = context.theme;
  float wrap = theme.px(460);
  if (card_by_key_) wrap = begin_card(context, wrap);
  else ImGui::BeginTooltip();
  compat::push_font(theme.fonts.table);
  ImGui::PushTextWrapPos(wrap);
  if (!group.empty()) {
    wrapped_text(group);
  } else {
    const Program& program = *scene.program;
    const Node& n = program.node(node);
    ImGui::TextUnformatted(display_cut(n.name, 200).c_str());
    if (n.kind == NodeKind::CallFunction) ImGui::TextColored(theme.color4(Role::Text2), "%s", display_cut(short_target(n.target), 400).c_str());
    if (const std::string type = type_label(n.val); !type.empty()) wrapped_text(type);
    if (const std::string types = result_types(program.graphs[node.graph], node.node); !types.empty()) wrapped_text(types);
    if (const Module* module = program.modules.modules.contains(n.module) ? &program.modules.modules[n.module] : nullptr; module && !module->path.empty())
      ImGui::TextColored(theme.color4(Role::Text2), "%s : %s", display_cut(module->path, 120).c_str(), display_cut(class_label(module->type), 120).c_str());
    if (overlay_.kind != OverlayKind::Family && overlay_.kind != OverlayKind::Data)
      if (const std::string value = overlay_.node_text(node); !value.empty()) ImGui::Text("%s: %s", overlay_.title.c_str(), value.c_str());
    if (const NodeData* data = context.document->data.get())
      for (const NodeData::Column& column : data->columns)
        if (const auto cell = column.cells.find(node); cell != column.cells.end()) ImGui::Text("%s: %s", display_cut(column.name, 60).c_str(), display_cut(cell->second, 120).c_str());
    if (hover_.stub && !card_by_key_) {
      constexpr size_t kNamed = 5;
      const std::vector<BoxId> readers = readers_of(*hover_.stub);
      std::string to = "Goes to ";
      for (size_t i = 0; i < std::min(kNamed, readers.size()); ++i) to += (i ? ", " : "") + display_cut(scene.boxes[readers[i]].title, 60);
      if (readers.size() > kNamed) to += " and " + with_commas(uint64_t(readers.size() - kNamed)) + " more";
      wrapped_text(to + (readers.size() == 1 ? ". Click to go there" : ". Click to choose one"));
    }
    if (const Mark* mark = context.document->marks.find(node); mark && !mark->note.empty()) {
      ImGui::Separator();
      wrapped_text(display_lines(mark->note));
    }
    for (const InputSpec& spec : program.signature.inputs)
      if (node.graph == program.root() && spec.node == node.node && !spec.target.empty())
        ImGui::TextColored(theme.color4(Role::Text2), "%s %s", std::string(kind_name(spec.kind)).c_str(), display_cut(spec.target, 160).c_str());
    if (const auto frames = parse_stack_trace(n.meta->stack_trace); const SourceFrame* frame = shown_frame(frames)) {
      ImGui::TextColored(theme.color4(Role::Text2), "%s:%lld", display_cut(frame->file, 160).c_str(), static_cast<long long>(frame->line));
      if (!frame->code.empty()) {
        compat::push_font(theme.fonts.mono_small);
        ImGui::TextUnformatted(display_cut(frame->code, 200).c_str());
        ImGui::PopFont();
      }
    }
  }
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  context.probe.add(context.graph_prefix() + "/card", at, {at.x + size.x, at.y + size.y}, group.empty() ? display_cut(scene.program->node(node).name, 200) : group);
  if (!card_by_key_) return ImGui::EndTooltip();
  card_frame_ = ImGui::GetFrameCount();
  if (std::exchange(card_height_, size.y) != size.y) context.draw_again_in(0);
  ImGui::End();
}

StringMap GraphPane::dump(const PaneContext& context) const {
  if (!context.document || !context.document->program()) return {};
  const Document& document = *context.document;
  const auto& modules = document.program()->modules.modules;
  // Not drawn since another file was chosen or this one was read anew, the pane still has what it showed then.
  const GraphPicture* picture = picture_ && picture_->scene.program.get() == document.program() ? picture_.get() : nullptr;
  char numbers[96];
  std::snprintf(numbers, sizeof numbers, "{\"zoom\": %.4f, \"pan\": [%.1f, %.1f], ", double(canvas_.target_zoom()), double(canvas_.target_center().x), double(canvas_.target_center().y));
  std::string text = numbers;
  text += "\"root\": " + (document.graph.root ? json_quoted(modules[document.graph.root].path) : std::string("null")) + ", \"expanded\": [";
  bool first = true;
  for (size_t i = 0; i < modules.size(); ++i)
    if (document.graph.expanded.contains(ModuleId(i)) && document.graph.expanded[ModuleId(i)] && modules[ModuleId(i)].parent) {
      text += (first ? "" : ", ") + json_quoted(modules[ModuleId(i)].path);
      first = false;
    }
  const char* modes[] = {"attached", "nodes", "hidden"};
  text += "], \"unlifted\": " + std::string(document.graph.unlifted ? "true" : "false") + ", \"params\": \"" + std::string(modes[int(document.graph.parameters)]) + "\", \"visible\": " + std::to_string(picture ? picture->scene.boxes.size() : 0) + ", \"highlight\": ";
  const char* kinds[] = {"null", "\"upstream\"", "\"downstream\"", "\"both\"", "\"path\"", "\"origin\""};
  text += std::string(kinds[int(document.highlight.kind)]) + ", \"hover\": ";
  const NodeRef under = picture && hover_.box ? picture->scene.boxes[hover_.box].node : NodeRef();
  text += (under.node ? json_quoted(node_path(*document.program(), under)) : std::string("null")) + "}";
  return {{"graph", text}};
}

}  // namespace pt2::views
