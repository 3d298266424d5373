#pragma once
// What two programs return and leave in their inputs and buffers, held against each other; and in words.
#include <string>
#include <vector>

#include "interp/compare_runs.h"

namespace pt2::interp {

// Both are told by the runs of `numbers` and its groups. What goes back to callers, as diff::paired_outputs pairs it.
std::vector<OutputNumbers> compare_outputs(const Program& left, const Program& right, const RunComparison& numbers, const Tolerance& tolerance);
// Inputs, buffers and the like that were written to, by their placeholders: what is in them after the run.
std::vector<OutputNumbers> compare_written(const Program& left, const Program& right, const RunComparison& numbers, const Tolerance& tolerance);

// "output relu → batch_norm", "output 1: None → 3", "buffer mutation running_mean".
std::string output_name(const OutputNumbers& output);
// "equal", "different, max abs Δ 2.91", "only in the first program", "no numbers".
std::string output_text(const OutputNumbers& output);
// Both kinds, the returned ones first.
std::vector<const OutputNumbers*> all_outputs(const RunComparison& numbers);
std::vector<const OutputNumbers*> differing_outputs(const RunComparison& numbers);

}  // namespace pt2::interp
