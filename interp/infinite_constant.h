#pragma once
// Infinities that a call asks for: masked_fill(mask, -inf), full([], -inf).
#include <optional>
#include <string_view>

#include "core/graph/program.h"

namespace pt2::interp {

struct InfiniteConstant {
  std::string_view argument;
  double value = 0;
};
// The first constant argument of a call that is infinite.
std::optional<InfiniteConstant> infinite_constant(const Node& call);
// A constant or buffer of the program: an Inf in it is there on purpose, as in masks.
bool is_constant(const Program& program, NodeId placeholder);

}  // namespace pt2::interp
