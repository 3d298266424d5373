#include "app/picture/graph_picture.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/display.h"
#include "views/workspace/contrast.h"

namespace pt2::app {

using namespace views;

namespace {

constexpr float kRadius = 6, kArrow = 7, kEdgeWidth = 1.5f;

constexpr float kScaleWidth = 240, kScaleStrip = 14, kScaleMargin = 16;

class Picture {
 public:
  Picture(Painter& painter, const GraphScene& scene, const Layout& layout, const PictureStyle& style, const MeasureText& measure)
      : painter_(painter), scene_(scene), layout_(layout), style_(style), measure_(measure), nonfinite_(scene.boxes.size()), marks_(box_marks(scene, style.marks)) {
    for (NodeRef node : style.nonfinite)
      if (const BoxId box = scene.box_of(node)) nonfinite_[box.index] = true;
  }

  void draw() {
    const Ink canvas = ink(Role::Canvas);
    const Size scale = scale_size(style_);
    painter_.rectangle({-1, -1, std::max(layout_.bounds.w, scale.w) + 2, layout_.bounds.h + scale.h + 2}, 0, &canvas, nullptr);  // also the pixel a fraction of which is left
    for (size_t i = 1; i < scene_.clusters.size(); ++i) cluster(ClusterId(i));
    for (size_t e = 0; e < scene_.edges.size(); ++e) edge(e);
    for (const OutStub& stub : layout_.out_stubs) out_stub(stub);
    for (size_t e = 0; e < scene_.edges.size(); ++e) edge_label(e);
    for (size_t b = 0; b < scene_.boxes.size(); ++b) box(BoxId(b));
    if (scale.h > 0) overlay_scale();
  }

 private:
  Ink ink(Role role, float alpha = 1) const { return {color_rgb(style_.theme, role), alpha}; }
  // `top_left` of the line; the baseline lies where the font's middle is the line's middle.
  void line(Point top_left, TextStyle text_style, const Ink& color, std::string_view text) {
    if (text.empty()) return;
    const float baseline = text_size(text_style) * (text_style == TextStyle::Mono ? 0.96f : 0.94f);
    painter_.text({top_left.x, top_left.y + baseline}, text_style, color, text);
  }
  float width(TextStyle text_style, std::string_view text) const { return measure_(text_style, text); }

  // What the colours mean: a strip from the lowest to the highest number, or a square for each class.
  void overlay_scale() {
    const Overlay& overlay = style_.overlay;
    const float x = kScaleMargin, row = text_line_height(TextStyle::Op) + 4;
    float y = layout_.bounds.h + kScaleMargin / 2;
    painter_.begin_item("scale", 0, overlay.title);
    line({x, y}, TextStyle::Name, ink(Role::Text), overlay.title);
    y += text_line_height(TextStyle::Name) + 4;
    auto square = [&](uint32_t rgb, const std::string& text) {
      const Ink fill{rgb};
      painter_.rectangle({x, y, kScaleStrip, kScaleStrip}, 2, &fill, nullptr);
      line({x + kScaleStrip + 6, y}, TextStyle::Op, ink(Role::Text2), text);
      y += row;
    };
    const std::vector<OverlayRow> rows = overlay_rows(overlay);
    for (const OverlayRow& row : rows) square(row.rgb, row.text);
    if (!has_strip(overlay)) {
      if (rows.empty()) line({x, y}, TextStyle::Op, ink(Role::Text2), "Nothing to show");
    } else {
      constexpr int kSteps = 48;
      const float step = (kScaleWidth - 2 * kScaleMargin) / kSteps;
      auto shown = [&](double part) {
        if (overlay.linear) return std::lerp(overlay.low, overlay.high, part);
        return std::exp(std::lerp(std::log(overlay.scale_low()), std::log(overlay.high), part));
      };
      for (int i = 0; i < kSteps; ++i) {
        const Ink fill{overlay_rgb(overlay, shown((i + 0.5) / kSteps))};
        painter_.rectangle({x + step * float(i), y, step * float(kSteps - i), kScaleStrip}, 0, &fill, nullptr);  // to the end, so that nothing shines through between two
      }
      y += kScaleStrip + 2;
      const std::string end = overlay.text(overlay.high);
      line({x, y}, TextStyle::Op, ink(Role::Text2), overlay.text(overlay.low));
      line({x + step * kSteps - width(TextStyle::Op, end), y}, TextStyle::Op, ink(Role::Text2), end);
    }
    painter_.end_item();
  }

