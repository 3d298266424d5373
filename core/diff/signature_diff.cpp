#include "core/diff/signature_diff.h"

#include <map>
#include <set>
#include <string>

#include "core/diff/interface_diff.h"
#include "core/diff/paired_specs.h"
#include "core/diff/renamed.h"

namespace pt2::diff {

namespace {

std::string type_text(const Node& node) {
  const TensorMeta* meta = tensor_meta(node.val);
  if (!meta) return {};
  std::string text = std::string(dtype_short_name(meta->dtype)) + '[';
  for (size_t i = 0; i < meta->sizes.size(); ++i) text += (i ? ", " : "") + meta->sizes[i].text();
  return text + ']';
}

// Outputs that only one side has, and those that hold another value.
void compare_outputs(const Program& left, const Program& right, const Diff& diff, const std::vector<SpecPair>& outputs, std::vector<std::string>& changes) {
  for (const SpecPair& pair : outputs) {
    if (!pair.right || !pair.left) {
      changes.push_back((pair.left ? "output removed: " : "output added: ") + pair.title);
      continue;
    }
    const Argument &a = left.signature.outputs[*pair.left].value, &b = right.signature.outputs[*pair.right].value;
    if (returns_other(left, a, right, b, diff))
      changes.push_back("output " + pair.title + ": " + returned_text(left, left.root(), a) + " → " + returned_text(right, right.root(), b));
  }
}

// Inputs that only one side has, and those of another type.
void compare_inputs(const Program& left, const Program& right, const std::vector<SpecPair>& inputs, std::vector<std::string>& changes) {
  for (const SpecPair& pair : inputs) {
    if (!pair.right || !pair.left) {
      changes.push_back((pair.left ? "input removed: " : "input added: ") + pair.title);
      continue;
    }
    const NodeId l = left.signature.inputs[*pair.left].node, r = right.signature.inputs[*pair.right].node;
    if (!l || !r) continue;
    const std::string a = type_text(left.root_graph().node(l)), b = type_text(right.root_graph().node(r));
    if (a != b) changes.push_back("input " + pair.title + ": " + a + " → " + b);
  }
}

std::vector<std::string> changes_of(const Program& left, const Program& right, const Diff& diff, const std::vector<SpecPair>& inputs, const std::vector<SpecPair>& outputs) {
  std::vector<std::string> changes;
  compare_inputs(left, right, inputs, changes);
  compare_outputs(left, right, diff, outputs, changes);
  for (const ValueChange& change : interface_changes(left, right, diff)) changes.push_back(change.what + ": " + change.left + " → " + change.right);
  return changes;
}

// Leaves out what came and went because a module has another name.
void leave_out(std::vector<SpecPair>& pairs, const std::vector<RenamedModule>& modules, RenamedModule::Places RenamedModule::*of) {
  std::set<size_t> left, right;
  for (const RenamedModule& module : modules)
    for (const auto& [l, r] : module.*of) left.insert(l), right.insert(r);
  std::erase_if(pairs, [&](const SpecPair& pair) { return (pair.left && !pair.right && left.count(*pair.left)) || (pair.right && !pair.left && right.count(*pair.right)); });
}

// Without what is no change to callers.
std::vector<SpecPair> outputs_of_callers(const Program& left, const Program& right) {
  std::vector<SpecPair> outputs = paired_outputs(left, right), kept;
  const auto in_place = made_in_place(left, right, outputs);
  for (size_t i = 0; i < outputs.size(); ++i)
    if (!in_place.count(i)) kept.push_back(std::move(outputs[i]));
  return kept;
}

}  // namespace

std::vector<std::string> gathered_signature_changes(const Program& left, const Program& right, const Diff& diff) {
  std::vector<std::string> changes;
  for (const RenamedModule& module : diff.renamed) changes.push_back(renamed_text(left, module));
  auto inputs = paired_inputs(left, right), outputs = outputs_of_callers(left, right);
  leave_out(inputs, diff.renamed, &RenamedModule::inputs);
  leave_out(outputs, diff.renamed, &RenamedModule::outputs);
  for (std::string& change : changes_of(left, right, diff, inputs, outputs)) changes.push_back(std::move(change));
  return changes;
}

void compare_signatures(const Program& left, const Program& right, Diff& diff) {
  diff.signature_changes = changes_of(left, right, diff, paired_inputs(left, right), outputs_of_callers(left, right));

  std::map<std::string, OpChange> ops;
  auto count = [&ops](const Program& program, int OpChange::* side) {
    for (const Graph& graph : program.graphs)
      for (const Node& node : graph.nodes())
        if (node.kind == NodeKind::CallFunction) ++(ops[std::string(node.target)].*side);
  };
  count(left, &OpChange::left);
  count(right, &OpChange::right);
  for (auto& [target, change] : ops) {
    if (change.left == change.right) continue;
    change.target = target;
    diff.op_changes.push_back(change);
  }
}

void align_placeholders(const Program& left, GraphId left_graph, const Program& right, GraphId right_graph,
                        std::unordered_map<NodeId, int32_t>& left_keys, std::unordered_map<NodeId, int32_t>& right_keys, Diff& diff) {
  int32_t next = 0;
  if (left_graph == left.root() && right_graph == right.root()) {
    for (const SpecPair& pair : paired_inputs(left, right)) {
      const NodeId l = pair.left ? left.signature.inputs[*pair.left].node : NodeId(), r = pair.right ? right.signature.inputs[*pair.right].node : NodeId();
      if (l) left_keys[l] = next++;
      if (r) right_keys[r] = l ? left_keys[l] : next++;
      if (l && r) diff.placeholders.push_back({{left_graph, l}, {right_graph, r}});
    }
    return;
  }
  const size_t left_count = left.graphs[left_graph].placeholder_count(), right_count = right.graphs[right_graph].placeholder_count();
  for (size_t i = 0; i < left_count; ++i) left_keys[NodeId(i)] = next++;
  for (size_t i = 0; i < right_count; ++i) {
    right_keys[NodeId(i)] = i < left_count ? left_keys[NodeId(i)] : next++;
    if (i < left_count) diff.placeholders.push_back({{left_graph, NodeId(i)}, {right_graph, NodeId(i)}});
  }
}

}  // namespace pt2::diff
