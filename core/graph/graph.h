#pragma once
// The FX graph that torch.export.load makes of a stored graph: placeholders, calls, getitems, get_attrs, output, in execution order.
// In FX a value is the node that makes it, so NodeId names values too.
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/ids.h"
#include "core/graph/argument.h"
#include "core/graph/node_meta.h"
#include "core/graph/value_meta.h"

namespace pt2 {

enum class NodeKind : uint8_t { Placeholder, GetAttr, CallFunction, Output };

struct Node {
  NodeKind kind = NodeKind::CallFunction;
  std::string_view name;         // as str(ep.graph) has it after loading; unique in the graph
  std::string_view stored_name;  // as the file has it where that differs, else equal to name
  // Calls: as stored, "torch.ops.aten.add.Tensor", "torch.ops.higher_order.cond", "_operator.getitem", "torch.sym_max".
  // Placeholders and get_attr: FX's target. Output: "output".
  std::string_view target;
  std::vector<NodeArgument> inputs;  // a call's arguments; output: one, a TupleArg (or a single node where is_single_tensor_return)
  ValueMeta val;
  const NodeMeta* meta = nullptr;    // never null once built; shared by equal nodes; owned by the Program
  ModuleId module;                   // innermost module call this node belongs to; the root for nodes without stack
  GraphId subgraph;                  // GetAttr of a sub-graph: its graph
  // The number of getitem nodes made from this call's results (0 for single results).
  uint32_t result_count = 0;
};

class Graph {
 public:
  std::string_view name;       // "" for the root, else the name in the file ("true_graph_0")
  GraphId parent;              // none for the root
  NodeId parent_node;          // the get_attr node in the parent that names this graph
  bool single_return = false;  // is_single_tensor_return

  const IdVector<NodeId, Node>& nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[id]; }
  size_t placeholder_count() const { return placeholder_count_; }  // nodes [0, n) are the placeholders
  NodeId output() const { return NodeId(nodes_.size() - 1); }      // the last node
  // Nodes that read `id`, each once, in order (FX's node.users).
  std::span<const NodeId> users(NodeId id) const {
    return {user_list_.data() + user_begin_[id.index], user_begin_[id.index + 1] - user_begin_[id.index]};
  }
  NodeId find(std::string_view node_name) const {
    auto it = by_name_.find(node_name);
    return it == by_name_.end() ? NodeId() : it->second;
  }

 private:
  friend class GraphBuilder;
  IdVector<NodeId, Node> nodes_;
  size_t placeholder_count_ = 0;
  std::vector<uint32_t> user_begin_{0};  // size nodes + 1
  std::vector<NodeId> user_list_;
  std::unordered_map<std::string_view, NodeId> by_name_;
};

// The only way to make a Graph. Nodes are added in execution order; arguments may only refer to nodes already added.
class GraphBuilder {
 public:
  Graph graph;  // name, parent …: set freely
  Node& node(NodeId id) { return graph.nodes_[id]; }
  const IdVector<NodeId, Node>& nodes() const { return graph.nodes_; }
  NodeId add(Node node) { return graph.nodes_.push_back(std::move(node)); }
  // Computes users and the name index.
  Graph finish() &&;
};

}  // namespace pt2
