#include "core/graph/results.h"

#include "core/graph/op_schema.h"

namespace pt2 {

bool is_getitem(const Node& node) { return node.target == kGetitem; }

int64_t result_index(const Node& node) {
  const int64_t* index = is_getitem(node) && node.inputs.size() > 1 ? node.inputs[1].value.as<int64_t>() : nullptr;
  return index ? *index : -1;
}

NodeId taken_from(const Node& node) {
  NodeId call;
  if (is_getitem(node) && !node.inputs.empty())
    for_each_node(node.inputs[0].value, [&call](NodeId id) { call = call ? call : id; });
  return call;
}

std::map<int64_t, NodeId> taken_results(const Graph& graph, NodeId call) {
  std::map<int64_t, NodeId> taken;
  if (!graph.node(call).result_count) return taken;
  for (NodeId user : graph.users(call)) {
    if (const int64_t index = result_index(graph.node(user)); index >= 0) taken.emplace(index, user);
  }
  return taken;
}

bool gives_a_value(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.kind != NodeKind::CallFunction) return node.kind != NodeKind::Output;
  if (const OpSchema* schema = find_op_schema(node.target)) return !schema->returns.empty();
  return node.result_count > 0 || !std::holds_alternative<std::monostate>(node.val) || !graph.users(id).empty();
}

}  // namespace pt2
