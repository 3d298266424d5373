#include "interp/vmap.h"

#include <algorithm>
#include <limits>

#include "interp/check.h"
#include "interp/higher_order.h"

namespace pt2::interp {

namespace {

constexpr int64_t kNoLevel = std::numeric_limits<int64_t>::max();

int64_t level_of(const RuntimeValue& value) {
  if (const auto* batch = value.as<BatchedValue>()) return batch->level;
  int64_t level = kNoLevel;
  for (const RuntimeValue& item : value.items()) level = std::min(level, level_of(item));
  return level;
}

int64_t outermost_level(const NamedValues& named) {
  int64_t level = kNoLevel;
  for (const auto& [name, value] : named) level = std::min(level, level_of(value));
  return level;
}

// How many examples the batches of `level` hold, -1 where there is none.
int64_t batch_size(const RuntimeValue& value, int64_t level) {
  if (const auto* batch = value.as<BatchedValue>()) return batch->level == level ? static_cast<int64_t>(batch->examples->size()) : -1;
  for (const RuntimeValue& item : value.items())
    if (int64_t size = batch_size(item, level); size >= 0) return size;
  return -1;
}

RuntimeValue example_of(const RuntimeValue& value, int64_t level, int64_t i) {
  if (const auto* batch = value.as<BatchedValue>(); batch && batch->level == level) {
    check(i < static_cast<int64_t>(batch->examples->size()), "batches of different sizes meet");
    return (*batch->examples)[i];
  }
  const auto* list = value.as<ListValue>();
  if (!list) return value;
  std::vector<RuntimeValue> items;
  for (const RuntimeValue& item : *list->items) items.push_back(example_of(item, level, i));
  return list->is_tuple ? make_tuple(std::move(items)) : make_list(std::move(items));
}

int64_t int_argument(std::span<const RuntimeValue> arguments, size_t i) {
  const auto* number = i < arguments.size() ? arguments[i].as<int64_t>() : nullptr;
  check(number, "expected an int as argument ", i);
  return *number;
}

RuntimeValue batch(std::vector<RuntimeValue> examples, int64_t level) {
  return RuntimeValue::Value(BatchedValue{std::make_shared<const std::vector<RuntimeValue>>(std::move(examples)), level});
}

RuntimeValue call_op(const OpTable& ops, const KernelContext& context, std::string_view target, std::vector<RuntimeValue> positional) {
  const Op* op = ops.find(target);
  check(op, "this build has no ", target);
  NamedValues named;
  for (RuntimeValue& value : positional) named.emplace_back("", std::move(value));
  return call_operator(*op, context, named);
}

}  // namespace

bool has_batch(const NamedValues& named, bool removing) {
  const int64_t level = outermost_level(named);
  if (level == kNoLevel) return false;
  if (!removing || named.size() < 2) return true;
  const auto* own = named[1].second.as<int64_t>();
  return !own || level < *own;
}

RuntimeValue for_each_example(const NamedValues& named, const std::function<RuntimeValue(NamedValues)>& call) {
  const int64_t level = outermost_level(named);
  int64_t size = -1;
  for (const auto& [name, value] : named)
    if (size < 0) size = batch_size(value, level);
  std::vector<RuntimeValue> results;
  for (int64_t i = 0; i < size; ++i) {
    NamedValues example = named;
    for (auto& [name, value] : example) value = example_of(value, level, i);
    results.push_back(call(std::move(example)));
  }
  return batch(std::move(results), level);
}

RuntimeValue add_batch_dim(std::span<const RuntimeValue> arguments) {
  check(arguments.size() == 3, "expected a tensor, a dimension and a level");
  const auto* tensor = arguments[0].as<Tensor>();
  if (!tensor || arguments[1].is_none()) return arguments[0];
  int64_t dim = int_argument(arguments, 1);
  if (dim < 0) dim += tensor->dim();
  check(dim >= 0 && dim < tensor->dim(), "dimension ", dim, " of a tensor of shape ", tensor->sizes);
  std::vector<RuntimeValue> examples;
  for (int64_t i = 0; i < tensor->sizes[dim]; ++i) {
    Tensor view = *tensor;
    view.offset += i * view.strides[dim];
    view.sizes.erase(view.sizes.begin() + dim);
    view.strides.erase(view.strides.begin() + dim);
    examples.emplace_back(std::move(view));
  }
  return batch(std::move(examples), int_argument(arguments, 2));
}

RuntimeValue remove_batch_dim(const Node& node, std::span<const RuntimeValue> arguments, const OpTable& ops, const KernelContext& context) {
  check(arguments.size() == 4, "expected a value, a level, a batch size and a dimension");
  const int64_t size = int_argument(arguments, 2), dim = int_argument(arguments, 3);
  const auto* batched = arguments[0].as<BatchedValue>();
  if (batched && !batched->examples->empty()) return call_op(ops, context, "aten.stack.default", {make_list(*batched->examples), dim});
  if (batched) {  // no example to tell the shape: the file declares it
    const TensorMeta* meta = tensor_meta(node.val);
    check(meta, "an empty batch, and the file does not declare the result's shape");
    std::vector<RuntimeValue> sizes;
    for (const SymInt& s : meta->sizes) sizes.emplace_back(s.value);
    return call_op(ops, context, "aten.zeros.default", {make_list(std::move(sizes)), RuntimeValue::Value(meta->dtype)});
  }
  const auto* tensor = arguments[0].as<Tensor>();
  check(tensor, "expected a tensor, found ", kind_text(arguments[0]));
  Tensor view = *tensor;
  const int64_t at = dim < 0 ? dim + view.dim() + 1 : dim;
  check(at >= 0 && at <= view.dim(), "dimension ", dim, " of a tensor of shape ", view.sizes);
  view.sizes.insert(view.sizes.begin() + at, size);
  view.strides.insert(view.strides.begin() + at, 0);
  return view;
}

}  // namespace pt2::interp
