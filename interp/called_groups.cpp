#include "interp/called_groups.h"

namespace pt2::interp {

std::vector<GraphId> called_graphs(const Program& program, const std::vector<NodeRef>& nodes) {
  std::vector<GraphId> graphs;
  for (NodeRef ref : nodes)
    for (const NodeArgument& input : program.node(ref).inputs)
      for_each_node(input.value, [&](NodeId value) {
        if (const GraphId graph = program.graphs[ref.graph].node(value).subgraph; graph.valid()) graphs.push_back(graph);
      });
  return graphs;
}

CalledGroups::CalledGroups(const Program& left, const Program& right, const Diff& diff) : left_(left), right_(right), diff_(diff) {
  for (const auto& [ref, group] : diff.left_group) of_left_[ref.graph].insert(group);
  for (const auto& [ref, group] : diff.right_group)
    if (diff.groups[group].left.empty()) of_right_[ref.graph].insert(group);
}

std::set<size_t> CalledGroups::directly(size_t group) const {
  std::set<size_t> inside;
  collect(left_, diff_.groups[group].left, of_left_, inside);
  collect(right_, diff_.groups[group].right, of_right_, inside);
  return inside;
}

std::set<size_t> CalledGroups::all(size_t group) const {
  std::set<size_t> inside = directly(group);
  for (std::vector<size_t> open(inside.begin(), inside.end()); !open.empty();) {
    const size_t next = open.back();
    open.pop_back();
    for (size_t inner : directly(next))
      if (inside.insert(inner).second) open.push_back(inner);
  }
  return inside;
}

void CalledGroups::collect(const Program& program, const std::vector<NodeRef>& nodes, const OfGraph& of, std::set<size_t>& inside) {
  for (GraphId graph : called_graphs(program, nodes))
    if (const auto groups = of.find(graph); groups != of.end()) inside.insert(groups->second.begin(), groups->second.end());
}

}  // namespace pt2::interp
