#include "interp/named_node.h"

#include "core/diff/diff.h"
#include "interp/value_names.h"

namespace pt2::interp {

std::optional<NamedNode> find_named_node(const Program& program, std::string_view text) {
  if (text.find('/') == text.npos) {
    const NodeRef node{program.root(), program.root_graph().find(text)};
    return node.node ? std::optional(NamedNode{node, {}}) : std::nullopt;
  }
  ValueName found = find_value(program, text, program.root());
  if (!found.node.node) return std::nullopt;
  return NamedNode{found.node, found.calls.find('@') == std::string::npos ? std::string() : std::move(found.calls)};
}

bool in_call(std::string_view path, std::string_view call) { return means_call(call, path); }

std::string name_in_call(const Program& program, NodeRef node, std::string_view call) {
  return call.empty() ? qualified_name(program, node) : std::string(call) + std::string(program.node(node).name);
}

}  // namespace pt2::interp
