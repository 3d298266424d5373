#include "interp/named_node.h"

#include "core/diff/diff.h"

namespace pt2::interp {

namespace {

// "body_graph_0@2" without its number.
std::string_view graph_part(std::string_view part) {
  const size_t at = part.rfind('@');
  const bool numbered = at != part.npos && at + 1 < part.size() && part.find_first_not_of("0123456789", at + 1) == part.npos;
  return numbered ? part.substr(0, at) : part;
}

// The last part of "a@0/b@2/" and what is before it.
std::string_view take_last(std::string_view& path) {
  if (path.ends_with('/')) path.remove_suffix(1);
  const size_t slash = path.rfind('/');
  const std::string_view last = path.substr(slash == path.npos ? 0 : slash + 1);
  path = slash == path.npos ? std::string_view() : path.substr(0, slash);
  return last;
}

std::string without_numbers(std::string_view path) {
  std::string text;
  while (!path.empty()) {
    const std::string_view part = graph_part(take_last(path));
    text = text.empty() ? std::string(part) : std::string(part) + '/' + text;
  }
  return text;
}

}  // namespace

std::optional<NamedNode> find_named_node(const Program& program, std::string_view text) {
  if (const NodeId node = program.root_graph().find(text); node.valid()) return NamedNode{{program.root(), node}, {}};
  const size_t slash = text.rfind('/');
  if (slash == text.npos) return std::nullopt;
  const std::string graph_path = without_numbers(text.substr(0, slash)), path = graph_path + std::string(text.substr(slash));
  const std::string call = graph_path == text.substr(0, slash) ? std::string() : std::string(text.substr(0, slash + 1));
  // Sub-graphs of sub-graphs may share a name: the one of that path, else the first.
  NodeRef first;
  for (size_t g = 1; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    if (!std::string_view(graph_path).ends_with(graph.name)) continue;
    const NodeRef found{GraphId(g), graph.find(text.substr(slash + 1))};
    if (!found.node) continue;
    if (qualified_name(program, found) == path) return NamedNode{found, call};
    if (!first.node && graph.name == graph_path) first = found;
  }
  return first.node ? std::optional(NamedNode{first, call}) : std::nullopt;
}

bool in_call(std::string_view path, std::string_view call) {
  while (!call.empty()) {
    if (path.empty()) return false;
    const std::string_view wanted = take_last(call), here = take_last(path);
    if (wanted != here && wanted != graph_part(here)) return false;
  }
  return true;
}

std::string name_in_call(const Program& program, NodeRef node, std::string_view call) {
  return call.empty() ? qualified_name(program, node) : std::string(call) + std::string(program.node(node).name);
}

}  // namespace pt2::interp
