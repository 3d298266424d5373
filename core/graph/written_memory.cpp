#include "core/graph/written_memory.h"

#include <algorithm>

#include "core/graph/op_schema.h"
#include "core/graph/results.h"

namespace pt2 {

namespace {

// Operators without a schema say by their name that they write to their first argument.
bool named_in_place(std::string_view target) { return target.substr(0, target.rfind('.')).ends_with('_'); }

bool writes(const OpSchema* schema, const Node& call, size_t argument) {
  if (!schema) return argument == 0 && named_in_place(call.target);
  const SchemaParameter* parameter = schema->parameter(call.inputs[argument].name);
  return parameter && parameter->type.writes();
}

// The argument whose memory a call's result is; none: it has memory of its own.
NodeId shared_with(const Node& node) {
  const NodeId* from = node.inputs.empty() ? nullptr : node.inputs[0].value.as<NodeId>();
  if (node.kind != NodeKind::CallFunction || !from) return {};
  const OpSchema* schema = find_op_schema(node.target);
  const bool shares = schema ? !schema->parameters.empty() && !schema->parameters[0].type.alias.empty() : is_getitem(node);
  return shares ? *from : NodeId();
}

}  // namespace

IdVector<NodeId, NodeId> memory_owners(const Graph& graph) {
  IdVector<NodeId, NodeId> owners;
  owners.reserve(graph.nodes().size());
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId from = shared_with(graph.node(NodeId(i)));
    owners.push_back(from ? owners[from] : NodeId(i));
  }
  return owners;
}

NodeId memory_of(const Graph& graph, NodeId id) {
  for (;;) {
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::Placeholder || (node.kind == NodeKind::GetAttr && !node.subgraph)) return id;
    id = shared_with(node);
    if (!id) return {};
  }
}

bool may_write_to_all(const Graph& graph, NodeId id) {
  const Node& call = graph.node(id);
  if (call.kind != NodeKind::CallFunction || find_op_schema(call.target)) return false;
  // torch.export takes methods of script objects to change their object only.
  if (call.target == "torch.ops.higher_order.call_torchbind") return false;
  return named_in_place(call.target) || !gives_a_value(graph, id);
}

std::vector<NodeId> inputs_written_by(const Graph& graph, const Node& call) {
  std::vector<NodeId> written;
  if (call.kind != NodeKind::CallFunction) return written;
  const OpSchema* schema = find_op_schema(call.target);
  for (size_t i = 0; i < call.inputs.size(); ++i) {
    if (!writes(schema, call, i)) continue;
    for_each_node(call.inputs[i].value, [&](NodeId value) {
      const NodeId input = memory_of(graph, value);
      if (input && std::find(written.begin(), written.end(), input) == written.end()) written.push_back(input);
    });
  }
  return written;
}

}  // namespace pt2
