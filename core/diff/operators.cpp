#include "core/diff/operators.h"

#include <algorithm>
#include <array>
#include <unordered_set>

#include "core/graph/op_schema.h"
#include "core/graph/results.h"
#include "core/text/python_text.h"

namespace pt2::diff {

namespace {

// Composites that become one or two views or copies.
constexpr std::array<std::string_view, 18> kFew = {"view_as", "t",      "transpose", "detach",    "contiguous", "unflatten", "flatten", "reshape", "to",
                                                   "expand_as", "unfold", "chunk",     "movedim",   "swapaxes",   "ravel",     "narrow",  "squeeze", "numpy_T"};

std::string_view without_prefix(std::string_view target) {
  if (target.starts_with("torch.ops.")) target.remove_prefix(10);
  return target;
}

std::string_view base_name(std::string_view target) {  // "aten.add_.Tensor" → "add"
  const size_t first = target.find('.');
  std::string_view name = first == std::string_view::npos ? target : target.substr(first + 1);
  name = name.substr(0, name.find('.'));
  if (name.ends_with('_') && !name.ends_with("__")) name.remove_suffix(1);
  return name;
}

// On symbolic numbers, or a check of them.
bool is_symbolic(std::string_view target) {
  return target.starts_with("_operator.") || target.starts_with("math.") || target.starts_with("torch.sym_") || target.starts_with("aten._assert");
}

Expansion expansion_of(std::string_view target) {
  if (!target.starts_with("aten.")) return Expansion::One;
  std::string_view name = target.substr(5);
  name = name.substr(0, name.find('.'));
  if (name.ends_with('_') && !name.ends_with("__")) return Expansion::InPlace;
  const OpSchema* schema = find_op_schema(target);
  if (schema && schema->has_tag("core")) return Expansion::One;
  if (std::find(kFew.begin(), kFew.end(), name) != kFew.end()) return Expansion::Few;
  return Expansion::Many;
}

void append_constant(std::string& out, const Argument& argument) {
  std::vector<const Argument*> pending{&argument};
  while (!pending.empty()) {
    const Argument& a = *pending.back();
    pending.pop_back();
    auto push = [&](const std::vector<Argument>& items) {
      out += '[';
      for (auto it = items.rbegin(); it != items.rend(); ++it) pending.push_back(&*it);
    };
    if (auto* i = a.as<int64_t>()) out += std::to_string(*i);
    else if (auto* d = a.as<double>()) out += python_float(*d);
    else if (auto* b = a.as<bool>()) out += *b ? 'T' : 'F';
    else if (auto* s = a.as<std::string_view>()) out += s->substr(0, s->find(" on node '"));  // an assertion's text names nodes, which passes rename
    else if (auto* t = a.as<DType>()) out += dtype_name(*t);
    else if (auto* list = a.as<ListArg>()) push(list->items);
    else if (auto* tuple = a.as<TupleArg>()) push(tuple->items);
    else if (auto* device = a.as<Device>()) out += device_text(*device);
    else if (a.is<NodeId>()) out += '%';
    else if (a.is_none()) out += '-';
    else out += argument_text(a, ArgumentStyle::Repr, [](NodeId) { return std::string("%"); });
    out += ',';
  }
}

std::string shape_text(const ValueMeta& val) {
  if (const TensorMeta* meta = tensor_meta(val)) {
    std::string text{dtype_name(meta->dtype)};
    for (const SymInt& size : meta->sizes) text += ',' + size.text();
    return text;
  }
  if (const SymMeta* meta = sym_meta(val)) return "sym:" + (meta->expr ? meta->expr->text : std::string());
  return {};
}

// Follows which values are views of which memory, and which memory was written to.
void mark_stale_views(std::vector<Operator>& ops) {
  // Memory is named by the operator that made it, or by ~key of an input.
  std::vector<int32_t> memory(ops.size());
  std::unordered_set<int32_t> written;
  for (size_t i = 0; i < ops.size(); ++i) {
    Operator& op = ops[i];
    memory[i] = static_cast<int32_t>(i);
    if (op.sources.empty()) continue;
    const Source& first = op.sources[0];
    const int32_t base = first.op >= 0 ? memory[first.op] : ~first.input;
    const OpSchema* schema = op.expansion == Expansion::InPlace || op.target.starts_with("aten.") ? find_op_schema(op.target) : nullptr;
    if (!schema || schema->parameters.empty() || schema->parameters[0].type.alias.empty()) continue;
    memory[i] = base;
    if (schema->parameters[0].type.writes()) written.insert(base);
    else op.stale = written.count(base) > 0;
  }
}

// Which result of its operator a node takes: that of a call with one is number 0.
int64_t result_number(const Node& node) { return std::max<int64_t>(result_index(node), 0); }

}  // namespace

// The path alone: keys hold object ids in some releases, and types move between them.
std::optional<std::string_view> module_path(const NodeMeta& meta) {
  const auto entries = parse_nn_module_stack(meta.nn_module_stack);
  return entries.empty() ? std::nullopt : std::optional(entries.back().path);
}

uint32_t module_number(std::optional<std::string_view> path, TextNumbers& texts) { return path ? texts.number("@" + std::string(*path)) : 0; }

GraphOperators collect_operators(const Program& program, GraphId graph_id, const std::unordered_map<NodeId, int32_t>& input_keys,
                                 TextNumbers& texts) {
  const Graph& graph = program.graphs[graph_id];
  GraphOperators result;
  result.graph = graph_id;
  std::unordered_map<const void*, std::array<uint32_t, 4>> meta_numbers;  // metas are shared by many nodes
  for (size_t i = 0; i < graph.nodes().size(); ++i) {
    const NodeId id(i);
    const Node& node = graph.node(id);
    if (node.kind != NodeKind::CallFunction) continue;
    if (is_getitem(node) && !node.inputs.empty()) {
      const NodeId* source = node.inputs[0].value.as<NodeId>();
      const auto owner = source ? result.op_of.find(*source) : result.op_of.end();
      if (owner != result.op_of.end()) {
        Operator& op = result.ops[owner->second];
        op.getitems.push_back(id);
        result.op_of[id] = owner->second;
        if (op.shape.empty()) op.shape = shape_text(node.val);
        continue;
      }
    }
    Operator op;
    op.node = id;
    op.target = without_prefix(node.target);
    op.base = base_name(op.target);
    op.symbolic = is_symbolic(op.target);
    op.number = sym_meta(node.val) != nullptr;
    op.expansion = expansion_of(op.target);
    for (const NodeArgument& input : node.inputs) {
      op.constants += std::string(input.name) + '=';
      append_constant(op.constants, input.value);
      for_each_node(input.value, [&](NodeId value) {
        Source source;
        if (const auto found = result.op_of.find(value); found != result.op_of.end()) source.op = found->second, source.result = result_number(graph.node(value));
        else if (const auto key = input_keys.find(value); key != input_keys.end()) source.input = key->second;
        else if (graph.node(value).subgraph) op.subgraphs.push_back(graph.node(value).subgraph);
        op.sources.push_back(source);
      });
    }
    op.shape = shape_text(node.val);
    auto [numbers, fresh] = meta_numbers.try_emplace(node.meta);
    if (fresh)
      numbers->second = {texts.number(node.meta->stack_trace), module_number(module_path(*node.meta), texts),
                         texts.number(node.meta->torch_fn), texts.number(node.meta->source_fn_stack)};
    op.stack_trace = numbers->second[0];
    op.module_path = numbers->second[1];
    op.torch_fn = numbers->second[2];
    op.source_fn = numbers->second[3];
    result.op_of[id] = static_cast<int32_t>(result.ops.size());
    result.ops.push_back(std::move(op));
  }
  std::vector<bool> read_by_work(result.ops.size(), false), read(result.ops.size(), false);
  for (size_t i = result.ops.size(); i-- > 0;) {
    Operator& op = result.ops[i];
    op.check = op.target.starts_with("aten._assert") || (op.symbolic && read[i] && !read_by_work[i]);
    for (const Source& source : op.sources) {
      if (source.op < 0) continue;
      read[source.op] = true;
      if (!op.check) read_by_work[source.op] = true;
    }
  }
  for_each_node(graph.node(graph.output()).inputs.empty() ? Argument() : graph.node(graph.output()).inputs[0].value, [&](NodeId value) {
    if (const auto found = result.op_of.find(value); found != result.op_of.end()) result.ops[found->second].check = false;
  });
  mark_stale_views(result.ops);
  return result;
}

}  // namespace pt2::diff
