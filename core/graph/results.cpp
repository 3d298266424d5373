#include "core/graph/results.h"

namespace pt2 {

std::map<int64_t, NodeId> taken_results(const Graph& graph, NodeId call) {
  std::map<int64_t, NodeId> taken;
  if (!graph.node(call).result_count) return taken;
  for (NodeId user : graph.users(call)) {
    const Node& item = graph.node(user);
    const int64_t* index = item.target == "_operator.getitem" && item.inputs.size() == 2 ? item.inputs[1].value.as<int64_t>() : nullptr;
    if (index) taken.emplace(*index, user);
  }
  return taken;
}

}  // namespace pt2
