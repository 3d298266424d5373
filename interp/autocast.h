#pragma once
// torch.autocast on the CPU: which operators run in the lower precision, which in float32, which in the widest of their inputs
// (aten/src/ATen/autocast_mode.h, the CPU lists).
#include <span>

#include "core/graph/op_schema.h"
#include "interp/frame.h"
#include "interp/op_table.h"

namespace pt2::interp {

// Casts the arguments of a call as autocast does before the operator sees them.
void apply_autocast(const Autocast& autocast, const Op& op, std::span<RuntimeValue> arguments, const OpTable& ops, const KernelContext& context);

}  // namespace pt2::interp
