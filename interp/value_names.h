#pragma once
// How expressions, conditions and edits name values: "relu" of the graph one stands in, else of the program; "true_graph_0/relu" of a
// sub-graph; "body_graph_0@2/relu" of its third call; "::relu" of the program's own graph, wherever one stands.
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/program.h"

namespace pt2::interp {

inline constexpr std::string_view kOfProgram = "::";

struct ValueName {
  NodeRef node;       // none: the program has no such node
  std::string calls;  // "body_graph_0@2/", as written before the node's name; empty: a name alone
};

// `here`: the graph one stands in. A name that neither it nor the program's own graph has is that of the only sub-graph that has it.
ValueName find_value(const Program& program, std::string_view name, GraphId here);
// The same from the program's own graph.
NodeRef find_value(const Program& program, std::string_view name);
// A node where a breakpoint or an edit is set, as people write it: "body_graph_0@2/sub" means the third call of the sub-graph only.
struct NamedNode {
  NodeRef node;
  std::string call;   // "body_graph_0@2/"; empty: every call
};
// None: the program has no such node. A name alone is of the program's own graph.
std::optional<NamedNode> find_named_node(const Program& program, std::string_view text);
// What find_named_node reads back.
std::string name_in_call(const Program& program, NodeRef node, std::string_view call);

// Whether calls as written mean the frame of this path: those without a number mean every one.
bool means_call(std::string_view calls, std::string_view frame_path);
// The same calls, "body_graph_0@2/", by the names that another program has for this graph and those it lies in.
std::string calls_of(const Program& program, GraphId graph, std::string_view calls);
// How much of a text that begins with a name belongs to it: "body/relu" is one name where the program has a graph "body", else a division.
size_t name_length(std::string_view text, const Program& program);

// Of the characters of a name without its path.
bool name_start(char c);
bool name_part(char c);
bool begins_name(std::string_view text);  // "relu", "::relu"

}  // namespace pt2::interp
