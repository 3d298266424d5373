#include "interp/value_names.h"

#include <algorithm>
#include <cctype>

#include "core/diff/diff.h"

namespace pt2::interp {

namespace {

// Takes "body@2" off the end of "outer/body@2/".
std::string_view take_last(std::string_view& calls) {
  calls.remove_suffix(1);
  const size_t slash = calls.rfind('/');
  const std::string_view last = slash == calls.npos ? calls : calls.substr(slash + 1);
  calls.remove_suffix(last.size());
  return last;
}

// How many of the calls are the graph and those it lies in, innermost first; 0: not all of them.
size_t depth_of(const Program& program, GraphId graph, std::string_view calls) {
  size_t depth = 0;
  for (; !calls.empty(); ++depth, graph = program.graphs[graph].parent) {
    const std::string_view call = take_last(calls);
    if (call.ends_with('@') || !graph.valid() || graph == program.root() || program.graphs[graph].name != call.substr(0, call.find('@'))) return 0;
  }
  return depth;
}

bool is_whole_path(const Program& program, GraphId graph, size_t depth) {
  for (; depth > 0 && graph.valid(); --depth) graph = program.graphs[graph].parent;
  return graph == program.root();
}

NodeRef in_sub_graph(const Program& program, std::string_view calls, std::string_view name) {
  NodeRef first;
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId graph(g);
    const size_t depth = depth_of(program, graph, calls);
    const NodeRef found{graph, depth ? program.graphs[graph].find(name) : NodeId()};
    if (!found.node) continue;
    if (is_whole_path(program, graph, depth)) return found;  // sub-graphs of sub-graphs may share a name
    if (!first.node) first = found;
  }
  return first;
}

NodeRef by_name_alone(const Program& program, std::string_view name, GraphId here) {
  for (const GraphId graph : {here, program.root()})
    if (const NodeId id = program.graphs[graph].find(name); id.valid()) return {graph, id};
  NodeRef only;
  for (size_t g = 0; g < program.graphs.size(); ++g)
    if (const NodeId id = program.graphs[GraphId(g)].find(name); id.valid()) {
      if (only.node) return {};
      only = {GraphId(g), id};
    }
  return only;
}

}  // namespace

bool name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }
bool name_part(char c) { return name_start(c) || std::isdigit(static_cast<unsigned char>(c)); }

bool begins_name(std::string_view text) {
  if (text.starts_with(kOfProgram)) text.remove_prefix(kOfProgram.size());
  return !text.empty() && name_start(text[0]);
}

ValueName find_value(const Program& program, std::string_view name, GraphId here) {
  if (name.starts_with(kOfProgram)) return {find_value(program, name), ""};
  if (const NodeRef whole{program.root(), program.root_graph().find(name)}; whole.node && name.find('/') != name.npos) return {whole, ""};
  const size_t slash = name.rfind('/');
  if (slash == name.npos) return {by_name_alone(program, name, here), ""};
  const std::string_view calls = name.substr(0, slash + 1);
  return {in_sub_graph(program, calls, name.substr(slash + 1)), std::string(calls)};
}

NodeRef find_value(const Program& program, std::string_view name) {
  if (name.starts_with(kOfProgram)) return {program.root(), program.root_graph().find(name.substr(kOfProgram.size()))};
  if (name.find('/') == name.npos) return {program.root(), program.root_graph().find(name)};
  return find_value(program, name, program.root()).node;
}

std::optional<NamedNode> find_named_node(const Program& program, std::string_view text) {
  ValueName found = text.find('/') == text.npos ? ValueName{find_value(program, text), {}} : find_value(program, text, program.root());
  if (!found.node.node) return std::nullopt;
  return NamedNode{found.node, found.calls.find('@') == std::string::npos ? std::string() : std::move(found.calls)};
}

std::string name_in_call(const Program& program, NodeRef node, std::string_view call) {
  return call.empty() ? qualified_name(program, node) : std::string(call) + std::string(program.node(node).name);
}

bool means_call(std::string_view calls, std::string_view frame_path) {
  while (!calls.empty()) {
    if (frame_path.empty()) return false;
    const std::string_view call = take_last(calls), frame = take_last(frame_path);
    if (call != (call.find('@') == call.npos ? frame.substr(0, frame.find('@')) : frame)) return false;
  }
  return true;
}

std::string calls_of(const Program& program, GraphId graph, std::string_view calls) {
  std::string names;
  for (; !calls.empty() && graph.valid(); graph = program.graphs[graph].parent) {
    const std::string_view call = take_last(calls);
    const size_t number = call.find('@');
    names = std::string(program.graphs[graph].name) + std::string(number == call.npos ? "" : call.substr(number)) + "/" + names;
  }
  return names;
}

size_t name_length(std::string_view text, const Program& program) {
  auto word_end = [&](size_t at) {
    while (at < text.size() && name_part(text[at])) ++at;
    return at;
  };
  if (text.starts_with(kOfProgram)) return word_end(kOfProgram.size());
  const size_t word = word_end(0);
  auto is_graph = [&](std::string_view name) { return std::any_of(program.graphs.begin(), program.graphs.end(), [&](const Graph& graph) { return !graph.name.empty() && graph.name == name; }); };
  size_t end = word;
  for (size_t graph_begin = 0; is_graph(text.substr(graph_begin, end - graph_begin));) {
    size_t after = end;
    if (after < text.size() && text[after] == '@')
      for (++after; after < text.size() && std::isdigit(static_cast<unsigned char>(text[after]));) ++after;
    if (after + 1 >= text.size() || text[after] != '/' || !name_start(text[after + 1])) break;
    graph_begin = after + 1;
    end = word_end(graph_begin);
  }
  if (end == word || find_value(program, text.substr(0, end), program.root()).node.node) return end;
  // A value called as a graph is may be divided; the node that only names the graph may not.
  const NodeRef value = find_value(program, text.substr(0, word), program.root()).node;
  return value.node && program.node(value).kind != NodeKind::GetAttr ? word : end;
}

}  // namespace pt2::interp
