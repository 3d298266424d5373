// Calls: their arguments, names and results.
#include <algorithm>

#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/decode/decode_graph.h"
#include "core/graph/op_schema.h"
#include "core/graph/results.h"

namespace pt2::decode {

namespace {

constexpr int64_t kKindMissing = 0, kPositional = 1, kKeyword = 2;  // ArgumentKind

// Python operators and functions on symbolic numbers: all arguments positional, named after their result.
bool is_symbolic_op(std::string_view target) {
  return target.starts_with("_operator.") || target.starts_with("math.") || target.starts_with("torch.sym_") || target.starts_with("torch._sym_") ||
         target.starts_with("torch.ops.aten.sym_") || target == "torch.ops.aten.item.default";
}
bool is_plain_function(std::string_view target) { return target.starts_with("torch.") && !target.starts_with("torch.ops."); }

bool is_sym_key(std::string_view key) { return key == "as_sym_int" || key == "as_sym_float" || key == "as_sym_bool"; }

// The name a result has in the file; empty where it is a constant or a list.
std::string_view result_name(std::string_view key, JsonCursor value) {
  if (key == "as_tensor" || key == "as_custom_obj") return name_in(value);
  if (!is_sym_key(key)) return {};
  const auto name = value.find("as_name");
  return name ? name->as_string() : std::string_view();
}

// TensorArgument or Sym…Argument inside a list of results.
std::string_view item_name(JsonCursor item) {
  if (item.is_string()) return item.as_string();
  if (!item.is_object()) return {};
  if (auto name = item.find("name")) return name->as_string();
  if (auto name = item.find("as_name")) return name->as_string();
  return {};
}

bool returns_single_tensor(const OpSchema& schema) {
  if (schema.returns.size() != 1) return false;
  const SchemaType& type = schema.returns[0].type;
  return type.base == SchemaBase::Tensor && !type.is_list() && !type.optional;
}

}  // namespace

bool is_higher_order(std::string_view target) { return target.starts_with("torch.ops.higher_order.") || target == "torch.ops.map_impl"; }

void GraphDecoder::read_node(JsonCursor node) {
  std::vector<UnionMember> results;
  for (JsonCursor output : node.at("outputs").elements()) {
    const auto set = union_member(output);
    if (!set) output.fail("expected an argument, found an empty union");
    results.push_back(*set);
  }
  const auto name = node.find("name");
  const std::string_view shown = name ? name->as_string() : results.empty() ? std::string_view() : result_name(results[0].key, results[0].value);
  if (!shown.empty()) item_ += " \"" + std::string(shown) + "\"";

  Node call;
  call.kind = NodeKind::CallFunction;
  call.target = context_.intern(node.at("target").as_string());
  read_node_meta(node);
  read_arguments(node.at("inputs"), call);
  call.meta = node_meta_;
  call.module = module_;
  call.name = call.stored_name = names_.create(call_name(node, call.target, results));
  if (name && !name->as_string().empty()) {
    call.stored_name = context_.intern(name->as_string());
    if (!node_names_.insert(call.stored_name).second)
      odd("format.node-name", "two nodes are named \"" + std::string(call.stored_name) + "\"", "name", "Their results have different names, so the graph is clear.");
  }
  const NodeId id = add(std::move(call));
  read_results(node, id, results);
}

void GraphDecoder::read_node_meta(JsonCursor node) {
  node_meta_ = metas_.no_node_meta();
  if (auto metadata = node.find("metadata")) try {
      node_meta_ = metas_.read_node_meta(metadata->text());
    } catch (const JsonError& error) {
      odd("format.node-metadata", error.message, "metadata", "The node has no source lines and belongs to no module.");
    }
  module_ = modules_.module_of(node_meta_->nn_module_stack);
}

void GraphDecoder::read_arguments(JsonCursor inputs, Node& call) {
  const bool symbolic = is_symbolic_op(call.target);
  const bool by_name = is_higher_order(call.target) || is_plain_function(call.target);  // no schema
  const OpSchema* schema = symbolic || by_name ? nullptr : find_op_schema(call.target);
  call.inputs.reserve(inputs.size());
  std::vector<size_t> place;  // of each argument among the schema's parameters; unknown ones last
  for (JsonCursor input : inputs.elements()) {
    if (call.inputs.size() >= limits::kNodeArguments)
      throw DecodeError{"more than " + with_commas(limits::kNodeArguments) + " arguments (limit)", here(), "", true};
    NodeArgument argument_read;
    const std::string_view name = context_.intern(input.at("name").as_string());
    argument_ = name;
    argument_read.name = name;
    const auto stored_kind = input.find("kind");
    const int64_t kind = stored_kind ? stored_kind->as_int() : kKindMissing;
    const SchemaParameter* parameter = schema ? schema->parameter(name) : nullptr;
    if (by_name) {
      argument_read.keyword = kind != kPositional && !name.empty();
    } else if (!symbolic && kind != kPositional && !is_python_keyword(name)) {
      // Up to 2.6 the file does not say: parameters with a default are given by keyword.
      argument_read.keyword = kind == kKeyword || (schema && (!parameter || parameter->has_default() || parameter->keyword_only));
    }
    if (schema) place.push_back(parameter ? size_t(parameter - schema->parameters.data()) : schema->parameters.size());
    argument_read.value = argument(input.at("arg"));
    argument_.clear();
    call.inputs.push_back(std::move(argument_read));
  }
  if (std::is_sorted(place.begin(), place.end())) return;
  std::vector<size_t> order(place.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return place[a] < place[b]; });
  std::vector<NodeArgument> sorted;
  for (const size_t i : order) sorted.push_back(std::move(call.inputs[i]));
  call.inputs = std::move(sorted);
}

