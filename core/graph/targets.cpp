#include "core/graph/targets.h"

#include <algorithm>

namespace pt2 {

std::vector<std::string_view> placeholder_targets(const Program& program) {
  std::vector<std::string_view> targets(program.root_graph().placeholder_count());
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.node && spec.node.index < targets.size()) targets[spec.node.index] = spec.target;
  return targets;
}

NodeRef find_target(const Program& program, std::string_view target) {
  const auto& inputs = program.signature.inputs;
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& spec) { return spec.node && !spec.target.empty() && spec.target == target; });
  return found == inputs.end() ? NodeRef() : NodeRef{program.root(), found->node};
}

}  // namespace pt2
