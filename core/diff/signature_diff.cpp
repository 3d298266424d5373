#include "core/diff/signature_diff.h"

#include <map>
#include <string>

#include "core/diff/interface_diff.h"

namespace pt2::diff {

namespace {

std::string type_text(const Node& node) {
  const TensorMeta* meta = tensor_meta(node.val);
  if (!meta) return {};
  std::string text = std::string(dtype_short_name(meta->dtype)) + '[';
  for (size_t i = 0; i < meta->sizes.size(); ++i) text += (i ? ", " : "") + meta->sizes[i].text();
  return text + ']';
}

// Inputs in order with the key that says which is which: user inputs count up, the others are known by kind and target.
std::vector<std::pair<std::string, const InputSpec*>> keyed_inputs(const Program& program) {
  std::vector<std::pair<std::string, const InputSpec*>> result;
  int user_inputs = 0;
  for (const InputSpec& spec : program.signature.inputs) {
    std::string key = spec.kind == InputKind::UserInput ? "user input " + std::to_string(user_inputs++)
                                                        : std::string(kind_name(spec.kind)) + " " + std::string(spec.target);
    result.emplace_back(std::move(key), &spec);
  }
  return result;
}

// Outputs that only one side has, and those that hold another value.
void compare_outputs(const Program& left, const Program& right, Diff& diff) {
  std::multimap<std::string, KeyedOutput> others;  // several tokens have one key: they belong together in their order
  for (const KeyedOutput& output : keyed_outputs(right)) others.emplace(output.key, output);
  for (const KeyedOutput& output : keyed_outputs(left)) {
    const auto found = others.lower_bound(output.key);
    if (found == others.end() || found->first != output.key) {
      diff.signature_changes.push_back("output removed: " + output.title);
      continue;
    }
    const Argument &a = output.spec->value, &b = found->second.spec->value;
    if (returns_other(left, a, right, b, diff))
      diff.signature_changes.push_back("output " + output.title + ": " + returned_text(left, left.root(), a) + " → " + returned_text(right, right.root(), b));
    others.erase(found);
  }
  for (const auto& entry : others) diff.signature_changes.push_back("output added: " + entry.second.title);
}

}  // namespace

void compare_signatures(const Program& left, const Program& right, Diff& diff) {
  std::map<std::string, const InputSpec*> right_inputs;
  for (const auto& [key, spec] : keyed_inputs(right)) right_inputs[key] = spec;
  std::map<std::string, const InputSpec*> left_inputs;
  for (const auto& [key, spec] : keyed_inputs(left)) {
    left_inputs[key] = spec;
    const auto found = right_inputs.find(key);
    if (found == right_inputs.end()) {
      diff.signature_changes.push_back("input removed: " + key);
      continue;
    }
    if (!spec->node || !found->second->node) continue;
    const std::string a = type_text(left.root_graph().node(spec->node)), b = type_text(right.root_graph().node(found->second->node));
    if (a != b) diff.signature_changes.push_back("input " + key + ": " + a + " → " + b);
  }
  for (const auto& [key, spec] : keyed_inputs(right))
    if (!left_inputs.count(key)) diff.signature_changes.push_back("input added: " + key);

  compare_outputs(left, right, diff);
  for (const ValueChange& change : interface_changes(left, right, diff)) diff.signature_changes.push_back(change.what + ": " + change.left + " → " + change.right);

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
    // Inputs of one key, as of tied weights, belong together in their order.
    std::map<std::string, std::vector<NodeId>> by_key;
    std::map<std::string, size_t> taken;
    for (const auto& [key, spec] : keyed_inputs(left)) {
      if (!spec->node) continue;
      by_key[key].push_back(spec->node);
      left_keys[spec->node] = next++;
    }
    for (const auto& [key, spec] : keyed_inputs(right)) {
      if (!spec->node) continue;
      const auto found = by_key.find(key);
      const size_t nth = taken[key]++;
      const NodeId partner = found == by_key.end() || nth >= found->second.size() ? NodeId() : found->second[nth];
      right_keys[spec->node] = partner ? left_keys[partner] : next++;
      if (partner) diff.placeholders.push_back({{left_graph, partner}, {right_graph, spec->node}});
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
