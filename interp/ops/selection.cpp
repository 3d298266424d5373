// Choosing between values: where, clamp, masked_fill.
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"

namespace pt2::interp {

namespace {

Tensor where(const Tensor& condition, const Tensor& self, const Tensor& other) {
  check(condition.dtype == DType::Bool || condition.dtype == DType::UInt8, "where expected condition to be a boolean tensor, but got a tensor with dtype ",
        scalar_type_name(condition.dtype));
  const DType common = result_type(self, other);
  const Tensor mask = condition.dtype == DType::Bool ? condition : to_dtype(condition, DType::Bool);
  Tensor result = map_result(common, mask, self, other);
  dispatch(NumberTypes(), common, "where_cpu", [&]<class T>() {
    const Signature signature = in_type("where_cpu", common);
    const BlockOperand operands[] = {{&result, compute_of<T>()}, {&mask, Compute::Bool}, detail::input_operand(self, compute_of<T>(), signature),
                                     detail::input_operand(other, compute_of<T>(), signature)};
    map_blocks(result.sizes, operands, 1, [](void* const* b, int64_t count) {
      T* out = static_cast<T*>(b[0]);
      const bool* choose = static_cast<const bool*>(b[1]);
      const T *yes = static_cast<const T*>(b[2]), *no = static_cast<const T*>(b[3]);
      for (int64_t i = 0; i < count; ++i) out[i] = choose[i] ? yes[i] : no[i];
    });
  });
  return result;
}
Tensor where_scalar_self(const Tensor& condition, Scalar self, const Tensor& other) { return where(condition, wrapped_scalar(self), other); }
Tensor where_scalar_other(const Tensor& condition, const Tensor& self, Scalar other) { return where(condition, self, wrapped_scalar(other)); }
Tensor where_scalar(const Tensor& condition, Scalar self, Scalar other) { return where(condition, wrapped_scalar(self), wrapped_scalar(other)); }

// ---- clamp

Tensor clamp_tensor(const Tensor& self, const std::optional<Tensor>& min, const std::optional<Tensor>& max) {
  const DType common = result_type(self, min, max);
  check(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  check(!is_complex(common), "clamp is not supported for complex types");
  if (min && max) no_bool("clamp", common);
  const Signature signature = in_type("clamp", common);
  if (min && max) return map<RealTypes>(signature, [](auto x, auto a, auto b) { return nan_min(nan_max(x, a), b); }, self, *min, *max);
  if (min) return map<RealTypes>(signature, [](auto x, auto a) { return nan_max(x, a); }, self, *min);
  return map<RealTypes>(signature, [](auto x, auto b) { return nan_min(x, b); }, self, *max);
}
Tensor clamp(const Tensor& self, std::optional<Scalar> min, std::optional<Scalar> max) {
  check(min || max, "torch.clamp: At least one of 'min' or 'max' must not be None");
  const DType common = result_type(self, min, max);
  check(!is_complex(common), "clamp is not supported for complex types");
  no_bool("clamp", common);
  if (min) min = converted(*min, common);
  if (max) max = converted(*max, common);
  return map<RealTypes>(in_type("clamp", common), [&]<class T>(T x) {
    if (min) x = nan_max(x, min->to<T>());
    if (max) x = nan_min(x, max->to<T>());
    return x;
  }, self);
}
Tensor clamp_min(const Tensor& self, Scalar min) { return clamp(self, min, std::nullopt); }
Tensor clamp_max(const Tensor& self, Scalar max) { return clamp(self, std::nullopt, max); }
Tensor clamp_min_tensor(const Tensor& self, const Tensor& min) { return clamp_tensor(self, min, std::nullopt); }
Tensor clamp_max_tensor(const Tensor& self, const Tensor& max) { return clamp_tensor(self, std::nullopt, max); }

// ---- masked_fill

void fill_where(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check(mask.dtype == DType::Bool, "masked_fill_ only supports boolean masks, but got mask with dtype ", scalar_type_name(mask.dtype));
  check(broadcastable_to(mask.sizes, self.sizes), "The expanded size of the mask ", mask.sizes, " must match the size ", self.sizes);
  dispatch(NumberTypes(), self.dtype, "masked_fill", [&]<class T>() {
    const BlockOperand operands[] = {{&self, compute_of<T>()}, {&self, compute_of<T>()}, {&mask, Compute::Bool}, {&value, compute_of<T>(), self.dtype}};
    map_blocks(self.sizes, operands, 1, [](void* const* b, int64_t count) {
      T* out = static_cast<T*>(b[0]);
      const T *old = static_cast<const T*>(b[1]), *filled = static_cast<const T*>(b[3]);
      const bool* choose = static_cast<const bool*>(b[2]);
      for (int64_t i = 0; i < count; ++i) out[i] = choose[i] ? filled[i] : old[i];
    });
  });
}
Tensor masked_fill_tensor(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check(value.dim() == 0, "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(), " dimension(s).");
  const Tensor expanded = expand_to(self, broadcast_shapes(self.sizes, mask.sizes));
  Tensor result = to_dtype(expanded, self.dtype, MemoryFormat::Contiguous);
  fill_where(result, mask, value);
  return result;
}
Tensor masked_fill_scalar(const Tensor& self, const Tensor& mask, Scalar value) {
  check_convertible(value, self.dtype);
  return masked_fill_tensor(self, mask, full({}, self.dtype, value));
}
void masked_fill__scalar(const Tensor& self, const Tensor& mask, Scalar value) {
  check_convertible(value, self.dtype);
  check_writable(self);
  fill_where(self, mask, full({}, self.dtype, value));
}
void masked_fill__tensor(const Tensor& self, const Tensor& mask, const Tensor& value) {
  check(value.dim() == 0, "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(), " dimension(s).");
  check_writable(self);
  fill_where(self, mask, value);
}

}  // namespace

void add_selection_ops(OpTable& ops) {
  ops.add("aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", where);
  ops.add("aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", where_scalar_self);
  ops.add("aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", where_scalar_other);
  ops.add("aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", where_scalar);
  ops.add("aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", clamp);
  ops.add("aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", clamp_tensor);
  ops.add("aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", clamp);
  ops.add("aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", clamp_tensor);
  ops.add("aten::clamp_min(Tensor self, Scalar min) -> Tensor", clamp_min);
  ops.add("aten::clamp_max(Tensor self, Scalar max) -> Tensor", clamp_max);
  ops.add("aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", clamp_min_tensor);
  ops.add("aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", clamp_max_tensor);
  ops.add("aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor", masked_fill_scalar);
  ops.add("aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", masked_fill_tensor);
  ops.add("aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)", masked_fill__scalar);
  ops.add("aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)", masked_fill__tensor);
}

}  // namespace pt2::interp
