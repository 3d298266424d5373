#pragma once
// Where the members of one group go: which rank, and where across. The flow runs along the main axis (down, or to the right when the
// caller turns the picture); everything here is about the cross axis, so sizes along the flow do not matter.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace pt2 {

enum class Pin : uint8_t { None, First, Last };  // ports of the group: on its first or last rank

struct PlacementRequest {
  struct Node {
    float before = 0, after = 0;  // how far it reaches to either side of its centre
    Pin pin = Pin::None;
    friend bool operator==(const Node&, const Node&) = default;
  };
  // `from_offset`, `to_offset`: where the edge starts and ends, from the nodes' centres.
  struct Edge {
    uint32_t from = 0, to = 0;
    float from_offset = 0, to_offset = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;  // acyclic; no two with equal ends
  friend bool operator==(const PlacementRequest&, const PlacementRequest&) = default;
};

struct Placement {
  std::vector<uint32_t> rank;           // 0 … without holes
  std::vector<float> x;                 // of centres
  std::vector<std::vector<float>> via;  // of each edge: where it passes the ranks between its ends
};

inline constexpr float kNodeGap = 22, kLineGapAcross = 12;

// Graphviz in this process; it knows nothing of pins. Its order of nodes within ranks is what is wanted; centres are aligned, offsets are not known to it.
Result<Placement> place_with_graphviz(const PlacementRequest& request);
// Our own layered method, without pins too: never fails, near linear; for groups too large for Graphviz and where it failed.
Placement place_layered(const PlacementRequest& request);

// Moves pinned nodes to the first or last rank; their edges pass the ranks between. Closes ranks that are empty then.
void pin_to_ends(const PlacementRequest& request, Placement& placement);

// Keeps ranks and the order within them, and moves nodes and lines across so that edges run straight from offset to offset, with the
// gaps above between neighbours.
void align_across(const PlacementRequest& request, Placement& placement);

// The nearest arrangement to the wishes that keeps their order and gaps (least squares).
struct Wish { float x = 0, weight = 1, gap_before = 0; };
void settle_in_order(std::vector<Wish>& places);

}  // namespace pt2
