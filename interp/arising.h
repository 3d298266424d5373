#pragma once
// Which elements of an element-wise operator's result are NaN or infinite by its own doing: where no argument is at that place. Of other
// operators that cannot be told without running them again.
#include <cstdint>
#include <functional>
#include <optional>

#include "core/graph/graph.h"
#include "interp/nonfinite_slice.h"

namespace pt2::interp {

using ValueOf = std::function<const RuntimeValue*(NodeId)>;  // null: not known

// An operator whose every element is made of its arguments' at that place, by PyTorch's tag "pointwise".
bool is_pointwise(const Node& call);

struct ArisingElements { int64_t nan = 0, inf = 0; };
// `argument`: the values that the call read. None at all where they do not tell.
ArisingElements arising_elements(const Node& call, const RuntimeValue& value, const ValueOf& argument);

// The first that arises in a node's recorded value; none: there is none, or it is not known.
std::optional<SliceStep> first_arising(const ExecutionTrace& trace, const Program& program, TraceRef ref, Nonfinite asked);

}  // namespace pt2::interp
