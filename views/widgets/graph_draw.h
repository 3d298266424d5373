#pragma once
// Draws the parts of a graph scene on a canvas, with as much detail as the zoom allows: below 15 % fills and straight lines, from 40 %
// names, from 80 % (more with smaller text) operators, chips and edge labels.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "views/shell/theme.h"
#include "views/widgets/badges.h"
#include "views/widgets/canvas.h"
#include "views/workspace/graph_scene.h"

namespace pt2::views {

inline constexpr float kZoomBadges = 0.15f, kZoomNames = 0.40f, kZoomDetails = 0.80f, kZoomStats = 1.60f;
inline constexpr float kLeastTextPixels = 7.5f;  // labels that would be smaller on the screen are left out
// From where on operators, chips and types show: kZoomDetails, later where text is set so small that they could not be read.
float detail_zoom(const Theme& theme);

enum class BreakpointLook : uint8_t { None, Set, Conditional, Disabled, Inside };  // the last: of nodes in a folded group
enum class DiffLook : uint8_t { None, Same, Changed, Added, Removed };  // in a comparison
enum class NeighbourLook : uint8_t { None, Input, Output };  // of the selection
enum class HitLook : uint8_t { None, Hit, ActiveHit };

struct BoxState {
  bool selected = false, hovered = false, current = false, executed = false, edited = false;
  bool mutated = false, nonfinite = false, mismatch = false, unsupported = false, failed = false;
  BreakpointLook breakpoint = BreakpointLook::None;
  HitLook hit = HitLook::None;
  uint32_t hits_inside = 0;    // folded groups: search hits in them
  float alpha = 1;             // dimmed below 1
  ImU32 fill = 0;              // overlays: instead of the family's colour
  NeighbourLook neighbour = NeighbourLook::None;
  ImU32 strip = 0;             // the colour of a difference or an edit
  DiffLook diff = DiffLook::None;  // its sign
  int bookmark = -1;           // 1 … 9; 0: a note without one; -1: neither
  bool dashed = false;         // compare: removed
  NodeId hovered_chip;         // the parameter under the pointer, lit wherever it is shown
  NodeId selected_chip;        // the parameter that is selected
  std::span<const NodeId> edited_chips;  // parameters that hold other values than the file's
  std::span<const NodeId> nonfinite_chips;  // … that hold NaN or Inf
  std::string_view stats;      // "μ 0.01 σ 0.98 [−3.1, 3.4]"
};

struct EdgeState {
  ImU32 color = 0;  // 0: the usual one
  float width = 1.5f;
  float alpha = 1;
};

class GraphDraw {
 public:
  // `patterns`: families have hatches besides their colours.
  GraphDraw(ImDrawList* list, const Theme& theme, const Canvas& canvas, const GraphScene& scene, const pt2::Layout& layout, bool patterns);

  void cluster(ClusterId id, bool selected, bool hovered, float alpha);
  void cluster_title(ClusterId id, bool selected, float alpha);
  void edge(size_t index, const EdgeState& state);
  void edge_label(size_t index, const EdgeState& state);
  void out_stub(const OutStub& stub, const EdgeState& state);
  // Where a box reads what is hidden: a short line down into it at the left of `strip`, and the names of it beside that. The rectangle, on the screen.
  Rect hidden_inputs(const Rect& strip, std::string_view names, float alpha);
  void box(BoxId id, const BoxState& state);
  void cluster_mark(ClusterId id, int bookmark);

  // Screen rectangles.
  ImVec2 screen(Point p) const { return canvas_.screen_from_world({p.x, p.y}); }
  ImVec2 screen_min(const Rect& r) const { return screen({r.x, r.y}); }
  ImVec2 screen_max(const Rect& r) const { return screen({r.right(), r.bottom()}); }

 private:
  SizedFont font(TextStyle style, float min_pixels = 0) const;
  void line_text(SizedFont font, TextStyle style, ImVec2 top_left, ImU32 color, std::string_view text, float room_world);
  void pill(const SceneBox& box, const Rect& rect, const BoxState& state);
  void operator_box(const SceneBox& box, const Rect& rect, const BoxState& state);
  void group_box(const SceneBox& box, const Rect& rect, const BoxState& state);
  void chips(const SceneBox& box, const Rect& rect, const BoxState& state, ImU32 text);
  void outline(const SceneBox& box, ImVec2 min, ImVec2 max, float rounding, const BoxState& state);
  void hatch_strip(ImVec2 min, ImVec2 max, const BoxState& state);
  void neighbour(ImVec2 min, ImVec2 max, float rounding, const BoxState& state);
  void badges(ImVec2 min, ImVec2 max, const BoxState& state);
  void overview_sign(const BoxState& state);
  void sign(const PlacedBadge& sign, const BoxState& state, bool on_fill);
  void tag(const Rect& rect, uint32_t number, std::string_view text, const EdgeState& state);
  void curve(std::span<const Point> points, ImU32 color, float width);
  void arrow_head(Point tip, Point before, ImU32 color);

  ImDrawList* list_;
  const Theme& theme_;
  const Canvas& canvas_;
  const GraphScene& scene_;
  const pt2::Layout& layout_;
  float zoom_, scale_;
  bool details_, patterns_;
  std::vector<ImVec2> points_;  // of the edge being drawn
  std::vector<Badge> badges_;   // of the box being drawn
  std::vector<PlacedBadge> placed_;
  std::vector<ImVec2> overview_signs_;  // drawn so far
  ImVec2 last_speck_{-1, -1};   // the pixel of the last box smaller than one
};

}  // namespace pt2::views
