#include "core/diff/group_index.h"

#include <map>
#include <utility>

namespace pt2::diff {

namespace {

void index_repeated(const Program& program, std::unordered_map<NodeRef, size_t>& group_of) {
  const IdVector<GraphId, GraphId> first = first_of_name(program);
  for (size_t g = 0; g < first.size(); ++g) {
    const GraphId graph(g);
    if (first[graph] == graph) continue;
    for (size_t i = 0; i < program.graphs[graph].nodes().size(); ++i)
      if (const auto found = group_of.find({first[graph], NodeId(i)}); found != group_of.end()) group_of[{graph, NodeId(i)}] = found->second;
  }
}

}  // namespace

IdVector<GraphId, GraphId> first_of_name(const Program& program) {
  IdVector<GraphId, GraphId> first;
  std::map<std::pair<GraphId, std::string_view>, GraphId> known;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    const GraphId parent = graph.parent.valid() ? first[graph.parent] : graph.parent;  // parents stand before their sub-graphs
    const GraphId named = known.try_emplace({parent, graph.name}, GraphId(g)).first->second;
    const bool repeated = program.graphs[named].nodes().size() == graph.nodes().size();
    first.push_back(repeated ? named : GraphId(g));
  }
  return first;
}

void index_groups(const Program& left, const Program& right, Diff& diff) {
  diff.left_group.clear();
  diff.right_group.clear();
  for (size_t g = 0; g < diff.groups.size(); ++g) {
    for (NodeRef ref : diff.groups[g].left) diff.left_group[ref] = g;
    for (NodeRef ref : diff.groups[g].right) diff.right_group[ref] = g;
  }
  index_repeated(left, diff.left_group);
  index_repeated(right, diff.right_group);
}

}  // namespace pt2::diff
