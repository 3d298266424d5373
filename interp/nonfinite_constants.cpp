#include "interp/nonfinite_constants.h"

#include <algorithm>
#include <cmath>

namespace pt2::interp {

namespace {

void add_nonfinite(std::string_view name, const Argument& argument, std::vector<NonfiniteConstant>& found) {
  if (const auto* number = argument.as<double>(); number && !std::isfinite(*number)) found.push_back({name, *number});
  const auto* list = argument.as<ListArg>();
  for (size_t i = 0; list && i < list->items.size(); ++i) add_nonfinite(name, list->items[i], found);
}

}  // namespace

std::vector<NonfiniteConstant> nonfinite_constants(const Node& call) {
  std::vector<NonfiniteConstant> found;
  for (const NodeArgument& argument : call.inputs) add_nonfinite(argument.name, argument.value, found);
  return found;
}

std::vector<NonfiniteConstant> nonfinite_constants(std::string_view argument, const RuntimeValue& value) {
  std::vector<NonfiniteConstant> found;
  const auto add = [&](const RuntimeValue& item) {
    if (const auto* number = item.as<double>(); number && !std::isfinite(*number)) found.push_back({argument, *number});
  };
  add(value);
  if (value.is<ListValue>())
    for (const RuntimeValue& item : value.items()) add(item);
  return found;
}

bool asks_for_infinity(const Node& call) {
  const auto constants = nonfinite_constants(call);
  return std::any_of(constants.begin(), constants.end(), [](const NonfiniteConstant& constant) { return std::isinf(constant.value); });
}

bool is_constant(const Program& program, NodeId placeholder) {
  return std::any_of(program.signature.inputs.begin(), program.signature.inputs.end(),
                     [&](const InputSpec& spec) { return spec.node == placeholder && (spec.kind == InputKind::Buffer || spec.kind == InputKind::TensorConstant); });
}

}  // namespace pt2::interp
