// Linear algebra with the factors of matrices: LU, LDL, Householder reflectors, least squares.
#include <algorithm>
#include <cmath>
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

// ---- LDL -------------------------------------------------------------------------------------------------------------------------------

// What the pivots of Bunch and Kaufman compare: LAPACK takes |re| + |im| for the size of a complex number.
double pivot_size(double x) { return std::fabs(x); }
double pivot_size(const std::complex<double>& x) { return std::fabs(x.real()) + std::fabs(x.imag()); }

// The largest entry of column `j` from row `from` on that is not on the diagonal.
template <class T>
std::pair<int64_t, double> largest_in_column(const Matrix<T>& a, int64_t j, int64_t from) {
  std::pair<int64_t, double> largest{j, 0};
  for (int64_t i = from; i < a.rows(); ++i)
    if (i != j && pivot_size(a(i, j)) > largest.second) largest = {i, pivot_size(a(i, j))};
  return largest;
}

template <class T>
Matrix<T> turned(const Matrix<T>& m, bool hermitian) {
  if (hermitian) return m.adjoint();
  return m.transpose();
}

struct LdlPivot {
  int64_t row = 0, size = 1;  // the row taken as (the last of) a pivot of one or two rows
};
template <class T>
LdlPivot ldl_pivot(const Matrix<T>& a, int64_t k) {
  static const double kAlpha = (1 + std::sqrt(17.0)) / 8;
  const double here = pivot_size(a(k, k));
  const auto [row, largest] = largest_in_column(a, k, k);
  if (here >= kAlpha * largest) return {k, 1};
  const double largest_of_row = largest_in_column(a, row, k).second;
  if (here >= kAlpha * largest * (largest / largest_of_row)) return {k, 1};
  return {row, pivot_size(a(row, row)) >= kAlpha * largest_of_row ? 1 : 2};
}

// LAPACK's sytrf and hetrf of the lower triangle: L below D, whose blocks have one or two rows. Returns the first row without a pivot, from 1, or 0.
template <class T>
int32_t factor_ldl(Matrix<T>& a, int32_t* pivots, bool hermitian) {
  a.template triangularView<Eigen::StrictlyUpper>() = turned<T>(a, hermitian);
  if (hermitian) a.diagonal() = a.diagonal().real().template cast<T>();
  const int64_t n = a.rows();
  int32_t info = 0;
  for (int64_t k = 0; k < n;) {
    throw_if_stopped();
    const LdlPivot pivot = ldl_pivot(a, k);
    const int64_t last = k + pivot.size - 1, rest = n - last - 1;
    a.row(last).tail(n - k).swap(a.row(pivot.row).tail(n - k));
    a.col(last).tail(n - k).swap(a.col(pivot.row).tail(n - k));
    const auto place = static_cast<int32_t>(pivot.row + 1);
    for (int64_t i = k; i <= last; ++i) pivots[i] = pivot.size == 1 ? place : -place;
    const bool nothing = pivot.size == 1 && a.col(k).tail(n - k).isZero(0);
    if (nothing && info == 0) info = place;
    if (!nothing && rest > 0) {
      const Matrix<T> block = a.block(k, k, pivot.size, pivot.size), below = a.block(last + 1, k, rest, pivot.size);
      const Matrix<T> factor = below * block.inverse();
      a.bottomRightCorner(rest, rest) -= factor * turned(below, hermitian);
      a.block(last + 1, k, rest, pivot.size) = factor;
    }
    k = last + 1;
  }
  a.template triangularView<Eigen::StrictlyUpper>().setZero();
  return info;
}

Three ldl_factor_ex(const Tensor& self, bool hermitian, bool check_errors) {
  const Batch a = square_batch(self, "torch.linalg.ldl_factor_ex"), ld = new_batch(a, a.rows, a.rows);
  const Tensor pivots = vector_per_matrix(a, a.rows, DType::Int32), info = no_errors(a);
  with_field(self.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      Matrix<T> factors = a.matrix<T>(i);
      int32_t& failed = info.data<int32_t>()[i];
      failed = factor_ldl(factors, pivots.data<int32_t>() + i * a.rows, hermitian);
      ld.matrix<T>(i) = factors;
      check(!check_errors || failed == 0, "torch.linalg.ldl_factor_ex: the factorization has no pivot for row ", static_cast<int64_t>(failed), " of matrix ", i);
    }
  });
  return {column_major(ld), pivots, info};
}
Two ldl_factor(const Tensor& self, bool hermitian) {
  const auto [ld, pivots, info] = ldl_factor_ex(self, hermitian, true);
  return {ld, pivots};
}

// The rows that the block of D at `k` was made of, and how they were exchanged.
struct LdlBlock {
  int64_t at = 0, size = 1, exchanged = 0;
};
std::vector<LdlBlock> ldl_blocks(const int32_t* pivots, int64_t n) {
  std::vector<LdlBlock> blocks;
  for (int64_t k = 0; k < n; k += blocks.back().size) {
    const int64_t size = pivots[k] > 0 ? 1 : 2, exchanged = std::abs(int64_t{pivots[k]}) - 1;
    check(exchanged >= k && exchanged < n && k + size <= n, "torch.linalg.ldl_solve: pivot ", static_cast<int64_t>(pivots[k]), " does not fit row ", k, " of ", n);
    blocks.push_back({k, size, exchanged});
  }
  return blocks;
}

