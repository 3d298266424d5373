#include "views/workspace/graph_picture.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/base/text.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {
namespace {

constexpr int kMinimapColumns = 160, kMinimapLines = 110;

std::vector<Rect> minimap_runs(const pt2::Layout& layout) {
  const float w = std::max(layout.bounds.w, 1.0f), h = std::max(layout.bounds.h, 1.0f);
  std::vector<uint8_t> filled(size_t(kMinimapColumns) * kMinimapLines);
  auto cell = [](float part, int count) { return std::clamp(int(part * float(count)), 0, count - 1); };
  for (const Rect& r : layout.boxes)
    for (int y = cell((r.y - layout.bounds.y) / h, kMinimapLines), y1 = cell((r.bottom() - layout.bounds.y) / h, kMinimapLines); y <= y1; ++y)
      for (int x = cell((r.x - layout.bounds.x) / w, kMinimapColumns), x1 = cell((r.right() - layout.bounds.x) / w, kMinimapColumns); x <= x1; ++x)
        filled[size_t(y) * kMinimapColumns + size_t(x)] = 1;
  std::vector<Rect> runs;
  for (int y = 0; y < kMinimapLines; ++y)
    for (int x = 0; x < kMinimapColumns;) {
      const int begin = x;
      while (x < kMinimapColumns && filled[size_t(y) * kMinimapColumns + size_t(x)]) ++x;
      if (x > begin)
        runs.push_back({float(begin) / kMinimapColumns, float(y) / kMinimapLines, float(x - begin) / kMinimapColumns, 1.0f / kMinimapLines});
      else
        ++x;
    }
  return runs;
}

Point on_curve(const Point* p, float t) {
  const float s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
  return {a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

float distance_to_segment(Point p, Point a, Point b) {
  const float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
  const float t = length2 > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / length2, 0.0f, 1.0f) : 0;
  return std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}

}  // namespace

void GraphPicture::index() {
  std::vector<Rect> edge_bounds;
  edge_bounds.reserve(layout.edges.size());
  for (const EdgePath& edge : layout.edges) {
    // A straight edge has no width; the grid's rectangles have some.
    edge_bounds.push_back({edge.bounds.x - 4, edge.bounds.y - 4, edge.bounds.w + 8, edge.bounds.h + 8});
  }
  box_grid = SpatialGrid(layout.boxes.raw(), layout.bounds);
  edge_grid = SpatialGrid(edge_bounds, layout.bounds);
  minimap = minimap_runs(layout);
  auto by_box = [&](auto end_of, std::vector<uint32_t>& begin, std::vector<uint32_t>& items) {
    begin.assign(scene.boxes.size() + 1, 0);
    for (const SceneEdge& edge : scene.edges) ++begin[end_of(edge).index + 1];
    for (size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    items.resize(scene.edges.size());
    std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
    for (uint32_t i = 0; i < scene.edges.size(); ++i) items[next[end_of(scene.edges[i]).index]++] = i;
  };
  by_box([](const SceneEdge& e) { return e.to; }, in_begin_, in_edges_);
  by_box([](const SceneEdge& e) { return e.from; }, out_begin_, out_edges_);
}

Result<std::shared_ptr<const GraphPicture>> make_picture(std::shared_ptr<const Program> program, std::shared_ptr<const ScopeTree> tree,
                                                         const GraphView& view, LayoutEngine& engine, size_t max_boxes, std::stop_token stop, std::shared_ptr<const UnliftedForm> form) {
  const auto begin = std::chrono::steady_clock::now();
  auto picture = std::make_shared<GraphPicture>();
  static const MeasureText measure = default_measure();
  picture->scene = form ? make_unlifted_scene(*form, view, measure) : make_scene(program, std::move(tree), view, measure);
  if (picture->scene.boxes.size() > max_boxes)
    return Error{ErrorKind::Limit, with_commas(uint64_t(picture->scene.boxes.size())) + " boxes would be shown.", "", ""};  // what to do is on the buttons beside it
  auto layout = engine.layout(layout_request(picture->scene, measure), stop);
  if (!layout) return layout.error();
  picture->layout = std::move(*layout);
  if (form) name_by_program(picture->scene, std::move(program), std::move(form));
  picture->index();
  picture->layout_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return std::shared_ptr<const GraphPicture>(picture);
}

BoxId GraphPicture::box_at(Point p) const {
  BoxId found;
  box_grid.visit({p.x, p.y, 0.01f, 0.01f}, [&](uint32_t i) {
    if (layout.boxes[BoxId(i)].contains(p)) found = BoxId(i);
  });
  return found;
}

Rect GraphPicture::cluster_title(ClusterId cluster) const {
  const Rect& r = layout.clusters[cluster];
  static const MeasureText measure = default_measure();
  const float width = measure(TextStyle::Title, scene.clusters[cluster].title) + 16;
  return {r.x, r.y, std::min(r.w, width), std::min(r.h, kClusterTitleHeight)};
}

ClusterId GraphPicture::cluster_at(Point p, bool title_only) const {
  // Children come after their parents: the last one is the innermost.
  for (size_t i = scene.clusters.size(); i-- > 1;) {
    const ClusterId id(i);
    if (layout.clusters[id].contains(p) && (!title_only || cluster_title(id).contains(p))) return id;
  }
  return {};
}

size_t GraphPicture::edge_at(Point p, float reach) const {
  size_t nearest = kNoEdge;
  float best = reach;
  edge_grid.visit({p.x - reach, p.y - reach, 2 * reach, 2 * reach}, [&](uint32_t i) {
    const EdgePath& edge = layout.edges[i];
    if (edge.label.contains(p) || edge.stub_tag.contains(p)) {
      best = 0;
      nearest = i;
      return;
    }
    const auto points = layout.path(edge);
    for (size_t k = 0; k + 3 < points.size(); k += 3) {
      Point a = points[k];
      for (int step = 1; step <= 12; ++step) {
        const Point b = on_curve(&points[k], float(step) / 12);
        const float d = distance_to_segment(p, a, b);
        if (d < best) {
          best = d;
          nearest = i;
        }
        a = b;
      }
    }
  });
  return nearest;
}

Point GraphPicture::edge_middle(size_t edge) const {
  const auto points = layout.path(layout.edges[edge]);
  if (points.size() < 4) return points.empty() ? layout.edges[edge].bounds.center() : points[0];
  const size_t pieces = (points.size() - 1) / 3, piece = pieces / 2;
  return on_curve(&points[piece * 3], pieces % 2 ? 0.5f : 0.0f);
}

BoxId GraphPicture::chip_box(NodeId placeholder) const {
  for (size_t i = 0; i < scene.boxes.size(); ++i)
    for (const Chip& chip : scene.chips_of(scene.boxes[BoxId(i)]))
      if (chip.placeholder == placeholder) return BoxId(i);
  // What reads it is in a folded group: that shows it.
  for (const NodeId reader : scene.program->root_graph().users(placeholder))
    if (const BoxId box = scene.box_of({scene.program->root(), reader})) return box;
  return {};
}

BoxId GraphPicture::box_of(const Selection& selection) const {
  if (const NodeRef shown = selection.shown(); shown.node) {
    const BoxId own = scene.box_of(shown);
    return own || shown.graph != scene.program->root() ? own : chip_box(shown.node);
  }
  if (selection.unlifted) return scene.form_box.contains(selection.unlifted) ? scene.form_box[selection.unlifted] : BoxId();
  if (selection.module)
    for (size_t i = 0; i < scene.boxes.size(); ++i)
      if (scene.boxes[BoxId(i)].kind == BoxKind::Module && scene.boxes[BoxId(i)].module == selection.module) return BoxId(i);
  return {};
}

ClusterId GraphPicture::cluster_of(ModuleId module) const {
  for (size_t i = 1; i < scene.clusters.size(); ++i)
    if (scene.clusters[ClusterId(i)].kind == ScopeKind::Module && scene.clusters[ClusterId(i)].module == module) return ClusterId(i);
  return {};
}

Rect GraphPicture::rect_of(const Selection& selection) const {
  if (BoxId box = box_of(selection)) return layout.boxes[box];
  if (selection.module)
    if (ClusterId cluster = cluster_of(selection.module)) return layout.clusters[cluster];
  return {};
}

Rect GraphPicture::rect_of(ScopeId scope) const {
  for (size_t i = 0; i < scene.boxes.size(); ++i) {
    const SceneBox& box = scene.boxes[BoxId(i)];
    if (box.scope == scope && box.scope) return layout.boxes[BoxId(i)];
  }
  for (size_t i = 1; i < scene.clusters.size(); ++i)
    if (scene.clusters[ClusterId(i)].scope == scope) return layout.clusters[ClusterId(i)];
  return {};
}

namespace {

// The first or the last box of the program's own graph, wherever those of its sub-graphs come; without one the first or last of all.
BoxId end_of(const GraphScene& scene, bool first) {
  const size_t count = scene.boxes.size();
  for (size_t i = 0; i < count; ++i)
    if (const BoxId box(first ? i : count - 1 - i); scene.boxes[box].node.graph == scene.program->root()) return box;
  return BoxId(first ? 0 : count - 1);
}

}  // namespace

BoxId walk(const GraphPicture& picture, BoxId from, Walk step, BoxId came_from) {
  const GraphScene& scene = picture.scene;
  const size_t count = scene.boxes.size();
  if (!count) return {};
  if (step == Walk::First || step == Walk::Last) return end_of(scene, step == Walk::First);
  if (!from) return BoxId(0);
  if (step == Walk::Before) return from.index ? BoxId(from.index - 1) : from;
  if (step == Walk::After) return from.index + 1 < count ? BoxId(from.index + 1) : from;
  if (step == Walk::Consumer) {
    BoxId first;
    for (uint32_t e : picture.edges_out_of(from))
      if (!first || scene.edges[e].to < first) first = scene.edges[e].to;
    return first ? first : from;
  }
  if (step == Walk::Producer) {
    auto edges = picture.edges_into(from);
    return edges.empty() ? from : scene.edges[edges[0]].from;
  }
  // Siblings.
  std::vector<BoxId> siblings;
  auto add = [&](BoxId box) {
    if (std::find(siblings.begin(), siblings.end(), box) == siblings.end()) siblings.push_back(box);
  };
  if (came_from) {
    bool consumer = false, producer = false;
    for (uint32_t e : picture.edges_out_of(came_from)) consumer |= scene.edges[e].to == from;
    for (uint32_t e : picture.edges_into(came_from)) producer |= scene.edges[e].from == from;
    if (consumer) for (uint32_t e : picture.edges_out_of(came_from)) add(scene.edges[e].to);
    else if (producer) for (uint32_t e : picture.edges_into(came_from)) add(scene.edges[e].from);
  }
  const bool down = scene.view.direction == Direction::TopDown;
  auto along = [&](BoxId box) { const Point c = picture.layout.boxes[box].center(); return down ? c.x : c.y; };
  if (siblings.size() < 2) {
    siblings.clear();
    const Rect& own = picture.layout.boxes[from];
    for (size_t i = 0; i < count; ++i) {
      const Rect& r = picture.layout.boxes[BoxId(i)];
      const bool level = down ? r.y < own.bottom() && own.y < r.bottom() : r.x < own.right() && own.x < r.right();
      if (level) siblings.push_back(BoxId(i));
    }
  }
  std::stable_sort(siblings.begin(), siblings.end(), [&](BoxId a, BoxId b) { return along(a) < along(b); });
  auto at = std::find(siblings.begin(), siblings.end(), from);
  if (at == siblings.end()) return from;
  if (step == Walk::PreviousSibling) return at == siblings.begin() ? from : *(at - 1);
  return at + 1 == siblings.end() ? from : *(at + 1);
}

Selection selection_of(const GraphScene& scene, BoxId id) {
  const SceneBox& box = scene.boxes[id];
  if (box.kind == BoxKind::Module) return Selection::of_module(box.module);
  if (box.kind == BoxKind::Parameter) return Selection::of_value(box.node);
  if (box.kind == BoxKind::Subgraph && box.scope) {
    const Scope& scope = (*scene.tree)[box.scope];
    if (scope.reader && scope.parent) return Selection::of_node(scene.in_program({(*scene.tree)[scope.parent].graph, scope.reader}));
  }
  if (!box.node.node && box.unlifted) return Selection::of_unlifted(box.unlifted);
  return Selection::of_node(box.node);
}

}  // namespace pt2::views
