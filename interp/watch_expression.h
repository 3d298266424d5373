#pragma once
// Watch expressions and conditions: names of values (see value_names.h), numbers, `conv2d[0, 3]`, `relu.max()`, `a - b`, `x.shape[0] == s0`, `allclose(a, b, atol=1e-3)`
// and PyTorch's other operators by name. A small language of its own: nothing else is ever evaluated.
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// The value of a node or symbol; none: not there (yet).
using NameLookup = std::function<std::optional<RuntimeValue>(std::string_view name)>;

struct WatchResult {
  std::string text;              // "f32[2, 3]  min 0  max 3.4", "0.25", or the error
  bool failed = false;
  std::optional<double> number;  // where it is one
  std::optional<RuntimeValue> value;
};

// `here`: the graph one stands in, whose names come first where no value is there; none: the program's own.
WatchResult evaluate_watch(std::string_view expression, const Program& program, const NameLookup& lookup, GraphId here = {});
// The truth of a condition; none: it cannot be evaluated.
std::optional<bool> holds(std::string_view expression, const Program& program, const NameLookup& lookup);
// The names of values an expression mentions, those of sub-graphs with their paths. In `relu(x, min=0)` relu is a function and min an argument,
// also where nodes are called so.
std::vector<std::string> names_in(std::string_view expression, const Program& program);
// The first of them that is neither a node, a symbol nor an operator; empty: all are known.
std::string unknown_name(std::string_view expression, const Program& program);
// A value in a line: "f32[2, 3]  min 0  max 3.4  NaN 2".
std::string summary(const RuntimeValue& value);

}  // namespace pt2::interp
