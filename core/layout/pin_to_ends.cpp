#include <algorithm>

#include "core/layout/placement.h"

namespace pt2 {

void pin_to_ends(const PlacementRequest& request, Placement& placement) {
  const size_t n = request.nodes.size();
  uint32_t last = 0;
  for (uint32_t r : placement.rank) last = std::max(last, r);
  std::vector<uint32_t> old = placement.rank;
  std::vector<uint8_t> used(last + 1);
  for (size_t v = 0; v < n; ++v) {
    if (request.nodes[v].pin == Pin::First) placement.rank[v] = 0;
    if (request.nodes[v].pin == Pin::Last) placement.rank[v] = last;
  }
  for (size_t v = 0; v < n; ++v) used[placement.rank[v]] = 1;
  std::vector<uint32_t> closed(last + 1);  // new number of each rank
  uint32_t next = 0;
  for (uint32_t r = 0; r <= last; ++r) closed[r] = next, next += used[r];

  for (size_t e = 0; e < request.edges.size(); ++e) {
    const auto [from, to, from_offset, to_offset] = request.edges[e];
    std::vector<float> via;
    for (uint32_t r = placement.rank[from] + 1; r < placement.rank[to]; ++r) {
      if (!used[r]) continue;
      if (r <= old[from]) via.push_back(placement.x[from]);
      else if (r >= old[to]) via.push_back(placement.x[to]);
      else via.push_back(placement.via[e][r - old[from] - 1]);
    }
    placement.via[e] = std::move(via);
  }
  for (uint32_t& r : placement.rank) r = closed[r];
}

}  // namespace pt2
