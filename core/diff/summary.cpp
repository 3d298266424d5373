#include "core/diff/summary.h"

#include <map>

#include "core/text/print_program.h"

namespace pt2 {

namespace {

std::string module_path(const Program& program, NodeRef ref) {
  const ModuleId module = program.node(ref).module;
  return program.modules.modules.contains(module) ? program.modules.modules[module].path : std::string();
}

struct Keyed { std::string key, name, type; NodeRef node; };

std::vector<Keyed> keyed(const Program& program, bool outputs) {
  std::vector<Keyed> rows;
  int user = 0;
  auto add = [&](std::string kind, bool of_user, std::string_view target, std::string_view name, NodeId node, const std::optional<Argument>& constant) {
    Keyed row;
    row.key = kind + " " + (of_user ? std::to_string(user++) : std::string(target));
    row.name = node ? std::string(program.root_graph().node(node).name) : std::string(name);
    row.type = node ? type_annotation(program.root_graph().node(node).val) : "";
    if (constant) row.type = "constant";
    if (row.name.empty()) row.name = row.key;
    if (node) row.node = {program.root(), node};
    rows.push_back(std::move(row));
  };
  if (!outputs)
    for (const InputSpec& spec : program.signature.inputs)
      add(std::string(kind_name(spec.kind)), spec.kind == InputKind::UserInput, spec.target, spec.name, spec.node, spec.constant);
  else
    for (const OutputSpec& spec : program.signature.outputs) {
      const NodeId* node = spec.value.as<NodeId>();
      add(std::string(kind_name(spec.kind)), spec.kind == OutputKind::UserOutput, spec.target, spec.name, node ? *node : NodeId(), node ? std::nullopt : std::optional(spec.value));
    }
  for (Keyed& row : rows)
    for (char& c : row.key)
      if (c == '_' && row.key.find(' ') > size_t(&c - row.key.data())) c = ' ';  // "user_input 0" reads "user input 0"
  return rows;
}

}  // namespace

std::vector<OpChange> operator_counts(const Program& left, const Program& right) {
  std::map<std::string, OpChange> counts;
  for (const bool first : {true, false})
    for (const Graph& graph : (first ? left : right).graphs)
      for (const Node& node : graph.nodes())
        if (node.kind == NodeKind::CallFunction) ++(counts[std::string(node.target)].*(first ? &OpChange::left : &OpChange::right));
  std::vector<OpChange> result;
  for (auto& [target, change] : counts) {
    change.target = target;
    result.push_back(std::move(change));
  }
  return result;
}

std::vector<ModuleCounts> module_counts(const Program& left, const Program& right, const Diff& diff) {
  std::map<std::string, ModuleCounts> counts;
  for (const NodeGroup& group : diff.groups) {
    for (NodeRef ref : group.left) ++counts[module_path(left, ref)].left;
    for (NodeRef ref : group.right) ++counts[module_path(right, ref)].right;
    ModuleCounts& of = counts[group.left.empty() ? module_path(right, group.right[0]) : module_path(left, group.left[0])];
    ++(group.kind == GroupKind::Same ? of.same : of.different);
  }
  std::vector<ModuleCounts> result;
  for (auto& [path, count] : counts) {
    count.path = path;
    result.push_back(std::move(count));
  }
  return result;
}

std::vector<SignatureRow> signature_rows(const Program& left, const Program& right) {
  std::vector<SignatureRow> rows;
  for (const bool output : {false, true}) {
    std::map<std::string, size_t> place;
    for (const Keyed& k : keyed(left, output)) {
      place.emplace(k.key, rows.size());
      rows.push_back({output, k.key, k.name, "", k.type, "", k.node, {}});
    }
    for (const Keyed& k : keyed(right, output)) {
      const auto found = place.find(k.key);
      if (found == place.end() || !rows[found->second].right_name.empty()) {
        rows.push_back({output, k.key, "", k.name, "", k.type, {}, k.node});
        continue;
      }
      rows[found->second].right_name = k.name;
      rows[found->second].right_type = k.type;
      rows[found->second].right = k.node;
    }
  }
  return rows;
}

}  // namespace pt2
