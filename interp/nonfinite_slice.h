#pragma once
// Where a NaN or Inf comes from: the way back from one element through the nodes that handed it on, to the first that made one of finite
// arguments (or to the input that held it). Each element of the way is one that the next depends on.
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "interp/execution_trace.h"
#include "interp/interpreter.h"
#include "interp/what_if.h"

namespace pt2::interp {

struct SliceStep {
  TraceRef at;
  size_t tensor = 0;        // which tensor of the value, in the order of for_each_tensor
  Shape index;              // the element
  double value = 0;         // NaN, inf or -inf
  bool known = true;        // false: one of its elements, which is not known
};

struct NonfiniteSlice {
  std::vector<SliceStep> path;   // from the producer to the value asked for
  bool complete = true;          // false: the first of the path is as far as values are kept
  std::string origin;            // "made from finite arguments", "its argument value = -inf", "an input", …
  const SliceStep& producer() const { return path.front(); }
};

// The first NaN of a value, else its first Inf; the other way round where Inf is asked for. None: all are finite.
enum class Nonfinite : uint8_t { NaN, Inf };
std::optional<SliceStep> first_nonfinite(const ExecutionTrace& trace, TraceRef ref, Nonfinite asked = Nonfinite::NaN);
// That element of a value's first tensor; none: it is finite, or no element.
std::optional<SliceStep> nonfinite_at(const ExecutionTrace& trace, TraceRef ref, Shape index);

// From `from`, which must be NaN or Inf. Element-wise operators and views are followed element by element; of others it is tried out which
// elements of their arguments matter, by computing them again with the rest made finite; so it is of the values that an edit's expression names.
// Slow: kernels run. `trace` is the caller's own; `edits` and `symbols` those of its run.
Result<NonfiniteSlice> slice_nonfinite(const ExecutionTrace& trace, std::shared_ptr<const ExecutionPlan> plan, InterpreterOptions options,
                                       SliceStep from, const Edits& edits = {}, const std::map<std::string, int64_t>& symbols = {});

}  // namespace pt2::interp
