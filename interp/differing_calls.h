#pragma once
// Loops whose first calls agree: the call of each body in which something differs first.
#include "interp/compare_runs.h"

namespace pt2::interp {

// Runs both programs again where a group differs that calls sub-graphs and nothing differs in the first call of these. Of what both ran, the
// n-th value of a node is held against the n-th of its counterpart. Empty: nothing to look for, or nothing found.
Result<CallsOfBoth> differing_calls(const ProgramSide& left, const ProgramSide& right, const RunComparison& first_calls, const CompareRunsRequest& request);

}  // namespace pt2::interp
