#pragma once
// What differs between two calls that were matched, one on each side.
#include <cstdint>

#include "core/diff/diff.h"
#include "core/diff/operators.h"

namespace pt2::diff {

struct MatchedCalls {
  const Program& left;
  const Program& right;
  const Operator& l;
  const Operator& r;
  NodeRef lref, rref;
};

// Fills `changes` and `values` of the group. `root_of_left`: the first operator of the group of a left operator; `left_of`: the left operator
// of a right one, -1 where there is none.
void find_changes(const MatchedCalls& calls, const std::vector<int32_t>& root_of_left, const std::vector<int32_t>& left_of, NodeGroup& group);

}  // namespace pt2::diff
