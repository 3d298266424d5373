#pragma once
// Where a run of a comparison failed, so that the numbers cannot be held against each other to the end.
#include <optional>
#include <string>
#include <vector>

#include "interp/compare_runs.h"

namespace pt2::interp {

// The first node of each side that failed, where what is compared waits for it: the other side got further, or an output has no numbers.
struct RunFailure { bool left; const FailedNode* node; };
std::vector<RunFailure> run_failures(const RunComparison& numbers);
// "B fails at view_1: shape '[2]' is invalid …"; empty: what is compared was computed.
std::string failures_text(const RunComparison& numbers);
// The group of the node that failed, where numbers are missing for it.
std::optional<size_t> failed_group(const RunComparison& numbers);
// Nothing differs up to where a run failed: nobody knows about the rest.
bool cut_short(const RunComparison& numbers);

}  // namespace pt2::interp
