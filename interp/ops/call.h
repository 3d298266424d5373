#pragma once
// Operators called from within kernels: for operators that are compositions of others, as PyTorch's own are, so that promotion, layout and
// rounding are those of the parts.
//
//   return call("aten.div.Tensor", call("aten.sub.Tensor", self, mean), std);
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "interp/kernel_binding.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

// C++ values as arguments of a call.
template <class T>
RuntimeValue argument_of(const T& value) { return RuntimeValue(value); }
inline RuntimeValue argument_of(DType value) { return RuntimeValue::Value(value); }
inline RuntimeValue argument_of(MemoryFormat value) { return RuntimeValue::Value(value); }
inline RuntimeValue argument_of(std::string_view value) { return std::string(value); }
inline RuntimeValue argument_of(const char* value) { return std::string(value); }
inline RuntimeValue argument_of(std::nullopt_t) { return {}; }
template <class T>
RuntimeValue argument_of(const std::vector<T>& items);
template <class T>
RuntimeValue argument_of(const std::optional<T>& value) {
  if (!value) return {};
  return argument_of(*value);
}
template <class T>
RuntimeValue list_of(std::span<const T> items) {
  std::vector<RuntimeValue> values;
  for (const T& item : items) values.push_back(argument_of(item));
  return make_list(std::move(values));
}
template <class T>
RuntimeValue argument_of(const std::vector<T>& items) { return list_of(std::span<const T>(items)); }
inline RuntimeValue argument_of(std::span<const int64_t> items) { return list_of(items); }

// Positional arguments; those left out have their defaults. Throws where there is no such operator.
Results call_with(std::string_view target, std::vector<RuntimeValue> arguments);

template <class... A>
Results call_all(std::string_view target, const A&... arguments) {
  return call_with(target, {argument_of(arguments)...});
}
// An operator whose first result is a tensor.
template <class... A>
Tensor call(std::string_view target, const A&... arguments) {
  return Reader<Tensor>::read(call_with(target, {argument_of(arguments)...}).at(0));
}
// An operator that returns a list of tensors.
template <class... A>
std::vector<Tensor> call_list(std::string_view target, const A&... arguments) {
  return Reader<std::vector<Tensor>>::read(call_with(target, {argument_of(arguments)...}).at(0));
}

// An operator's name as a template argument: kernels that are another operator, and differ in nothing else.
//
//   ops.add("prims::add(Tensor self, Tensor other) -> Tensor", binary_as<"aten.add.Tensor">);
template <size_t N>
struct Target {
  char text[N];
  constexpr Target(const char (&name)[N]) { std::copy_n(name, N, text); }
};
template <Target target>
Tensor unary_as(const Tensor& self) { return call(target.text, self); }
template <Target target>
Tensor binary_as(const Tensor& self, const Tensor& other) { return call(target.text, self, other); }

}  // namespace pt2::interp
