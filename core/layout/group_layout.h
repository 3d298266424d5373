#pragma once
// The inside of one group: its members side by side with the curves between them, and the places on its border where values enter and
// leave. Measured along the flow: `main` grows with it, `cross` is across. All lengths relative to the group's frame.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/layout/placement.h"

namespace pt2 {

struct FlowPoint { float cross = 0, main = 0; };
struct FlowSize {
  float cross = 0, main = 0;
  friend bool operator==(const FlowSize&, const FlowSize&) = default;
};
struct FlowRect { float cross = 0, main = 0; FlowSize size; };

// The tag of a cut edge, and its line: to the box from a tag before it, from the box to a tag behind it.
struct PlacedTag {
  FlowRect rect;
  std::vector<FlowPoint> line;  // 1 + 3n points
};

struct GroupMember {
  FlowSize size;
  // Where values leave and enter, from the member's low cross side. Boxes have free entries: their edges spread over the border.
  std::vector<float> exits, entries;
  bool free_entries = true;
  // Beside exit i: the size of its label; zero: none.
  std::vector<FlowSize> labels;
  std::vector<FlowSize> in_tags;  // of cut edges that end here, at the low cross side
  FlowSize out_tag;               // of one tag at the high cross side
  uint32_t out_tags = 0;
};

// An edge between members, or from an entry or to an exit of the group.
struct GroupEdge {
  enum class End : uint8_t { Member, Entry, Exit };
  End from_kind = End::Member, to_kind = End::Member;
  uint32_t from = 0, to = 0;                // member, entry or exit
  uint32_t from_exit = 0, to_entry = 0;     // of the member; to_entry only where its entries are not free
};

struct GroupProblem {
  std::vector<GroupMember> members;
  uint32_t entries = 0, exits = 0;
  std::vector<GroupEdge> edges;             // none twice
  float title = 0;                          // how far the title reaches across; only where the title lies at the group's start
  float min_cross = 0, min_main = 0;        // of the frame
  float pad_low = 0, pad_high = 0, pad_start = 0, pad_end = 0;  // between frame and contents: low and high cross side, start and end of the flow
};

struct GroupResult {
  FlowSize size;
  std::vector<FlowPoint> members;                  // corners of lowest cross and main
  std::vector<float> entries, exits;               // cross places on the frame
  std::vector<std::vector<FlowPoint>> edges;       // 1 + 3n points
  std::vector<std::vector<FlowRect>> labels;       // of each member's exits
  std::vector<std::vector<PlacedTag>> in_tags;     // of each member
  std::vector<std::vector<PlacedTag>> out_tags;
  bool fallback = false;
};

// Exact: equal texts mean equal problems.
std::string memo_key(const GroupProblem& problem);

// `place` decides ranks and order; on failure our own method does.
using PlaceGroup = std::function<Result<Placement>(const PlacementRequest&)>;
Result<GroupResult> lay_out_group(const GroupProblem& problem, const PlaceGroup& place);

}  // namespace pt2