  void cluster(ClusterId id) {
    const SceneCluster& cluster = scene_.clusters[id];
    const Rect& rect = layout_.clusters[id];
    painter_.begin_item("cluster", id.index, cluster.title);
    const Ink fill = ink(Role::Raised, 0.35f);
    const Stroke border{ink(cluster.kind == ScopeKind::Subgraph ? Role::Outline : Role::Border), 1, cluster.kind == ScopeKind::Subgraph ? Dash::Dashed : Dash::Solid};
    painter_.rectangle(rect, kRadius, &fill, &border);
    line({rect.x + 8, rect.y + 4}, TextStyle::Title, ink(Role::Text2), cluster.title);
    painter_.end_item();
  }

  void arrow_head(Point tip, Point before, const Ink& color) {
    const float dx = tip.x - before.x, dy = tip.y - before.y, length = std::hypot(dx, dy);
    if (length < 1e-3f) return;
    const float ux = dx / length, uy = dy / length;
    const Point base{tip.x - ux * kArrow, tip.y - uy * kArrow};
    const std::array<Point, 3> corners{tip, Point{base.x - uy * kArrow * 0.45f, base.y + ux * kArrow * 0.45f}, Point{base.x + uy * kArrow * 0.45f, base.y - ux * kArrow * 0.45f}};
    painter_.polygon(corners, color);
  }

  Ink edge_ink(const SceneEdge& edge) const { return ink(edge.style == EdgeStyle::Mutation ? Role::Mutated : Role::Outline); }

  void edge(size_t e) {
    const SceneEdge& edge = scene_.edges[e];
    const EdgePath& path = layout_.edges[e];
    const auto points = layout_.path(path);
    if (points.size() < 4) return;
    const Ink color = edge_ink(edge);
    painter_.begin_item("edge", uint32_t(e), edge.label);
    painter_.curve(points, {color, kEdgeWidth, edge.style == EdgeStyle::Tensor ? Dash::Solid : edge.style == EdgeStyle::Scalar ? Dash::Dotted : Dash::Dashed});
    arrow_head(points.back(), points[points.size() - 2], color);
    if (path.stub) tag(path.stub_tag, path.stub, edge.stub_text);
    painter_.end_item();
  }

  void edge_label(size_t e) {
    const Rect& rect = layout_.edges[e].label;
    if (rect.empty() || scene_.edges[e].label.empty()) return;
    // A little of the canvas behind it, so that lines that pass do not cross the letters.
    const Ink plate = ink(Role::Canvas, 0.85f);
    painter_.rectangle({rect.x - 1, rect.y, rect.w + 2, rect.h}, 2, &plate, nullptr);
    line({rect.x, rect.y + (rect.h - text_line_height(TextStyle::Mono)) / 2}, TextStyle::Mono, ink(Role::Text2), scene_.edges[e].label);
  }

  void tag(const Rect& rect, uint32_t number, std::string_view text) {
    const Ink fill = ink(Role::Raised);
    const Stroke border{ink(Role::Outline), 1};
    painter_.rectangle(rect, rect.h / 2, &fill, &border);
    const std::string digits = std::to_string(number);
    const float y = rect.y + (rect.h - text_line_height(TextStyle::Mono)) / 2;
    if (text.empty()) return line({rect.x + (rect.w - width(TextStyle::Mono, digits)) / 2, y}, TextStyle::Mono, ink(Role::Accent), digits);
    line({rect.x + 5, y}, TextStyle::Mono, ink(Role::Accent), digits);
    line({rect.x + 8 + std::max(width(TextStyle::Mono, digits), kStubNumberWidth - 10), y}, TextStyle::Mono, ink(Role::Text2), text);
  }

