#include "interp/written_arguments.h"

#include <algorithm>

#include "core/graph/op_schema.h"
#include "core/graph/written_memory.h"

namespace pt2::interp {

namespace {

bool writes_to(const PlannedNode& planned, const OpSchema* schema, std::string_view argument) {
  if (planned.op)
    return std::any_of(planned.written.begin(), planned.written.end(), [&](size_t w) { return planned.op->schema.parameters[w].name == argument; });
  const SchemaParameter* parameter = schema ? schema->parameter(argument) : nullptr;
  return parameter && parameter->type.writes();
}

}  // namespace

std::vector<size_t> written_arguments(const Graph& graph, NodeId id, const PlannedNode& planned) {
  const Node& call = graph.node(id);
  if (!planned.op && planned.kind != CalleeKind::Unknown) return {};
  if (planned.op && planned.written.empty()) return {};
  const bool all = !planned.op && may_write_to_all(graph, id);
  const OpSchema* schema = planned.op ? nullptr : find_op_schema(call.target);
  std::vector<size_t> written;
  for (size_t i = 0; i < call.inputs.size(); ++i)
    if (all || writes_to(planned, schema, call.inputs[i].name)) written.push_back(i);
  return written;
}

}  // namespace pt2::interp
