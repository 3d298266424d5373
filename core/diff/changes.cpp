#include "core/diff/changes.h"

#include <algorithm>
#include <map>
#include <optional>

#include "core/graph/op_schema.h"
#include "core/graph/results.h"
#include "core/text/python_text.h"

namespace pt2::diff {

namespace {

// An argument as code would show it.
std::string text_of(const Argument& argument, const NodeName& name) {
  if (auto* text = argument.as<std::string_view>()) return python_repr(text->substr(0, text->find(" on node '")));  // passes rename the node
  return argument_text(argument, ArgumentStyle::Repr, name);
}

// Which value an operand is, is no matter of the arguments: for comparing them, all have one name.
std::string constant_text(const Argument& argument) {
  return text_of(argument, [](NodeId) { return std::string("%"); });
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

// Numbers, one alone as a list of one; nullopt: it is something else.
std::optional<std::vector<double>> numbers_of(const Argument& argument) {
  if (const auto* list = argument.as<ListArg>()) {
    std::vector<double> numbers;
    for (const Argument& item : list->items) {
      const auto one = item.as<ListArg>() ? std::nullopt : numbers_of(item);
      if (!one) return std::nullopt;
      numbers.push_back((*one)[0]);
    }
    return numbers;
  }
  if (const auto* integer = argument.as<int64_t>()) return std::vector{static_cast<double>(*integer)};
  if (const auto* real = argument.as<double>()) return std::vector{*real};
  return std::nullopt;
}

// Operators write one thing in several ways: dim=1 and dim=[1], dim=-1 and the last one, 1 and 1.0; None is what the operator takes by itself,
// padding='same' a number of elements.
bool differ_in_effect(const Argument& a, const Argument& b, const std::string& name, size_t rank) {
  auto left = numbers_of(a), right = numbers_of(b);
  if (a.is_none() || b.is_none() || left.has_value() != right.has_value()) return false;
  if (!left) return constant_text(a) != constant_text(b);
  if (name.starts_with("dim"))
    for (auto* numbers : {&*left, &*right})
      for (double& number : *numbers)
        if (number < 0) number += static_cast<double>(rank);
  return left != right;
}

// Dimensions of what a call works on.
size_t rank_of_operand(const Graph& graph, const Node& node) {
  size_t rank = 0;
  bool found = false;
  for (const NodeArgument& input : node.inputs)
    for_each_node(input.value, [&](NodeId id) {
      const TensorMeta* meta = found ? nullptr : tensor_meta(graph.node(id).val);
      if (meta) found = true, rank = meta->sizes.size();
    });
  return rank;
}

bool holds_node(const Argument& argument) {
  bool holds = false;
  for_each_node(argument, [&holds](NodeId) { holds = true; });
  return holds;
}

std::vector<std::string> argument_names(const MatchedCalls& calls) {
  std::vector<std::string> names;
  for (const Node* node : {&calls.left.node(calls.lref), &calls.right.node(calls.rref)})
    for (size_t i = 0; i < node->inputs.size(); ++i)
      if (std::string name = name_of(*node, i); std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  return names;
}

// Where the operands of one argument come from.
std::vector<Source> sources_of(const Operator& op, const Node& node, const std::string& name) {
  size_t first = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    size_t count = 0;
    for_each_node(node.inputs[i].value, [&count](NodeId) { ++count; });
    if (name_of(node, i) == name) return {op.sources.begin() + std::ptrdiff_t(first), op.sources.begin() + std::ptrdiff_t(first + count)};
    first += count;
  }
  return {};
}

bool same_sources(const std::vector<Source>& left, const std::vector<Source>& right, const Matching& matching) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), [&matching](const Source& a, const Source& b) {
    if (a.op >= 0 && b.op >= 0) {
      const int32_t counterpart = matching.left_of[b.op];
      const bool one_call = counterpart == a.op && matching.lops.ops[a.op].target == matching.rops.ops[b.op].target;  // two operators may number their results in two ways
      return counterpart >= 0 && matching.root_of_left[counterpart] == matching.root_of_left[a.op] && (!one_call || a.result == b.result);
    }
    return a.input == b.input && (a.op < 0) == (b.op < 0);
  });
}

// The first left operator of an operator's group; -1: it has no counterpart.
int32_t root_of(const Matching& matching, bool of_left, int32_t op) {
  const int32_t left = of_left ? op : matching.left_of[op];
  return left < 0 ? -1 : matching.root_of_left[left];
}

