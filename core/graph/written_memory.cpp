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

}  // namespace

NodeId memory_of(const Graph& graph, NodeId id) {
  for (;;) {
    const Node& node = graph.node(id);
    if (node.kind == NodeKind::Placeholder || (node.kind == NodeKind::GetAttr && !node.subgraph)) return id;
    const NodeId* from = node.inputs.empty() ? nullptr : node.inputs[0].value.as<NodeId>();
    if (node.kind != NodeKind::CallFunction || !from) return {};
    const OpSchema* schema = find_op_schema(node.target);
    const bool shares = schema ? !schema->parameters.empty() && !schema->parameters[0].type.alias.empty() : is_getitem(node);
    if (!shares) return {};
    id = *from;
  }
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
