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

std::string kind_text(const RuntimeValue& value) {
  static const char* const kNames[] = {"None",         "Tensor", "bool", "int",  "float",    "complex",  "str",          "torch.dtype",
                                       "torch.memory_format", "torch.layout", "torch.device", "list", "dict", "sub-graph", "operator", "object", "no value", "batch"};
  static_assert(std::size(kNames) == std::variant_size_v<RuntimeValue::Value>);
  if (const auto* list = value.as<ListValue>())
    return std::string(list->is_tuple ? "tuple" : "list") + " of " + std::to_string(list->items->size());
  return kNames[value.value.index()];
}

}  // namespace pt2::interp
