// prims.*: the primitives torch._refs are written in. A decomposition leaves them where there is no ATen operator of the same meaning, or on
// request. They do not promote types or broadcast; what they compute is an ATen operator's.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using MaybeInts = std::optional<std::vector<int64_t>>;
using MaybeDType = std::optional<DType>;

// Division of integers truncates.
Tensor div(const Tensor& self, const Tensor& other) {
  if (is_integral(self.dtype) || self.dtype == DType::Bool) return call("aten.div.Tensor_mode", self, other, "trunc");
  return call("aten.div.Tensor", self, other);
}
Tensor cbrt(const Tensor& self) {
  return map<FloatTypes>({"cbrt", self.dtype, self.dtype}, [](auto x) { return std::cbrt(x); }, self);
}
Tensor where(const Tensor& pred, const Tensor& a, const Tensor& b) { return call("aten.where.self", pred, a, b); }

// ---- Shapes ----------------------------------------------------------------------------------------------------------------------------

// Dimension i of `a` is dimension broadcast_dimensions[i] of the result.
Tensor broadcast_in_dim(const Tensor& a, Ints shape, Ints broadcast_dimensions) {
  check(static_cast<int64_t>(broadcast_dimensions.size()) == a.dim(), "broadcast_in_dim: expected ", a.dim(), " dimensions, found ", broadcast_dimensions.size());
  Shape sizes(shape.size(), 1), strides(shape.size(), 0);
  int64_t before = -1;
  for (size_t i = 0; i < broadcast_dimensions.size(); ++i) {
    const int64_t d = broadcast_dimensions[i];
    check(d > before && d < static_cast<int64_t>(shape.size()), "broadcast_in_dim: the dimensions must ascend and be below ", shape.size());
    sizes[static_cast<size_t>(d)] = a.sizes[i], strides[static_cast<size_t>(d)] = a.strides[i];
    before = d;
  }
  return expand_to(make_view(a, sizes, strides, a.offset), shape);
}
Shape collapsed(const Tensor& a, int64_t start, int64_t end) {
  check(0 <= start && start <= end && end < std::max<int64_t>(1, a.dim()), "collapse: dimensions ", start, " to ", end, " of ", a.dim());
  if (a.dim() == 0) return {1};
  Shape sizes(a.sizes.begin(), a.sizes.begin() + start);
  sizes.push_back(checked_numel(std::span(a.sizes).subspan(static_cast<size_t>(start), static_cast<size_t>(end - start + 1))));
  sizes.insert(sizes.end(), a.sizes.begin() + end + 1, a.sizes.end());
  return sizes;
}
Tensor collapse_view(const Tensor& a, int64_t start, int64_t end) { return view(a, collapsed(a, start, end)); }
Tensor collapse(const Tensor& a, int64_t start, int64_t end) { return to_dtype(reshape(a, collapsed(a, start, end)), DType::Unknown); }
Tensor split_dim(const Tensor& a, int64_t dim, int64_t outer_length) {
  const int64_t d = normalize_dim(dim, a.dim());
  check(outer_length > 0 && a.sizes[static_cast<size_t>(d)] % outer_length == 0, "split_dim: ", a.sizes[static_cast<size_t>(d)], " is no multiple of ", outer_length);
  Shape sizes = a.sizes;
  sizes[static_cast<size_t>(d)] /= outer_length;
  sizes.insert(sizes.begin() + d, outer_length);
  return view(a, sizes);
}
Tensor squeeze(const Tensor& a, Ints dimensions) { return call("aten.squeeze.dims", a, dimensions); }
Tensor reshape_copy(const Tensor& a, Ints shape) { return as_contiguous(to_dtype(reshape(a, shape), DType::Unknown)); }
Tensor alias(const Tensor& a) { return a; }
Tensor view_of_dtype(const Tensor& a, DType dtype) { return call("aten.view.dtype", a, dtype); }
Tensor strided(const Tensor& a, Ints size, Ints stride, int64_t storage_offset) { return as_strided(a, size, stride, storage_offset); }
Tensor strided_scatter(const Tensor& self, const Tensor& src, Ints size, Ints stride, int64_t storage_offset) {
  return call("aten.as_strided_scatter.default", self, src, size, stride, storage_offset);
}
Tensor cat_op(const std::vector<Tensor>& tensors, int64_t dim) { return cat(tensors, dim); }