// "user input 1", "parameter conv.weight"; of a sub-graph "input 1".
std::string input_text(const Program& program, GraphId graph, NodeId id) {
  size_t place = 0;
  for (const InputSpec& spec : program.signature.inputs) {
    if (graph != program.root()) break;
    if (spec.node == id) return spec.kind == InputKind::UserInput ? "user input " + std::to_string(place) : std::string(kind_name(spec.kind)) + " " + std::string(spec.target);
    place += spec.kind == InputKind::UserInput;
  }
  return "input " + std::to_string(id.index);
}

// What an operand is where its name does not say it: "x (user input 1)", "sin (no counterpart)", "sin (counterpart of sin_1)",
// "getitem_1 (result 1, counterpart of unbind)".
std::string operand_text(const MatchedCalls& calls, const Matching& matching, bool of_left, NodeId id) {
  const GraphOperators &own = of_left ? matching.lops : matching.rops, &others = of_left ? matching.rops : matching.lops;
  const Program &program = of_left ? calls.left : calls.right, &other = of_left ? calls.right : calls.left;
  const Node& node = program.graphs[own.graph].node(id);
  const std::string name(node.name);
  const auto op = own.op_of.find(id);
  if (op == own.op_of.end()) return node.kind == NodeKind::Placeholder ? name + " (" + input_text(program, own.graph, id) + ")" : name;
  const std::string what = name + " (" + (is_getitem(node) ? "result " + std::to_string(result_index(node)) + ", " : "");
  const int32_t root = root_of(matching, of_left, op->second);
  for (size_t k = 0; root >= 0 && k < others.ops.size(); ++k)
    if (root_of(matching, !of_left, int32_t(k)) == root) return what + "counterpart of " + std::string(other.graphs[others.graph].node(others.ops[k].node).name) + ")";
  return what + "no counterpart)";
}

// An argument of each side, by the names of its operands; by what they are where the names are the same.
ValueChange operand_change(const MatchedCalls& calls, const Matching& matching, const std::string& name, const Argument* a, const Argument* b) {
  auto text = [&](bool of_left, bool names_alone) {
    const Argument* argument = of_left ? a : b;
    const Graph& graph = of_left ? calls.left.graphs[calls.lref.graph] : calls.right.graphs[calls.rref.graph];
    return argument ? text_of(*argument, [&](NodeId id) { return names_alone ? std::string(graph.node(id).name) : operand_text(calls, matching, of_left, id); }) : "absent";
  };
  ValueChange change{name, text(true, true), text(false, true)};
  return change.left != change.right ? change : ValueChange{name, text(true, false), text(false, false)};
}

std::string dtype_of(const TensorMeta& meta) { return std::string(dtype_name(meta.dtype)); }

std::string sizes_of(const TensorMeta& meta) {
  std::string text;
  for (const SymInt& size : meta.sizes) text += (text.empty() ? "" : ", ") + size.text();
  return "[" + text + "]";
}

// The results of a call by their index, as far as their types are known; one alone is number 0.
using ResultTypes = std::map<int64_t, const TensorMeta*>;

ResultTypes result_types(const Graph& graph, NodeId call) {
  if (const TensorMeta* alone = tensor_meta(graph.node(call).val)) return {{0, alone}};
  ResultTypes types;
  for (const auto& [index, item] : taken_results(graph, call))
    if (const TensorMeta* meta = tensor_meta(graph.node(item).val)) types.emplace(index, meta);
  return types;
}

std::string of_results(const std::vector<int64_t>& indices) {
  std::string text = indices.size() == 1 ? " of result " : " of results ";
  for (size_t i = 0; i < indices.size(); ++i) text += (i ? ", " : "") + std::to_string(indices[i]);
  return text;
}

