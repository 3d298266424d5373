// _foreach_*: one operator for lists of tensors, as optimizers use it. In-place forms are derived.
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Tensors = std::vector<Tensor>;
using Scalars = std::vector<Scalar>;

// The item of a list that belongs to tensor `i`; what is no list is for all.
template <class T>
const T& item_of(const std::vector<T>& list, size_t i) { return list[i]; }
template <class T>
const T& item_of(const T& for_all, size_t) { return for_all; }
template <class T>
void check_length(size_t length, const std::vector<T>& list) {
  check(list.size() == length, "Tensor lists must have the same number of tensors, got ", length, " and ", list.size());
}
template <class T>
void check_length(size_t, const T&) {}

template <Target target, class... A>
Tensors each(const Tensors& self, const A&... arguments) {
  (check_length(self.size(), arguments), ...);
  Tensors results;
  for (size_t i = 0; i < self.size(); ++i) results.push_back(call(target.text, self[i], item_of(arguments, i)...));
  return results;
}

template <Target target>
Tensors unary(const Tensors& self) { return each<target>(self); }
template <Target target>
Tensors with_list(const Tensors& self, const Tensors& other) { return each<target>(self, other); }
template <Target target>
Tensors with_list_alpha(const Tensors& self, const Tensors& other, Scalar alpha) { return each<target>(self, other, alpha); }
template <Target target>
Tensors with_scalar(const Tensors& self, Scalar other) { return each<target>(self, other); }
template <Target target>
Tensors with_scalars(const Tensors& self, const Scalars& others) { return each<target>(self, others); }
template <Target target>
Tensors with_tensor(const Tensors& self, const Tensor& other) { return each<target>(self, other); }
template <Target target>
Tensors with_tensor_alpha(const Tensors& self, const Tensor& other, Scalar alpha) { return each<target>(self, other, alpha); }

// The larger or smaller of each element and a number, which the operators take as a tensor.
template <Target target>
Tensors bounded(const Tensors& self, const Scalars& limits) {
  check_length(self.size(), limits);
  Tensors results;
  for (size_t i = 0; i < self.size(); ++i) results.push_back(call(target.text, self[i], wrapped_scalar(limits[i])));
  return results;
}
template <Target target>
Tensors bounded_by_one(const Tensors& self, Scalar limit) { return bounded<target>(self, Scalars(self.size(), limit)); }

template <Target target>
Tensors fused(const Tensors& self, const Tensors& a, const Tensors& b, Scalar value) { return each<target>(self, a, b, value); }
template <Target target>
Tensors fused_scalars(const Tensors& self, const Tensors& a, const Tensors& b, const Scalars& values) { return each<target>(self, a, b, values); }
template <Target target>
Tensors fused_tensor(const Tensors& self, const Tensors& a, const Tensors& b, const Tensor& values) {
  check(values.dim() == 1 && values.sizes[0] == static_cast<int64_t>(self.size()), "Expected packed scalars to be of dimension 1 and length ", self.size());
  Scalars numbers;
  const Tensor dense = as_contiguous(values, DType::Float64);
  for (int64_t i = 0; i < values.numel(); ++i) numbers.emplace_back(dense.data<double>()[i]);
  return fused_scalars<target>(self, a, b, numbers);
}
Tensors lerp_list(const Tensors& self, const Tensors& ends, const Tensors& weights) { return each<"aten.lerp.Tensor">(self, ends, weights); }
Tensors lerp_scalar(const Tensors& self, const Tensors& ends, Scalar weight) { return each<"aten.lerp.Scalar">(self, ends, weight); }
Tensors lerp_scalars(const Tensors& self, const Tensors& ends, const Scalars& weights) { return each<"aten.lerp.Scalar">(self, ends, weights); }

Tensors scalar_power(Scalar self, const Tensors& exponents) {
  Tensors results;
  for (const Tensor& exponent : exponents) results.push_back(call("aten.pow.Scalar", self, exponent));
  return results;
}
Tensors norm(const Tensors& self, Scalar order, std::optional<DType> dtype) {
  return each<"aten.linalg_vector_norm.default">(self, order, std::optional<Shape>(), false, dtype);
}
Tensors powsum(const Tensors& self, Scalar order, std::optional<DType> dtype) {
  return each<"aten.linalg__powsum.default">(self, order, std::optional<Shape>(), false, dtype);
}
Tensors copies(const Tensors& self, const Tensors& from, bool) {
  check_length(self.size(), from);
  Tensors results;
  for (size_t i = 0; i < self.size(); ++i) results.push_back(call("aten.copy.default", self[i], from[i]));
  return results;
}
Tensors clones(const Tensors& self, std::optional<MemoryFormat> format) { return each<"aten.clone.default">(self, format); }

