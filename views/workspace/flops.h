#pragma once
// Floating-point operations of a node by its declared shapes, as torch.utils.flop_counter counts them: products of matrices, convolutions and
// attention, multiply and add as two; operators made of these as PyTorch takes them apart. Everything else counts nothing.
#include <optional>

#include "core/graph/graph.h"

namespace pt2::views {

// None: not such an operator, or a size is not known.
std::optional<double> node_flops(const Graph& graph, const Node& node);

}  // namespace pt2::views
