#pragma once
// The shape that an operator gives, for those where it follows from the shapes of its arguments alone. A lint's knowledge, not the interpreter's:
// it works on sizes as the file declares them, symbols included, and stays silent where it is not sure.
#include <optional>
#include <vector>

#include "core/graph/program.h"

namespace pt2::verify_detail {

std::optional<std::vector<SymInt>> infer_shape(const Graph& graph, const Node& call);

// Whether two sizes cannot be equal: different numbers. Symbols may be anything.
bool differ(const SymInt& a, const SymInt& b);

}  // namespace pt2::verify_detail
