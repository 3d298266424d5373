// Linear algebra that is made of other operators: ranks, condition numbers, tensors as matrices, older names.
#include <limits>

#include "interp/item.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;
using Dims = std::span<const int64_t>;
using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;

Tensor result(const Results& results, size_t i) { return *results.at(i).as<Tensor>(); }

Tensor conjugated(const Tensor& t) { return is_complex(t.dtype) ? call("aten.conj_physical.default", t) : t; }

// ---- Ranks and condition numbers -------------------------------------------------------------------------------------------------------

// A limit as it was given, 0 where it was not; 0-dimensional tensors of the singular values' dtype are made of numbers.
Tensor limit_of(const MaybeTensor& given, double otherwise, const Tensor& values) { return given ? *given : full({}, values.dtype, Scalar(otherwise)); }

Tensor matrix_rank(const Tensor& input, const MaybeTensor& atol, const MaybeTensor& rtol, bool hermitian) {
  check(input.dim() >= 2, "torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.");
  const Tensor values = hermitian ? call("aten.abs.default", call("aten.linalg_eigvalsh.default", input)) : call("aten.linalg_svdvals.default", input);
  const int64_t longest = std::max(input.sizes.back(), input.sizes[input.sizes.size() - 2]);
  if (values.sizes.back() == 0) return zeros(Shape(input.sizes.begin(), input.sizes.end() - 2), DType::Int64);
  const double epsilon = values.dtype == DType::Float64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  const Tensor absolute = limit_of(atol, 0, values);
  Tensor relative = limit_of(rtol, epsilon * static_cast<double>(longest), values);
  // An absolute limit that is given and above 0 stands alone.
  if (atol && !rtol) relative = call("aten.where.self", call("aten.gt.Scalar", absolute, 0), zeros(Shape{}, values.dtype), relative);
  const Tensor largest = call("aten.amax.default", values, Shape{-1}, true);
  const Tensor limit = call("aten.maximum.default", unsqueeze(absolute, -1), call("aten.mul.Tensor", unsqueeze(relative, -1), largest));
  return call("aten.sum.dim_IntList", call("aten.gt.Tensor", values, limit), Shape{-1});
}
MaybeTensor tensor_of(std::optional<double> number) { return number ? MaybeTensor(full({}, DType::Float64, Scalar(*number))) : std::nullopt; }
Tensor matrix_rank_floats(const Tensor& self, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return matrix_rank(self, tensor_of(atol), tensor_of(rtol), hermitian);
}
Tensor matrix_rank_tol(const Tensor& self, double tol, bool hermitian) { return matrix_rank(self, tensor_of(tol), tensor_of(0.0), hermitian); }
Tensor matrix_rank_tensor(const Tensor& self, const Tensor& tol, bool hermitian) { return matrix_rank(self, tol, tensor_of(0.0), hermitian); }

// The norm times the inverse's; infinite for a singular matrix.
template <class Norm>
Tensor condition(const Tensor& self, Norm norm) {
  check(self.dim() >= 2 && self.sizes.back() == self.sizes[self.sizes.size() - 2], "linalg.cond: only square matrices for this norm, found ", self.sizes);
  const Results inverse = call_all("aten.linalg_inv_ex.default", self);
  const Tensor product = call("aten.mul.Tensor", norm(self), norm(result(inverse, 0)));
  const Tensor singular = call("aten.ne.Scalar", result(inverse, 1), 0);
  return call("aten.masked_fill.Scalar", product, singular, std::numeric_limits<double>::infinity());
}
Tensor cond(const Tensor& self, std::optional<Scalar> p) {
  const double order = p ? p->to_double() : 2;
  if (std::abs(order) == 2) {
    const Tensor s = call("aten.linalg_svdvals.default", self);
    const Tensor first = select(s, -1, 0), last = select(s, -1, -1);
    return order > 0 ? call("aten.div.Tensor", first, last) : call("aten.div.Tensor", last, first);
  }
  return condition(self, [&](const Tensor& m) { return call("aten.linalg_matrix_norm.default", m, order); });
}
Tensor cond_name(const Tensor& self, std::string_view p) {
  if (p == "nuc") {
    check(self.dim() >= 2 && self.sizes.back() == self.sizes[self.sizes.size() - 2], "linalg.cond(ord=nuc): A must be batches of square matrices, but they are ", self.sizes);
    const Tensor s = call("aten.linalg_svdvals.default", self);
    return call("aten.mul.Tensor", call("aten.sum.dim_IntList", s, Shape{-1}), call("aten.sum.dim_IntList", call("aten.reciprocal.default", s), Shape{-1}));
  }
  return condition(self, [&](const Tensor& m) { return call("aten.linalg_matrix_norm.str_ord", m, p); });
}
Tensor pinv_rcond_tensor(const Tensor& self, const Tensor& rcond, bool hermitian) {
  return call("aten.linalg_pinv.atol_rtol_tensor", self, zeros(Shape{}, rcond.dtype), rcond, hermitian);
}