void add_unary(OpTable& ops) {
  ops.add("aten::_foreach_abs(Tensor[] self) -> Tensor[]", unary<"aten.abs.default">);
  ops.add("aten::_foreach_acos(Tensor[] self) -> Tensor[]", unary<"aten.acos.default">);
  ops.add("aten::_foreach_asin(Tensor[] self) -> Tensor[]", unary<"aten.asin.default">);
  ops.add("aten::_foreach_atan(Tensor[] self) -> Tensor[]", unary<"aten.atan.default">);
  ops.add("aten::_foreach_ceil(Tensor[] self) -> Tensor[]", unary<"aten.ceil.default">);
  ops.add("aten::_foreach_cos(Tensor[] self) -> Tensor[]", unary<"aten.cos.default">);
  ops.add("aten::_foreach_cosh(Tensor[] self) -> Tensor[]", unary<"aten.cosh.default">);
  ops.add("aten::_foreach_erf(Tensor[] self) -> Tensor[]", unary<"aten.erf.default">);
  ops.add("aten::_foreach_erfc(Tensor[] self) -> Tensor[]", unary<"aten.erfc.default">);
  ops.add("aten::_foreach_exp(Tensor[] self) -> Tensor[]", unary<"aten.exp.default">);
  ops.add("aten::_foreach_expm1(Tensor[] self) -> Tensor[]", unary<"aten.expm1.default">);
  ops.add("aten::_foreach_floor(Tensor[] self) -> Tensor[]", unary<"aten.floor.default">);
  ops.add("aten::_foreach_frac(Tensor[] self) -> Tensor[]", unary<"aten.frac.default">);
  ops.add("aten::_foreach_lgamma(Tensor[] self) -> Tensor[]", unary<"aten.lgamma.default">);
  ops.add("aten::_foreach_log(Tensor[] self) -> Tensor[]", unary<"aten.log.default">);
  ops.add("aten::_foreach_log10(Tensor[] self) -> Tensor[]", unary<"aten.log10.default">);
  ops.add("aten::_foreach_log1p(Tensor[] self) -> Tensor[]", unary<"aten.log1p.default">);
  ops.add("aten::_foreach_log2(Tensor[] self) -> Tensor[]", unary<"aten.log2.default">);
  ops.add("aten::_foreach_max(Tensor[] self) -> Tensor[]", unary<"aten.max.default">);
  ops.add("aten::_foreach_neg(Tensor[] self) -> Tensor[]", unary<"aten.neg.default">);
  ops.add("aten::_foreach_reciprocal(Tensor[] self) -> Tensor[]", unary<"aten.reciprocal.default">);
  ops.add("aten::_foreach_round(Tensor[] self) -> Tensor[]", unary<"aten.round.default">);
  ops.add("aten::_foreach_rsqrt(Tensor[] self) -> Tensor[]", unary<"aten.rsqrt.default">);
  ops.add("aten::_foreach_sigmoid(Tensor[] self) -> Tensor[]", unary<"aten.sigmoid.default">);
  ops.add("aten::_foreach_sign(Tensor[] self) -> Tensor[]", unary<"aten.sign.default">);
  ops.add("aten::_foreach_sin(Tensor[] self) -> Tensor[]", unary<"aten.sin.default">);
  ops.add("aten::_foreach_sinh(Tensor[] self) -> Tensor[]", unary<"aten.sinh.default">);
  ops.add("aten::_foreach_sqrt(Tensor[] self) -> Tensor[]", unary<"aten.sqrt.default">);
  ops.add("aten::_foreach_tan(Tensor[] self) -> Tensor[]", unary<"aten.tan.default">);
  ops.add("aten::_foreach_tanh(Tensor[] self) -> Tensor[]", unary<"aten.tanh.default">);
  ops.add("aten::_foreach_trunc(Tensor[] self) -> Tensor[]", unary<"aten.trunc.default">);
  ops.add("aten::_foreach_zero(Tensor[] self) -> Tensor[] self_out", unary<"aten.zeros_like.default">);
}