// ---- Copies and creation ---------------------------------------------------------------------------------------------------------------

Tensor convert_element_type(const Tensor& a, DType dtype) { return to_dtype(a, dtype); }
Tensor clone(const Tensor& self, std::optional<MemoryFormat> format) { return call("aten.clone.default", self, format); }
Tensor device_put(const Tensor& a, Unused, bool) { return to_dtype(a, DType::Unknown); }
Tensor copy_strided(const Tensor& a, Ints stride) {
  const Tensor result = empty_strided(a.sizes, stride, a.dtype);
  copy_into(result, a);
  return result;
}
void copy_to(const Tensor& a, const Tensor& b) { copy_into(a, b); }
Tensor fill_op(const Tensor& self, Scalar value) { return call("aten.full_like.default", self, value); }
Tensor full_op(Ints shape, Scalar value, DType dtype, Unused, Unused) { return full(shape, dtype, value); }
Tensor full_like_op(const Tensor& a, Scalar value, DType dtype, Unused, Unused) { return call("aten.full_like.default", a, value, dtype); }
Tensor scalar_tensor(Scalar s, MaybeDType dtype, Unused) { return call("aten.scalar_tensor.default", s, dtype); }
Tensor empty_op(Ints shape, DType dtype, Unused, Unused) { return zeros(shape, dtype); }
Tensor empty_strided_op(Ints shape, Ints strides, DType dtype, Unused, Unused) {
  const Tensor result = empty_strided(shape, strides, dtype);
  fill(result, Scalar(0));
  return result;
}
// Dimension physical_layout[0] is outermost in memory.
Tensor empty_permuted(Ints shape, Ints physical_layout, DType dtype, Unused device, Unused grad) {
  check(physical_layout.size() == shape.size(), "empty_permuted: expected ", shape.size(), " dimensions, found ", physical_layout.size());
  Shape strides(shape.size(), 1);
  int64_t step = 1;
  for (size_t i = physical_layout.size(); i-- > 0;) {
    const auto d = static_cast<size_t>(normalize_dim(physical_layout[i], static_cast<int64_t>(shape.size())));
    strides[d] = step;
    check(!__builtin_mul_overflow(step, std::max<int64_t>(1, shape[d]), &step), "empty_permuted: the sizes do not fit in 64 bits");
  }
  return empty_strided_op(shape, strides, dtype, device, grad);
}
Tensor iota(int64_t length, int64_t start, int64_t step, DType dtype, Unused, Unused) {
  check(length >= 0, "iota: length must not be negative, found ", length);
  check(step != 0, "iota: step must not be 0");
  const Tensor steps = call("aten.arange.default", length, DType::Int64);
  return to_dtype(call("aten.add.Scalar", call("aten.mul.Scalar", steps, step), start), dtype);
}
Scalar item_op(const Tensor& a) { return item(a); }

Scalar limit(DType dtype, bool largest) {
  const Tensor probe = empty(Shape{}, dtype);
  if (dtype == DType::Bool) return largest;
  if (is_floating(dtype)) return largest ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity();
  const int64_t bits = 8 * item_size(dtype);
  const bool has_sign = dtype == DType::Int8 || dtype == DType::Int16 || dtype == DType::Int32 || dtype == DType::Int64;
  if (!has_sign) return largest ? static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1 + (uint64_t{1} << (bits - 1))) : int64_t{0};
  const int64_t top = static_cast<int64_t>((uint64_t{1} << (bits - 1)) - 1);
  return largest ? top : -top - 1;
}
Scalar maximum_value(DType dtype) { return limit(dtype, true); }
Scalar minimum_value(DType dtype) { return limit(dtype, false); }

