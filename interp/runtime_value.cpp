#include "interp/runtime_value.h"

namespace pt2::interp {

RuntimeValue::RuntimeValue(const Scalar& v) {
  switch (v.kind()) {
    case Scalar::Kind::Bool: value = v.to_bool(); break;
    case Scalar::Kind::Int: value = v.to_int(); break;
    case Scalar::Kind::Float: value = v.to_double(); break;
    case Scalar::Kind::Complex: value = v.to_complex(); break;
  }
}

const std::vector<RuntimeValue>& RuntimeValue::items() const {
  static const std::vector<RuntimeValue> none;
  const auto* list = as<ListValue>();
  return list ? *list->items : none;
}

RuntimeValue make_list(std::vector<RuntimeValue> items) {
  return RuntimeValue::Value(ListValue{std::make_shared<const std::vector<RuntimeValue>>(std::move(items)), false});
}

RuntimeValue make_tuple(std::vector<RuntimeValue> items) {
  return RuntimeValue::Value(ListValue{std::make_shared<const std::vector<RuntimeValue>>(std::move(items)), true});
}

// Recursion goes as deep as the lists that operators make: two levels.
RuntimeValue on_storage(const RuntimeValue& value, const Storage& before, const Storage& after) {
  if (const auto* tensor = value.as<Tensor>()) {
    if (!tensor->storage.shares_with(before)) return value;
    Tensor moved = *tensor;
    moved.storage = after;
    return moved;
  }
  bool concerned = false;
  for_each_tensor(value, [&](const Tensor& tensor) { concerned = concerned || tensor.storage.shares_with(before); });
  if (!concerned) return value;
  auto moved = [&](const std::vector<RuntimeValue>& items) {
    std::vector<RuntimeValue> result;
    for (const RuntimeValue& item : items) result.push_back(on_storage(item, before, after));
    return result;
  };
  if (const auto* list = value.as<ListValue>()) return list->is_tuple ? make_tuple(moved(*list->items)) : make_list(moved(*list->items));
  if (const auto* batch = value.as<BatchedValue>())
    return RuntimeValue::Value(BatchedValue{std::make_shared<const std::vector<RuntimeValue>>(moved(*batch->examples)), batch->level});
  return value;
}

std::string kind_text(const RuntimeValue& value) {
  static const char* const kNames[] = {"None",         "Tensor", "bool", "int",  "float",    "complex",  "str",          "torch.dtype",
                                       "torch.memory_format", "torch.layout", "torch.device", "list", "dict", "sub-graph", "operator", "object", "no value", "batch"};
  static_assert(std::size(kNames) == std::variant_size_v<RuntimeValue::Value>);
  if (const auto* list = value.as<ListValue>())
    return std::string(list->is_tuple ? "tuple" : "list") + " of " + std::to_string(list->items->size());
  return kNames[value.value.index()];
}

}  // namespace pt2::interp
