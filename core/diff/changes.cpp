#include "core/diff/changes.h"

#include <algorithm>

#include "core/graph/op_schema.h"
#include "core/text/python_text.h"

namespace pt2::diff {

namespace {

// An argument as code would show it. Which value an operand is, is no matter of the arguments: for comparing, all have one name.
std::string text_of(const Argument& argument, const Graph* graph) {
  if (auto* text = argument.as<std::string_view>()) return python_repr(text->substr(0, text->find(" on node '")));  // passes rename the node
  return argument_text(argument, ArgumentStyle::Repr, [graph](NodeId id) { return graph ? std::string(graph->node(id).name) : std::string("%"); });
}

// Arguments of higher-order operators have no names.
std::string name_of(const Node& node, size_t i) { return node.inputs[i].name.empty() ? "argument " + std::to_string(i) : std::string(node.inputs[i].name); }

// The value of an argument that may not be written: then the schema's default.
const Argument* argument_of(const Node& node, const OpSchema* schema, const std::string& name) {
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (name_of(node, i) == name) return &node.inputs[i].value;
  const SchemaParameter* parameter = schema ? schema->parameter(name) : nullptr;
  return parameter && parameter->has_default() ? &parameter->default_value : nullptr;
}

void compare_arguments(const MatchedCalls& calls, NodeGroup& group) {
  const Node &lnode = calls.left.node(calls.lref), &rnode = calls.right.node(calls.rref);
  const OpSchema* schema = find_op_schema(calls.l.target);
  std::vector<std::string> names;
  for (const Node* node : {&lnode, &rnode})
    for (size_t i = 0; i < node->inputs.size(); ++i)
      if (std::string name = name_of(*node, i); std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  for (const std::string& name : names) {
    const Argument *a = argument_of(lnode, schema, name), *b = argument_of(rnode, schema, name);
    if (a && b && text_of(*a, nullptr) == text_of(*b, nullptr)) continue;
    const std::string left = a ? text_of(*a, &calls.left.graphs[calls.lref.graph]) : "absent", right = b ? text_of(*b, &calls.right.graphs[calls.rref.graph]) : "absent";
    group.values.push_back({name, left, right});
  }
}

std::string sizes_of(const TensorMeta& meta) {
  std::string text;
  for (const SymInt& size : meta.sizes) text += (text.empty() ? "" : ", ") + size.text();
  return "[" + text + "]";
}

}  // namespace

void find_changes(const MatchedCalls& calls, const std::vector<int32_t>& root_of_left, const std::vector<int32_t>& left_of, NodeGroup& group) {
  const Operator &l = calls.l, &r = calls.r;
  auto changed = [&group](const char* what, std::string left, std::string right) {
    group.changes.emplace_back(what);
    group.values.push_back({what, std::move(left), std::move(right)});
  };
  if (l.target != r.target) changed("operator", std::string(l.target), std::string(r.target));
  if (l.target == r.target && l.constants != r.constants) {
    compare_arguments(calls, group);
    if (!group.values.empty()) group.changes.emplace_back("arguments");
  }
  bool same_sources = l.sources.size() == r.sources.size();
  for (size_t k = 0; same_sources && k < l.sources.size(); ++k) {
    const Source &a = l.sources[k], &b = r.sources[k];
    if (a.op >= 0 && b.op >= 0) same_sources = left_of[b.op] >= 0 && root_of_left[left_of[b.op]] == root_of_left[a.op];
    else same_sources = a.input == b.input && (a.op < 0) == (b.op < 0);
  }
  if (l.target == r.target && !same_sources) group.changes.emplace_back("operands");
  const TensorMeta *a = tensor_meta(calls.left.node(calls.lref).val), *b = tensor_meta(calls.right.node(calls.rref).val);
  if (!a || !b) return;
  if (a->dtype != b->dtype) changed("dtype", std::string(dtype_name(a->dtype)), std::string(dtype_name(b->dtype)));
  if (const std::string left = sizes_of(*a), right = sizes_of(*b); left != right) changed("shape", left, right);
}

}  // namespace pt2::diff
