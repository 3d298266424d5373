#include "core/encode/encode_graph.h"

#include <algorithm>

#include "core/graph/op_schema.h"
#include "core/graph/results.h"

namespace pt2::encode {

namespace {

bool is_higher_order(std::string_view target) { return target.starts_with("torch.ops.higher_order.") || target == "torch.ops.map_impl"; }

std::string_view sym_key(SymKind kind) { return kind == SymKind::Int ? "as_sym_int" : kind == SymKind::Float ? "as_sym_float" : "as_sym_bool"; }

Json one(std::string_view key, Json value) {
  Json object;
  object[std::string(key)] = std::move(value);
  return object;
}

Json tensor_meta_json(const TensorMeta& meta) {
  Json sizes = Json::array(), strides = Json::array();
  for (const SymInt& size : meta.sizes) sizes.push_back(sym_int_json(size));
  for (const SymInt& stride : meta.strides) strides.push_back(sym_int_json(stride));
  return {{"dtype", schema_number(meta.dtype)}, {"sizes", std::move(sizes)}, {"requires_grad", meta.requires_grad}, {"device", device_json(meta.device)},
          {"strides", std::move(strides)}, {"storage_offset", sym_int_json(meta.storage_offset)}, {"layout", int(meta.layout)}};
}

Json number_json(const Argument& number) {
  if (auto* b = number.as<bool>()) return one("as_bool", *b);
  if (auto* i = number.as<int64_t>()) return one("as_int", *i);
  if (auto* d = number.as<double>()) return one("as_float", float_json(*d));
  return nullptr;
}

Json sym_meta_json(const SymMeta& meta) {
  if (!meta.expr) return number_json(meta.constant);
  return one("as_expr", {{"expr_str", meta.expr->source}, {"hint", number_json(meta.hint)}});
}

// 2.1 and 2.2 spell entries otherwise; parsed and written anew they are all the same.
std::string module_stack_text(std::string_view stack) {
  std::string text;
  for (const ModuleStackEntry& entry : parse_nn_module_stack(stack))
    text += (text.empty() ? "" : ";") + std::string(entry.key) + "," + std::string(entry.path) + "," + std::string(entry.type);
  return text;
}

Json metadata_json(const NodeMeta& meta) {
  Json object = Json::object();
  auto add = [&object](std::string_view key, std::string_view text) {
    if (!text.empty()) object[std::string(key)] = text;
  };
  add("stack_trace", meta.stack_trace);
  add("nn_module_stack", module_stack_text(meta.nn_module_stack));
  add("torch_fn", meta.torch_fn);
  add("source_fn_stack", meta.source_fn_stack);
  add("from_node", meta.from_node);
  add("custom", meta.custom);
  for (const auto& [key, text] : meta.other) add(key, text);
  return object;
}

template <class T>
bool all(const std::vector<Argument>& items) {
  return std::all_of(items.begin(), items.end(), [](const Argument& item) { return item.is<T>(); });
}

}  // namespace

Json GraphEncoder::value(NodeId id) {
  const Node& node = graph_.node(id);
  if (node.kind == NodeKind::GetAttr) {
    if (!node.subgraph) throw EncodeError{"the constant \"" + std::string(node.name) + "\" has no placeholder, which the schema asks for", ""};
    return one("as_graph", {{"name", node.target}, {"graph", std::move(done_[node.subgraph])}});
  }
  if (const SymMeta* meta = sym_meta(node.val)) return one(sym_key(meta->kind), {{"as_name", node.stored_name}});
  if (auto* object = std::get_if<std::shared_ptr<const CustomObjMeta>>(&node.val))
    return one("as_custom_obj", {{"name", node.stored_name}, {"class_fqn", (*object)->class_fqn}});
  if (auto* constant = std::get_if<std::shared_ptr<const ConstantMeta>>(&node.val)) return argument((*constant)->value);
  return one("as_tensor", {{"name", node.stored_name}});  // a tensor, or a token
}

// Dicts may hold dicts and lists lists, two levels deep at most in what the decoder makes of lists; dicts wait in a list.
Json GraphEncoder::argument(const Argument& given, std::string_view parameter_type) {
  Json result;
  std::vector<std::pair<const Argument*, Json*>> waiting{{&given, &result}};
  while (!waiting.empty()) {
    const auto [next, into] = waiting.back();
    waiting.pop_back();
    const Argument& a = *next;
    if (auto* dict = a.as<DictArg>()) {
      Json& members = (*into)["as_string_to_argument"] = Json::object();
      for (const DictItem& item : dict->items) members[std::string(item.first)] = nullptr;
      std::vector<std::pair<const Argument*, Json*>> inside;
      for (const DictItem& item : dict->items) inside.emplace_back(&item.second, &members[std::string(item.first)]);
      waiting.insert(waiting.end(), inside.rbegin(), inside.rend());
    } else if (a.is_none()) *into = one("as_none", true);
    else if (auto* id = a.as<NodeId>()) *into = value(*id);
    else if (a.is<bool>() || a.is<int64_t>() || a.is<double>()) *into = number_json(a);
    else if (auto* complex = a.as<std::complex<double>>()) *into = one("as_complex", {{"real", float_json(complex->real())}, {"imag", float_json(complex->imag())}});
    else if (auto* text = a.as<std::string_view>()) *into = one("as_string", *text);
    else if (auto* dtype = a.as<DType>()) *into = one("as_scalar_type", schema_number(*dtype));
    else if (auto* format = a.as<MemoryFormat>()) *into = one("as_memory_format", int(*format));
    else if (auto* layout = a.as<TensorLayout>()) *into = one("as_layout", int(*layout));
    else if (auto* device = a.as<Device>()) *into = one("as_device", device_json(*device));
    else if (auto* items = a.as<ListArg>()) *into = list(items->items, parameter_type);
    else if (auto* tuple = a.as<TupleArg>()) *into = list(tuple->items, parameter_type);
    else if (auto* op = a.as<OperatorArg>()) *into = one("as_operator", op->name);
    else throw EncodeError{"an argument is of a kind that is not known here", ""};
  }
  return result;
}

Json GraphEncoder::list(const std::vector<Argument>& items, std::string_view parameter_type) {
  Json out = Json::array();
  auto name_of = [&](const Argument& item) { return Json{{"name", graph_.node(*item.as<NodeId>()).stored_name}}; };
  if (items.empty()) {
    const bool ints = parameter_type.starts_with("int") || parameter_type.starts_with("SymInt");
    return one(ints ? "as_ints" : parameter_type.starts_with("float") ? "as_floats" : parameter_type.starts_with("bool") ? "as_bools" : "as_tensors", out);
  }
  const SymMeta* symbol = nullptr;
  bool tensors = true, optional_tensors = true;
  for (const Argument& item : items) {
    const NodeId* id = item.as<NodeId>();
    if (id && !symbol) symbol = sym_meta(graph_.node(*id).val);
    tensors &= id != nullptr;
    optional_tensors &= id || item.is_none();
  }
  if (symbol) {
    for (const Argument& item : items) out.push_back(item.is<NodeId>() ? Json{{"as_name", graph_.node(*item.as<NodeId>()).stored_name}} : number_json(item));
    return one(std::string(sym_key(symbol->kind)) + "s", std::move(out));
  }
  if (tensors) {
    for (const Argument& item : items) out.push_back(name_of(item));
    return one("as_tensors", std::move(out));
  }
  if (optional_tensors) {
    for (const Argument& item : items) out.push_back(item.is_none() ? one("as_none", true) : one("as_tensor", name_of(item)));
    return one("as_optional_tensors", std::move(out));
  }
  if (all<bool>(items) || all<int64_t>(items)) {
    for (const Argument& item : items) out.push_back(item.is<bool>() ? Json(*item.as<bool>()) : Json(*item.as<int64_t>()));
    return one(items[0].is<bool>() ? "as_bools" : "as_ints", std::move(out));
  }
  if (std::all_of(items.begin(), items.end(), [](const Argument& item) { return item.is<int64_t>() || item.is<double>(); })) {
    for (const Argument& item : items) out.push_back(item.is<double>() ? float_json(*item.as<double>()) : Json(double(*item.as<int64_t>())));
    return one("as_floats", std::move(out));
  }
  if (all<std::string_view>(items)) {
    for (const Argument& item : items) out.push_back(*item.as<std::string_view>());
    return one("as_strings", std::move(out));
  }
  if (all<TupleArg>(items) || all<ListArg>(items)) {
    std::string key = "as_int_lists";
    for (const Argument& item : items) {
      const auto& inner = item.is<TupleArg>() ? item.as<TupleArg>()->items : item.as<ListArg>()->items;
      Json row = Json::array();
      for (const Argument& number : inner) {
        if (number.is<NodeId>()) key = "as_nested_tensors", row.push_back(name_of(number));
        else if (number.is<double>()) key = "as_float_lists", row.push_back(float_json(*number.as<double>()));
        else if (number.is<int64_t>()) row.push_back(*number.as<int64_t>());
        else throw EncodeError{"a list of lists of other things than numbers or tensors", ""};
      }
      out.push_back(std::move(row));
    }
    return one(key, std::move(out));
  }
  throw EncodeError{"a list of things of different kinds has no form in the schema", ""};
}

void GraphEncoder::add_to_tables(const Node& node) {
  const std::string name(node.stored_name);
  if (const TensorMeta* meta = tensor_meta(node.val)) tensors_[name] = tensor_meta_json(*meta);
  else if (const SymMeta* meta = sym_meta(node.val)) (meta->kind == SymKind::Int ? ints_ : meta->kind == SymKind::Float ? floats_ : bools_)[name] = sym_meta_json(*meta);
  else if (auto* object = std::get_if<std::shared_ptr<const CustomObjMeta>>(&node.val)) objects_[name] = {{"name", (*object)->name}, {"class_fqn", (*object)->class_fqn}};
}

NodeId GraphEncoder::getitem(NodeId from, int64_t index) const {
  for (NodeId user : graph_.users(from)) {
    const Node& node = graph_.node(user);
    if (is_getitem(node) && node.inputs.size() == 2 && node.inputs[0].value.as<NodeId>() && *node.inputs[0].value.as<NodeId>() == from &&
        node.inputs[1].value.as<int64_t>() && *node.inputs[1].value.as<int64_t>() == index)
      return user;
  }
  return {};
}

Json GraphEncoder::results(NodeId id) const {
  const Node& call = graph_.node(id);
  const OpSchema* schema = find_op_schema(call.target);
  auto named = [](const Node& node) {
    if (const SymMeta* meta = sym_meta(node.val)) return one(sym_key(meta->kind), {{"as_name", node.stored_name}});
    return one("as_tensor", {{"name", node.stored_name}});
  };
  auto item_names = [&](NodeId from, uint32_t count) {
    Json names = Json::array();
    for (uint32_t i = 0; i < count; ++i) {
      const NodeId item = getitem(from, i);
      if (!item) throw EncodeError{"result " + std::to_string(i) + " of \"" + std::string(call.name) + "\" has no node", ""};
      names.push_back(named(graph_.node(item)).front());
    }
    return one(count && sym_meta(graph_.node(getitem(from, 0)).val) ? "as_sym_ints" : "as_tensors", std::move(names));
  };
  Json list = Json::array();
  if (call.result_count == 0) {
    const bool nothing = std::holds_alternative<std::monostate>(call.val) && graph_.users(id).empty();
    if (!nothing) list.push_back(named(call));
    else if (call.name.ends_with("_unused")) list.push_back(one("as_none", true));
    else if (schema && schema->returns.size() == 1 && schema->returns[0].type.is_list()) list.push_back(one("as_tensors", Json::array()));
    return list;
  }
  if (schema && schema->returns.size() == 1 && schema->returns[0].type.is_list()) {
    list.push_back(item_names(id, call.result_count));
    return list;
  }
  for (uint32_t i = 0; i < call.result_count; ++i) {
    const NodeId item = getitem(id, i);
    const Node* node = item ? &graph_.node(item) : nullptr;
    if (node && node->result_count) list.push_back(item_names(item, node->result_count));
    else if (!node || (std::holds_alternative<std::monostate>(node->val) && node->stored_name.starts_with("as_none"))) list.push_back(one("as_none", true));
    else list.push_back(named(*node));
  }
  return list;
}

Json GraphEncoder::call(NodeId id) {
  const Node& node = graph_.node(id);
  const OpSchema* schema = find_op_schema(node.target);
  Json inputs = Json::array();
  for (const NodeArgument& input : node.inputs) {
    const SchemaParameter* parameter = schema ? schema->parameter(input.name) : nullptr;
    inputs.push_back({{"name", input.name}, {"arg", argument(input.value, parameter ? std::string_view(parameter->type.text) : std::string_view())}, {"kind", input.keyword ? 2 : 1}});
  }
  return {{"target", node.target}, {"inputs", std::move(inputs)}, {"outputs", results(id)}, {"metadata", metadata_json(*node.meta)},
          {"is_hop_single_tensor_return", is_higher_order(node.target) ? Json(node.result_count == 0) : Json(nullptr)}, {"name", node.stored_name}};
}

Json GraphEncoder::encode() {
  Json inputs = Json::array(), outputs = Json::array(), nodes = Json::array();
  for (size_t i = 0; i < graph_.nodes().size(); ++i) {
    const NodeId id(i);
    const Node& node = graph_.node(id);
    try {
      if (node.kind == NodeKind::Placeholder) inputs.push_back(value(id));
      else if (node.kind == NodeKind::CallFunction && (!is_getitem(node) || !node.inputs.empty())) {
        // A getitem that only names a result of its call is part of that call; one with a call of its own stays.
        const NodeId* from = is_getitem(node) ? node.inputs[0].value.as<NodeId>() : nullptr;
        if (!from || graph_.node(*from).result_count == 0) nodes.push_back(call(id));
      } else if (node.kind == NodeKind::Output && !node.inputs.empty()) {
        if (auto* items = node.inputs[0].value.as<TupleArg>())
          for (const Argument& item : items->items) outputs.push_back(argument(item));
        else outputs.push_back(argument(node.inputs[0].value));
      }
      if (node.kind == NodeKind::Placeholder || node.kind == NodeKind::CallFunction) add_to_tables(node);
    } catch (EncodeError& error) {
      if (error.where.empty()) error.where = "node \"" + std::string(node.name) + "\"";
      throw;
    }
  }
  return {{"inputs", std::move(inputs)}, {"outputs", std::move(outputs)}, {"nodes", std::move(nodes)}, {"tensor_values", std::move(tensors_)},
          {"sym_int_values", std::move(ints_)}, {"sym_bool_values", std::move(bools_)}, {"is_single_tensor_return", graph_.single_return},
          {"custom_obj_values", std::move(objects_)}, {"sym_float_values", std::move(floats_)}};
}

}  // namespace pt2::encode
