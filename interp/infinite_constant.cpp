#include "interp/infinite_constant.h"

#include <algorithm>
#include <cmath>

namespace pt2::interp {

namespace {

std::optional<double> infinity_in(const Argument& argument) {
  if (const auto* number = argument.as<double>()) return std::isinf(*number) ? std::optional(*number) : std::nullopt;
  const auto* list = argument.as<ListArg>();
  for (size_t i = 0; list && i < list->items.size(); ++i)
    if (auto infinity = infinity_in(list->items[i])) return infinity;
  return std::nullopt;
}

}  // namespace

std::optional<InfiniteConstant> infinite_constant(const Node& call) {
  for (const NodeArgument& argument : call.inputs)
    if (const auto infinity = infinity_in(argument.value)) return InfiniteConstant{argument.name, *infinity};
  return std::nullopt;
}

bool is_constant(const Program& program, NodeId placeholder) {
  return std::any_of(program.signature.inputs.begin(), program.signature.inputs.end(),
                     [&](const InputSpec& spec) { return spec.node == placeholder && (spec.kind == InputKind::Buffer || spec.kind == InputKind::TensorConstant); });
}

}  // namespace pt2::interp
