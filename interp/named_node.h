#pragma once
// Nodes as people write them: "relu", "body_graph_0/sub", and "body_graph_0@2/sub", which means the third call of the sub-graph only.
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/program.h"

namespace pt2::interp {

struct NamedNode {
  NodeRef node;
  std::string call;  // "body_graph_0@2/"; empty: every call
};

// None: the program has no such node.
std::optional<NamedNode> find_named_node(const Program& program, std::string_view text);
// Whether the frame of this path (Frame::path) is the call that is meant. Calls around it may be left out.
bool in_call(std::string_view path, std::string_view call);
// What find_named_node reads back.
std::string name_in_call(const Program& program, NodeRef node, std::string_view call);

}  // namespace pt2::interp
