#pragma once
// What a program writes to in place: from the arguments that an operator writes back through views to the inputs whose memory they are.
#include <vector>

#include "core/graph/graph.h"

namespace pt2 {

// The placeholder or get_attr whose memory a value is; none: it has memory of its own.
NodeId memory_of(const Graph& graph, NodeId value);
// The placeholders and get_attrs that a call writes to, each once.
std::vector<NodeId> inputs_written_by(const Graph& graph, const Node& call);

}  // namespace pt2
