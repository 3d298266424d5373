#include "interp/written_inputs.h"

#include <vector>

#include "core/graph/op_schema.h"

namespace pt2::interp {

// Placeholders that something may write to: from each written argument back through operators whose result may share memory with an
// argument (alias annotations, and those that return their input as it is without saying so). In programs with sub-graphs every buffer,
// constant and user input counts.
std::set<size_t> written_inputs(const Program& program) {
  std::set<size_t> inputs;
  bool writes = false;
  auto writing = [](std::string_view target) {
    if (const OpSchema* schema = find_op_schema(target)) {
      if (schema->name == "aten::batch_norm" || schema->name == "aten::instance_norm" || schema->name == "aten::native_batch_norm") return true;
      for (const SchemaParameter& p : schema->parameters)
        if (p.type.writes()) return true;
      return false;
    }
    return target.starts_with("torch.ops.") && !target.starts_with("torch.ops.higher_order.");
  };
  auto aliasing = [](std::string_view target) {
    const OpSchema* schema = find_op_schema(target);
    if (!schema) return true;
    for (const SchemaReturn& r : schema->returns)
      if (!r.type.alias.empty()) return true;
    return schema->name.find("dropout") != std::string::npos || schema->name == "aten::type_as" || schema->name == "aten::pad";
  };
  for (const Graph& graph : program.graphs)
    for (const Node& node : graph.nodes()) writes = writes || (node.kind == NodeKind::CallFunction && writing(node.target));
  if (!writes) return inputs;
  const Graph& graph = program.root_graph();
  std::vector<NodeId> pending;
  for (const Node& node : graph.nodes()) {
    if (node.kind != NodeKind::CallFunction || !writing(node.target)) continue;
    for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId id) { pending.push_back(id); });
  }
  std::set<NodeId> seen;
  while (!pending.empty()) {
    const NodeId id = pending.back();
    pending.pop_back();
    if (!seen.insert(id).second) continue;
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::Placeholder) inputs.insert(id.index);
    else if (node.kind == NodeKind::CallFunction && aliasing(node.target))
      for (const NodeArgument& argument : node.inputs) for_each_node(argument.value, [&](NodeId input) { pending.push_back(input); });
  }
  if (program.graphs.size() > 1)
    for (const InputSpec& spec : program.signature.inputs)
      if (spec.kind != InputKind::Parameter && spec.node.valid()) inputs.insert(spec.node.index);
  return inputs;
}

}  // namespace pt2::interp
