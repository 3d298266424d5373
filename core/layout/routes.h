// The way of each edge of a layout request through the hierarchy of clusters, and which edges are cut, decided on ranks of our own.
#pragma once

#include <cstdint>
#include <vector>

#include "core/layout/layout.h"

namespace pt2 {

// A member of a cluster: a box or an inner cluster.
struct ClusterMember { BoxId box; ClusterId cluster; };

struct EdgeRoute {
  ClusterId common;                         // the innermost cluster that holds both ends
  uint32_t from_member = 0, to_member = 0;  // among the members of `common`
  uint32_t value = 0;                       // number of (from, value), below Routes::values
  uint32_t up = 0, down = 0;                // clusters left and entered on the way
  bool cut = false;                         // drawn as two stubs
};

struct Routes {
  IdVector<ClusterId, std::vector<ClusterMember>> members;
  IdVector<ClusterId, uint32_t> depth;
  IdVector<ClusterId, uint32_t> cluster_member;  // a cluster's or box's index among the members around it
  IdVector<BoxId, uint32_t> box_member;
  std::vector<EdgeRoute> edges;
  size_t values = 0;
};

// There is always a cluster 0, the canvas.
Routes trace_routes(const LayoutRequest& request);

}  // namespace pt2
