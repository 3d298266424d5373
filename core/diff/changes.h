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

struct Matching {
  const std::vector<int32_t>& root_of_left;  // the first operator of the group of a left operator
  const std::vector<int32_t>& left_of;       // the left operator of a right one, -1 where there is none
  const GraphOperators& lops;
  const GraphOperators& rops;
};

// Fills `changes` and `values` of the group of these two calls.
void find_changes(const MatchedCalls& calls, const Matching& matching, NodeGroup& group);

// Only what their arguments say: of two calls among several of a group. Those of two operators can be held against each other where both have a
// constant of one name (eps).
void find_argument_changes(const MatchedCalls& calls, const Matching& matching, NodeGroup& group);

// Whether one can be the other's core: the same operator, or one that is named after the other (layer_norm, native_layer_norm).
bool correspond(const Operator& l, const Operator& r);

}  // namespace pt2::diff
