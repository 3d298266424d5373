#pragma once
// PyTorch's operators by the names people write: `clamp(x, 0.1)` is the overload of aten.clamp that takes a tensor and a number.
#include <span>
#include <string_view>
#include <utility>

#include "interp/runtime_value.h"

namespace pt2::interp {

// Whether calls may name it: an operator that gives the same new value for the same arguments, and this build has it.
bool is_callable_by_name(std::string_view name);

// `arguments` as (name, value), the name empty for positional ones. Throws KernelError where there is no such operator, or none of its
// overloads takes these.
RuntimeValue call_by_name(std::string_view name, std::span<const std::pair<std::string_view, RuntimeValue>> arguments);

}  // namespace pt2::interp
