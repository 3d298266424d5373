// Linear algebra with the factors of matrices: LU, Householder reflectors, least squares.
#include <algorithm>
#include <limits>
#include <vector>

#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/matrices.h"
#include "interp/ops/view.h"
#include "interp/promote.h"

namespace pt2::interp {

namespace {

using Two = std::tuple<Tensor, Tensor>;
using Three = std::tuple<Tensor, Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;

Tensor transposed(const Tensor& t) { return transpose(t, -2, -1); }
Tensor adjoint(const Tensor& t) { return is_complex(t.dtype) ? transposed(call("aten.conj_physical.default", t)) : transposed(t); }

// ---- LU --------------------------------------------------------------------------------------------------------------------------------

// The rows that LAPACK's exchanges (counted from 1) leave in each place.
std::vector<int64_t> permutation_of(const int32_t* pivots, int64_t count, int64_t rows) {
  std::vector<int64_t> order(static_cast<size_t>(rows));
  for (int64_t i = 0; i < rows; ++i) order[static_cast<size_t>(i)] = i;
  for (int64_t i = 0; i < count; ++i) {
    check(pivots[i] >= 1 && pivots[i] <= rows, "lu_unpack: pivot ", static_cast<int64_t>(pivots[i]), " is not one of ", rows, " rows");
    std::swap(order[static_cast<size_t>(i)], order[static_cast<size_t>(pivots[i] - 1)]);
  }
  return order;
}

// P with P · L · U = A: zeros, and a one where row order[i] of A is row i of L · U.
Tensor permutation_matrices(const Batch& lu, const Tensor& pivots) {
  Shape sizes = lu.lead;
  sizes.push_back(lu.rows), sizes.push_back(lu.rows);
  const Tensor result = zeros(sizes, DType::Float64), dense = as_contiguous(pivots, DType::Int32);
  const int64_t count = std::min(lu.rows, lu.columns);
  for (int64_t m = 0; m < lu.count; ++m) {
    const std::vector<int64_t> order = permutation_of(dense.data<int32_t>() + m * count, count, lu.rows);
    for (int64_t i = 0; i < lu.rows; ++i) result.data<double>()[(m * lu.rows + order[static_cast<size_t>(i)]) * lu.rows + i] = 1;
  }
  return to_dtype(result, lu.dtype);
}

Three lu_unpack(const Tensor& LU, const Tensor& pivots, bool unpack_data, bool unpack_pivots) {
  check(LU.dim() >= 2, "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: ", LU.sizes, " instead");
  check(!unpack_pivots || pivots.dtype == DType::Int32, "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype.");
  const Tensor nothing = empty(Shape{0}, LU.dtype);
  Three result{nothing, nothing, nothing};
  if (unpack_pivots) std::get<0>(result) = permutation_matrices(batch_of(LU, "lu_unpack"), pivots);
  if (unpack_data) {
    const int64_t rows = LU.sizes[LU.sizes.size() - 2], columns = LU.sizes.back(), k = std::min(rows, columns);
    const Tensor lower = call("aten.tril.default", as_contiguous(narrow(LU, -1, 0, k)), -1);
    fill(diagonal(lower, 0, -2, -1), Scalar(1));
    std::get<1>(result) = lower;
    std::get<2>(result) = call("aten.triu.default", as_contiguous(narrow(LU, -2, 0, k)));
  }
  return result;
}

Three linalg_lu(const Tensor& A, bool pivot) {
  const Results factors = call_all("aten.linalg_lu_factor_ex.default", A, pivot, false);
  return lu_unpack(*factors[0].as<Tensor>(), *factors[1].as<Tensor>(), true, true);
}

Three lu_with_info(const Tensor& self, bool pivot, bool check_errors) {
  const Results factors = call_all("aten.linalg_lu_factor_ex.default", self, pivot, check_errors);
  return {*factors[0].as<Tensor>(), *factors[1].as<Tensor>(), *factors[2].as<Tensor>()};
}

// A X = B (left) or X A = B, A or its adjoint given as P · L · U.
Tensor linalg_lu_solve(const Tensor& LU, const Tensor& pivots, const Tensor& B, bool left, bool adjoint_of) {
  square_batch(LU, "torch.linalg.lu_solve");
  check(pivots.dtype == DType::Int32, "linalg.lu_solve: pivots should be a Tensor of scalar type torch.int32. Got ", pivots.dtype);
  check(LU.dtype == B.dtype, "linalg.lu_solve: expected LU and B to have the same dtype, found ", LU.dtype, " and ", B.dtype);
  check(B.dim() >= 2, "linalg.lu_solve: The input tensor B must have at least 2 dimensions.");
  check(LU.sizes.back() == B.sizes[B.sizes.size() - (left ? 2 : 1)], "linalg.lu_solve: Incompatible shapes of A and B: ", LU.sizes, " and ", B.sizes);
  if (!left) return transposed(linalg_lu_solve(LU, pivots, transposed(adjoint_of ? call("aten.conj_physical.default", B) : B), true, !adjoint_of));
  const auto [p, lower, upper] = lu_unpack(LU, pivots, true, true);
  auto solve = [](const Tensor& a, const Tensor& b, bool is_upper, bool unit) { return call("aten.linalg_solve_triangular.default", a, b, is_upper, true, unit); };
  if (!adjoint_of) return solve(upper, solve(lower, call("aten.matmul.default", transposed(p), B), false, true), true, false);
  return column_major(batch_of(call("aten.matmul.default", p, solve(adjoint(lower), solve(adjoint(upper), B, false, false), true, true)), "linalg.lu_solve"));
}
Tensor lu_solve(const Tensor& self, const Tensor& LU_data, const Tensor& LU_pivots) { return linalg_lu_solve(LU_data, LU_pivots, self, true, false); }

// ---- Householder reflectors ------------------------------------------------------------------------------------------------------------

// H = I − tau · v · vᴴ from the left on the rows from `k` on; v is 1, then column k of `reflectors` below its diagonal.
template <class T>
void reflect(Matrix<T>& a, const View<T>& reflectors, int64_t k, T tau) {
  Eigen::Matrix<T, Eigen::Dynamic, 1> v = reflectors.col(k).tail(reflectors.rows() - k);
  v(0) = T(1);
  const Eigen::Matrix<T, 1, Eigen::Dynamic> along = v.adjoint() * a.bottomRows(v.size());
  a.bottomRows(v.size()) -= tau * v * along;
}

// As LAPACK's geqrf: R above, the reflectors below.
Two geqrf(const Tensor& self) {
  const Batch a = batch_of(self, "torch.geqrf"), out = new_batch(a, a.rows, a.columns);
  const int64_t k = std::min(a.rows, a.columns);
  const Tensor tau = vector_per_matrix(a, k, computed(self.dtype));
  copy_into(out.dense, a.dense);
  with_field(self.dtype, [&]<class T>() {
    for (int64_t m = 0; m < a.count; ++m) {
      View<T> x = out.matrix<T>(m);
      for (int64_t j = 0; j < k; ++j) {
        const int64_t rest = a.rows - j - 1;
        T& factor = tau.data<T>()[m * k + j];
        const double below = x.col(j).tail(rest).norm(), alpha_imaginary = std::imag(x(j, j));
        factor = T(0);
        if (below == 0 && alpha_imaginary == 0) continue;
        const T alpha = x(j, j);
        const double beta = -std::copysign(std::hypot(std::abs(alpha), below), std::real(alpha));
        factor = (T(beta) - alpha) / T(beta);
        x.col(j).tail(rest) /= alpha - T(beta);
        x(j, j) = T(beta);
        if (j + 1 == a.columns) continue;
        // LAPACK applies the adjoint of the reflector.
        Matrix<T> right = x.rightCols(a.columns - j - 1);
        const T conjugate = Eigen::numext::conj(factor);
        reflect<T>(right, x, j, conjugate);
        x.rightCols(a.columns - j - 1) = right;
      }
    }
  });
  return {column_major(out), to_dtype(tau, self.dtype)};
}

Tensor householder_product(const Tensor& input, const Tensor& tau) {
  const Batch a = batch_of(input, "torch.linalg.householder_product");
  const int64_t k = tau.dim() > 0 ? tau.sizes.back() : 0;
  check(a.rows >= a.columns, "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]");
  check(a.columns >= k, "torch.linalg.householder_product: input.shape[-1] must be greater than or equal to tau.shape[-1]");
  check(input.dim() == tau.dim() + 1, "torch.linalg.householder_product: Expected tau to have one dimension less than input, but got tau.ndim equal to ", tau.dim(),
        " and input.ndim is equal to ", input.dim());
  check(input.dtype == tau.dtype, "torch.linalg.householder_product: tau dtype ", tau.dtype, " does not match input dtype ", input.dtype);
  const Batch q = new_batch(a, a.rows, a.columns);
  const Tensor factors = as_contiguous(tau, computed(tau.dtype));
  with_field(input.dtype, [&]<class T>() {
    for (int64_t m = 0; m < a.count; ++m) {
      Matrix<T> product = Matrix<T>::Identity(a.rows, a.columns);
      for (int64_t j = k; j-- > 0;) reflect<T>(product, a.matrix<T>(m), j, factors.data<T>()[m * k + j]);
      q.matrix<T>(m) = product;
    }
  });
  return column_major(q);
}

// The product of Q, given by its reflectors, with another matrix.
Tensor ormqr(const Tensor& self, const Tensor& tau, const Tensor& other, bool left, bool transpose_q) {
  check(self.dtype == tau.dtype && self.dtype == other.dtype, "torch.ormqr: Expected input, tau and other to have the same dtype");
  const Batch a = batch_of(self, "torch.ormqr"), c = batch_of(other, "torch.ormqr"), out = new_batch(c, c.rows, c.columns);
  const int64_t k = tau.sizes.back();
  check(a.rows == (left ? c.rows : c.columns), "torch.ormqr: other.shape[", left ? -2 : -1, "] must be equal to input.shape[-2]");
  check(k <= a.columns && k <= a.rows && a.lead == c.lead, "torch.ormqr: Expected batch dimensions and tau to fit input");
  const Tensor factors = as_contiguous(tau, computed(tau.dtype));
  with_field(self.dtype, [&]<class T>() {
    for (int64_t m = 0; m < c.count; ++m) {
      Matrix<T> q = Matrix<T>::Identity(a.rows, a.rows);
      for (int64_t j = k; j-- > 0;) reflect<T>(q, a.matrix<T>(m), j, factors.data<T>()[m * k + j]);
      if (transpose_q) q = q.adjoint().eval();
      if (left) out.matrix<T>(m) = q * c.matrix<T>(m);
      else out.matrix<T>(m) = c.matrix<T>(m) * q;
    }
  });
  return column_major(out);
}

// ---- Least squares ---------------------------------------------------------------------------------------------------------------------

double epsilon_of(DType dtype) { return real_of(dtype) == DType::Float64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon(); }

struct LeastSquares {
  Batch a, b, x;
  Tensor rank, singular_values;
};

// Minimum-norm solutions by the singular values above rcond times the largest.
LeastSquares least_squares(const Tensor& A, const Tensor& B, double rcond) {
  LeastSquares r{batch_of(A, "torch.linalg.lstsq"), batch_of(B, "torch.linalg.lstsq"), {}, {}, {}};
  // LAPACK leaves the solutions in the place of the right sides, which may have more rows.
  r.x = new_batch(r.a, std::max(r.a.rows, r.a.columns), r.b.columns);
  const int64_t k = std::min(r.a.rows, r.a.columns);
  r.rank = vector_per_matrix(r.a, -1, DType::Int64);
  r.singular_values = vector_per_matrix(r.a, k, DType::Float64);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < r.a.count; ++i) {
      r.x.matrix<T>(i).setZero();
      r.rank.data<int64_t>()[i] = 0;
      if (k == 0) continue;
      const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> a = r.a.matrix<T>(i);
      const Eigen::JacobiSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
      Matrix<T> projected = svd.matrixU().adjoint() * r.b.matrix<T>(i);
      int64_t rank = 0;
      for (int64_t j = 0; j < k; ++j) {
        const double s = svd.singularValues()(j);
        r.singular_values.data<double>()[i * k + j] = s;
        const bool counts = s > rcond * svd.singularValues()(0);
        rank += counts;
        projected.row(j) *= counts ? 1 / s : 0.0;
      }
      r.rank.data<int64_t>()[i] = rank;
      r.x.matrix<T>(i).topRows(r.a.columns) = svd.matrixV() * projected;
    }
  });
  return r;
}

