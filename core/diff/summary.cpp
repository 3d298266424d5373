#include "core/diff/summary.h"

#include <algorithm>
#include <map>

#include "core/diff/interface_diff.h"
#include "core/text/print_program.h"

namespace pt2 {

namespace {

std::string module_path(const Program& program, NodeRef ref) {
  const ModuleId module = program.node(ref).module;
  return program.modules.modules.contains(module) ? program.modules.modules[module].path : std::string();
}

struct Keyed {
  std::string key, title, name, type;
  NodeRef node;
  const Argument* value = nullptr;  // of an output
};

Keyed keyed_value(const Program& program, const std::string& key, const std::string& title, std::string_view name, NodeId node, bool constant) {
  Keyed row;
  row.key = key;
  row.title = spec_title(std::string_view(title).substr(0, title.find(' ')), std::string_view(title).substr(title.find(' ') + 1));
  row.name = node ? program.root_graph().node(node).name : name;
  row.type = constant ? "constant" : node ? type_annotation(program.root_graph().node(node).val) : "";
  if (row.name.empty()) row.name = row.title;
  if (node) row.node = {program.root(), node};
  return row;
}

std::vector<Keyed> keyed(const Program& program, bool outputs) {
  std::vector<Keyed> rows;
  int user = 0;
  for (size_t i = 0; !outputs && i < program.signature.inputs.size(); ++i) {
    const InputSpec& spec = program.signature.inputs[i];
    const std::string key = std::string(kind_name(spec.kind)) + " " + (spec.kind == InputKind::UserInput ? std::to_string(user++) : std::string(spec.target));
    rows.push_back(keyed_value(program, key, key, spec.name, spec.node, spec.constant.has_value()));
  }
  if (!outputs) return rows;
  for (const diff::KeyedOutput& output : diff::keyed_outputs(program)) {
    const NodeId* node = output.spec->value.as<NodeId>();
    rows.push_back(keyed_value(program, output.key, output.title, output.spec->name, node ? *node : NodeId(), !node));
    rows.back().value = &output.spec->value;
  }
  return rows;
}

}  // namespace

std::string spec_title(std::string_view kind, std::string_view target) {
  std::string text(kind);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text + " " + std::string(target);
}

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

std::vector<SignatureRow> signature_rows(const Program& left, const Program& right, const Diff& diff) {
  using Of = SignatureRow::Of;
  std::vector<SignatureRow> rows;
  for (const bool output : {false, true}) {
    const Of of = output ? Of::Output : Of::Input;
    const std::vector<Keyed> ours = keyed(left, output);
    const size_t first = rows.size();
    std::map<std::string, size_t> place;
    for (const Keyed& k : ours) {
      place.emplace(k.key, rows.size());
      rows.push_back({of, k.title, k.name, "", k.type, "", k.node, {}});
    }
    for (const Keyed& k : keyed(right, output)) {
      const auto found = place.find(k.key);
      if (found == place.end() || !rows[found->second].right_name.empty()) {
        rows.push_back({of, k.title, "", k.name, "", k.type, {}, k.node});
        continue;
      }
      SignatureRow& row = rows[found->second];
      row.right_name = k.name;
      row.right_type = k.type;
      row.right = k.node;
      if (output) row.other_value = diff::returns_other(left, *ours[found->second - first].value, right, *k.value, diff);
    }
  }
  for (const ValueChange& change : diff::interface_changes(left, right, diff)) rows.push_back({Of::Interface, change.what, change.left, change.right, "", "", {}, {}, true});
  return rows;
}

}  // namespace pt2
