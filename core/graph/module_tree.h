#pragma once
// The tree of module calls behind the nodes (from nn_module_stack). It is the group tree of layout and folding, stepping and statistics.
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/ids.h"

namespace pt2 {

class Graph;
class StringPool;

struct Module {
  std::string path;        // "layer1.0.conv"; "" for the root; a second call of one instance is "layer1.0.conv@1"
  std::string_view name;   // last part as shown in its parent: "conv", "conv@1"
  std::string_view type;   // qualified class name, "torch.nn.modules.conv.Conv2d"; may be empty
  ModuleId parent;         // none for the root
  std::vector<ModuleId> children;  // in order of first node
  std::vector<NodeId> nodes;       // of the root graph, directly in this module, in execution order
  // Call_function nodes of the root graph in this module and below; 0 for modules that only sub-graphs call.
  uint32_t node_count = 0;
};

struct ModuleTree {
  IdVector<ModuleId, Module> modules;  // modules[0] is the root; a module comes after its parent
  ModuleId root() const { return ModuleId(0); }
  ModuleId find(std::string_view path) const {
    for (size_t i = 0; i < modules.size(); ++i)
      if (modules[ModuleId(i)].path == path) return ModuleId(i);
    return {};
  }
};

// Grows the tree while nodes are made.
class ModuleTreeBuilder {
 public:
  explicit ModuleTreeBuilder(StringPool& strings);
  // The innermost module call of a stack text, made where it is new. `nn_module_stack` must be pooled: it is looked up by address.
  ModuleId module_of(std::string_view nn_module_stack);
  // Lists the nodes of the root graph in their modules and counts them.
  ModuleTree finish(const Graph& root) &&;

 private:
  ModuleId child(ModuleId parent, std::string_view path, std::string_view call, std::string_view type);

  StringPool& strings_;
  ModuleTree tree_;
  std::unordered_map<const char*, ModuleId> by_stack_;
  std::unordered_map<std::string, ModuleId> by_path_;      // path of the tree
  std::vector<std::string> file_path_;                     // by ModuleId: the path in the file, without call numbers
};

}  // namespace pt2