  void out_stub(const OutStub& stub) {
    painter_.begin_item("stub", stub.number, {});
    painter_.curve(layout_.path(stub), {ink(Role::Outline), kEdgeWidth});
    tag(stub.tag, stub.number, {});
    painter_.end_item();
  }

  void box(BoxId id) {
    const SceneBox& box = scene_.boxes[id];
    const Rect& rect = layout_.boxes[id];
    painter_.begin_item("box", id.index, box.subtitle.empty() ? box.title : box.subtitle);
    switch (box.kind) {
      case BoxKind::Input:
      case BoxKind::Output: pill(id, box, rect); break;
      case BoxKind::Parameter:
      case BoxKind::Operator: operator_box(id, box, rect); break;
      case BoxKind::Module:
      case BoxKind::Subgraph:
      case BoxKind::Chunk: group_box(id, box, rect); break;
    }
    if (nonfinite_[id.index]) hexagon({rect.right() + 9, rect.y + 6});
    if (!marks_[id.index].empty()) mark(rect, marks_[id.index]);
    painter_.end_item();
  }

  Stroke frame(const SceneBox& box) const { return box.written ? Stroke{ink(Role::Mutated), 1.5f} : Stroke{ink(Role::Outline, 0.8f), 1}; }

  void pill(BoxId id, const SceneBox& box, const Rect& rect) {
    const BoxColor color = box_color(id, box, style_);
    const Ink fill{color.fill}, text{color.text};
    const Stroke border = frame(box);
    painter_.rectangle(rect, rect.h / 2, &fill, &border);
    const float title = width(TextStyle::Name, box.title), subtitle = box.subtitle.empty() ? 0 : 8 + width(TextStyle::Mono, box.subtitle);
    const float x = rect.x + (rect.w - title - subtitle) / 2;
    line({x, rect.y + (rect.h - text_line_height(TextStyle::Name)) / 2}, TextStyle::Name, text, box.title);
    line({x + title + 8, rect.y + (rect.h - text_line_height(TextStyle::Mono)) / 2}, TextStyle::Mono, text, box.subtitle);
  }

  void operator_box(BoxId id, const SceneBox& box, const Rect& rect) {
    const BoxColor color = box_color(id, box, style_);
    const Ink fill{color.fill}, text{color.text}, strip{style_.theme == ThemeName::Dark ? 0xFFFFFFu : 0x000000u, 0.35f};
    const Stroke border = frame(box);
    painter_.rectangle(rect, kRadius, &fill, nullptr);
    const std::array<Point, 4> bar{Point{rect.x, rect.y + kRadius * 0.6f}, Point{rect.x + kFamilyStrip, rect.y}, Point{rect.x + kFamilyStrip, rect.bottom()}, Point{rect.x, rect.bottom() - kRadius * 0.6f}};
    painter_.polygon(bar, strip);
    painter_.rectangle(rect, kRadius, nullptr, &border);
    const float left = rect.x + kFamilyStrip + kBoxPaddingX;
    if (box.kind == BoxKind::Parameter) {
      line({left, rect.y + (rect.h - text_line_height(TextStyle::Mono)) / 2}, TextStyle::Mono, text, box.title);
      return;
    }
    float y = rect.y + kBoxPaddingY;
    line({left, y}, TextStyle::Name, text, box.title);
    const float code = width(TextStyle::Code, color.code);
    line({rect.right() - kBoxPaddingX - code, y + (text_line_height(TextStyle::Name) - text_line_height(TextStyle::Code)) / 2}, TextStyle::Code, {color.text, 0.8f}, color.code);
    y += text_line_height(TextStyle::Name) + kLineGap;
    line({left, y}, TextStyle::Op, {color.text, 0.85f}, box.subtitle);
    chips(box, rect, text);
    if (box.mutates) pencil({rect.right() + 8, rect.bottom() - 6});
  }