Four linalg_lstsq(const Tensor& self, const Tensor& b, std::optional<double> rcond, std::optional<std::string_view> driver) {
  check(self.dim() >= 2 && b.dim() >= 1, "torch.linalg.lstsq: input must have at least 2 dimensions and other at least 1.");
  check(self.dtype == b.dtype, "torch.linalg.lstsq: Expected input and other to have the same dtype, but got input's dtype ", self.dtype, " and other's dtype ", b.dtype);
  const std::string_view how = driver.value_or("gelsy");
  check(how == "gels" || how == "gelsy" || how == "gelsd" || how == "gelss", "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)");
  const bool vector = self.dim() - 1 == b.dim() && std::equal(b.sizes.begin(), b.sizes.end(), self.sizes.begin());
  const Tensor columns = vector ? unsqueeze(b, -1) : b;
  check(columns.dim() >= 2 && columns.sizes[columns.sizes.size() - 2] == self.sizes[self.sizes.size() - 2], "torch.linalg.lstsq: input.size(-2) should match other.size(-2)");
  const Shape lead = broadcast_shapes(std::span(self.sizes).first(self.sizes.size() - 2), std::span(columns.sizes).first(columns.sizes.size() - 2));
  auto expanded = [&](const Tensor& t) {
    Shape sizes = lead;
    sizes.insert(sizes.end(), t.sizes.end() - 2, t.sizes.end());
    return expand_to(t, sizes);
  };
  const int64_t rows = self.sizes[self.sizes.size() - 2], unknowns = self.sizes.back();
  const double limit = rcond.value_or(epsilon_of(self.dtype) * static_cast<double>(std::max(rows, unknowns)));
  const LeastSquares r = least_squares(expanded(self), expanded(columns), how == "gels" ? 0 : limit);
  Four result{narrow(column_major(r.x), -2, 0, unknowns), empty(Shape{0}, real_of(self.dtype)), empty(Shape{0}, DType::Int64), empty(Shape{0}, real_of(self.dtype))};
  if (vector) std::get<0>(result) = squeeze_dim(std::get<0>(result), -1);
  if (how != "gels") std::get<2>(result) = r.rank;
  if (how == "gelsd" || how == "gelss") std::get<3>(result) = to_dtype(r.singular_values, real_of(self.dtype));
  bool full_rank = how != "gelsy";
  for (int64_t i = 0; i < r.rank.numel(); ++i) full_rank = full_rank && r.rank.data<int64_t>()[i] == unknowns;
  if (rows > unknowns && full_rank) {
    const Tensor error = call("aten.sub.Tensor", call("aten.matmul.default", r.a.dense, narrow(r.x.dense, -2, 0, unknowns)), r.b.dense);
    const Tensor residuals = call("aten.sum.dim_IntList", call("aten.pow.Tensor_Scalar", call("aten.abs.default", error), 2), Shape{-2});
    std::get<1>(result) = to_dtype(vector ? squeeze_dim(residuals, -1) : residuals, real_of(self.dtype));
  }
  return result;
}

}  // namespace

void add_linalg_factor_ops(OpTable& ops) {
  ops.add("aten::linalg_lu(Tensor A, *, bool pivot=True) -> (Tensor P, Tensor L, Tensor U)", linalg_lu);
  ops.add("aten::lu_unpack(Tensor LU_data, Tensor LU_pivots, bool unpack_data=True, bool unpack_pivots=True) -> (Tensor P, Tensor L, Tensor U)", lu_unpack);
  ops.add("aten::_lu_with_info(Tensor self, bool pivot=True, bool check_errors=True) -> (Tensor LU, Tensor pivots, Tensor info)", lu_with_info);
  ops.add("aten::linalg_lu_solve(Tensor LU, Tensor pivots, Tensor B, *, bool left=True, bool adjoint=False) -> Tensor", linalg_lu_solve);
  ops.add("aten::lu_solve(Tensor self, Tensor LU_data, Tensor LU_pivots) -> Tensor", lu_solve);
  ops.add("aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)", geqrf);
  ops.add("aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor", householder_product);
  ops.add("aten::orgqr(Tensor self, Tensor input2) -> Tensor", householder_product);
  ops.add("aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor", ormqr);
  ops.add("aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)", linalg_lstsq);
}

}  // namespace pt2::interp
