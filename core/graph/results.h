#pragma once
// What is taken of a call with several results.
#include <map>
#include <string_view>

#include "core/graph/graph.h"

namespace pt2 {

inline constexpr std::string_view kGetitem = "_operator.getitem";

bool is_getitem(const Node& node);
// Which result of a call with several a getitem takes; -1: other nodes.
int64_t result_index(const Node& node);
// The call whose result a getitem takes; none: other nodes.
NodeId taken_from(const Node& node);
// By place the first getitem node that takes it; without those that nothing takes: the file has no type of them.
std::map<int64_t, NodeId> taken_results(const Graph& graph, NodeId call);

// Whether a node has a value at all; an operator that is called for what it does has none.
bool gives_a_value(const Graph& graph, NodeId node);

}  // namespace pt2
