#pragma once
// The pass after the alignment: what was left over goes to the group whose value it is a step of. Where a call was replaced by several (or several
// by one), the alignment may find one of them only; who reads the result, and what the others read and give, tells the rest.
#include <functional>

#include "core/diff/match.h"
#include "core/diff/operators.h"

namespace pt2::diff {

// One side of a match.
struct OperatorSide {
  const Program& program;
  const GraphOperators& ops;

  const Graph& graph() const { return program.graphs[ops.graph]; }
};

// Calls that are the same on both sides take nothing in: what stands behind them was added or removed. `unlinked`: must not belong together.
void complete_groups(const OperatorSide& left, const OperatorSide& right, const std::function<bool(int32_t left, int32_t right)>& unlinked, Match& match);

}  // namespace pt2::diff