// ---- Tensors as matrices ---------------------------------------------------------------------------------------------------------------

int64_t product_of(Dims sizes) { return checked_numel(sizes); }

Tensor tensorinv(const Tensor& self, int64_t ind) {
  check(ind > 0 && ind <= self.dim(), "Expected a strictly positive integer for 'ind'");
  const Dims all(self.sizes), from = all.subspan(static_cast<size_t>(ind)), to = all.first(static_cast<size_t>(ind));
  check(product_of(from) == product_of(to), "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got ",
        product_of(from), " != ", product_of(to));
  Shape sizes(from.begin(), from.end());
  sizes.insert(sizes.end(), to.begin(), to.end());
  return reshape(call("aten.linalg_inv.default", reshape(self, Shape{product_of(to), -1})), sizes);
}
Tensor tensorsolve(const Tensor& self, const Tensor& other, const std::optional<std::vector<int64_t>>& dims) {
  Tensor a = self;
  if (dims) {  // these dimensions last
    Shape order;
    std::vector<int64_t> last;
    for (int64_t d : *dims) last.push_back(normalize_dim(d, self.dim()));
    for (int64_t d = 0; d < self.dim(); ++d)
      if (std::find(last.begin(), last.end(), d) == last.end()) order.push_back(d);
    order.insert(order.end(), last.begin(), last.end());
    a = permute(self, order);
  }
  check(a.dim() >= other.dim(), "linalg.tensorsolve: Expected self to have at least as many dimensions as other");
  const Shape unknowns(a.sizes.begin() + other.dim(), a.sizes.end());
  const int64_t count = product_of(unknowns);
  check(count == other.numel(), "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), but got ", count, " != ",
        other.numel());
  return reshape(call("aten.linalg_solve.default", reshape(a, Shape{count, count}), reshape(other, Shape{count})), unknowns);
}

