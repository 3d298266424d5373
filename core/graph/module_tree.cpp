#include "core/graph/module_tree.h"

#include "core/base/string_pool.h"
#include "core/graph/graph.h"

namespace pt2 {

namespace {

// 2.1 writes paths as Python text, "L['self'].blocks[0]": "blocks.0".
std::string plain_path(std::string_view path) {
  if (!path.starts_with("L[")) return std::string(path);
  const size_t root_end = path.find(']');
  if (root_end == std::string_view::npos) return std::string(path);
  std::string out;
  for (const char c : path.substr(root_end + 1)) {
    if (c == '[') out += '.';
    else if (c != ']' && c != '\'' && c != '"') out += c;
  }
  return out.empty() || out[0] != '.' ? out : out.substr(1);
}

// The number of the call is written at the end of the key only: "L__self__relu@1" → "@1".
std::string_view call_number(std::string_view key) {
  const size_t at = key.rfind('@');
  if (at == std::string_view::npos || at + 1 == key.size()) return {};
  if (key.find_first_not_of("0123456789", at + 1) != std::string_view::npos) return {};
  return key.substr(at);
}

}  // namespace

ModuleTreeBuilder::ModuleTreeBuilder(StringPool& strings) : strings_(strings) {
  tree_.modules.push_back({});
  file_path_.emplace_back();
}

ModuleId ModuleTreeBuilder::module_of(std::string_view nn_module_stack) {
  if (nn_module_stack.empty()) return tree_.root();
  auto [entry, is_new] = by_stack_.try_emplace(nn_module_stack.data(), tree_.root());
  if (!is_new) return entry->second;
  ModuleId module = tree_.root();
  for (const ModuleStackEntry& call : parse_nn_module_stack(nn_module_stack)) {
    const std::string path = plain_path(call.path);
    if (path.empty() && module == tree_.root()) {
      if (tree_.modules[module].type.empty()) tree_.modules[module].type = strings_.intern(call.type);
    } else {
      module = child(module, path, call_number(call.key), call.type);
    }
  }
  return entry->second = module;
}

ModuleId ModuleTreeBuilder::child(ModuleId parent, std::string_view path, std::string_view call, std::string_view type) {
  const std::string& above = file_path_[parent.index];
  if (path == above && call.empty()) return parent;
  std::string_view relative = path;
  if (!above.empty() && path.starts_with(above) && path.size() > above.size() && path[above.size()] == '.') relative.remove_prefix(above.size() + 1);
  const std::string name = std::string(relative) + std::string(call);
  const std::string& parent_path = tree_.modules[parent].path;
  std::string full = parent_path.empty() ? name : parent_path + "." + name;
  if (auto it = by_path_.find(full); it != by_path_.end()) return it->second;
  const ModuleId id = tree_.modules.push_back({full, strings_.intern(name), strings_.intern(type), parent});
  tree_.modules[parent].children.push_back(id);
  file_path_.emplace_back(path);
  by_path_.emplace(std::move(full), id);
  return id;
}

ModuleTree ModuleTreeBuilder::finish(const Graph& root) && {
  auto& modules = tree_.modules;
  for (size_t i = 0; i < root.nodes().size(); ++i) {
    const Node& node = root.node(NodeId(i));
    modules[node.module].nodes.push_back(NodeId(i));
    if (node.kind == NodeKind::CallFunction) ++modules[node.module].node_count;
  }
  for (size_t i = modules.size(); i-- > 1;) {
    const Module& module = modules[ModuleId(i)];
    modules[module.parent].node_count += module.node_count;
  }
  return std::move(tree_);
}

}  // namespace pt2
