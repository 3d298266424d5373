#include "core/diff/summary.h"

#include <algorithm>
#include <map>

#include "core/diff/interface_diff.h"
#include "core/diff/paired_specs.h"
#include "core/text/print_program.h"

namespace pt2 {

namespace {

std::string module_path(const Program& program, NodeRef ref) {
  const ModuleId module = program.node(ref).module;
  return program.modules.modules.contains(module) ? program.modules.modules[module].path : std::string();
}

// The module that more than half of `all` are in.
std::string most_of(const std::map<std::string, int>& modules, int all) {
  for (const auto& [path, count] : modules)
    if (2 * count > all) return path;
  return {};
}

// What a row says of one side.
struct RowSide {
  std::string name, type;
  NodeRef node;
};

RowSide row_side(const Program& program, std::string name, NodeId node, bool constant) {
  if (node) name = program.root_graph().node(node).name;
  if (name.empty()) name = "(no name)";
  return {std::move(name), constant ? "constant" : node ? type_annotation(program.root_graph().node(node).val) : "", node ? NodeRef{program.root(), node} : NodeRef()};
}

RowSide input_side(const Program& program, const InputSpec& spec) { return row_side(program, std::string(spec.name), spec.node, spec.constant.has_value()); }

RowSide output_side(const Program& program, const OutputSpec& spec) {
  const NodeId* node = spec.value.as<NodeId>();
  return row_side(program, node ? "" : diff::returned_text(program, program.root(), spec.value), node ? *node : NodeId(), !node);
}

SignatureRow row_of(SignatureRow::Of of, const std::string& title, RowSide left, RowSide right) {
  return {of, title, std::move(left.name), std::move(right.name), std::move(left.type), std::move(right.type), left.node, right.node};
}

}  // namespace

std::string spec_title(std::string_view kind, std::string_view target) {
  std::string text(kind);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text + " " + std::string(target);
}

std::string spec_title(std::string_view title) {
  const size_t space = title.find(' ');
  return space == title.npos ? std::string(title) : spec_title(title.substr(0, space), title.substr(space + 1));
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
  std::map<std::string, std::map<std::string, int>> left_counterparts, right_counterparts;  // operators of a module by the module of what they were matched with
  for (const NodeGroup& group : diff.groups) {
    for (NodeRef ref : group.left) ++counts[module_path(left, ref)].left;
    for (NodeRef ref : group.right) ++counts[module_path(right, ref)].right;
    ModuleCounts& of = counts[group.left.empty() ? module_path(right, group.right[0]) : module_path(left, group.left[0])];
    ++(group.kind == GroupKind::Same ? of.same : of.different);
    if (group.left.empty() || group.right.empty()) continue;
    for (NodeRef ref : group.left) ++left_counterparts[module_path(left, ref)][module_path(right, group.right[0])];
    for (NodeRef ref : group.right) ++right_counterparts[module_path(right, ref)][module_path(left, group.left[0])];
  }
  std::vector<ModuleCounts> result;
  for (auto& [path, count] : counts) {
    count.path = path;
    if (count.right == 0) count.counterpart = most_of(left_counterparts[path], count.left);
    if (count.left == 0) count.counterpart = most_of(right_counterparts[path], count.right);
    result.push_back(std::move(count));
  }
  return result;
}

const char* module_sign(const ModuleCounts& module) {
  const bool alone = module.left == 0 || module.right == 0;
  if (alone && module.counterpart.empty()) return module.left == 0 ? "+" : "−";
  return module.different ? "~" : alone ? "→" : "=";
}

std::string module_title(const ModuleCounts& module) {
  const std::string path = module.path.empty() ? "(root)" : module.path;
  return module.counterpart.empty() ? path : path + (module.right == 0 ? " → " : " ← ") + module.counterpart;
}

std::vector<SignatureRow> signature_rows(const Program& left, const Program& right, const Diff& diff) {
  using Of = SignatureRow::Of;
  std::vector<SignatureRow> rows;
  auto side = [](const Program& program, const auto& specs, const std::optional<size_t>& place, auto make) { return place ? make(program, specs[*place]) : RowSide(); };
  for (const diff::SpecPair& pair : diff::paired_inputs(left, right))
    rows.push_back(row_of(Of::Input, spec_title(pair.title), side(left, left.signature.inputs, pair.left, input_side), side(right, right.signature.inputs, pair.right, input_side)));
  const std::vector<diff::SpecPair> outputs = diff::paired_outputs(left, right);
  const auto in_place = diff::made_in_place(left, right, outputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const diff::SpecPair& pair = outputs[i];
    const auto &ours = left.signature.outputs, &theirs = right.signature.outputs;
    RowSide l = side(left, ours, pair.left, output_side), r = side(right, theirs, pair.right, output_side);
    if (const auto written = in_place.find(i); written != in_place.end()) (pair.left ? r : l) = row_side(pair.left ? right : left, "", written->second, false);
    rows.push_back(row_of(Of::Output, spec_title(pair.title), std::move(l), std::move(r)));
    rows.back().other_value = pair.left && pair.right && diff::returns_other(left, ours[*pair.left].value, right, theirs[*pair.right].value, diff);
  }
  for (const ValueChange& change : diff::interface_changes(left, right, diff)) rows.push_back({Of::Interface, change.what, change.left, change.right, "", "", {}, {}, true});
  return rows;
}

}  // namespace pt2
