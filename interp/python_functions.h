#pragma once
// The plain Python functions among FX targets: `_operator.add`, `math.trunc`, `torch.sym_max` … on numbers, and getitem.
#include <span>
#include <string_view>

#include "interp/runtime_value.h"

namespace pt2::interp {

using PythonFunction = RuntimeValue (*)(std::span<const RuntimeValue> arguments);

// `target` as stored: "_operator.getitem", "math.trunc", "torch.sym_max". nullptr: not one of them.
// The functions throw KernelError where Python raises.
PythonFunction find_python_function(std::string_view target);
// Their targets, sorted.
std::span<const std::string_view> python_function_targets();

}  // namespace pt2::interp