// ---- Reductions ------------------------------------------------------------------------------------------------------------------------

Tensor typed(const Tensor& t, MaybeDType dtype) { return dtype && *dtype != t.dtype ? to_dtype(t, *dtype) : t; }

template <Target target>
Tensor extreme(const Tensor& inp, const MaybeInts& dims, MaybeDType dtype) { return typed(call(target.text, inp, dims.value_or(std::vector<int64_t>())), dtype); }
Tensor sum_op(const Tensor& inp, const MaybeInts& dims, MaybeDType dtype) { return call("aten.sum.dim_IntList", inp, dims, false, dtype.value_or(inp.dtype)); }
// Dimension after dimension, from the last.
Tensor prod(const Tensor& inp, const MaybeInts& dims, MaybeDType dtype) {
  Tensor result = typed(inp, dtype.value_or(inp.dtype));
  const std::vector<int64_t> all = normalize_dims(dims.value_or(std::vector<int64_t>()), inp.dim());
  for (size_t i = all.size(); i-- > 0;) result = call("aten.prod.dim_int", result, all[i], false, result.dtype);
  return result;
}
Tensor var(const Tensor& inp, const MaybeInts& dims, std::optional<double> correction, MaybeDType dtype) {
  return typed(call("aten.var.correction", inp, dims, correction), dtype);
}

// ---- Fourier transforms and decompositions ---------------------------------------------------------------------------------------------

Tensor fft_c2c(const Tensor& self, Ints dim, bool forward) { return call("aten._fft_c2c.default", self, dim, 0, forward); }
Tensor fft_r2c(const Tensor& self, Ints dim, bool onesided) { return call("aten._fft_r2c.default", self, dim, 0, onesided); }
Tensor fft_c2r(const Tensor& self, Ints dim, int64_t last_dim_size) { return call("aten._fft_c2r.default", self, dim, 0, last_dim_size); }
std::tuple<Tensor, Tensor, Tensor> svd(const Tensor& A, bool full_matrices) {
  const Results r = call_all("aten.linalg_svd.default", A, full_matrices);
  return {*r[0].as<Tensor>(), *r[1].as<Tensor>(), *r[2].as<Tensor>()};
}

