#pragma once
// The keys under which values are recorded and compared: `name`, `name#0`, `graph@2/name`, `output#1`, `final/buffer`.
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// A value as the tensors it is recorded as: itself, its items with `#i` (nested: `#0#1`), numbers and bools as 0-dimensional tensors
// (int64, float64, bool), dtypes as c10's numbers of them. Strings, None and others are left out. A batch is stacked,
// its examples along the first dimension.
std::vector<std::pair<std::string, Tensor>> recorded_tensors(const std::string& key, const RuntimeValue& value);

// The same of a node. A batch without examples is recorded with the type of one that the file declares.
std::vector<std::pair<std::string, Tensor>> recorded_tensors(const std::string& key, const RuntimeValue& value, const Node& node);

// A number or bool as the tensor it is recorded as; nothing for other values.
std::optional<Tensor> number_tensor(const RuntimeValue& value);

// The value with `tensor` in place of a number of the same kind; the value itself for others.
RuntimeValue with_number(const RuntimeValue& value, const Tensor& tensor);

}  // namespace pt2::interp
