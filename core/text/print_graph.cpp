#include "core/graph/unlift.h"
#include "core/text/print_program.h"
#include "core/text/python_text.h"

namespace pt2 {

std::string target_text(std::string_view target) {
  return std::string(target.starts_with("_operator.") ? target.substr(1) : target);
}

namespace {

std::string call_arguments(const Node& node, const NodeName& name) {
  TupleArg positional;
  std::string keywords;
  for (const NodeArgument& input : node.inputs) {
    if (!input.keyword) positional.items.push_back(input.value);
    else keywords += (keywords.empty() ? "" : ", ") + std::string(input.name) + ": " + argument_text(input.value, ArgumentStyle::GraphText, name);
  }
  return "args = " + argument_text({std::move(positional)}, ArgumentStyle::GraphText, name) + ", kwargs = {" + keywords + "}";
}

}  // namespace

std::string graph_node_text(const Graph& graph, NodeId id) {
  const NodeName name = [&](NodeId node) { return std::string(graph.node(node).name); };
  const Node& node = graph.node(id);
  if (node.kind == NodeKind::Output) {
    const Argument& value = node.inputs.at(0).value;
    // str of a container shows its items by repr, str of a lone text shows the text.
    return "return " + argument_text(value, value.is<std::string_view>() ? ArgumentStyle::GraphText : ArgumentStyle::Repr, name);
  }
  std::string text = "%" + std::string(node.name) + " : [num_users=" + std::to_string(graph.users(id).size()) + "] = ";
  switch (node.kind) {
    case NodeKind::Placeholder: return text + "placeholder[target=" + std::string(node.target) + "]";
    case NodeKind::GetAttr: return text + "get_attr[target=" + std::string(node.target) + "]";
    default: return text + (node.target == kGuardsTarget ? "call_module" : "call_function") + "[target=" + target_text(node.target) + "](" + call_arguments(node, name) + ")";
  }
}

TextLines graph_lines(const Program& program, GraphId id) {
  const Graph& graph = program.graphs[id];
  TextLines lines{{"graph():", {}}};
  lines.reserve(graph.nodes().size() + 1);
  for (size_t i = 0; i < graph.nodes().size(); ++i)
    append_lines(lines, "    " + graph_node_text(graph, NodeId(i)), {id, NodeId(i)});
  return lines;
}

}  // namespace pt2
