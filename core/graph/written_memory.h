#pragma once
// What a program writes to in place: from the arguments that an operator writes back through views to the inputs whose memory they are.
#include <vector>

#include "core/graph/graph.h"

namespace pt2 {

// For every node of a graph the one whose memory its value is: itself where it has memory of its own.
IdVector<NodeId, NodeId> memory_owners(const Graph& graph);
// The placeholder or get_attr whose memory a value is; none: it has memory of its own.
NodeId memory_of(const Graph& graph, NodeId value);
// The placeholders and get_attrs that a call writes to, each once.
std::vector<NodeId> inputs_written_by(const Graph& graph, const Node& call);

// Whether a call of an operator without a schema may write to any tensor it is given: its name ends with an underscore, or it returns nothing, so
// that it is called for what it does. One that returns something is taken for functional: a file does not say what it is.
bool may_write_to_all(const Graph& graph, NodeId call);

}  // namespace pt2