std::string GraphDecoder::call_name(JsonCursor node, std::string_view target, const std::vector<UnionMember>& results) const {
  if (auto name = node.find("name"); name && !name->as_string().empty()) return std::string(name->as_string());
  const std::string_view single = results.size() == 1 ? result_name(results[0].key, results[0].value) : std::string_view();
  bool named_after_result = false;
  if (is_symbolic_op(target)) {
    named_after_result = true;
  } else if (is_higher_order(target)) {
    // Missing (up to 2.6), a lone as_tensor is a single Tensor: tuples were written as as_tensors.
    const auto single_return = node.find("is_hop_single_tensor_return");
    named_after_result = results.size() == 1 && results[0].key == "as_tensor" && (!single_return || single_return->as_bool());
  } else if (const OpSchema* schema = find_op_schema(target)) {
    named_after_result = returns_single_tensor(*schema);
  } else {
    named_after_result = !is_plain_function(target) && results.size() == 1 && results[0].key == "as_tensor";
  }
  return named_after_result && !single.empty() ? std::string(single) : name_from_target(target);
}

void GraphDecoder::read_results(JsonCursor node, NodeId call, const std::vector<UnionMember>& results) {
  if (results.empty()) return;
  const std::string_view target = builder_.node(call).target;
  if (results.size() == 1) {
    const UnionMember& result = results[0];
    const auto single_return = node.find("is_hop_single_tensor_return");
    if (result.key == "as_none") {
      Node& made = builder_.node(call);
      const std::string unused = name_from_target(target) + "_unused";
      if (made.name != unused) made.name = names_.create(unused);
      return;
    }
    if (const std::string_view name = result_name(result.key, result.value); !name.empty()) {
      const bool one_tuple = is_higher_order(target) && single_return && !single_return->as_bool();
      if (!one_tuple) {
        define(context_.intern(name), call);
        if (result.key != "as_custom_obj") expect_meta(call);
        return;
      }
    } else if (result.value.is_array()) {  // the operator returns a list
      int64_t index = 0;
      for (JsonCursor item : result.value.elements()) {
        const std::string_view name = context_.intern(item_name(item));
        const NodeId id = add_getitem(call, index++, name.empty() ? "getitem" : name);
        if (!name.empty()) define(name, id);
      }
      builder_.node(call).result_count = uint32_t(index);
      return;
    }
  }
  builder_.node(call).result_count = uint32_t(results.size());
  int64_t index = 0;
  for (const UnionMember& result : results) read_result(result, call, index++);
}

void GraphDecoder::read_result(const UnionMember& result, NodeId call, int64_t index) {
  if (const std::string_view name = result_name(result.key, result.value); !name.empty()) {
    const std::string_view stored = context_.intern(name);
    const NodeId id = add_getitem(call, index, stored);
    define(stored, id);
    // The first result of with_effects is a token.
    const bool token = index == 0 && builder_.node(call).target == "torch.ops.higher_order.with_effects";
    return token ? void() : expect_meta(id);
  }
  const NodeId list = add_getitem(call, index, result.key == "as_none" ? "as_none" : "getitem");
  if (!result.value.is_array()) return;
  int64_t inner = 0;
  for (JsonCursor item : result.value.elements()) {
    const std::string_view name = context_.intern(item_name(item));
    const NodeId id = add_getitem(list, inner++, name.empty() ? "getitem" : name);
    if (!name.empty()) define(name, id);
  }
  builder_.node(list).result_count = uint32_t(inner);
}

NodeId GraphDecoder::add_getitem(NodeId from, int64_t index, std::string_view candidate) {
  Node node;
  node.kind = NodeKind::CallFunction;
  node.target = context_.intern(kGetitem);
  node.name = node.stored_name = names_.create(candidate);
  node.inputs.push_back({context_.intern("a"), {from}, false});
  node.inputs.push_back({context_.intern("b"), {index}, false});
  node.meta = node_meta_;
  node.module = module_;
  return add(std::move(node));
}

}  // namespace pt2::decode