  void group_box(BoxId id, const SceneBox& box, const Rect& rect) {
    const bool dashed = box.kind == BoxKind::Subgraph;
    const BoxColor color = box_color(id, box, style_);
    const Ink back = ink(Role::Border), fill{color.fill}, text{color.text};
    const Stroke border{ink(Role::Outline, 0.8f), 1, dashed ? Dash::Dashed : Dash::Solid};
    if (!dashed) painter_.rectangle({rect.x + 3, rect.y + 3, rect.w, rect.h}, kRadius, &back, nullptr);
    painter_.rectangle(rect, kRadius, &fill, &border);
    const float left = rect.x + kFamilyStrip + kBoxPaddingX;
    line({left, rect.y + kBoxPaddingY}, TextStyle::Name, text, box.title);
    line({left, rect.y + kBoxPaddingY + text_line_height(TextStyle::Name) + kLineGap}, TextStyle::Op, {color.text, 0.8f}, box.subtitle);
    if (box.mutates) pencil({rect.right() + 10, rect.bottom() - 6});
  }

  void chips(const SceneBox& box, const Rect& rect, const Ink& text) {
    for (const Chip& chip : scene_.chips_of(box)) {
      const Rect r{rect.x + chip.rect.x, rect.y + chip.rect.y, chip.rect.w, chip.rect.h};
      const Ink fill{plate_below(text.rgb), 0.35f};
      const Stroke written{ink(Role::Mutated), 1.5f};
      painter_.rectangle(r, 3, &fill, chip.written ? &written : nullptr);
      const float side = 7;
      const Rect sign{r.x + 4, r.y + (r.h - side) / 2, side, side};
      const Stroke thin{{text.rgb, 0.8f}, 1};
      painter_.rectangle(sign, chip.kind == ChipKind::Object ? side / 2 : 0, nullptr, &thin);
      auto rule = [&](Point a, Point b) {
        const std::array<Point, 4> chain{a, a, b, b};
        painter_.curve(chain, thin);
      };
      if (chip.kind == ChipKind::Parameter || chip.kind == ChipKind::Buffer) rule({sign.x, sign.y + side / 2}, {sign.right(), sign.y + side / 2});
      if (chip.kind == ChipKind::Parameter) rule({sign.x + side / 2, sign.y}, {sign.x + side / 2, sign.bottom()});
      line({sign.right() + 3, r.y + (r.h - text_line_height(TextStyle::Mono)) / 2}, TextStyle::Mono, text, chip.text);
    }
  }

  // Writes a buffer, a parameter or an input.
  void pencil(Point at) {
    const Ink color = ink(Role::Mutated);
    const float s = 4;
    const std::array<Point, 4> shaft{Point{at.x - s * 0.5f, at.y + s * 0.6f}, Point{at.x + s * 0.6f, at.y - s}, Point{at.x + s * 1.2f, at.y - s * 0.5f}, Point{at.x + s * 0.1f, at.y + s * 1.1f}};
    const std::array<Point, 3> tip{Point{at.x - s * 0.5f, at.y + s * 0.6f}, Point{at.x + s * 0.1f, at.y + s * 1.1f}, Point{at.x - s * 0.9f, at.y + s * 1.4f}};
    painter_.polygon(shaft, color);
    painter_.polygon(tip, color);
  }

