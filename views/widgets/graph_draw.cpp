#include "views/widgets/graph_draw.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "views/compat.h"
#include "views/widgets/badges.h"
#include "views/widgets/draw.h"
#include "views/workspace/contrast.h"

namespace pt2::views {
namespace {

constexpr float kBoxRounding = 6;
constexpr float kMinNamePixels = 8;
constexpr float kRibbon = 13;  // of an open module
static_assert(kSignsOutside == kZoomNames, "signs stand in boxes while these have no text");

ImU32 with_alpha(ImU32 color, float alpha) {
  const ImU32 a = ImU32(float(color >> IM_COL32_A_SHIFT) * alpha);
  return (color & ~IM_COL32_A_MASK) | (a << IM_COL32_A_SHIFT);
}

uint32_t rgb_of(ImU32 color) { return (color & 0xFF) << 16 | (color & 0xFF00) | ((color >> 16) & 0xFF); }
ImU32 color_of(uint32_t rgb, float alpha) { return IM_COL32(rgb >> 16, (rgb >> 8) & 0xFF, rgb & 0xFF, int(255 * alpha)); }
ImU32 text_on(ImU32 fill, float alpha) { return color_of(views::text_on(rgb_of(fill)), alpha); }

}  // namespace

// The smallest text of the details is that of types.
float detail_zoom(const Theme& theme) { return std::max(kZoomDetails, 1.001f * kLeastTextPixels / (text_size(TextStyle::Mono) * theme.scale)); }

GraphDraw::GraphDraw(ImDrawList* list, const Theme& theme, const Canvas& canvas, const GraphScene& scene, const pt2::Layout& layout, bool patterns)
    : list_(list), theme_(theme), canvas_(canvas), scene_(scene), layout_(layout), zoom_(canvas.zoom()), scale_(canvas.scale()), details_(canvas.zoom() >= detail_zoom(theme)), patterns_(patterns) {}

SizedFont GraphDraw::font(TextStyle style, float min_pixels) const {
  const float pixels = std::max(text_size(style) * scale_, min_pixels);
  return style == TextStyle::Mono ? theme_.fonts.label_mono(pixels) : theme_.fonts.label(pixels);
}

// The font is a rung of the ladder, a little smaller than wanted: it sits in the middle of its line.
void GraphDraw::line_text(SizedFont font, TextStyle style, ImVec2 top_left, ImU32 color, std::string_view text, float room_world) {
  const float line = text_line_height(style) * scale_;
  draw::text(list_, font, {top_left.x, top_left.y + (line - font.size) / 2}, color, text, room_world * scale_);
}

void GraphDraw::cluster(ClusterId id, bool selected, bool hovered, float alpha) {
  const Rect& rect = layout_.clusters[id];
  const SceneCluster& cluster = scene_.clusters[id];
  const ImVec2 min = screen_min(rect), max = screen_max(rect);
  const float rounding = std::min(kBoxRounding * scale_, 12.0f);
  list_->AddRectFilled(min, max, theme_.color(Role::Raised, 0.35f * alpha), rounding);
  const ImU32 border = selected ? theme_.color(Role::SelectionRing) : theme_.color(hovered ? Role::Outline : Role::Border, alpha);
  if (cluster.kind == ScopeKind::Subgraph && zoom_ >= kZoomBadges) draw::dashed_rect(list_, min, max, border, selected ? 2.0f : 1.0f);
  else compat::add_rect(list_, min, max, border, rounding, selected ? 2.0f : 1.0f);
}

// Over the edges that enter through it.
void GraphDraw::cluster_title(ClusterId id, bool selected, float alpha) {
  if (zoom_ < kZoomNames) return;
  const Rect& rect = layout_.clusters[id];
  const std::string_view title = scene_.clusters[id].title;
  const SizedFont letters = font(TextStyle::Title, kMinNamePixels);
  const ImVec2 at{screen_min(rect).x + 8 * scale_, screen_min(rect).y + 4 * scale_};
  const float width = std::min(draw::text_width(letters, title), (rect.w - 16) * scale_), height = text_line_height(TextStyle::Title) * scale_;
  list_->AddRectFilled({at.x - 2, at.y}, {at.x + width + 2, at.y + height}, theme_.color(Role::Canvas, 0.75f), 2);
  line_text(letters, TextStyle::Title, at, theme_.color(selected ? Role::Text : Role::Text2, alpha), title, rect.w - 16);
}

void GraphDraw::arrow_head(Point tip, Point before, ImU32 color) {
  const float dx = tip.x - before.x, dy = tip.y - before.y, length = std::hypot(dx, dy);
  if (length < 1e-3f) return;
  const float size = 7, ux = dx / length, uy = dy / length;
  const Point base{tip.x - ux * size, tip.y - uy * size};
  list_->AddTriangleFilled(screen(tip), screen({base.x - uy * size * 0.45f, base.y + ux * size * 0.45f}),
                           screen({base.x + uy * size * 0.45f, base.y - ux * size * 0.45f}), color);
}

// The chain's pieces meet with equal tangents, so one path of all of them is smooth.
void GraphDraw::curve(std::span<const Point> points, ImU32 color, float width) {
  const int segments = zoom_ < 0.5f ? 6 : 0;
  list_->PathLineTo(screen(points[0]));
  for (size_t i = 0; i + 3 < points.size(); i += 3) list_->PathBezierCubicCurveTo(screen(points[i + 1]), screen(points[i + 2]), screen(points[i + 3]), segments);
  list_->PathStroke(color, 0, width);
}

void GraphDraw::edge(size_t index, const EdgeState& state) {
  const EdgePath& path = layout_.edges[index];
  const SceneEdge& edge = scene_.edges[index];
  const auto points = layout_.path(path);
  if (points.size() < 2) return;
  const ImU32 plain = edge.style == EdgeStyle::Mutation ? theme_.color(Role::Mutated) : theme_.color(Role::Outline);
  const ImU32 color = with_alpha(state.color ? state.color : plain, state.alpha);
  if (zoom_ < kZoomBadges) {
    const ImVec2 a = screen(points.front()), b = screen(points.back());
    if (std::abs(a.x - b.x) + std::abs(a.y - b.y) >= 2) list_->AddLine(a, b, with_alpha(color, 0.6f), 1.0f);
    return;
  }
  const float width = std::max(1.0f, state.width * std::min(zoom_, 1.0f) * theme_.scale);
  if (edge.style == EdgeStyle::Tensor) {
    curve(points, color, width);
  } else {
    points_.clear();
    points_.push_back(screen(points[0]));
    for (size_t i = 0; i + 3 < points.size(); i += 3)
      for (int k = 1; k <= 12; ++k) {
        const float t = float(k) / 12, s = 1 - t;
        const Point &p = points[i], &q = points[i + 1], &r = points[i + 2], &e = points[i + 3];
        points_.push_back(screen({s * s * s * p.x + 3 * s * s * t * q.x + 3 * s * t * t * r.x + t * t * t * e.x,
                                  s * s * s * p.y + 3 * s * s * t * q.y + 3 * s * t * t * r.y + t * t * t * e.y}));
      }
    const float unit = std::max(1.0f, zoom_);
    if (edge.style == EdgeStyle::Scalar) draw::dashed_line(list_, points_, color, width, 2 * unit, 3 * unit);
    else if (edge.style == EdgeStyle::Subgraph) draw::dashed_line(list_, points_, color, width, 12 * unit, 5 * unit);
    else draw::dashed_line(list_, points_, color, width, 6 * unit, 4 * unit);
  }
  if (zoom_ >= kZoomBadges) arrow_head(points.back(), points[points.size() - 2], color);
  if (path.stub) tag(path.stub_tag, path.stub, edge.stub_text, state);
}

void GraphDraw::edge_label(size_t index, const EdgeState& state) {
  const EdgePath& path = layout_.edges[index];
  if (path.label.empty() || !details_) return;
  const SizedFont mono = font(TextStyle::Mono);
  const ImVec2 min = screen_min(path.label);
  const ImU32 color = state.color ? with_alpha(state.color, state.alpha) : theme_.color(Role::Text2, state.alpha);
  const std::string_view label = scene_.edges[index].label;
  const float width = draw::text_width(mono, label);
  // A little of the canvas behind it, so that lines that pass do not cross the letters.
  list_->AddRectFilled({min.x - 1, min.y}, {min.x + std::min(width, path.label.w * scale_) + 2, min.y + path.label.h * scale_}, theme_.color(Role::Canvas, 0.8f));
  line_text(mono, TextStyle::Mono, {min.x + 1, min.y + (path.label.h - text_line_height(TextStyle::Mono)) * scale_ / 2}, color, label, path.label.w);
}

void GraphDraw::tag(const Rect& rect, uint32_t number, std::string_view text, const EdgeState& state) {
  const ImVec2 min = screen_min(rect), max = screen_max(rect);
  const ImU32 line = state.color ? with_alpha(state.color, state.alpha) : theme_.color(Role::Outline, state.alpha);
  list_->AddRectFilled(min, max, theme_.color(Role::Raised, state.alpha), rect.h * scale_ / 2);
  compat::add_rect(list_, min, max, line, rect.h * scale_ / 2, 1);
  if (!details_) return;
  const SizedFont mono = font(TextStyle::Mono);
  const float y = min.y + (rect.h - text_line_height(TextStyle::Mono)) * scale_ / 2;
  const std::string digits = std::to_string(number);
  const ImU32 color = theme_.color(Role::Text2, state.alpha);
  if (text.empty()) {
    line_text(mono, TextStyle::Mono, {min.x + (rect.w * scale_ - draw::text_width(mono, digits)) / 2, y}, color, digits, rect.w);
  } else {
    line_text(mono, TextStyle::Mono, {min.x + 5 * scale_, y}, theme_.color(Role::Accent, state.alpha), digits, kStubNumberWidth);
    line_text(mono, TextStyle::Mono, {min.x + kStubNumberWidth * scale_, y}, color, text, rect.w - kStubNumberWidth - 4);
  }
}

void GraphDraw::out_stub(const OutStub& stub, const EdgeState& state) {
  if (zoom_ < kZoomBadges) return;
  curve(layout_.path(stub), state.color ? with_alpha(state.color, state.alpha) : theme_.color(Role::Outline, state.alpha), std::max(1.0f, 1.5f * std::min(zoom_, 1.0f)));
  tag(stub.tag, stub.number, {}, state);
}

Rect GraphDraw::hidden_inputs(const Rect& strip, std::string_view names, float alpha) {
  constexpr float kBeside = 5;
  const ImU32 color = theme_.color(Role::Text2, alpha);
  const ImVec2 line[] = {screen({strip.x, strip.y}), screen({strip.x, strip.bottom()})};
  draw::dashed_line(list_, line, color, std::max(1.0f, 1.5f * std::min(zoom_, 1.0f)), 3, 2);
  const SizedFont mono = font(TextStyle::Mono);
  const float room = strip.w - kBeside, width = std::min(draw::text_width(mono, names) / scale_, room);
  const Rect words{strip.x + kBeside, strip.y, width, text_line_height(TextStyle::Mono)};
  if (details_) {
    list_->AddRectFilled(screen_min(words), screen_max(words), theme_.color(Role::Canvas, 0.75f), 2);
    line_text(mono, TextStyle::Mono, screen_min(words), color, names, room);
  }
  return {line[0].x, line[0].y, screen_max(words).x - line[0].x, line[1].y - line[0].y};
}

void GraphDraw::outline(const SceneBox& box, ImVec2 min, ImVec2 max, float rounding, const BoxState& state) {
  const ImU32 plain = theme_.color(state.hovered ? Role::Text2 : box.written ? Role::Mutated : Role::Outline, state.alpha);
  const float width = state.hovered ? 2.0f : box.written ? 1.5f : 1.0f;
  if (state.failed) compat::add_rect(list_, min, max, theme_.color(Role::Breakpoint), rounding, 2);
  else if (state.neighbour != NeighbourLook::None) neighbour(min, max, rounding, state);
  else if (box.kind == BoxKind::Subgraph || state.dashed) draw::dashed_rect(list_, min, max, plain, width);
  else compat::add_rect(list_, min, max, plain, rounding, width);

  if (state.hit != HitLook::None) {
    const float out = state.selected ? 5.0f : 3.0f;
    compat::add_rect(list_, {min.x - out, min.y - out}, {max.x + out, max.y + out}, theme_.color(Role::Accent), rounding + out, state.hit == HitLook::ActiveHit ? 2.0f : 1.0f);
  }
  if (state.selected) {
    compat::add_rect(list_, {min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, theme_.color(Role::SelectionRing), rounding + 1, 2);
  }
  if (state.current) {
    const float out = 4;
    if (theme_.name == ThemeName::Light)
      compat::add_rect(list_, {min.x - out, min.y - out}, {max.x + out, max.y + out}, theme_.color(Role::CurrentOutline), rounding + out, 4);
    compat::add_rect(list_, {min.x - out, min.y - out}, {max.x + out, max.y + out}, theme_.color(Role::Current), rounding + out, 2);
  }
}

// What changed is hatched, what was added or removed is not.
void GraphDraw::hatch_strip(ImVec2 min, ImVec2 max, const BoxState& state) {
  if (state.strip && !state.edited && state.diff == DiffLook::Changed) draw::hatch(list_, min, {min.x + 6 * scale_, max.y}, theme_.color(Role::Canvas, 0.8f * state.alpha), 4 * scale_);
}

// An input or output of the selection: ringed, with a bar at the side that faces it, where the value leaves or comes in.
void GraphDraw::neighbour(ImVec2 min, ImVec2 max, float rounding, const BoxState& state) {
  const bool input = state.neighbour == NeighbourLook::Input, across = scene_.view.direction == Direction::LeftRight;
  const ImU32 color = theme_.color(input ? Role::Upstream : Role::Downstream, state.alpha);
  const float bar = std::max(3.0f, 5 * scale_);
  compat::add_rect(list_, min, max, color, rounding, 2.5f);
  if (across) list_->AddRectFilled({input ? max.x : min.x - bar, min.y}, {input ? max.x + bar : min.x, max.y}, color);
  else list_->AddRectFilled({min.x, input ? max.y : min.y - bar}, {max.x, input ? max.y + bar : min.y}, color);
}

void GraphDraw::badges(ImVec2 min, ImVec2 max, const BoxState& state) {
  badges_.clear();
  switch (state.breakpoint) {
    case BreakpointLook::None: break;
    case BreakpointLook::Set: badges_.push_back(Badge::Breakpoint); break;
    case BreakpointLook::Conditional: badges_.push_back(Badge::Conditional); break;
    case BreakpointLook::Disabled: badges_.push_back(Badge::BreakpointOff); break;
    case BreakpointLook::Inside: badges_.push_back(Badge::BreakpointInside); break;
  }
  if (state.current) badges_.push_back(Badge::Current);
  if (state.edited) badges_.push_back(Badge::Edited);
  else if (state.diff == DiffLook::Changed) badges_.push_back(Badge::Changed);
  else if (state.diff == DiffLook::Added) badges_.push_back(Badge::Added);
  else if (state.diff == DiffLook::Removed) badges_.push_back(Badge::Removed);
  if (state.executed) badges_.push_back(Badge::Executed);
  else if (state.failed) badges_.push_back(Badge::Failed);
  if (state.nonfinite) badges_.push_back(Badge::NonFinite);
  if (state.mismatch) badges_.push_back(Badge::Mismatch);
  if (state.mutated) badges_.push_back(Badge::Mutated);
  if (state.bookmark >= 0) badges_.push_back(state.bookmark ? Badge::Bookmark : Badge::Note);
  place_badges(badges_, min, max, scale_, theme_.scale, placed_);
  if (placed_.empty()) return;
  if (zoom_ < kZoomBadges) return overview_sign(state);
  for (const PlacedBadge& sign : placed_) this->sign(sign, state, sign.center.x + sign.size / 2 > min.x && sign.center.x - sign.size / 2 < max.x);
}

// In the overview boxes are specks: the gravest sign is larger than its box, and one that would lie on a sign drawn before is left out.
void GraphDraw::overview_sign(const BoxState& state) {
  PlacedBadge gravest = placed_.front();
  gravest.size = std::max(gravest.size, 5 * theme_.scale);
  const float apart = gravest.size + 1;
  auto near = [&](ImVec2 other) { return std::abs(other.x - gravest.center.x) < apart && std::abs(other.y - gravest.center.y) < apart; };
  if (!state.current && std::any_of(overview_signs_.begin(), overview_signs_.end(), near)) return;
  overview_signs_.push_back(gravest.center);
  sign(gravest, state, false);
}

// What stands on the box's fill has the canvas behind it, for which its colour was chosen.
void GraphDraw::sign(const PlacedBadge& sign, const BoxState& state, bool on_fill) {
  if (sign.badge == Badge::Bookmark || sign.badge == Badge::Note) return draw_ribbon(list_, theme_, sign.center, sign.size, state.bookmark);
  if (on_fill) list_->AddCircleFilled(sign.center, sign.size / 2 + 1, theme_.color(Role::Canvas));
  const bool of_difference = sign.badge == Badge::Edited || sign.badge == Badge::Changed || sign.badge == Badge::Added || sign.badge == Badge::Removed;
  draw_badge(list_, theme_, sign.badge, sign.center, sign.size, of_difference ? with_alpha(state.strip, state.alpha) : 0);
}

void GraphDraw::cluster_mark(ClusterId id, int bookmark) {
  const ImVec2 corner = screen({layout_.clusters[id].right(), layout_.clusters[id].y});
  const float size = std::clamp(kRibbon * scale_, 6 * theme_.scale, kRibbon * theme_.scale * 2);
  draw_ribbon(list_, theme_, {corner.x - size, corner.y + (zoom_ < kZoomNames ? 0 : size * 0.6f)}, size, bookmark);
}

void GraphDraw::pill(const SceneBox& box, const Rect& rect, const BoxState& state) {
  const ImVec2 min = screen_min(rect), max = screen_max(rect);
  const float rounding = (max.y - min.y) / 2;
  list_->AddRectFilled(min, max, state.fill ? with_alpha(state.fill, state.alpha) : theme_.family(OpFamily::InputOutput, state.alpha), rounding);
  outline(box, min, max, rounding, state);
  if (zoom_ < kZoomNames) return;
  const ImU32 text = state.fill ? text_on(state.fill, state.alpha) : theme_.family_text(state.alpha);
  const SizedFont name = font(TextStyle::Name, kMinNamePixels);
  const float title = draw::text_width(name, box.title);
  const SizedFont mono = font(TextStyle::Mono);
  const float room = rect.w * scale_ - 2 * kBoxPaddingX * scale_;
  const bool with_type = details_ && !box.subtitle.empty();
  const float subtitle = with_type ? draw::text_width(mono, box.subtitle) + 8 * scale_ : 0;
  const float x = min.x + std::max(kBoxPaddingX * scale_, (rect.w * scale_ - title - subtitle) / 2);
  const float y = min.y + (rect.h - text_line_height(TextStyle::Name)) * scale_ / 2;
  line_text(name, TextStyle::Name, {x, y}, text, box.title, room / scale_);
  if (with_type && title + subtitle <= room + 1)
    line_text(mono, TextStyle::Mono, {x + title + 8 * scale_, min.y + (rect.h - text_line_height(TextStyle::Mono)) * scale_ / 2}, with_alpha(text, 0.8f), box.subtitle,
              rect.w);
}

void GraphDraw::chips(const SceneBox& box, const Rect& rect, const BoxState& state, ImU32 text) {
  const SizedFont mono = font(TextStyle::Mono);
  for (const Chip& chip : scene_.chips_of(box)) {
    const Rect r{rect.x + chip.rect.x, rect.y + chip.rect.y, chip.rect.w, chip.rect.h};
    const ImVec2 min = screen_min(r), max = screen_max(r);
    const bool lit = state.hovered_chip && state.hovered_chip == chip.placeholder;
    const float rounding = 3 * scale_;
    list_->AddRectFilled(min, max, color_of(plate_below(rgb_of(text)), lit ? 0.55f : 0.30f), rounding);
    if (state.selected_chip && state.selected_chip == chip.placeholder) compat::add_rect(list_, {min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, theme_.color(Role::SelectionRing), rounding, 2);
    else if (std::find(state.edited_chips.begin(), state.edited_chips.end(), chip.placeholder) != state.edited_chips.end())
      compat::add_rect(list_, {min.x - 1, min.y - 1}, {max.x + 1, max.y + 1}, theme_.color(Role::Mutated, state.alpha), rounding, 2.5f);
    else if (chip.written) compat::add_rect(list_, min, max, theme_.color(Role::Mutated, state.alpha), rounding, 1.5f);
    else if (lit) compat::add_rect(list_, min, max, with_alpha(text, 0.9f), rounding, 1);
    const float side = float(int(7 * scale_) | 1), x = std::floor(min.x + 4 * scale_), y = std::floor((min.y + max.y - side) / 2);
    if (std::find(state.nonfinite_chips.begin(), state.nonfinite_chips.end(), chip.placeholder) != state.nonfinite_chips.end())
      draw::hexagon(list_, {x + side / 2, y + side / 2}, side + 2, theme_.color(Role::NonFinite, state.alpha));
    else draw_chip_sign(list_, chip.kind, {x, y}, side, with_alpha(text, 0.8f));
    const float text_x = x + side + 3 * scale_;
    line_text(mono, TextStyle::Mono, {text_x, min.y + (r.h - text_line_height(TextStyle::Mono)) * scale_ / 2}, text, chip.text, (max.x - text_x) / scale_);
  }
}

void GraphDraw::operator_box(const SceneBox& box, const Rect& rect, const BoxState& state) {
  const ImVec2 min = screen_min(rect), max = screen_max(rect);
  const float rounding = kBoxRounding * scale_;
  const ImU32 fill = state.fill ? with_alpha(state.fill, state.alpha) : theme_.family(box.family, state.alpha);
  list_->AddRectFilled(min, max, fill, rounding);
  if (patterns_ && !state.fill) draw::family_pattern(list_, min, max, box.family, theme_.family_pattern(state.alpha), std::max(scale_, 0.5f * theme_.scale));
  // The strip: a darker (light theme: stronger) tone of the fill itself.
  const float strip_w = (state.strip ? 6 : kFamilyStrip) * scale_;
  const ImU32 strip = state.strip ? state.strip : theme_.name == ThemeName::Dark ? IM_COL32(255, 255, 255, int(90 * state.alpha)) : IM_COL32(0, 0, 0, int(90 * state.alpha));
  list_->AddRectFilled(min, {min.x + strip_w, max.y}, strip, rounding, ImDrawFlags_RoundCornersLeft);
  hatch_strip(min, max, state);
  if (state.unsupported) draw::hatch(list_, min, max, theme_.color(Role::Text, 0.2f), 8 * scale_);
  outline(box, min, max, rounding, state);
  if (zoom_ < kZoomNames) return;

  const ImU32 text = state.fill ? text_on(state.fill, state.alpha) : theme_.family_text(state.alpha);
  const float left = rect.x + kFamilyStrip + kBoxPaddingX, room = rect.w - kFamilyStrip - 2 * kBoxPaddingX;
  float y = rect.y + kBoxPaddingY;
  if (!details_) y = rect.y + (rect.h - text_line_height(TextStyle::Name)) / 2;
  float code_room = 0;
  if (details_) {
    const SizedFont code = font(TextStyle::Code);
    const std::string_view letters = family_code(box.family);
    const float width = draw::text_width(code, letters) / scale_;
    const float code_y = y + (text_line_height(TextStyle::Name) - text_line_height(TextStyle::Code)) / 2;
    line_text(code, TextStyle::Code, screen({rect.right() - kBoxPaddingX - width, code_y}), with_alpha(text, 0.75f), letters, width + 1);
    if (code.size > 0) code_room = width + 6;
  }
  line_text(font(TextStyle::Name, kMinNamePixels), TextStyle::Name, screen({left, y}), text, box.title, room - code_room);
  if (!details_) return;
  y += text_line_height(TextStyle::Name) + kLineGap;
  if (!box.subtitle.empty()) line_text(font(TextStyle::Op), TextStyle::Op, screen({left, y}), with_alpha(text, 0.85f), box.subtitle, room);
  chips(box, rect, state, text);
  if (zoom_ >= kZoomStats && !state.stats.empty())
    line_text(font(TextStyle::Mono), TextStyle::Mono, {min.x, max.y + 2}, theme_.color(Role::Text2), state.stats, rect.w * 2);
}

void GraphDraw::group_box(const SceneBox& box, const Rect& rect, const BoxState& state) {
  const ImVec2 min = screen_min(rect), max = screen_max(rect);
  const float rounding = kBoxRounding * scale_, step = 3 * scale_;
  // A second sheet behind it: there is more inside.
  list_->AddRectFilled({min.x + step, min.y + step}, {max.x + step, max.y + step}, theme_.color(Role::Border, state.alpha), rounding);
  list_->AddRectFilled(min, max, state.fill ? with_alpha(state.fill, state.alpha) : theme_.color(Role::Raised, 1), rounding);
  if (state.strip) list_->AddRectFilled(min, {min.x + 6 * scale_, max.y}, state.strip, rounding, ImDrawFlags_RoundCornersLeft);
  hatch_strip(min, max, state);
  outline(box, min, max, rounding, state);
  if (zoom_ < kZoomNames) return;
  float y = details_ ? rect.y + kBoxPaddingY : rect.y + (rect.h - text_line_height(TextStyle::Name)) / 2;
  const float left = rect.x + kFamilyStrip + kBoxPaddingX, room = rect.w - kFamilyStrip - 2 * kBoxPaddingX;
  const ImU32 text = state.fill ? text_on(state.fill, state.alpha) : theme_.color(Role::Text, state.alpha);
  line_text(font(TextStyle::Name, kMinNamePixels), TextStyle::Name, screen({left, y}), text, box.title, room);
  if (!details_) return;
  y += text_line_height(TextStyle::Name) + kLineGap;
  const std::string hits = state.hits_inside ? std::string(box.subtitle) + " · " + std::to_string(state.hits_inside) + (state.hits_inside == 1 ? " hit" : " hits") : "";
  line_text(font(TextStyle::Op), TextStyle::Op, screen({left, y}), state.hits_inside ? theme_.color(Role::Accent, state.alpha) : with_alpha(text, 0.75f),
            state.hits_inside ? std::string_view(hits) : box.subtitle, room);
  chips(box, rect, state, text);
}

void GraphDraw::box(BoxId id, const BoxState& state) {
  const SceneBox& box = scene_.boxes[id];
  const Rect& rect = layout_.boxes[id];
  if (zoom_ < kZoomBadges) {
    const ImVec2 min = screen_min(rect);
    ImVec2 max = screen_max(rect);
    const ImVec2 pixel{std::floor(min.x), std::floor(min.y)};
    const bool special = state.selected || state.current || state.hit != HitLook::None || state.neighbour != NeighbourLook::None;
    if (max.x - min.x < 1.5f && max.y - min.y < 1.5f && !special) {
      if (pixel.x == last_speck_.x && pixel.y == last_speck_.y) return;
      last_speck_ = pixel;
    }
    max = {std::max(max.x, min.x + 1), std::max(max.y, min.y + 1)};
    const bool pill = box.kind == BoxKind::Input || box.kind == BoxKind::Output || box.kind == BoxKind::Parameter;
    const ImU32 fill = state.fill ? state.fill : box.folded() ? theme_.color(Role::Border) : theme_.family(pill ? OpFamily::InputOutput : box.family);
    list_->AddRectFilled(min, max, with_alpha(fill, state.alpha));
    if (special || state.failed || state.nonfinite || state.mismatch || state.breakpoint != BreakpointLook::None) {
      BoxState ring = state;
      ring.hovered = false;
      outline(box, min, max, 0, ring);
    }
    if (state.current || state.breakpoint != BreakpointLook::None) badges(min, max, state);
    return;
  }
  switch (box.kind) {
    case BoxKind::Input:
    case BoxKind::Output:
    case BoxKind::Parameter: pill(box, rect, state); break;
    case BoxKind::Operator: operator_box(box, rect, state); break;
    case BoxKind::Module:
    case BoxKind::Subgraph:
    case BoxKind::Chunk: group_box(box, rect, state); break;
  }
  badges(screen_min(rect), screen_max(rect), state);
}

}  // namespace pt2::views
