#pragma once
// Two programs on the same inputs, held against each other group by group of their Diff: where do the numbers part, and of what kind is it?
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/diff/diff.h"
#include "core/load.h"
#include "interp/run_report.h"

namespace pt2::interp {

// What a difference looks like, judged by the values alone.
enum class Cause : uint8_t {
  None,        // equal, or nothing to compare
  Rounding,    // a few units in the last place of the type
  Nan,         // NaN or infinity against a number
  DType,       // another element type
  Shape,       // another shape
  Saturation,  // integers at the end of their range on one side
  Random,      // the group draws random numbers or returns uninitialised memory
  Values,      // anything else
};
std::string_view cause_name(Cause cause);        // "rounding", "nan" …
std::string_view cause_explanation(Cause cause); // by what it was judged, a sentence

struct GroupNumbers {
  std::optional<bool> equal;         // within the tolerance; none: nothing to compare
  NodeRef left, right;               // the values that were compared
  ValueDifference difference;
  Cause cause = Cause::None;
  bool carried_in = false;           // an operand already differs: the difference came from there, or was added to it
};

struct OutputNumbers {
  std::string left, right;           // names of the returned values
  std::optional<bool> equal;
  ValueDifference difference;
};

struct RunComparison {
  Diff diff;                         // matched again, with the values as evidence
  std::vector<GroupNumbers> groups;  // one per group
  std::vector<OutputNumbers> outputs;  // user (and loss) outputs by position
  std::optional<size_t> first_divergence;  // the first group, in the left program's order, whose `equal` is false
  RunReport left, right;             // what failed there has no numbers
};

struct CompareRunsRequest {
  InputRequest inputs;               // by the left program's placeholder names; the right one gets the same by position
  uint64_t seed = 0;
  Tolerance tolerance;               // rtol, atol of floating-point values
  DiffOptions matching;
  size_t memory_bytes = 0;           // per run; 0: default_memory_bytes()
  int threads = 0;
  std::stop_token stop;
};

struct ProgramSide {
  const OpenedFile* file = nullptr;
  std::shared_ptr<const Program> program;
};

// The inputs of both runs: the left program's, and the same ones under the right program's names. An error: they do not fit.
Result<std::pair<InputRequest, InputRequest>> shared_inputs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request);

// An error: the inputs do not fit. What fails in a run is in its report.
Result<RunComparison> compare_runs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request);

}  // namespace pt2::interp
