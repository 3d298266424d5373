#include "interp/kernel_binding.h"

#include "interp/check.h"
#include "interp/item.h"

namespace pt2::interp {

namespace {

[[noreturn]] void wrong_kind(const char* expected, const RuntimeValue& value) { fail("expected ", expected, ", found ", kind_text(value)); }

// A tensor of one element where a number is expected, as Python's __index__, __float__ and __bool__ allow.
const Tensor* one_element(const RuntimeValue& value) {
  const auto* tensor = value.as<Tensor>();
  return tensor && tensor->numel() == 1 ? tensor : nullptr;
}

}  // namespace

const Tensor& Reader<Tensor>::read(const RuntimeValue& value) {
  if (const auto* tensor = value.as<Tensor>()) return *tensor;
  wrong_kind("a tensor", value);
}

int64_t Reader<int64_t>::read(const RuntimeValue& value) {
  if (const auto* number = value.as<int64_t>()) return *number;
  if (const auto* truth = value.as<bool>()) return *truth;
  if (const Tensor* tensor = one_element(value); tensor && !is_floating(tensor->dtype) && !is_complex(tensor->dtype))
    return item(*tensor).to_int();
  wrong_kind("an int", value);
}

double Reader<double>::read(const RuntimeValue& value) {
  if (const auto* number = value.as<double>()) return *number;
  if (const auto* number = value.as<int64_t>()) return static_cast<double>(*number);
  if (const auto* truth = value.as<bool>()) return *truth;
  if (const Tensor* tensor = one_element(value); tensor && !is_complex(tensor->dtype)) return item(*tensor).to_double();
  wrong_kind("a float", value);
}

bool Reader<bool>::read(const RuntimeValue& value) {
  if (const auto* truth = value.as<bool>()) return *truth;
  if (const auto* number = value.as<int64_t>()) return *number != 0;
  if (const Tensor* tensor = one_element(value)) return item(*tensor).to_bool();
  wrong_kind("a bool", value);
}

Scalar Reader<Scalar>::read(const RuntimeValue& value) {
  if (const auto* number = value.as<int64_t>()) return *number;
  if (const auto* number = value.as<double>()) return *number;
  if (const auto* truth = value.as<bool>()) return *truth;
  if (const auto* number = value.as<std::complex<double>>()) return *number;
  if (const Tensor* tensor = one_element(value)) return item(*tensor);
  wrong_kind("a number", value);
}

std::string_view Reader<std::string_view>::read(const RuntimeValue& value) {
  if (const auto* text = value.as<std::string>()) return *text;
  wrong_kind("a string", value);
}

DType Reader<DType>::read(const RuntimeValue& value) {
  if (const auto* dtype = value.as<DType>()) return *dtype;
  wrong_kind("a dtype", value);
}

TensorLayout Reader<TensorLayout>::read(const RuntimeValue& value) {
  if (const auto* layout = value.as<TensorLayout>()) return *layout;
  wrong_kind("a layout", value);
}

MemoryFormat Reader<MemoryFormat>::read(const RuntimeValue& value) {
  if (const auto* format = value.as<MemoryFormat>()) return *format;
  wrong_kind("a memory format", value);
}

const Device& Reader<Device>::read(const RuntimeValue& value) {
  if (const auto* device = value.as<Device>()) return *device;
  wrong_kind("a device", value);
}

const std::vector<RuntimeValue>& read_items(const RuntimeValue& value) {
  if (const auto* list = value.as<ListValue>()) return *list->items;
  wrong_kind("a list", value);
}

RuntimeValue Writer<std::vector<Tensor>>::value(std::vector<Tensor> result) {
  std::vector<RuntimeValue> items;
  items.reserve(result.size());
  for (Tensor& tensor : result) items.emplace_back(std::move(tensor));
  return make_list(std::move(items));
}

RuntimeValue Writer<std::vector<int64_t>>::value(const std::vector<int64_t>& result) {
  return make_list(std::vector<RuntimeValue>(result.begin(), result.end()));
}

}  // namespace pt2::interp
