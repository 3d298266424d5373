#pragma once
// A scene that has its places: what the graph pane draws, hit-tests and walks over. Made in a job, immutable, shared.
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/layout/layout_engine.h"
#include "views/workspace/graph_scene.h"
#include "views/workspace/selection.h"
#include "views/workspace/spatial_grid.h"

namespace pt2::views {

struct GraphPicture {
  GraphScene scene;
  pt2::Layout layout;
  SpatialGrid box_grid, edge_grid;
  // A coarse picture of where boxes are, for the minimap: filled runs of a grid over the bounds, in parts of 1.
  std::vector<Rect> minimap;
  double layout_seconds = 0;

  // Indices of the edges at a box, in the scene's order.
  std::span<const uint32_t> edges_into(BoxId box) const { return span_of(in_begin_, in_edges_, box); }
  std::span<const uint32_t> edges_out_of(BoxId box) const { return span_of(out_begin_, out_edges_, box); }

  BoxId box_at(Point p) const;
  // The innermost open group whose frame holds the point; none for the canvas. `title_only`: only by its title.
  ClusterId cluster_at(Point p, bool title_only) const;
  Rect cluster_title(ClusterId cluster) const;
  // The nearest edge within `reach`; kNoEdge: none.
  static constexpr size_t kNoEdge = size_t(-1);
  size_t edge_at(Point p, float reach) const;
  Point edge_middle(size_t edge) const;  // a point on its curve

  // Where a selection is: its box, the frame of an open module, or for a value the box of its node or of its first reader.
  Rect rect_of(const Selection& selection) const;
  BoxId box_of(const Selection& selection) const;
  BoxId chip_box(NodeId placeholder) const;  // the first box that has it as a chip
  ClusterId cluster_of(ModuleId module) const;
  // The rectangle of a group: its folded box or its open frame; empty: not shown.
  Rect rect_of(ScopeId scope) const;

 private:
  friend Result<std::shared_ptr<const GraphPicture>> make_picture(std::shared_ptr<const Program>, std::shared_ptr<const ScopeTree>, const GraphView&,
                                                                  LayoutEngine&, size_t, std::stop_token, std::shared_ptr<const UnliftedForm>);
  static std::span<const uint32_t> span_of(const std::vector<uint32_t>& begin, const std::vector<uint32_t>& items, BoxId box) {
    return {items.data() + begin[box.index], begin[box.index + 1] - begin[box.index]};
  }
  void index();
  std::vector<uint32_t> in_begin_, in_edges_, out_begin_, out_edges_;
};

// `form`: what a view of the unlifted form shows. Fails when stopped, or with ErrorKind::Limit when the scene has more boxes than `max_boxes`.
Result<std::shared_ptr<const GraphPicture>> make_picture(std::shared_ptr<const Program> program, std::shared_ptr<const ScopeTree> tree,
                                                         const GraphView& view, LayoutEngine& engine, size_t max_boxes, std::stop_token stop = {},
                                                         std::shared_ptr<const UnliftedForm> form = {});

// Walking with the arrow keys over what is visible.
enum class Walk : uint8_t { Consumer, Producer, PreviousSibling, NextSibling, First, Last, Before, After };
// `came_from`: the box one stood on before `from`; siblings are its other consumers or producers, else the boxes at the same height.
BoxId walk(const GraphPicture& picture, BoxId from, Walk step, BoxId came_from = {});

// What a click on a box selects.
Selection selection_of(const GraphScene& scene, BoxId box);

}  // namespace pt2::views
