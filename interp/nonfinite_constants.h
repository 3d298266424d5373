#pragma once
// NaN and infinities that a call is given as constants: masked_fill(mask, -inf), full([], nan).
#include <string_view>
#include <vector>

#include "core/graph/program.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

struct NonfiniteConstant {
  std::string_view argument;
  double value = 0;
};
// Those of a call's constant arguments that are NaN or infinite.
std::vector<NonfiniteConstant> nonfinite_constants(const Node& call);
// The same of an argument as it was edited to be, a number or a list of them.
std::vector<NonfiniteConstant> nonfinite_constants(std::string_view argument, const RuntimeValue& value);
// A call that asks for an infinity.
bool asks_for_infinity(const Node& call);
// A constant or buffer of the program: an Inf in it is there on purpose, as in masks.
bool is_constant(const Program& program, NodeId placeholder);

}  // namespace pt2::interp
