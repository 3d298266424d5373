#include "views/workspace/module_structure.h"

#include <string>
#include <unordered_map>

namespace pt2::views {

std::vector<ModuleId> identical_modules(const Program& program, ModuleId module) {
  const auto& modules = program.modules.modules;
  // From the innermost outwards, each structure gets a number, by which the structure around it knows it.
  std::unordered_map<std::string, size_t> numbers;
  std::vector<size_t> structure(modules.size());
  for (size_t i = modules.size(); i-- > 0;) {
    const Module& m = modules[ModuleId(i)];
    std::string text(m.type);
    for (NodeId node : m.nodes)
      if (program.root_graph().node(node).kind == NodeKind::CallFunction) text.append("\n").append(program.root_graph().node(node).target);
    for (ModuleId child : m.children) text.append("\n#").append(std::to_string(structure[child.index]));
    structure[i] = numbers.emplace(std::move(text), numbers.size()).first->second;
  }
  std::vector<ModuleId> same;
  for (size_t i = 0; i < modules.size(); ++i)
    if (structure[i] == structure[module.index]) same.emplace_back(i);
  return same;
}

}  // namespace pt2::views
