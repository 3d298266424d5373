#include "interp/written_inputs.h"

#include <algorithm>
#include <vector>

#include "core/graph/op_schema.h"

namespace pt2::interp {

namespace {

bool calls(std::string_view target) { return target.starts_with("torch.ops.higher_order."); }

bool writes(std::string_view target) {
  const OpSchema* schema = find_op_schema(target);
  if (!schema) return target.starts_with("torch.ops.") && !calls(target);
  if (schema->name == "aten::batch_norm" || schema->name == "aten::instance_norm" || schema->name == "aten::native_batch_norm") return true;
  return std::any_of(schema->parameters.begin(), schema->parameters.end(), [](const SchemaParameter& p) { return p.type.writes(); });
}

// Whether a result may share memory with an argument: alias annotations, and operators that return their input as it is without saying so.
bool aliases(std::string_view target) {
  const OpSchema* schema = find_op_schema(target);
  if (!schema) return true;
  if (std::any_of(schema->returns.begin(), schema->returns.end(), [](const SchemaReturn& r) { return !r.type.alias.empty(); })) return true;
  return schema->name.find("dropout") != std::string::npos || schema->name == "aten::type_as" || schema->name == "aten::pad";
}

// Nodes whose memory `writing` calls of the graph may write to: from their arguments back.
template <typename Writing>
std::set<NodeId> written_nodes(const Graph& graph, Writing writing) {
  std::vector<NodeId> pending;
  const auto add_arguments = [&](const Node& node) {
    for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId id) { pending.push_back(id); });
  };
  for (const Node& node : graph.nodes())
    if (node.kind == NodeKind::CallFunction && writing(node.target)) add_arguments(node);
  std::set<NodeId> seen;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (!seen.insert(id).second) continue;
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::CallFunction && aliases(node.target)) add_arguments(node);
  }
  return seen;
}

}  // namespace

// In programs with sub-graphs every buffer, constant and user input counts, and every tensor a graph names and gives to a call.
WrittenInputs written_inputs(const Program& program) {
  WrittenInputs written;
  const auto any_writes = [](const Graph& graph) {
    return std::any_of(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) { return node.kind == NodeKind::CallFunction && writes(node.target); });
  };
  if (std::none_of(program.graphs.begin(), program.graphs.end(), any_writes)) return written;
  const Graph& root = program.root_graph();
  for (const NodeId id : written_nodes(root, writes))
    if (root.node(id).kind == NodeKind::Placeholder) written.inputs.insert(id.index);
  if (program.graphs.size() > 1)
    for (const InputSpec& spec : program.signature.inputs)
      if (spec.kind != InputKind::Parameter && spec.node.valid()) written.inputs.insert(spec.node.index);
  for (const Graph& graph : program.graphs)
    for (const NodeId id : written_nodes(graph, [](std::string_view target) { return writes(target) || calls(target); }))
      if (const Node& node = graph.node(id); node.kind == NodeKind::GetAttr && !node.subgraph.valid()) written.attributes.emplace(node.target);
  return written;
}

}  // namespace pt2::interp
