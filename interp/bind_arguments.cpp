#include "interp/bind_arguments.h"

#include "interp/allocation.h"
#include "interp/check.h"

namespace pt2::interp {

namespace {

// Where a list is being built: the arguments still to read, and what was read.
struct Open {
  const std::vector<Argument>* items;
  size_t next;
  std::vector<RuntimeValue> values;
  bool is_tuple;
};

RuntimeValue close(Open& list) { return list.is_tuple ? make_tuple(std::move(list.values)) : make_list(std::move(list.values)); }

RuntimeValue dict_value(const DictArg& dict, const Frame& frame) {
  std::vector<std::pair<std::string, RuntimeValue>> items;
  for (const auto& [key, value] : dict.items) items.emplace_back(std::string(key), argument_value(value, frame));
  return RuntimeValue::Value(DictValue{std::make_shared<const std::vector<std::pair<std::string, RuntimeValue>>>(std::move(items))});
}

RuntimeValue leaf_value(const Argument& argument, const Frame& frame) {
  if (const auto* node = argument.as<NodeId>()) return frame.values[*node];
  if (const auto* dict = argument.as<DictArg>()) return dict_value(*dict, frame);
  return constant_value(argument);
}

// A Python number where the schema says Tensor becomes a 0-dimensional one, weak in type promotion.
RuntimeValue tensor_of_number(const RuntimeValue& value) {
  if (const auto* i = value.as<int64_t>()) return wrapped_scalar(*i);
  if (const auto* d = value.as<double>()) return wrapped_scalar(*d);
  if (const auto* b = value.as<bool>()) return wrapped_scalar(*b);
  if (const auto* c = value.as<std::complex<double>>()) return wrapped_scalar(*c);
  return value;
}

}  // namespace

RuntimeValue argument_value(const Argument& argument, const Frame& frame) {
  auto items_of = [](const Argument& a) -> const std::vector<Argument>* {
    if (const auto* list = a.as<ListArg>()) return &list->items;
    if (const auto* tuple = a.as<TupleArg>()) return &tuple->items;
    return nullptr;
  };
  const auto* items = items_of(argument);
  if (!items) return leaf_value(argument, frame);
  std::vector<Open> open;  // a file decides how deep lists are: no recursion
  open.push_back({items, 0, {}, argument.is<TupleArg>()});
  for (;;) {
    Open& list = open.back();
    if (list.next < list.items->size()) {
      const Argument& item = (*list.items)[list.next++];
      if (const auto* inner = items_of(item)) open.push_back({inner, 0, {}, item.is<TupleArg>()});
      else list.values.push_back(leaf_value(item, frame));
      continue;
    }
    RuntimeValue value = close(list);
    open.pop_back();
    if (open.empty()) return value;
    open.back().values.push_back(std::move(value));
  }
}

std::optional<NodeRef> first_missing(std::span<const RuntimeValue> values) {
  std::vector<const RuntimeValue*> pending;
  for (auto it = values.rbegin(); it != values.rend(); ++it) pending.push_back(&*it);
  while (!pending.empty()) {
    const RuntimeValue* v = pending.back();
    pending.pop_back();
    if (const auto* missing = v->as<MissingValue>()) return missing->waits_for;
    const auto& items = v->items();
    for (auto it = items.rbegin(); it != items.rend(); ++it) pending.push_back(&*it);
    if (const auto* dict = v->as<DictValue>())
      for (const auto& [key, value] : *dict->items) pending.push_back(&value);
  }
  return std::nullopt;
}

std::vector<std::pair<std::string_view, RuntimeValue>> argument_values(const Node& node, const Frame& frame) {
  std::vector<std::pair<std::string_view, RuntimeValue>> values;
  values.reserve(node.inputs.size());
  for (const NodeArgument& argument : node.inputs) values.emplace_back(argument.name, argument_value(argument.value, frame));
  return values;
}

std::vector<RuntimeValue> bind_arguments(const OpSchema& schema, std::span<const RuntimeValue> defaults,
                                         std::span<const std::pair<std::string_view, RuntimeValue>> named) {
  const auto& parameters = schema.parameters;
  std::vector<RuntimeValue> bound(defaults.begin(), defaults.end());
  std::vector<bool> given(parameters.size(), false);
  size_t expected = 0;  // arguments mostly come in the schema's order
  for (const auto& [name, value] : named) {
    size_t i = expected;
    if (!name.empty() && (i >= parameters.size() || parameters[i].name != name))
      for (i = 0; i < parameters.size() && parameters[i].name != name; ++i) {}
    check(i < parameters.size(), "argument \"", name, "\" is not one of ", schema.target(), ", which takes ", parameters.size());
    check(!given[i], "argument \"", parameters[i].name, "\" is given twice");
    given[i] = true;
    const SchemaType& type = parameters[i].type;
    if (type.is_list() && type.list_size > 0 && !value.is<ListValue>() && !value.is_none())
      bound[i] = make_list(std::vector<RuntimeValue>(type.list_size, value));
    else bound[i] = type.base == SchemaBase::Tensor && !type.is_list() ? tensor_of_number(value) : value;
    expected = i + 1;
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    check(given[i] || parameters[i].has_default() || parameters[i].type.optional, "argument \"", parameters[i].name, "\" is missing");
    const SchemaBase base = parameters[i].type.base;
    if (bound[i].is<OpaqueValue>() && base != SchemaBase::Other && base != SchemaBase::Generator)
      fail("argument \"", parameters[i].name, "\" is ", bound[i].as<OpaqueValue>()->description);
  }
  return bound;
}

}  // namespace pt2::interp
