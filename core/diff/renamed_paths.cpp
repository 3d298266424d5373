#include "core/diff/renamed_paths.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace pt2::diff {

namespace {

constexpr size_t kWidestName = 64;  // of a name below more modules than these ("weight") only modules beside one another are considered

using Paths = std::set<std::string>;

// Modules, and the weights in them. What a second call of a module is called ("conv@1") follows the module.
Paths paths_of(const Program& program) {
  Paths paths;
  for (const Module& module : program.modules.modules)
    if (!module.path.empty()) paths.insert(module.path);
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.kind != InputKind::UserInput && !spec.target.empty()) paths.emplace(spec.target);
  return paths;
}

std::vector<std::string_view> without(const Paths& paths, const Paths& others) {
  std::vector<std::string_view> alone;
  for (const std::string& path : paths)
    if (!others.count(path)) alone.push_back(path);
  return alone;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('.') + 1); }

// Calls `visit` with each module above a path, the program itself ("") first, and with the path's name below it.
template <class Visit>
void for_each_split(std::string_view path, Visit visit) {
  visit(std::string_view(), path);
  for (size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', dot + 1)) visit(path.substr(0, dot), path.substr(dot + 1));
}

struct Renaming {
  std::string_view left, right;  // modules
  size_t names = 0;              // below them that are the same
};

// Most names first. Of two modules whose own names are the same it is one above that was renamed.
std::vector<Renaming> possible_renamings(const std::vector<std::string_view>& left, const std::vector<std::string_view>& right) {
  std::map<std::string_view, std::vector<std::string_view>> right_modules;  // by the name below
  for (std::string_view path : right) for_each_split(path, [&](std::string_view module, std::string_view name) { right_modules[name].push_back(module); });
  for (auto& [name, modules] : right_modules) std::sort(modules.begin(), modules.end());
  std::map<std::pair<std::string_view, std::string_view>, size_t> names;
  for (std::string_view path : left)
    for_each_split(path, [&](std::string_view module, std::string_view name) {
      const auto found = right_modules.find(name);
      if (found == right_modules.end()) return;
      const std::vector<std::string_view>& others = found->second;
      const std::string_view beside = others.size() > kWidestName ? module.substr(0, module.size() - last_part(module).size()) : "";
      for (auto other = std::lower_bound(others.begin(), others.end(), beside); other != others.end() && other->starts_with(beside); ++other)
        if (last_part(module) != last_part(*other) && (beside.empty() || last_part(*other).size() + beside.size() == other->size())) ++names[{module, *other}];
    });
  std::vector<Renaming> renamings;
  for (const auto& [modules, count] : names) renamings.push_back({modules.first, modules.second, count});
  std::stable_sort(renamings.begin(), renamings.end(), [](const Renaming& a, const Renaming& b) { return a.names > b.names; });
  return renamings;
}

// What the names below a module begin with.
std::string prefix(std::string_view module) { return module.empty() ? "" : std::string(module) + '.'; }

// A path without the number of the call, and that number: "conv", "@1".
std::pair<std::string_view, std::string_view> split_call(std::string_view path) {
  const size_t at = path.find('@');
  return {path.substr(0, at), at == path.npos ? std::string_view() : path.substr(at)};
}

}  // namespace

RenamedPaths renamed_paths(const Program& left, const Program& right) {
  const Paths ours = paths_of(left), theirs = paths_of(right);
  const std::vector<std::string_view> only_left = without(ours, theirs), only_right = without(theirs, ours);
  RenamedPaths result;
  if (only_left.empty() || only_right.empty()) return result;
  Paths free_left(only_left.begin(), only_left.end());
  for (const Renaming& renaming : possible_renamings(only_left, only_right)) {
    if (free_left.empty() || result.size() == only_right.size()) break;
    auto pair_up = [&](std::string_view path, const std::string& left_path) {
      const auto counterpart = free_left.find(left_path);
      if (counterpart == free_left.end() || result.count(path)) return;
      result.emplace(path, *counterpart);
      free_left.erase(counterpart);
    };
    if (std::binary_search(only_right.begin(), only_right.end(), renaming.right)) pair_up(renaming.right, std::string(renaming.left));
    const std::string above_left = prefix(renaming.left), above = prefix(renaming.right);
    for (auto it = std::lower_bound(only_right.begin(), only_right.end(), std::string_view(above)); it != only_right.end() && it->starts_with(above); ++it)
      pair_up(*it, above_left + std::string(it->substr(above.size())));
  }
  return result;
}

GraphOperators with_left_names(const RenamedPaths& renamed, const Program& left, const std::unordered_map<NodeId, int32_t>& left_keys, const Program& right,
                               const std::unordered_map<NodeId, int32_t>& right_keys, const GraphOperators& ops, TextNumbers& texts) {
  std::map<std::string_view, int32_t> left_key_of;
  std::unordered_map<int32_t, int32_t> key_of;  // of a right key the left one
  if (ops.graph == right.root()) {
    for (const InputSpec& spec : left.signature.inputs)
      if (const auto key = left_keys.find(spec.node); key != left_keys.end()) left_key_of.emplace(spec.target, key->second);
    for (const InputSpec& spec : right.signature.inputs) {
      const auto path = renamed.find(spec.target);
      const auto counterpart = path == renamed.end() ? left_key_of.end() : left_key_of.find(path->second);
      const auto own = right_keys.find(spec.node);
      if (counterpart != left_key_of.end() && own != right_keys.end()) key_of[own->second] = counterpart->second;
    }
  }
  GraphOperators result = ops;
  for (Operator& op : result.ops) {
    for (Source& source : op.sources)
      if (const auto key = key_of.find(source.input); key != key_of.end()) source.input = key->second;
    const auto [module, call] = split_call(module_path(*right.graphs[ops.graph].node(op.node).meta).value_or(""));
    if (const auto found = renamed.find(module); found != renamed.end()) op.module_path = module_number(found->second + std::string(call), texts);
  }
  return result;
}

}  // namespace pt2::diff
