#pragma once
// What a node's value is while the program runs: a tensor, or any of the Python values an FX graph passes around.
#include <complex>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/ids.h"
#include "core/tensor/device.h"
#include "core/tensor/dtype.h"
#include "core/tensor/tensor.h"
#include "interp/scalar.h"

namespace pt2::interp {

struct RuntimeValue;

struct NoneValue {};
struct ListValue {  // a Python list or tuple
  std::shared_ptr<const std::vector<RuntimeValue>> items;
  bool is_tuple = false;
};
struct DictValue { std::shared_ptr<const std::vector<std::pair<std::string, RuntimeValue>>> items; };
struct SubgraphValue { GraphId graph; };           // a get_attr of a sub-graph
struct OperatorValue { std::string_view name; };   // an operator handed to a higher-order operator
struct OpaqueValue { std::string description; };   // an effect token, a script object: carried along, never looked into
// No value: the node that should have made it failed, or waits for one that did. An item of a list can be missing alone.
struct MissingValue { NodeRef waits_for; };
// Inside a traced vmap: one value for each example of the batch.
struct BatchedValue {
  std::shared_ptr<const std::vector<RuntimeValue>> examples;
  int64_t level = 0;
};

struct RuntimeValue {
  using Value = std::variant<NoneValue, Tensor, bool, int64_t, double, std::complex<double>, std::string, DType, MemoryFormat,
                             TensorLayout, Device, ListValue, DictValue, SubgraphValue, OperatorValue, OpaqueValue,
                             MissingValue, BatchedValue>;
  Value value;

  RuntimeValue() = default;
  RuntimeValue(Value v) : value(std::move(v)) {}
  RuntimeValue(Tensor v) : value(std::move(v)) {}
  RuntimeValue(bool v) : value(v) {}
  RuntimeValue(int v) : value(int64_t{v}) {}
  RuntimeValue(int64_t v) : value(v) {}
  RuntimeValue(double v) : value(v) {}
  RuntimeValue(std::complex<double> v) : value(v) {}
  RuntimeValue(std::string v) : value(std::move(v)) {}
  RuntimeValue(const Scalar& v);

  template <class T> const T* as() const { return std::get_if<T>(&value); }
  template <class T> T* as() { return std::get_if<T>(&value); }
  template <class T> bool is() const { return std::holds_alternative<T>(value); }
  bool is_none() const { return is<NoneValue>(); }
  // The items of a list or tuple; empty for anything else.
  const std::vector<RuntimeValue>& items() const;
};

RuntimeValue make_list(std::vector<RuntimeValue> items);
RuntimeValue make_tuple(std::vector<RuntimeValue> items);

// "Tensor", "int", "list of 3": for messages.
std::string kind_text(const RuntimeValue& value);

// The value with tensors on `after` where they were on `before`.
RuntimeValue on_storage(const RuntimeValue& value, const Storage& before, const Storage& after);

// Calls visit(const Tensor&) for every tensor in a value, left to right; no recursion.
template <class Visit>
void for_each_tensor(const RuntimeValue& value, Visit&& visit) {
  std::vector<const RuntimeValue*> pending{&value};
  while (!pending.empty()) {
    const RuntimeValue* v = pending.back();
    pending.pop_back();
    if (auto* tensor = v->as<Tensor>()) visit(*tensor);
    else if (auto* list = v->as<ListValue>())
      for (auto it = list->items->rbegin(); it != list->items->rend(); ++it) pending.push_back(&*it);
    else if (auto* dict = v->as<DictValue>())
      for (auto it = dict->items->rbegin(); it != dict->items->rend(); ++it) pending.push_back(&it->second);
    else if (auto* batched = v->as<BatchedValue>())
      for (auto it = batched->examples->rbegin(); it != batched->examples->rend(); ++it) pending.push_back(&*it);
  }
}

}  // namespace pt2::interp