// Columns x⁰, x¹ … of the last dimension.
Tensor linalg_vander(const Tensor& points, std::optional<int64_t> N) {
  const Tensor x = points.dim() == 0 ? reshape(points, Shape{1}) : points;
  check(x.dtype != DType::Bool, "linalg.vander: Input must not be bool");
  const int64_t n = N.value_or(x.sizes.back());
  check(n > 1, "linalg.vander: N must be greater than 1.");
  Shape sizes = x.sizes, ones = x.sizes;
  sizes.push_back(n - 1), ones.push_back(1);
  const Tensor powers = call("aten.cumprod.default", expand(unsqueeze(x, -1), sizes), -1);
  return cat({full(ones, powers.dtype, Scalar(1)), powers}, -1);
}
Tensor vander(const Tensor& x, std::optional<int64_t> N, bool increasing) {
  check(x.dim() == 1, "x must be a one-dimensional tensor.");
  const int64_t n = N.value_or(x.numel());
  const DType dtype = is_floating(x.dtype) || is_complex(x.dtype) ? x.dtype : DType::Int64;
  if (n == 0) return zeros(Shape{x.numel(), 0}, dtype);
  const Tensor powers = call("aten.pow.Tensor_Tensor", to_dtype(unsqueeze(x, 1), dtype), call("aten.arange.default", n));
  const Tensor typed = to_dtype(powers, dtype);
  return increasing ? typed : flip(typed, Shape{1});
}
Tensor vecdot(const Tensor& x, const Tensor& y, int64_t dim) {
  check(is_floating(x.dtype) || is_complex(x.dtype), "linalg.vecdot: Expected a floating point or complex tensor as input. Got ", x.dtype);
  check(x.dtype == y.dtype, "linalg.vecdot: Expected vectors x and y to have the same dtype, found ", x.dtype, " and ", y.dtype);
  if (x.dim() == 1 && y.dim() == 1) return call("aten.vdot.default", x, y);
  return call("aten.sum.dim_IntList", call("aten.mul.Tensor", conjugated(x), y), Shape{dim});
}
Tensor linalg_diagonal(const Tensor& A, int64_t offset, int64_t dim1, int64_t dim2) { return diagonal(A, offset, dim1, dim2); }
Tensor linalg_matmul(const Tensor& self, const Tensor& other) { return call("aten.matmul.default", self, other); }

// ---- Older names -----------------------------------------------------------------------------------------------------------------------

Tensor cholesky_inverse(const Tensor& self, bool upper) {
  check(self.dim() >= 2 && self.sizes.back() == self.sizes[self.sizes.size() - 2], "cholesky_inverse: A must be batches of square matrices, found ", self.sizes);
  return call("aten.cholesky_solve.default", call("aten.expand_as.default", call("aten.eye.default", self.sizes.back(), self.dtype), self), self, upper);
}
Two slogdet(const Tensor& self) {
  const Results r = call_all("aten.linalg_slogdet.default", self);
  return {result(r, 0), result(r, 1)};
}
Three svd(const Tensor& self, bool some, bool compute_uv) {
  check(self.dim() >= 2, "linalg.svd: input should have at least 2 dimensions, but has ", self.dim(), " dimensions instead");
  const int64_t rows = self.sizes[self.sizes.size() - 2], columns = self.sizes.back();
  if (compute_uv) {
    const Results r = call_all("aten._linalg_svd.default", self, !some);
    return {result(r, 0), result(r, 1), transpose(conjugated(result(r, 2)), -2, -1)};
  }
  auto none = [&](int64_t n) {
    Shape sizes(self.sizes.begin(), self.sizes.end() - 2);
    sizes.push_back(n), sizes.push_back(n);
    return zeros(sizes, self.dtype);
  };
  return {none(rows), call("aten.linalg_svdvals.default", self), transpose(none(columns), -2, -1)};
}
Two qr(const Tensor& self, bool some) {
  const Results r = call_all("aten.linalg_qr.default", self, some ? "reduced" : "complete");
  return {result(r, 0), result(r, 1)};
}
Tensor pinverse(const Tensor& self, double rcond) { return call("aten.linalg_pinv.default", self, rcond); }
Tensor matrix_power(const Tensor& self, int64_t n) { return call("aten.linalg_matrix_power.default", self, n); }
Tensor frobenius_norm(const Tensor& self, Dims dim, bool keepdim) {
  check(dim.size() <= 2, "Expected at most 2 dimensions, but got ", dim.size(), " dimensions instead.");
  return call("aten.linalg_vector_norm.default", self, 2, dim, keepdim);
}
Tensor nuclear_norm_dim(const Tensor& self, Dims dim, bool keepdim) { return call("aten.linalg_matrix_norm.str_ord", self, "nuc", dim, keepdim); }
Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  check(self.dim() == 2, "Expected a tensor with 2 dimensions, but got a tensor with ", self.dim(), " dimensions instead.");
  return nuclear_norm_dim(self, Shape{-2, -1}, keepdim);
}
Tensor powsum(const Tensor& self, Scalar ord, const std::optional<std::vector<int64_t>>& dim, bool keepdim, std::optional<DType> dtype) {
  const Tensor typed = dtype ? to_dtype(self, *dtype) : self;
  return call("aten.sum.dim_IntList", call("aten.pow.Tensor_Scalar", call("aten.abs.default", typed), ord), dim, keepdim);
}
Tensor cholesky_solve_helper(const Tensor& self, const Tensor& A, bool upper) { return call("aten.cholesky_solve.default", self, A, upper); }