  // What a comparison says: a border and, not by colour alone, a sign on its corner.
  void mark(const Rect& rect, const std::string& name) {
    constexpr float kBadge = 15;
    const MarkLook look = mark_look(name);
    const Ink color = ink(look.role), text{text_on(color.rgb)};
    const Stroke border{color, 3, name == "removed" ? Dash::Dashed : Dash::Solid};
    painter_.rectangle(rect, kRadius, nullptr, &border);
    const Point corner{rect.x - kBadge / 2, rect.y - kBadge / 2};
    painter_.rectangle({corner.x, corner.y, kBadge, kBadge}, kBadge / 2, &color, nullptr);
    line({corner.x + (kBadge - width(TextStyle::Name, look.sign)) / 2, corner.y + (kBadge - text_line_height(TextStyle::Name)) / 2}, TextStyle::Name, text, look.sign);
  }

  // NaN or Inf.
  void hexagon(Point at) {
    std::array<Point, 6> corners;
    for (size_t i = 0; i < corners.size(); ++i) {
      const float turn = float(i) * 3.14159265f / 3;
      corners[i] = {at.x + 5 * std::cos(turn), at.y + 5 * std::sin(turn)};
    }
    painter_.polygon(corners, ink(Role::NonFinite));
  }

  Painter& painter_;
  const GraphScene& scene_;
  const Layout& layout_;
  const PictureStyle& style_;
  const MeasureText& measure_;
  std::vector<bool> nonfinite_;  // by box
  std::vector<std::string> marks_;
};

}  // namespace

std::vector<std::string> box_marks(const GraphScene& scene, const std::map<NodeRef, std::string>& marks) {
  constexpr std::string_view kGravest[] = {"differs", "removed", "added", "changed"};
  const auto rank = [&](std::string_view mark) { return std::find(std::begin(kGravest), std::end(kGravest), mark); };
  std::vector<std::string> shown(scene.boxes.size());
  for (const auto& [node, mark] : marks)
    if (const BoxId box = scene.box_of(node); box && rank(mark) < rank(shown[box.index])) shown[box.index] = mark;
  return shown;
}

MarkLook mark_look(std::string_view mark) {
  if (mark == "differs") return {Role::NonFinite, "≠"};
  if (mark == "removed") return {Role::Removed, "−"};
  if (mark == "added") return {Role::Added, "+"};
  return {Role::Changed, "~"};
}

BoxColor box_color(BoxId id, const SceneBox& box, const PictureStyle& style) {
  const bool group = box.folded();
  const std::string code(group ? "" : family_code(box.family));
  if (style.overlay.kind == OverlayKind::Family)
    return group ? BoxColor{color_rgb(style.theme, Role::Raised), color_rgb(style.theme, Role::Text), code} : BoxColor{color_rgb(style.theme, family_role(box.family)), family_text_rgb(style.theme), code};
  const double value = id.index < style.values.size() ? style.values[id.index] : std::nan("");
  if (std::isnan(value)) return {color_rgb(style.theme, Role::Raised), color_rgb(style.theme, Role::Text), ""};
  const uint32_t fill = overlay_rgb(style.overlay, value);
  return {fill, text_on(fill), style.overlay.text(value)};
}

void color_by(PictureStyle& style, Overlay overlay, const GraphScene& scene) {
  style.overlay = std::move(overlay);
  style.values = box_values(style.overlay, scene);
}

Size scale_size(const PictureStyle& style) {
  const Overlay& overlay = style.overlay;
  if (overlay.kind == OverlayKind::Family) return {0, 0};
  const float row = text_line_height(TextStyle::Op) + 4, rows = float(overlay_rows(overlay).size() + (has_strip(overlay) ? 2 : 0));
  return {kScaleWidth, kScaleMargin + text_line_height(TextStyle::Name) + 4 + std::max(rows, 1.0f) * row};
}

void draw_picture(Painter& painter, const GraphScene& scene, const Layout& layout, const PictureStyle& style, const MeasureText& measure) {
  Picture(painter, scene, layout, style, measure).draw();
}

}  // namespace pt2::app