void add_elementwise(OpTable& ops) {
  ops.add("prims::abs(Tensor self) -> Tensor", unary_as<"aten.abs.default">);
  ops.add("prims::acos(Tensor self) -> Tensor", unary_as<"aten.acos.default">);
  ops.add("prims::acosh(Tensor self) -> Tensor", unary_as<"aten.acosh.default">);
  ops.add("prims::asin(Tensor self) -> Tensor", unary_as<"aten.asin.default">);
  ops.add("prims::asinh(Tensor self) -> Tensor", unary_as<"aten.asinh.default">);
  ops.add("prims::atan(Tensor self) -> Tensor", unary_as<"aten.atan.default">);
  ops.add("prims::atanh(Tensor self) -> Tensor", unary_as<"aten.atanh.default">);
  ops.add("prims::bessel_i0(Tensor self) -> Tensor", unary_as<"aten.i0.default">);
  ops.add("prims::bessel_i0e(Tensor self) -> Tensor", unary_as<"aten.special_i0e.default">);
  ops.add("prims::bessel_i1(Tensor self) -> Tensor", unary_as<"aten.special_i1.default">);
  ops.add("prims::bessel_i1e(Tensor self) -> Tensor", unary_as<"aten.special_i1e.default">);
  ops.add("prims::bessel_j0(Tensor self) -> Tensor", unary_as<"aten.special_bessel_j0.default">);
  ops.add("prims::bessel_j1(Tensor self) -> Tensor", unary_as<"aten.special_bessel_j1.default">);
  ops.add("prims::bitwise_not(Tensor self) -> Tensor", unary_as<"aten.bitwise_not.default">);
  ops.add("prims::ceil(Tensor self) -> Tensor", unary_as<"aten.ceil.default">);
  ops.add("prims::conj_physical(Tensor self) -> Tensor", unary_as<"aten.conj_physical.default">);
  ops.add("prims::cos(Tensor self) -> Tensor", unary_as<"aten.cos.default">);
  ops.add("prims::cosh(Tensor self) -> Tensor", unary_as<"aten.cosh.default">);
  ops.add("prims::digamma(Tensor self) -> Tensor", unary_as<"aten.digamma.default">);
  ops.add("prims::erf(Tensor self) -> Tensor", unary_as<"aten.erf.default">);
  ops.add("prims::erf_inv(Tensor self) -> Tensor", unary_as<"aten.erfinv.default">);
  ops.add("prims::erfc(Tensor self) -> Tensor", unary_as<"aten.erfc.default">);
  ops.add("prims::erfcx(Tensor self) -> Tensor", unary_as<"aten.special_erfcx.default">);
  ops.add("prims::exp(Tensor self) -> Tensor", unary_as<"aten.exp.default">);
  ops.add("prims::exp2(Tensor self) -> Tensor", unary_as<"aten.exp2.default">);
  ops.add("prims::expm1(Tensor self) -> Tensor", unary_as<"aten.expm1.default">);
  ops.add("prims::floor(Tensor self) -> Tensor", unary_as<"aten.floor.default">);
  ops.add("prims::imag(Tensor(a) self) -> Tensor(a)", unary_as<"aten.imag.default">);
  ops.add("prims::isfinite(Tensor self) -> Tensor", unary_as<"aten.isfinite.default">);
  ops.add("prims::lgamma(Tensor self) -> Tensor", unary_as<"aten.lgamma.default">);
  ops.add("prims::log(Tensor self) -> Tensor", unary_as<"aten.log.default">);
  ops.add("prims::log10(Tensor self) -> Tensor", unary_as<"aten.log10.default">);
  ops.add("prims::log1p(Tensor self) -> Tensor", unary_as<"aten.log1p.default">);
  ops.add("prims::log2(Tensor self) -> Tensor", unary_as<"aten.log2.default">);
  ops.add("prims::ndtri(Tensor self) -> Tensor", unary_as<"aten.special_ndtri.default">);
  ops.add("prims::neg(Tensor self) -> Tensor", unary_as<"aten.neg.default">);
  ops.add("prims::real(Tensor(a) self) -> Tensor(a)", unary_as<"aten.real.default">);
  ops.add("prims::reciprocal(Tensor self) -> Tensor", unary_as<"aten.reciprocal.default">);
  ops.add("prims::round(Tensor self) -> Tensor", unary_as<"aten.round.default">);
  ops.add("prims::rsqrt(Tensor self) -> Tensor", unary_as<"aten.rsqrt.default">);
  ops.add("prims::sign(Tensor self) -> Tensor", unary_as<"aten.sign.default">);
  ops.add("prims::signbit(Tensor self) -> Tensor", unary_as<"aten.signbit.default">);
  ops.add("prims::sin(Tensor self) -> Tensor", unary_as<"aten.sin.default">);
  ops.add("prims::sinh(Tensor self) -> Tensor", unary_as<"aten.sinh.default">);
  ops.add("prims::spherical_bessel_j0(Tensor self) -> Tensor", unary_as<"aten.special_spherical_bessel_j0.default">);
  ops.add("prims::sqrt(Tensor self) -> Tensor", unary_as<"aten.sqrt.default">);
  ops.add("prims::tan(Tensor self) -> Tensor", unary_as<"aten.tan.default">);
  ops.add("prims::tanh(Tensor self) -> Tensor", unary_as<"aten.tanh.default">);
  ops.add("prims::trunc(Tensor self) -> Tensor", unary_as<"aten.trunc.default">);
  ops.add("prims::conj(Tensor(a) a) -> Tensor(a)", unary_as<"aten.conj_physical.default">);
  ops.add("prims::cbrt(Tensor self) -> Tensor", cbrt);
  ops.add("prims::add(Tensor self, Tensor other) -> Tensor", binary_as<"aten.add.Tensor">);
  ops.add("prims::atan2(Tensor self, Tensor other) -> Tensor", binary_as<"aten.atan2.default">);
  ops.add("prims::bitwise_and(Tensor self, Tensor other) -> Tensor", binary_as<"aten.bitwise_and.Tensor">);
  ops.add("prims::bitwise_or(Tensor self, Tensor other) -> Tensor", binary_as<"aten.bitwise_or.Tensor">);
  ops.add("prims::bitwise_xor(Tensor self, Tensor other) -> Tensor", binary_as<"aten.bitwise_xor.Tensor">);
  ops.add("prims::eq(Tensor self, Tensor other) -> Tensor", binary_as<"aten.eq.Tensor">);
  ops.add("prims::fmax(Tensor self, Tensor other) -> Tensor", binary_as<"aten.fmax.default">);
  ops.add("prims::fmin(Tensor self, Tensor other) -> Tensor", binary_as<"aten.fmin.default">);
  ops.add("prims::fmod(Tensor self, Tensor other) -> Tensor", binary_as<"aten.fmod.Tensor">);
  ops.add("prims::gcd(Tensor self, Tensor other) -> Tensor", binary_as<"aten.gcd.default">);
  ops.add("prims::ge(Tensor self, Tensor other) -> Tensor", binary_as<"aten.ge.Tensor">);
  ops.add("prims::gt(Tensor self, Tensor other) -> Tensor", binary_as<"aten.gt.Tensor">);
  ops.add("prims::hypot(Tensor self, Tensor other) -> Tensor", binary_as<"aten.hypot.default">);
  ops.add("prims::igamma(Tensor self, Tensor other) -> Tensor", binary_as<"aten.igamma.default">);
  ops.add("prims::igammac(Tensor self, Tensor other) -> Tensor", binary_as<"aten.igammac.default">);
  ops.add("prims::le(Tensor self, Tensor other) -> Tensor", binary_as<"aten.le.Tensor">);
  ops.add("prims::lt(Tensor self, Tensor other) -> Tensor", binary_as<"aten.lt.Tensor">);
  ops.add("prims::maximum(Tensor self, Tensor other) -> Tensor", binary_as<"aten.maximum.default">);
  ops.add("prims::minimum(Tensor self, Tensor other) -> Tensor", binary_as<"aten.minimum.default">);
  ops.add("prims::mul(Tensor self, Tensor other) -> Tensor", binary_as<"aten.mul.Tensor">);
  ops.add("prims::ne(Tensor self, Tensor other) -> Tensor", binary_as<"aten.ne.Tensor">);
  ops.add("prims::nextafter(Tensor self, Tensor other) -> Tensor", binary_as<"aten.nextafter.default">);
  ops.add("prims::pow(Tensor self, Tensor other) -> Tensor", binary_as<"aten.pow.Tensor_Tensor">);
  ops.add("prims::remainder(Tensor self, Tensor other) -> Tensor", binary_as<"aten.remainder.Tensor">);
  ops.add("prims::shift_left(Tensor self, Tensor other) -> Tensor", binary_as<"aten.bitwise_left_shift.Tensor">);
  ops.add("prims::shift_right_arithmetic(Tensor self, Tensor other) -> Tensor", binary_as<"aten.bitwise_right_shift.Tensor">);
  ops.add("prims::sub(Tensor self, Tensor other) -> Tensor", binary_as<"aten.sub.Tensor">);
  ops.add("prims::zeta(Tensor self, Tensor other) -> Tensor", binary_as<"aten.special_zeta.default">);
  ops.add("prims::div(Tensor self, Tensor other) -> Tensor", div);
  ops.add("prims::where(Tensor pred, Tensor a, Tensor b) -> Tensor", where);
}