// A product whose sum is kept in a wider type.
Tensor mm_dtype(const Tensor& self, const Tensor& mat2, DType out) { return call("aten.mm.default", to_dtype(self, out), to_dtype(mat2, out)); }
Tensor bmm_dtype(const Tensor& self, const Tensor& mat2, DType out) { return call("aten.bmm.default", to_dtype(self, out), to_dtype(mat2, out)); }

}  // namespace

void add_linalg_composed_ops(OpTable& ops) {
  ops.add("aten::linalg_matrix_rank.atol_rtol_tensor(Tensor input, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor", matrix_rank);
  ops.add("aten::linalg_matrix_rank.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor", matrix_rank_floats);
  ops.add("aten::linalg_matrix_rank(Tensor self, float tol, bool hermitian=False) -> Tensor", matrix_rank_tol);
  ops.add("aten::linalg_matrix_rank.tol_tensor(Tensor input, Tensor tol, bool hermitian=False) -> Tensor", matrix_rank_tensor);
  ops.add("aten::linalg_cond(Tensor self, Scalar? p=None) -> Tensor", cond);
  ops.add("aten::linalg_cond.p_str(Tensor self, str p) -> Tensor", cond_name);
  ops.add("aten::linalg_pinv.rcond_tensor(Tensor self, Tensor rcond, bool hermitian=False) -> Tensor", pinv_rcond_tensor);
  ops.add("aten::linalg_tensorinv(Tensor self, int ind=2) -> Tensor", tensorinv);
  ops.add("aten::linalg_tensorsolve(Tensor self, Tensor other, int[]? dims=None) -> Tensor", tensorsolve);
  ops.add("aten::linalg_vander(Tensor x, *, SymInt? N=None) -> Tensor", linalg_vander);
  ops.add("aten::vander(Tensor x, int? N=None, bool increasing=False) -> Tensor", vander);
  ops.add("aten::linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor", vecdot);
  ops.add("aten::linalg_diagonal(Tensor(a) A, *, int offset=0, int dim1=-2, int dim2=-1) -> Tensor(a)", linalg_diagonal);
  ops.add("aten::linalg_matmul(Tensor self, Tensor other) -> Tensor", linalg_matmul);
  ops.add("aten::cholesky_inverse(Tensor self, bool upper=False) -> Tensor", cholesky_inverse);
  ops.add("aten::_cholesky_solve_helper(Tensor self, Tensor A, bool upper) -> Tensor", cholesky_solve_helper);
  ops.add("aten::slogdet(Tensor self) -> (Tensor sign, Tensor logabsdet)", slogdet);
  ops.add("aten::svd(Tensor self, bool some=True, bool compute_uv=True) -> (Tensor U, Tensor S, Tensor V)", svd);
  ops.add("aten::qr(Tensor self, bool some=True) -> (Tensor Q, Tensor R)", qr);
  ops.add("aten::pinverse(Tensor self, float rcond=1.0000000000000001e-15) -> Tensor", pinverse);
  ops.add("aten::matrix_power(Tensor self, int n) -> Tensor", matrix_power);
  ops.add("aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor", frobenius_norm);
  ops.add("aten::nuclear_norm(Tensor self, bool keepdim=False) -> Tensor", nuclear_norm);
  ops.add("aten::nuclear_norm.dim(Tensor self, int[2] dim, bool keepdim=False) -> Tensor", nuclear_norm_dim);
  ops.add("aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", powsum);
  ops.add("aten::mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", mm_dtype);
  ops.add("aten::bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor", bmm_dtype);
}

}  // namespace pt2::interp