void add_arithmetic(OpTable& ops) {
  ops.add("aten::_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]", with_list_alpha<"aten.add.Tensor">);
  ops.add("aten::_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", with_scalar<"aten.add.Scalar">);
  ops.add("aten::_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", with_scalars<"aten.add.Scalar">);
  ops.add("aten::_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[]", with_tensor_alpha<"aten.add.Tensor">);
  ops.add("aten::_foreach_sub.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]", with_list_alpha<"aten.sub.Tensor">);
  ops.add("aten::_foreach_sub.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", with_scalar<"aten.sub.Scalar">);
  ops.add("aten::_foreach_sub.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", with_scalars<"aten.sub.Scalar">);
  ops.add("aten::_foreach_mul.List(Tensor[] self, Tensor[] other) -> Tensor[]", with_list<"aten.mul.Tensor">);
  ops.add("aten::_foreach_mul.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", with_scalar<"aten.mul.Scalar">);
  ops.add("aten::_foreach_mul.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", with_scalars<"aten.mul.Scalar">);
  ops.add("aten::_foreach_mul.Tensor(Tensor[] self, Tensor other) -> Tensor[]", with_tensor<"aten.mul.Tensor">);
  ops.add("aten::_foreach_div.List(Tensor[] self, Tensor[] other) -> Tensor[]", with_list<"aten.div.Tensor">);
  ops.add("aten::_foreach_div.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", with_scalar<"aten.div.Scalar">);
  ops.add("aten::_foreach_div.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", with_scalars<"aten.div.Scalar">);
  ops.add("aten::_foreach_div.Tensor(Tensor[] self, Tensor other) -> Tensor[]", with_tensor<"aten.div.Tensor">);
  ops.add("aten::_foreach_pow.List(Tensor[] self, Tensor[] exponent) -> Tensor[]", with_list<"aten.pow.Tensor_Tensor">);
  ops.add("aten::_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[]", with_scalar<"aten.pow.Tensor_Scalar">);
  ops.add("aten::_foreach_pow.ScalarList(Tensor[] self, Scalar[] exponent) -> Tensor[]", with_scalars<"aten.pow.Tensor_Scalar">);
  ops.add("aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]", scalar_power);
  ops.add("aten::_foreach_maximum.List(Tensor[] self, Tensor[] other) -> Tensor[]", with_list<"aten.maximum.default">);
  ops.add("aten::_foreach_maximum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", bounded_by_one<"aten.maximum.default">);
  ops.add("aten::_foreach_maximum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", bounded<"aten.maximum.default">);
  ops.add("aten::_foreach_minimum.List(Tensor[] self, Tensor[] other) -> Tensor[]", with_list<"aten.minimum.default">);
  ops.add("aten::_foreach_minimum.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", bounded_by_one<"aten.minimum.default">);
  ops.add("aten::_foreach_minimum.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", bounded<"aten.minimum.default">);
  ops.add("aten::_foreach_clamp_max.List(Tensor[] self, Tensor[] other) -> Tensor[]", with_list<"aten.minimum.default">);
  ops.add("aten::_foreach_clamp_max.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", bounded_by_one<"aten.minimum.default">);
  ops.add("aten::_foreach_clamp_max.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", bounded<"aten.minimum.default">);
  ops.add("aten::_foreach_clamp_min.List(Tensor[] self, Tensor[] other) -> Tensor[]", with_list<"aten.maximum.default">);
  ops.add("aten::_foreach_clamp_min.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", bounded_by_one<"aten.maximum.default">);
  ops.add("aten::_foreach_clamp_min.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]", bounded<"aten.maximum.default">);
  ops.add("aten::_foreach_addcmul.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[]", fused<"aten.addcmul.default">);
  ops.add("aten::_foreach_addcmul.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> Tensor[]", fused_scalars<"aten.addcmul.default">);
  ops.add("aten::_foreach_addcmul.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> Tensor[]", fused_tensor<"aten.addcmul.default">);
  ops.add("aten::_foreach_addcdiv.Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[]", fused<"aten.addcdiv.default">);
  ops.add("aten::_foreach_addcdiv.ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> Tensor[]", fused_scalars<"aten.addcdiv.default">);
  ops.add("aten::_foreach_addcdiv.Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> Tensor[]", fused_tensor<"aten.addcdiv.default">);
  ops.add("aten::_foreach_lerp.List(Tensor[] self, Tensor[] tensors1, Tensor[] weights) -> Tensor[]", lerp_list);
  ops.add("aten::_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[]", lerp_scalar);
  ops.add("aten::_foreach_lerp.ScalarList(Tensor[] self, Tensor[] tensors1, Scalar[] weight) -> Tensor[]", lerp_scalars);
  ops.add("aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]", norm);
  ops.add("aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]", powsum);
  ops.add("aten::_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] self_out", copies);
  ops.add("aten::_foreach_clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[]", clones);
  ops.add("aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]", with_list<"aten.mm.default">);
}

}  // namespace

void add_foreach_ops(OpTable& ops) {
  add_unary(ops);
  add_arithmetic(ops);
}

}  // namespace pt2::interp
