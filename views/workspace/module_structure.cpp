#include "views/workspace/module_structure.h"

#include <string>
#include <unordered_map>

#include "views/workspace/labels.h"

namespace pt2::views {

namespace {

// What a call computes, whatever it is given: its operator, its constants, the shapes of the parameters it reads.
std::string call_text(const Program& program, const std::vector<bool>& is_lifted, const Node& node) {
  const Graph& graph = program.root_graph();
  std::string text(node.target);
  for (const NodeArgument& argument : node.inputs) {
    text.append(" ").append(argument.name).append("=");
    for (const LabelPiece& piece : argument_pieces(graph, argument.value))
      text += !piece.node ? piece.text : is_lifted[piece.node.index] ? type_label(graph.node(piece.node).val) : "%";
  }
  return text;
}

}  // namespace

std::vector<ModuleId> identical_modules(const Program& program, ModuleId module) {
  const auto& modules = program.modules.modules;
  // From the innermost outwards, each structure gets a number, by which the structure around it knows it.
  std::unordered_map<std::string, size_t> numbers;
  std::vector<size_t> structure(modules.size());
  std::vector<bool> is_lifted(program.root_graph().nodes().size());
  for (const InputSpec& input : program.signature.inputs)
    if (input.node && input.kind != InputKind::UserInput) is_lifted[input.node.index] = true;
  for (size_t i = modules.size(); i-- > 0;) {
    const Module& m = modules[ModuleId(i)];
    std::string text(m.type);
    for (NodeId node : m.nodes)
      if (const Node& call = program.root_graph().node(node); call.kind == NodeKind::CallFunction) text.append("\n").append(call_text(program, is_lifted, call));
    for (ModuleId child : m.children) text.append("\n#").append(std::to_string(structure[child.index]));
    structure[i] = numbers.emplace(std::move(text), numbers.size()).first->second;
  }
  std::vector<ModuleId> same;
  for (size_t i = 0; i < modules.size(); ++i)
    if (structure[i] == structure[module.index]) same.emplace_back(i);
  return same;
}

}  // namespace pt2::views
