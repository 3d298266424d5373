#include "core/graph/graph.h"

namespace pt2 {

Graph GraphBuilder::finish() && {
  const size_t n = graph.nodes_.size();
  // A reader counts once however often it uses the value, so remember each value's last reader.
  std::vector<NodeId> last_reader(n);
  std::vector<std::pair<NodeId, NodeId>> uses;  // (value, reader), by reader
  graph.by_name_.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    const NodeId reader(i);
    const Node& node = graph.nodes_[reader];
    graph.by_name_.emplace(node.name, reader);
    if (node.kind == NodeKind::Placeholder) graph.placeholder_count_ = i + 1;
    for (const NodeArgument& input : node.inputs)
      for_each_node(input.value, [&](NodeId value) {
        PT2_ASSERT(value.index < i);
        if (last_reader[value.index] == reader) return;
        last_reader[value.index] = reader;
        uses.emplace_back(value, reader);
      });
  }
  graph.user_begin_.assign(n + 1, 0);
  for (const auto& [value, reader] : uses) ++graph.user_begin_[value.index + 1];
  for (size_t i = 0; i < n; ++i) graph.user_begin_[i + 1] += graph.user_begin_[i];
  graph.user_list_.resize(uses.size());
  std::vector<uint32_t> next(graph.user_begin_.begin(), graph.user_begin_.end() - 1);
  for (const auto& [value, reader] : uses) graph.user_list_[next[value.index]++] = reader;
  return std::move(graph);
}

}  // namespace pt2
