#include "interp/recorded_values.h"

#include <algorithm>

#include "interp/allocation.h"
#include "interp/item.h"
#include "interp/op_table.h"

namespace pt2::interp {

namespace {

// Examples as one tensor with the batch first; nothing where they are no tensors of one shape.
std::optional<Tensor> stacked(const BatchedValue& batch) {
  std::vector<RuntimeValue> arguments{make_list(*batch.examples), int64_t{0}};
  const Op* stack = builtin_ops().find("aten.stack.default");
  if (!stack || batch.examples->empty()) return std::nullopt;
  for (const RuntimeValue& example : *batch.examples) {
    const auto *tensor = example.as<Tensor>(), *first = batch.examples->front().as<Tensor>();
    if (!tensor || !first || tensor->sizes != first->sizes) return std::nullopt;
  }
  return *stack->call(current_context(), arguments)[0].as<Tensor>();
}

// c10's number of a dtype, which is what torch.result_type gives as an operator; -1 for those it has none for.
int64_t scalar_type_number(DType dtype) {
  static constexpr DType kFromZero[] = {DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::Float16, DType::Float32, DType::Float64,
                                        DType::Complex32, DType::Complex64, DType::Complex128, DType::Bool, DType::QInt8, DType::QUInt8, DType::QInt32, DType::BFloat16};
  if (const auto* found = std::find(std::begin(kFromZero), std::end(kFromZero), dtype); found != std::end(kFromZero)) return found - kFromZero;
  switch (dtype) {
    case DType::Float8E5M2: return 23;
    case DType::Float8E4M3Fn: return 24;
    case DType::Float8E5M2Fnuz: return 25;
    case DType::Float8E4M3Fnuz: return 26;
    case DType::UInt16: return 27;
    case DType::UInt32: return 28;
    case DType::UInt64: return 29;
    case DType::Float8E8M0Fnu: return 44;
    default: return -1;
  }
}

struct Pending {
  std::string key;
  const RuntimeValue* value;
};

}  // namespace

std::optional<Tensor> number_tensor(const RuntimeValue& value) {
  if (const auto* b = value.as<bool>()) return full({}, DType::Bool, *b);
  if (const auto* i = value.as<int64_t>()) return full({}, DType::Int64, *i);
  if (const auto* d = value.as<double>()) return full({}, DType::Float64, *d);
  if (const auto* c = value.as<std::complex<double>>()) return full({}, DType::Complex128, *c);
  return std::nullopt;
}

RuntimeValue with_number(const RuntimeValue& value, const Tensor& tensor) {
  if (tensor.numel() != 1) return value;
  const Scalar number = item(tensor);
  if (value.is<bool>()) return number.to_bool();
  if (value.is<int64_t>()) return number.to_int();
  if (value.is<double>()) return number.to_double();
  if (value.is<std::complex<double>>()) return number.to_complex();
  return value;
}

std::vector<std::pair<std::string, Tensor>> recorded_tensors(const std::string& key, const RuntimeValue& value) {
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::vector<Pending> pending{{key, &value}};
  while (!pending.empty()) {
    const Pending now = std::move(pending.back());
    pending.pop_back();
    if (const auto* tensor = now.value->as<Tensor>()) tensors.emplace_back(now.key, *tensor);
    else if (const auto* batch = now.value->as<BatchedValue>()) {
      if (auto tensor = stacked(*batch)) tensors.emplace_back(now.key, std::move(*tensor));
    } else if (const auto* dtype = now.value->as<DType>()) tensors.emplace_back(now.key, full({}, DType::Int64, scalar_type_number(*dtype)));
    else if (auto number = number_tensor(*now.value)) tensors.emplace_back(now.key, std::move(*number));
    const auto& items = now.value->items();
    for (size_t i = items.size(); i-- > 0;) pending.push_back({now.key + "#" + std::to_string(i), &items[i]});
  }
  return tensors;
}

std::vector<std::pair<std::string, Tensor>> recorded_tensors(const std::string& key, const RuntimeValue& value, const Node& node) {
  const auto* batch = value.as<BatchedValue>();
  const TensorMeta* declared = batch && batch->examples->empty() ? tensor_meta(node.val) : nullptr;
  if (!declared) return recorded_tensors(key, value);
  std::vector<int64_t> sizes{0};
  for (const SymInt& size : declared->sizes) sizes.push_back(size.value);
  return {{key, empty(sizes, declared->dtype)}};
}

}  // namespace pt2::interp
