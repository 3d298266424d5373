#pragma once
// What a file says about a node, as rows of names and texts: to hold two nodes against each other.
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

struct NodeRow { std::string name, left, right; bool differs() const { return left != right; } };

// Operator, arguments by name (defaults left out), dtype, shape, strides, device, module, source line and the other metadata of both.
std::vector<NodeRow> node_rows(const Program& left, NodeRef a, const Program& right, NodeRef b);

}  // namespace pt2::views
