#pragma once
// What a layout is asked and what it answers: plain values. Boxes have sizes that are already known (texts are measured by whoever
// asks); clusters nest; edges carry values. The answer has a rectangle for each box and cluster and a curve for each edge.
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "core/base/ids.h"
#include "core/base/result.h"
#include "core/layout/geometry.h"

namespace pt2 {

using BoxId = Id<struct BoxTag>;          // a box of one scene and its layout
using ClusterId = Id<struct ClusterTag>;  // an open group: a frame around boxes and clusters; ClusterId(0) is the canvas, without frame

enum class Direction : uint8_t { TopDown, LeftRight };

struct LayoutRequest {
  struct Box {
    Size size;
    ClusterId cluster{0};
    friend bool operator==(const Box&, const Box&) = default;
  };
  struct Cluster {
    ClusterId parent;  // comes before its children; none for the canvas
    Size title;        // of the text in the frame's top left corner
    friend bool operator==(const Cluster&, const Cluster&) = default;
  };
  struct Edge {
    BoxId from, to;
    uint32_t value = 0;  // edges with equal `from` and `value` carry one value: they share their beginning and one label
    uint32_t order = 0;  // values of one box leave it in this order
    Size label;          // text beside the value's beginning; empty: none
    Size stub_label;     // text at the reader's end where the edge is cut
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  IdVector<BoxId, Box> boxes;  // in execution order
  IdVector<ClusterId, Cluster> clusters;
  std::vector<Edge> edges;     // never a cycle between the members of one cluster
  Direction direction = Direction::TopDown;
  bool operator==(const LayoutRequest& o) const {
    return boxes.raw() == o.boxes.raw() && clusters.raw() == o.clusters.raw() && edges == o.edges && direction == o.direction;
  }
};

// The way of one edge, as a chain of cubic Béziers: 1 + 3n points in Layout::points, from the writer's border to the reader's, where
// the arrow's tip is. A cut edge (stub > 0) has only its end, from the tag above the reader; its beginning is an OutStub.
struct EdgePath {
  uint32_t first = 0, count = 0;  // into Layout::points
  uint32_t stub = 0;              // 0: drawn whole; else the number both ends show
  Rect stub_tag;                  // at the reader: number and name of the writer
  Rect label;                     // of the value; only on one of the edges that share it, else empty
  Rect bounds;                    // of points, label and tag
};

// The writer's end of all cut edges of one value: a short line from the box to a tag with the number, a chain like that of an edge.
struct OutStub {
  BoxId from;
  uint32_t value = 0, number = 0;
  Rect tag;
  uint32_t first = 0, count = 0;  // into Layout::points
};

struct Layout {
  IdVector<BoxId, Rect> boxes;
  IdVector<ClusterId, Rect> clusters;  // the canvas: everything
  std::vector<EdgePath> edges;         // as in the request
  std::vector<OutStub> out_stubs;
  std::vector<Point> points;
  Rect bounds;                         // begins at 0, 0
  bool fallback = false;               // some part was laid out by our own method because Graphviz failed

  std::span<const Point> path(const EdgePath& edge) const { return {points.data() + edge.first, edge.count}; }
  std::span<const Point> path(const OutStub& stub) const { return {points.data() + stub.first, stub.count}; }
};

inline constexpr Size kOutStubTag{26, 14};    // the tag at the writer
inline constexpr float kStubNumberWidth = 20; // room for the number in the reader's tag, beside Edge::stub_label
inline constexpr float kClusterTitleHeight = 20;

}  // namespace pt2