void add_shapes(OpTable& ops) {
  ops.add("prims::broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) -> Tensor(a)", broadcast_in_dim);
  ops.add("prims::collapse_view(Tensor(a) a, int start, int end) -> Tensor(a)", collapse_view);
  ops.add("prims::collapse(Tensor a, int start, int end) -> Tensor", collapse);
  ops.add("prims::split_dim(Tensor(a) a, int dim, SymInt outer_length) -> Tensor(a)", split_dim);
  ops.add("prims::squeeze(Tensor(a) a, int[] dimensions) -> Tensor(a)", squeeze);
  ops.add("prims::transpose(Tensor(a) a, int[] permutation) -> Tensor(a)", permute);
  ops.add("prims::reshape(Tensor a, SymInt[] shape) -> Tensor", reshape_copy);
  ops.add("prims::rev(Tensor a, int[] dims) -> Tensor", flip);
  ops.add("prims::view_of(Tensor(a) a) -> Tensor(a)", alias);
  ops.add("prims::view_of_dtype(Tensor(a) a, ScalarType dtype) -> Tensor(a)", view_of_dtype);
  ops.add("prims::as_strided(Tensor(a!) a, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor(a!)", strided);
  ops.add("prims::as_strided_scatter(Tensor self, Tensor src, SymInt[] size, SymInt[] stride, SymInt storage_offset) -> Tensor", strided_scatter);
  ops.add("prims::cat(Tensor[] tensors, int dim) -> Tensor", cat_op);
  ops.add("prims::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", clone);
  ops.add("prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor", convert_element_type);
  ops.add("prims::device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor", device_put);
  ops.add("prims::copy_strided(Tensor a, SymInt[] stride) -> Tensor", copy_strided);
  ops.add("prims::copy_to(Tensor(a!) a, Tensor b) -> Tensor(a!)", copy_to);
  ops.add("prims::fill(Tensor self, Scalar value) -> Tensor", fill_op);
  ops.add("prims::full(SymInt[] shape, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor", full_op);
  ops.add("prims::full_like(Tensor a, Scalar fill_value, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor", full_like_op);
  ops.add("prims::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Device? device=None) -> Tensor", scalar_tensor);
  ops.add("prims::empty(SymInt[] shape, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor", empty_op);
  ops.add("prims::empty_strided(SymInt[] shape, SymInt[] strides, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor", empty_strided_op);
  ops.add("prims::empty_permuted(SymInt[] shape, int[] physical_layout, *, ScalarType dtype, Device device, bool requires_grad) -> Tensor", empty_permuted);
  ops.add("prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device device, bool requires_grad) -> Tensor", iota);
  ops.add("prims::item(Tensor a) -> Scalar", item_op);
  ops.add("prims::maximum_value(ScalarType dtype) -> Scalar", maximum_value);
  ops.add("prims::minimum_value(ScalarType dtype) -> Scalar", minimum_value);
}

void add_reductions(OpTable& ops) {
  ops.add("prims::sum(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", sum_op);
  ops.add("prims::prod(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", prod);
  ops.add("prims::var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> Tensor", var);
  ops.add("prims::amax(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", extreme<"aten.amax.default">);
  ops.add("prims::amin(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor", extreme<"aten.amin.default">);
  ops.add("prims::fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor", fft_c2c);
  ops.add("prims::fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor", fft_r2c);
  ops.add("prims::fft_c2r(Tensor self, *, int[] dim, SymInt last_dim_size) -> Tensor", fft_c2r);
  ops.add("prims::svd(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)", svd);
}

}  // namespace

void add_prims_ops(OpTable& ops) {
  add_elementwise(ops);
  add_shapes(ops);
  add_reductions(ops);
}

}  // namespace pt2::interp
