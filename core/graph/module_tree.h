#pragma once
// The tree of module calls behind the nodes (from nn_module_stack). It is the group tree of layout and folding, stepping and statistics.
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace pt2 {

struct Module {
  std::string path;        // "layer1.0.conv"; "" for the root; a second call of one instance is "layer1.0.conv@1"
  std::string_view name;   // last part as shown in its parent: "conv", "conv@1"
  std::string_view type;   // qualified class name, "torch.nn.modules.conv.Conv2d"; may be empty
  ModuleId parent;         // none for the root
  std::vector<ModuleId> children;  // in order of first node
  std::vector<NodeId> nodes;       // of the root graph, directly in this module, in execution order
  uint32_t node_count = 0;         // call_function nodes in this module and below
};

struct ModuleTree {
  IdVector<ModuleId, Module> modules;  // modules[0] is the root
  ModuleId root() const { return ModuleId(0); }
  ModuleId find(std::string_view path) const {
    for (size_t i = 0; i < modules.size(); ++i)
      if (modules[ModuleId(i)].path == path) return ModuleId(i);
    return {};
  }
};

}  // namespace pt2
