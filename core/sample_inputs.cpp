#include "core/sample_inputs.h"

#include <algorithm>
#include <optional>

#include "core/archive/unpickler.h"
#include "core/graph/tree_spec.h"

namespace pt2 {

namespace {

using Values = std::vector<const PickleValue*>;

// The value under a key of a pytree, which are written as texts.
const PickleValue* find(const PickleDict& dict, const std::string& key) {
  for (const auto& [name, value] : *dict.items) {
    const auto* text = std::get_if<std::string>(&name.value);
    const auto* number = std::get_if<int64_t>(&name.value);
    if ((text && *text == key) || (number && std::to_string(*number) == key)) return &value;
  }
  return nullptr;
}

std::optional<Values> by_keys(const PickleDict& dict, const TreeSpecNode& node) {
  Values children;
  if (node.keys.size() != node.children.size()) {
    if (dict.items->size() != node.children.size()) return std::nullopt;
    for (const auto& item : *dict.items) children.push_back(&item.second);
    return children;
  }
  for (const std::string& key : node.keys) {
    const PickleValue* value = find(dict, key);
    if (!value) return std::nullopt;
    children.push_back(value);
  }
  return children;
}

// An object as a pickle has it: what its class was called with and then its state. A namedtuple is called with its fields; the state of a
// dataclass is its dict of fields, with __slots__ the second of a pair.
std::optional<Values> fields_of(const PickleOpaque& object, const TreeSpecNode& node) {
  const PickleList& arguments = *object.arguments;
  const PickleValue* state = arguments.size() == 1 ? &arguments[0] : nullptr;
  if (state)
    if (const auto* pair = std::get_if<PickleSequence>(&state->value); pair && pair->items->size() == 2) state = &(*pair->items)[1];
  const auto* dict = state ? std::get_if<PickleDict>(&state->value) : nullptr;
  if (dict && !node.keys.empty()) return by_keys(*dict, node);
  if (node.type != "collections.namedtuple" || arguments.size() != node.children.size()) return std::nullopt;
  Values children;
  for (const PickleValue& argument : arguments) children.push_back(&argument);
  return children;
}

std::optional<Values> children_of(const PickleValue& value, const TreeSpecNode& node, std::vector<std::string>& classes) {
  if (const auto* sequence = std::get_if<PickleSequence>(&value.value)) {
    if (sequence->items->size() != node.children.size()) return std::nullopt;
    Values children;
    for (const PickleValue& item : *sequence->items) children.push_back(&item);
    return children;
  }
  if (const auto* dict = std::get_if<PickleDict>(&value.value)) return by_keys(*dict, node);
  const auto* object = std::get_if<PickleOpaque>(&value.value);
  if (!object) return node.children.empty() ? std::optional(Values()) : std::nullopt;
  auto fields = fields_of(*object, node);
  if (fields && std::find(classes.begin(), classes.end(), object->dotted_name) == classes.end()) classes.push_back(object->dotted_name);
  return fields;
}

std::optional<SampleLeaves> along(const TreeSpec& spec, const PickleValue& sample) {
  SampleLeaves result;
  std::vector<const PickleValue*> value_of(spec.nodes.size());
  if (spec.nodes.empty()) return std::nullopt;
  value_of[0] = &sample;
  for (size_t i = 0; i < spec.nodes.size(); ++i) {  // depth first: parents before children, leaves in order
    const TreeSpecNode& node = spec.nodes[i];
    if (node.is_leaf()) {
      result.values.push_back(value_of[i]);
      continue;
    }
    const auto children = children_of(*value_of[i], node, result.classes);
    if (!children) return std::nullopt;
    for (size_t c = 0; c < node.children.size(); ++c) value_of[node.children[c]] = (*children)[c];
  }
  return result;
}

// Where the file does not say how inputs nest: whatever holds something is opened.
Values flattened(const PickleValue& sample) {
  Values leaves, pending{&sample};
  while (!pending.empty()) {
    const PickleValue* v = pending.back();
    pending.pop_back();
    if (const auto* sequence = std::get_if<PickleSequence>(&v->value)) {
      for (auto it = sequence->items->rbegin(); it != sequence->items->rend(); ++it) pending.push_back(&*it);
    } else if (const auto* dict = std::get_if<PickleDict>(&v->value)) {
      for (auto it = dict->items->rbegin(); it != dict->items->rend(); ++it) pending.push_back(&it->second);
    } else if (const auto* opaque = std::get_if<PickleOpaque>(&v->value); opaque && opaque->arguments) {
      for (auto it = opaque->arguments->rbegin(); it != opaque->arguments->rend(); ++it) pending.push_back(&*it);
    } else {
      leaves.push_back(v);
    }
  }
  return leaves;
}

}  // namespace

SampleLeaves sample_leaves(const PickleValue& sample, const Program& program) {
  if (std::holds_alternative<PickleNone>(sample.value)) return {};
  const auto users = size_t(std::count_if(program.signature.inputs.begin(), program.signature.inputs.end(), [](const InputSpec& spec) { return spec.kind == InputKind::UserInput; }));
  for (const ModuleCall& call : program.module_call_graph) {
    if (!call.fqn.empty() || !call.has_signature) continue;
    if (const auto spec = parse_tree_spec(call.in_spec))
      if (auto leaves = along(*spec, sample); leaves && leaves->values.size() == users) return std::move(*leaves);
  }
  Values values = flattened(sample);
  if (values.size() != users) values.clear();
  return {std::move(values), {}};
}

std::vector<Finding> archive_findings(const Archive& archive, const std::vector<std::shared_ptr<const Program>>& programs) {
  std::vector<Finding> findings = archive.check();
  const auto is_call = [](const Finding& finding) { return finding.rule == kPickleCallRule; };
  if (std::none_of(findings.begin(), findings.end(), is_call)) return findings;
  for (const auto& program : programs) {
    const auto sample = archive.sample_inputs(program->name);
    if (!sample) continue;
    for (const std::string& name : sample_leaves(*sample, *program).classes)
      for (Finding& finding : findings)
        if (is_call(finding) && finding.message == pickle_call_message(name)) {
          finding.severity = Severity::Note;
          finding.message = "holds an object of " + name + ": its fields are read as plain data";
          finding.advice = "The class itself is not part of the file and was not run.";
        }
  }
  return findings;
}

}  // namespace pt2