// A X = B in the place of B, with the factors of A.
template <class T>
void solve_ldl(const View<T>& ld, const std::vector<LdlBlock>& blocks, View<T> x, bool hermitian) {
  const int64_t n = ld.rows();
  for (const LdlBlock& b : blocks) {
    const int64_t last = b.at + b.size - 1, rest = n - last - 1;
    x.row(last).swap(x.row(b.exchanged));
    x.bottomRows(rest) -= ld.block(last + 1, b.at, rest, b.size) * x.middleRows(b.at, b.size);
    Matrix<T> block = ld.block(b.at, b.at, b.size, b.size);
    block.template triangularView<Eigen::StrictlyUpper>() = turned<T>(block, hermitian);
    x.middleRows(b.at, b.size) = (block.inverse() * x.middleRows(b.at, b.size)).eval();
  }
  for (size_t i = blocks.size(); i-- > 0;) {
    const LdlBlock& b = blocks[i];
    const int64_t last = b.at + b.size - 1, rest = n - last - 1;
    x.middleRows(b.at, b.size) -= turned<T>(ld.block(last + 1, b.at, rest, b.size), hermitian) * x.bottomRows(rest);
    x.row(last).swap(x.row(b.exchanged));
  }
}

Tensor ldl_solve(const Tensor& LD, const Tensor& pivots, const Tensor& B, bool hermitian) {
  square_batch(LD, "torch.linalg.ldl_solve");
  check(B.dim() >= 2, "torch.linalg.ldl_solve: Expected B to have at least 2 dimensions, but it has ", B.dim(), " dimensions instead");
  check(LD.dtype == B.dtype, "Expected b and A to have the same dtype, but found b of type ", B.dtype, " and A of type ", LD.dtype, " instead.");
  check(std::equal(pivots.sizes.begin(), pivots.sizes.end(), LD.sizes.begin(), LD.sizes.end() - 1),
        "torch.linalg.ldl_solve: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape ", pivots.sizes, " instead");
  check(B.sizes[B.sizes.size() - 2] == LD.sizes.back(), "Incompatible matrix sizes for torch.linalg.ldl_solve: each A matrix is ", LD.sizes.back(), " by ", LD.sizes.back(),
        " but each b matrix is ", B.sizes[B.sizes.size() - 2], " by ", B.sizes.back());
  const Shape lead = broadcast_shapes(std::span(LD.sizes).first(LD.sizes.size() - 2), std::span(B.sizes).first(B.sizes.size() - 2));
  auto expanded = [&lead](const Tensor& t, int64_t own) {
    Shape sizes = lead;
    sizes.insert(sizes.end(), t.sizes.end() - own, t.sizes.end());
    return expand_to(t, sizes);
  };
  const Batch ld = batch_of(expanded(LD, 2), "torch.linalg.ldl_solve"), b = batch_of(expanded(B, 2), "torch.linalg.ldl_solve"), x = new_batch(b, b.rows, b.columns);
  const Tensor exchanges = as_contiguous(expanded(pivots, 1), DType::Int32);
  copy_into(x.dense, b.dense);
  with_field(B.dtype, [&]<class T>() {
    for (int64_t i = 0; i < x.count; ++i) solve_ldl<T>(ld.matrix<T>(i), ldl_blocks(exchanges.data<int32_t>() + i * ld.rows, ld.rows), x.matrix<T>(i), hermitian);
  });
  return column_major(x);
}

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
  ops.add("aten::linalg_ldl_factor(Tensor self, *, bool hermitian=False) -> (Tensor LD, Tensor pivots)", ldl_factor);
  ops.add("aten::linalg_ldl_factor_ex(Tensor self, *, bool hermitian=False, bool check_errors=False) -> (Tensor LD, Tensor pivots, Tensor info)", ldl_factor_ex);
  ops.add("aten::linalg_ldl_solve(Tensor LD, Tensor pivots, Tensor B, *, bool hermitian=False) -> Tensor", ldl_solve);
  ops.add("aten::geqrf(Tensor self) -> (Tensor a, Tensor tau)", geqrf);
  ops.add("aten::linalg_householder_product(Tensor input, Tensor tau) -> Tensor", householder_product);
  ops.add("aten::orgqr(Tensor self, Tensor input2) -> Tensor", householder_product);
  ops.add("aten::ormqr(Tensor self, Tensor input2, Tensor input3, bool left=True, bool transpose=False) -> Tensor", ormqr);
  ops.add("aten::linalg_lstsq(Tensor self, Tensor b, float? rcond=None, *, str? driver=None) -> (Tensor solution, Tensor residuals, Tensor rank, Tensor singular_values)", linalg_lstsq);
}

}  // namespace pt2::interp
