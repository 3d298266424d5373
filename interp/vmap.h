#pragma once
// Traced vmaps (torch._functorch.predispatch) and the bodies of associative_scan: a value per example, each operator called once for each.
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/graph.h"
#include "interp/op_table.h"

namespace pt2::interp {

using NamedValues = std::vector<std::pair<std::string_view, RuntimeValue>>;

// Whether an argument, or an item of a list argument, is batched. `removing`: _remove_batch_dim itself takes a batch of its own level.
bool has_batch(const NamedValues& named, bool removing);

// Calls once for each example of the outermost batch among the arguments; the results are a batch.
RuntimeValue for_each_example(const NamedValues& named, const std::function<RuntimeValue(NamedValues)>& call);

// (tensor, dimension, level) → one view per example.
RuntimeValue add_batch_dim(std::span<const RuntimeValue> arguments);
// (value, level, batch size, dimension) → a tensor.
RuntimeValue remove_batch_dim(const Node& node, std::span<const RuntimeValue> arguments, const OpTable& ops, const KernelContext& context);

}  // namespace pt2::interp
