#pragma once
// What a file says about a node, as rows of names and texts: to hold two nodes against each other.
#include <functional>
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

struct NodeRow {
  std::string name, left, right;
  bool argument = false, literal = false;  // an argument of the operator; one that names no values
  bool same = false;                       // although the texts are not: the values belong together, or only one side can have it
  bool differs() const { return !same && left != right; }
};

struct NodeRowOptions {
  NodeRef left_value, right_value;  // whose dtype and shape are told; none: the node's own
  std::function<bool(NodeId left, NodeId right)> belong_together;  // of two programs; empty: who have one name
};

// Constants that differ, operator, arguments by name (defaults left out), dtype, shape, strides, device, module, source line and the other
// metadata of both.
std::vector<NodeRow> node_rows(const Program& left, NodeRef a, const Program& right, NodeRef b, const NodeRowOptions& options = {});

}  // namespace pt2::views