// Where results of one index differ in a part of their types: "dtype" of all that changed alike, else "dtype of results 0, 2".
std::vector<ValueChange> type_changes(const ResultTypes& lefts, const ResultTypes& rights, const std::string& what, std::string (*part)(const TensorMeta&)) {
  std::vector<ValueChange> changes;
  std::vector<std::vector<int64_t>> indices;  // of the results that changed so
  size_t compared = 0;
  for (const auto& [index, meta] : lefts) {
    const auto other = rights.find(index);
    if (other == rights.end()) continue;
    ++compared;
    const std::string left = part(*meta), right = part(*other->second);
    if (left == right) continue;
    const auto alike = std::find_if(changes.begin(), changes.end(), [&](const ValueChange& change) { return change.left == left && change.right == right; });
    indices.resize(std::max(indices.size(), size_t(alike - changes.begin()) + 1));
    indices[size_t(alike - changes.begin())].push_back(index);
    if (alike == changes.end()) changes.push_back({what, left, right});
  }
  for (size_t i = 0; i < changes.size(); ++i)
    if (indices[i].size() < compared) changes[i].what += of_results(indices[i]);
  return changes;
}

// Whether an argument says what the results say anyhow: dtype=torch.float64 where they are float64, shape=[2, 3]; None leaves it to the operator.
bool told_by(const ValueChange& argument, const ValueChange& type) {
  auto says = [](const std::string& written, const std::string& type_text) { return written == type_text || written == "torch." + type_text || written == "None" || written == "absent"; };
  return argument.what == type.what && says(argument.left, type.left) && says(argument.right, type.right);
}

}  // namespace

void find_argument_changes(const MatchedCalls& calls, const Matching& matching, NodeGroup& group) {
  const Node &lnode = calls.left.node(calls.lref), &rnode = calls.right.node(calls.rref);
  const OpSchema *lschema = find_op_schema(calls.l.target), *rschema = find_op_schema(calls.r.target);
  const bool same_operator = calls.l.target == calls.r.target, same_constants = same_operator && calls.l.constants == calls.r.constants;
  if (same_constants && same_sources(calls.l.sources, calls.r.sources, matching)) return;
  const size_t rank = rank_of_operand(calls.left.graphs[calls.lref.graph], lnode);
  bool arguments = false, operands = false;
  for (const std::string& name : argument_names(calls)) {
    const Argument *a = argument_of(lnode, lschema, name), *b = argument_of(rnode, rschema, name);
    if (!same_operator && (!a || !b || holds_node(*a) || holds_node(*b))) continue;
    if (!same_operator && !differ_in_effect(*a, *b, name, rank)) continue;
    const bool other_constant = !same_constants && (!a || !b || constant_text(*a) != constant_text(*b));
    const bool other_operand = same_operator && !same_sources(sources_of(calls.l, lnode, name), sources_of(calls.r, rnode, name), matching);
    arguments |= other_constant;
    operands |= other_operand;
    if (!other_constant && !other_operand) continue;
    group.values.push_back(operand_change(calls, matching, name, a, b));
  }
  auto changed = [&group](const char* what) {
    if (std::find(group.changes.begin(), group.changes.end(), what) == group.changes.end()) group.changes.emplace_back(what);
  };
  if (arguments) changed("arguments");
  if (operands) changed("operands");
}

void find_changes(const MatchedCalls& calls, const Matching& matching, NodeGroup& group) {
  const Operator &l = calls.l, &r = calls.r;
  if (l.target != r.target) {
    group.changes.emplace_back("operator");
    group.values.push_back({"operator", std::string(l.target), std::string(r.target)});
  }
  find_argument_changes(calls, matching, group);
  const ResultTypes lefts = result_types(calls.left.graphs[calls.lref.graph], calls.lref.node), rights = result_types(calls.right.graphs[calls.rref.graph], calls.rref.node);
  auto compare = [&](const char* what, std::string (*part)(const TensorMeta&)) {
    const std::vector<ValueChange> types = type_changes(lefts, rights, what, part);
    if (types.empty()) return;
    group.changes.emplace_back(what);
    std::erase_if(group.values, [&types](const ValueChange& argument) { return told_by(argument, types[0]); });  // once is enough
    group.values.insert(group.values.end(), types.begin(), types.end());
  };
  compare("dtype", dtype_of);
  compare("shape", sizes_of);
}

bool correspond(const Operator& l, const Operator& r) {
  if (l.target == r.target) return true;
  const std::string_view longer = l.base.size() > r.base.size() ? l.base : r.base, shorter = l.base.size() > r.base.size() ? r.base : l.base;
  return !shorter.empty() && longer.size() > shorter.size() && longer.ends_with(shorter) && longer[longer.size() - shorter.size() - 1] == '_';
}

}  // namespace pt2::diff
