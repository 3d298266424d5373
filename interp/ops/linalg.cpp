// Dense linear algebra by Eigen, in double: factorizations and solutions. Batches matrix by matrix.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/matrix.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/matrices.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// ---- LU --------------------------------------------------------------------------------------------------------------------------------

struct Lu { Batch factors; Tensor pivots, info; std::vector<double> permutation_sign; };

// Partial pivoting as LAPACK's getrf: pivots count from 1, info is the first zero pivot.
template <class T>
void factorize(View<T> a, int32_t* pivots, int32_t& info, double& sign) {
  const int64_t steps = std::min(a.rows(), a.cols());
  sign = 1, info = 0;
  for (int64_t k = 0; k < steps; ++k) {
    Eigen::Index at;
    a.col(k).tail(a.rows() - k).cwiseAbs().maxCoeff(&at);
    at += k;
    pivots[k] = static_cast<int32_t>(at + 1);
    if (at != k) a.row(at).swap(a.row(k)), sign = -sign;
    if (a(k, k) == T(0)) {
      if (info == 0) info = static_cast<int32_t>(k + 1);
      continue;
    }
    const int64_t rest_rows = a.rows() - k - 1, rest_columns = a.cols() - k - 1;
    a.col(k).tail(rest_rows) /= a(k, k);
    a.bottomRightCorner(rest_rows, rest_columns) -= a.col(k).tail(rest_rows) * a.row(k).tail(rest_columns);
  }
}
Lu lu_of(const Tensor& A, std::string_view name) {
  const Batch a = batch_of(A, name);
  Lu lu{new_batch(a, a.rows, a.columns), vector_per_matrix(a, std::min(a.rows, a.columns), DType::Int32), no_errors(a), std::vector<double>(static_cast<size_t>(a.count))};
  copy_into(lu.factors.dense, a.dense);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i)
      factorize<T>(lu.factors.matrix<T>(i), lu.pivots.data<int32_t>() + i * std::min(a.rows, a.columns), lu.info.data<int32_t>()[i],
                   lu.permutation_sign[static_cast<size_t>(i)]);
  });
  return lu;
}

Tensor transposed(const Tensor& t) { return transpose(t, -2, -1); }
// PyTorch factorizes the transpose of a real, contiguous matrix, which LAPACK takes as it lies in memory.
Tensor as_factorized(const Tensor& A) { return is_contiguous_as(A, MemoryFormat::Contiguous) && !is_complex(A.dtype) ? transposed(A) : A; }

using Three = std::tuple<Tensor, Tensor, Tensor>;
using Four = std::tuple<Tensor, Tensor, Tensor, Tensor>;
using Two = std::tuple<Tensor, Tensor>;

Four slogdet_lu(const Tensor& A) {
  square_batch(A, "linalg.slogdet");
  const Lu lu = lu_of(as_factorized(A), "linalg.slogdet");
  const Batch& f = lu.factors;
  const Tensor sign = vector_per_matrix(f, -1, computed(A.dtype)), logarithm = vector_per_matrix(f, -1, DType::Float64);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < f.count; ++i) {
      T s = lu.permutation_sign[static_cast<size_t>(i)];
      double log_abs = 0;
      for (int64_t k = 0; k < f.rows; ++k) {
        const T d = f.matrix<T>(i)(k, k);
        const double size = std::abs(d);
        s *= size == 0 ? T(0) : d / size;
        log_abs += std::log(size);
      }
      sign.data<T>()[i] = s;
      logarithm.data<double>()[i] = log_abs;
    }
  });
  return {to_dtype(sign, A.dtype), to_dtype(logarithm, real_of(A.dtype)), column_major(f), lu.pivots};
}
Two slogdet(const Tensor& A) {
  auto [sign, logarithm, lu, pivots] = slogdet_lu(A);
  return {sign, logarithm};
}
Three det_lu(const Tensor& A) {
  square_batch(A, "linalg.det");
  const Lu lu = lu_of(as_factorized(A), "linalg.det");
  const Batch& f = lu.factors;
  const Tensor result = vector_per_matrix(f, -1, computed(A.dtype));
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < f.count; ++i) {
      T d = lu.permutation_sign[static_cast<size_t>(i)];
      for (int64_t k = 0; k < f.rows; ++k) d *= f.matrix<T>(i)(k, k);
      result.data<T>()[i] = d;
    }
  });
  return {to_dtype(result, A.dtype), column_major(f), lu.pivots};
}
Tensor det(const Tensor& A) { return std::get<0>(det_lu(A)); }
Tensor logdet(const Tensor& A) {
  auto [sign, logarithm] = slogdet(A);
  if (is_complex(A.dtype)) return call("aten.add.Tensor", call("aten.log.default", sign), logarithm);
  return map<FloatTypes>({"logdet", A.dtype, A.dtype}, [](auto s, auto l) { return s < 0 ? std::numeric_limits<decltype(l)>::quiet_NaN() : l; }, sign, logarithm);
}

void check_info(const Tensor& info, std::string_view name, std::string_view what) {
  const Tensor dense = as_contiguous(to_dtype(info, DType::Int64));
  for (int64_t i = 0; i < dense.numel(); ++i)
    check(dense.data<int64_t>()[i] == 0, name, ": ", what, " (matrix ", i, ", info ", dense.data<int64_t>()[i], ")");
}
void check_errors(const Tensor& info, std::string_view api_name, Unused) {
  check_info(info, api_name, "The factorization or solution could not be completed because the input is singular or not positive-definite");
}

Two inv_ex(const Tensor& A, bool check_errors) {
  const Batch a = square_batch(A, "linalg.inv");
  const Lu lu = lu_of(A, "linalg.inv");
  const Batch result = new_batch(a, a.rows, a.rows);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) result.matrix<T>(i) = Matrix<T>(a.matrix<T>(i)).partialPivLu().inverse();
  });
  if (check_errors) check_info(lu.info, "linalg.inv", "The diagonal element is zero, the inversion could not be completed because the input matrix is singular.");
  return {column_major(result), lu.info};
}
Tensor inv(const Tensor& A) { return std::get<0>(inv_ex(A, true)); }

// B is a vector where it has one dimension, or a batch of vectors where its shape is A's without the last.
bool vector_case(const Tensor& A, const Tensor& B) {
  return B.dim() == 1 || (A.dim() - 1 == B.dim() && std::equal(B.sizes.begin(), B.sizes.end(), A.sizes.begin()));
}
Tensor with_column(const Tensor& t) {
  Shape sizes = t.sizes, strides = t.strides;
  sizes.push_back(1), strides.push_back(1);
  return make_view(t, sizes, strides, t.offset);
}
Tensor without_column(const Tensor& t) {
  return make_view(t, Shape(t.sizes.begin(), t.sizes.end() - 1), Shape(t.strides.begin(), t.strides.end() - 1), t.offset);
}
struct Pair { Batch a, b; };
Pair broadcast_pair(const Tensor& A, const Tensor& B, std::string_view name) {
  const Shape lead = broadcast_shapes(std::span(A.sizes).first(A.sizes.size() - 2), std::span(B.sizes).first(B.sizes.size() - 2));
  auto expanded = [&](const Tensor& t) {
    Shape sizes = lead;
    sizes.push_back(t.sizes[t.sizes.size() - 2]);
    sizes.push_back(t.sizes.back());
    return batch_of(expand_to(t, sizes), name);
  };
  return {expanded(A), expanded(B)};
}

// A batch of vectors as PyTorch leaves it: as if it were a matrix, column by column.
Tensor as_column_major(const Tensor& vectors) { return vectors.dim() < 2 ? vectors : transposed(as_contiguous(transposed(vectors))); }

Four solve_all(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  square_batch(A, "linalg.solve");
  check(A.dtype == B.dtype, "linalg.solve: Expected A and B to have the same dtype, found ", A.dtype, " and ", B.dtype);
  const bool vector = vector_case(A, B);
  const Tensor rhs = vector ? with_column(B) : B;
  const Pair p = broadcast_pair(A, rhs, "linalg.solve");
  check(vector || left ? p.a.rows == p.b.rows : p.a.rows == p.b.columns, "linalg.solve: Incompatible shapes of A and B for the equation: ", A.sizes, " and ", B.sizes);
  const Batch x = new_batch(p.b, p.b.rows, p.b.columns);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < x.count; ++i) {
      const Matrix<T> a = p.a.matrix<T>(i);
      if (left || vector) x.matrix<T>(i) = a.partialPivLu().solve(Matrix<T>(p.b.matrix<T>(i)));
      else x.matrix<T>(i) = a.transpose().partialPivLu().solve(Matrix<T>(p.b.matrix<T>(i).transpose())).transpose();
    }
  });
  const Lu lu = lu_of(A, "linalg.solve");
  if (check_errors) check_info(lu.info, "torch.linalg.solve", "The solver failed because the input matrix is singular.");
  const Tensor result = column_major(x);
  return {vector ? as_column_major(without_column(result)) : result, column_major(lu.factors), lu.pivots, lu.info};
}
Two solve_ex(const Tensor& A, const Tensor& B, bool left, bool check_errors) {
  auto [x, lu, pivots, info] = solve_all(A, B, left, check_errors);
  return {x, info};
}
Tensor solve(const Tensor& A, const Tensor& B, bool left) { return std::get<0>(solve_all(A, B, left, true)); }

Three lu_factor_ex(const Tensor& A, bool pivot, bool check_errors) {
  check(pivot, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
  const Lu lu = lu_of(A, "linalg.lu_factor");
  if (check_errors) check_info(lu.info, "torch.linalg.lu_factor_ex", "U is singular");
  return {column_major(lu.factors), lu.pivots, lu.info};
}
Two lu_factor(const Tensor& A, bool pivot) {
  auto [lu, pivots, info] = lu_factor_ex(A, pivot, false);
  return {lu, pivots};
}

// ---- Cholesky, triangular systems ------------------------------------------------------------------------------------------------------

Two cholesky_ex(const Tensor& A, bool upper, bool check_errors) {
  const Batch a = square_batch(A, "linalg.cholesky"), l = new_batch(a, a.rows, a.rows);
  const Tensor info = no_errors(a);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      Matrix<T> source = upper ? Matrix<T>(a.matrix<T>(i).adjoint()) : Matrix<T>(a.matrix<T>(i));
      Matrix<T> factor = source.template triangularView<Eigen::Lower>();
      for (int64_t j = 0; j < a.rows; ++j) {  // column by column, as far as the matrix is positive-definite: the rest stays as it was, as LAPACK leaves it
        const double d = std::real(source(j, j)) - factor.row(j).head(j).squaredNorm();
        if (!(d > 0)) {
          factor(j, j) = d;
          info.data<int32_t>()[i] = static_cast<int32_t>(j + 1);
          break;
        }
        factor(j, j) = std::sqrt(d);
        for (int64_t k = j + 1; k < a.rows; ++k)
          factor(k, j) = (source(k, j) - (factor.row(k).head(j) * factor.row(j).head(j).adjoint())(0, 0)) / factor(j, j);
      }
      if (upper) l.matrix<T>(i) = factor.adjoint();
      else l.matrix<T>(i) = factor;
    }
  });
  if (check_errors) check_info(info, "linalg.cholesky", "The factorization could not be completed because the input is not positive-definite");
  return {column_major(l), info};
}
Tensor linalg_cholesky(const Tensor& A, bool upper) { return std::get<0>(cholesky_ex(A, upper, true)); }

Tensor solve_triangular(const Tensor& A, const Tensor& B, bool upper, bool left, bool unitriangular) {
  square_batch(A, "linalg.solve_triangular");
  const Pair p = broadcast_pair(A, B, "linalg.solve_triangular");
  check(left ? p.a.rows == p.b.rows : p.a.rows == p.b.columns, "linalg.solve_triangular: Incompatible shapes of A and B: ", A.sizes, " and ", B.sizes);
  const Batch x = new_batch(p.b, p.b.rows, p.b.columns);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < x.count; ++i) {
      // xA = b is Aᵀxᵀ = bᵀ.
      Matrix<T> a = left ? Matrix<T>(p.a.matrix<T>(i)) : Matrix<T>(p.a.matrix<T>(i).transpose());
      const Matrix<T> b = left ? Matrix<T>(p.b.matrix<T>(i)) : Matrix<T>(p.b.matrix<T>(i).transpose());
      if (unitriangular) a.diagonal().setOnes();
      const Matrix<T> y = upper == left ? Matrix<T>(a.template triangularView<Eigen::Upper>().solve(b)) : Matrix<T>(a.template triangularView<Eigen::Lower>().solve(b));
      if (left) x.matrix<T>(i) = y;
      else x.matrix<T>(i) = y.transpose();
    }
  });
  return left ? column_major(x) : row_major(x);
}
Two triangular_solve(const Tensor& self, const Tensor& A, bool upper, bool transpose, bool unitriangular) {
  const Tensor a = transpose ? transposed(A) : A;
  return {solve_triangular(a, self, upper != transpose, true, unitriangular), to_dtype(A, A.dtype)};
}
Tensor cholesky_solve(const Tensor& self, const Tensor& input2, bool upper) {
  // A = LLᴴ (or UᴴU): two triangular systems.
  const Batch l = square_batch(input2, "cholesky_solve");
  const Pair p = broadcast_pair(input2, self, "cholesky_solve");
  const Batch x = new_batch(p.b, p.b.rows, p.b.columns);
  with_field(l.dtype, [&]<class T>() {
    for (int64_t i = 0; i < x.count; ++i) {
      const Matrix<T> f = upper ? Matrix<T>(p.a.matrix<T>(i).adjoint()) : Matrix<T>(p.a.matrix<T>(i));
      const Matrix<T> y = f.template triangularView<Eigen::Lower>().solve(Matrix<T>(p.b.matrix<T>(i)));
      x.matrix<T>(i) = f.adjoint().template triangularView<Eigen::Upper>().solve(y);
    }
  });
  return column_major(x);
}

// ---- Orthogonal factorizations ---------------------------------------------------------------------------------------------------------

Two qr(const Tensor& A, std::string_view mode) {
  check(mode == "reduced" || mode == "complete" || mode == "r", "qr received unrecognized mode '", mode, "' but expected one of 'reduced' (default), 'r', or 'complete'");
  const Batch a = batch_of(A, "linalg.qr");
  const int64_t k = mode == "complete" ? a.rows : std::min(a.rows, a.columns);
  const Batch q = new_batch(a, a.rows, k), r = new_batch(a, k, a.columns);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      const Eigen::HouseholderQR<Matrix<T>> qr(a.matrix<T>(i));
      q.matrix<T>(i) = qr.householderQ() * Matrix<T>::Identity(a.rows, k);
      r.matrix<T>(i) = Matrix<T>(qr.matrixQR().template triangularView<Eigen::Upper>()).topRows(k);
    }
  });
  const Tensor no_q = empty(Shape{0}, A.dtype);
  return {mode == "r" ? no_q : column_major(q), column_major(r)};
}

struct Svd { Batch u, vh; Tensor s; };
Svd svd_of(const Tensor& A, bool full) {
  const Batch a = batch_of(A, "linalg.svd");
  const int64_t k = std::min(a.rows, a.columns);
  Svd result{new_batch(a, a.rows, full ? a.rows : k), new_batch(a, full ? a.columns : k, a.columns), vector_per_matrix(a, k, DType::Float64)};
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      if (k == 0) {  // nothing to decompose: whole factors are rotations by nothing
        result.u.matrix<T>(i).setIdentity(), result.vh.matrix<T>(i).setIdentity();
        continue;
      }
      const unsigned want = full ? Eigen::ComputeFullU | Eigen::ComputeFullV : Eigen::ComputeThinU | Eigen::ComputeThinV;
      const Eigen::JacobiSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> svd(a.matrix<T>(i), want);
      check(a.matrix<T>(i).allFinite(), "linalg.svd: (Batch element ", i, "): The algorithm failed to converge because the input matrix contained non-finite values.");
      result.u.matrix<T>(i) = svd.matrixU();
      result.vh.matrix<T>(i) = svd.matrixV().adjoint();
      for (int64_t j = 0; j < k; ++j) result.s.data<double>()[i * k + j] = svd.singularValues()(j);
    }
  });
  return result;
}
Three svd_low_level(const Tensor& A, bool full_matrices, bool compute_uv, Unused) {
  const Svd svd = svd_of(A, full_matrices);
  const Tensor s = to_dtype(svd.s, real_of(A.dtype));
  if (!compute_uv) return {empty(Shape{0}, A.dtype), s, empty(Shape{0}, A.dtype)};
  return {column_major(svd.u), s, column_major(svd.vh)};
}
Three svd(const Tensor& A, bool full_matrices, Unused driver) { return svd_low_level(A, full_matrices, true, driver); }
Tensor svdvals(const Tensor& A, Unused) { return to_dtype(svd_of(A, false).s, real_of(A.dtype)); }

Two eigh_low_level(const Tensor& A, std::string_view uplo, bool compute_v) {
  const Batch a = square_batch(A, "linalg.eigh"), v = new_batch(a, a.rows, a.rows);
  const Tensor values = vector_per_matrix(a, a.rows, DType::Float64);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count && a.rows > 0; ++i) {
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> m = a.matrix<T>(i);
      if (uplo == "U" || uplo == "u") m = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>(m.adjoint());  // Eigen reads the lower half
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> solver(m);
      v.matrix<T>(i) = solver.eigenvectors();
      for (int64_t j = 0; j < a.rows; ++j) values.data<double>()[i * a.rows + j] = solver.eigenvalues()(j);
    }
  });
  return {to_dtype(values, real_of(A.dtype)), compute_v ? column_major(v) : empty(Shape{0}, A.dtype)};
}
Two eigh(const Tensor& A, std::string_view uplo) { return eigh_low_level(A, uplo, true); }
Tensor eigvalsh(const Tensor& A, std::string_view uplo) { return std::get<0>(eigh_low_level(A, uplo, false)); }

Two eig(const Tensor& A) {
  const Batch a = square_batch(A, "linalg.eig");
  for (int64_t i = 0; i < a.dense.numel() * (is_complex(A.dtype) ? 2 : 1); ++i)
    check(std::isfinite(a.dense.data<double>()[i]), "torch.linalg.eig: input tensor should not contain infs or NaNs.");
  const DType result = is_complex(A.dtype) ? A.dtype : complex_of(A.dtype);
  const Batch v = new_batch(a, a.rows, a.rows, result);
  const Tensor values = vector_per_matrix(a, a.rows, DType::Complex128);
  using C = std::complex<double>;
  for (int64_t i = 0; i < a.count && a.rows > 0; ++i) {
    Eigen::MatrixXcd m = is_complex(A.dtype) ? Eigen::MatrixXcd(a.matrix<C>(i)) : Eigen::MatrixXcd(a.matrix<double>(i).cast<C>());
    const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> solver(m);
    v.matrix<C>(i) = solver.eigenvectors();
    for (int64_t j = 0; j < a.rows; ++j) values.data<C>()[i * a.rows + j] = solver.eigenvalues()(j);
  }
  return {to_dtype(values, result), column_major(v)};
}
Tensor eigvals(const Tensor& A) { return std::get<0>(eig(A)); }

// Of a Hermitian matrix, of which the lower half is read: its eigenvectors, to the left with the signs of their values. Values in any order.
Svd hermitian_svd_of(const Tensor& A) {
  const Batch a = square_batch(A, "linalg.pinv");
  Svd result{new_batch(a, a.rows, a.rows), new_batch(a, a.rows, a.rows), vector_per_matrix(a, a.rows, DType::Float64)};
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count && a.rows > 0; ++i) {
      const Eigen::SelfAdjointEigenSolver<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>> solver(a.matrix<T>(i));
      result.vh.matrix<T>(i) = solver.eigenvectors().adjoint();
      for (int64_t j = 0; j < a.rows; ++j) {
        const double value = solver.eigenvalues()(j);
        result.s.data<double>()[i * a.rows + j] = std::fabs(value);
        result.u.matrix<T>(i).col(j) = solver.eigenvectors().col(j) * std::copysign(1.0, value);
      }
    }
  });
  return result;
}
Tensor pinv_with(const Tensor& A, double atol, double rtol, bool hermitian) {
  const Svd svd = hermitian ? hermitian_svd_of(A) : svd_of(A, false);
  const int64_t k = std::min(svd.u.rows, svd.vh.columns);
  const Batch result = new_batch(svd.u, svd.vh.columns, svd.u.rows);
  with_field(A.dtype, [&]<class T>() {
    for (int64_t i = 0; i < result.count; ++i) {
      const double* s = svd.s.data<double>() + i * k;
      const double limit = k ? std::max(atol, rtol * *std::max_element(s, s + k)) : 0;
      Matrix<T> scaled = svd.vh.matrix<T>(i).adjoint();
      for (int64_t j = 0; j < k; ++j) scaled.col(j) *= s[j] > limit ? 1 / s[j] : 0.0;
      result.matrix<T>(i) = scaled * svd.u.matrix<T>(i).adjoint();
    }
  });
  return row_major(result);
}
double default_rtol(const Tensor& A) {
  const double eps = real_of(A.dtype) == DType::Float64 ? std::numeric_limits<double>::epsilon() : std::numeric_limits<float>::epsilon();
  return eps * static_cast<double>(std::max(A.sizes.back(), A.sizes[A.sizes.size() - 2]));
}
Tensor pinv_floats(const Tensor& A, std::optional<double> atol, std::optional<double> rtol, bool hermitian) {
  return pinv_with(A, atol.value_or(0), rtol.value_or(atol.value_or(0) > 0 ? 0 : default_rtol(A)), hermitian);
}
Tensor pinv_tensors(const Tensor& A, const MaybeTensor& atol, const MaybeTensor& rtol, bool hermitian) {
  auto number = [](const MaybeTensor& t) { return t ? std::optional<double>(item(*t).to_double()) : std::nullopt; };
  return pinv_floats(A, number(atol), number(rtol), hermitian);
}
Tensor pinv_rcond(const Tensor& A, double rcond, bool hermitian) { return pinv_floats(A, std::nullopt, rcond, hermitian); }

}  // namespace

void add_linalg_ops(OpTable& ops) {
  ops.add("aten::linalg_det(Tensor A) -> Tensor", det);
  ops.add("aten::det(Tensor self) -> Tensor", det);
  ops.add("aten::logdet(Tensor self) -> Tensor", logdet);
  ops.add("aten::_linalg_det(Tensor A) -> (Tensor result, Tensor LU, Tensor pivots)", det_lu);
  ops.add("aten::linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet)", slogdet);
  ops.add("aten::_linalg_slogdet(Tensor A) -> (Tensor sign, Tensor logabsdet, Tensor LU, Tensor pivots)", slogdet_lu);
  ops.add("aten::linalg_inv(Tensor A) -> Tensor", inv);
  ops.add("aten::inverse(Tensor self) -> Tensor", inv);
  ops.add("aten::linalg_inv_ex(Tensor A, *, bool check_errors=False) -> (Tensor inverse, Tensor info)", inv_ex);
  ops.add("aten::linalg_solve(Tensor A, Tensor B, *, bool left=True) -> Tensor", solve);
  ops.add("aten::linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor info)", solve_ex);
  ops.add("aten::_linalg_solve_ex(Tensor A, Tensor B, *, bool left=True, bool check_errors=False) -> (Tensor result, Tensor LU, Tensor pivots, Tensor info)", solve_all);
  ops.add("aten::linalg_lu_factor_ex(Tensor A, *, bool pivot=True, bool check_errors=False) -> (Tensor LU, Tensor pivots, Tensor info)", lu_factor_ex);
  ops.add("aten::linalg_lu_factor(Tensor A, *, bool pivot=True) -> (Tensor LU, Tensor pivots)", lu_factor);
  ops.add("aten::_linalg_check_errors(Tensor info, str api_name, *, bool is_matrix) -> ()", check_errors);
  ops.add("aten::linalg_cholesky(Tensor self, *, bool upper=False) -> Tensor", linalg_cholesky);
  ops.add("aten::cholesky(Tensor self, bool upper=False) -> Tensor", linalg_cholesky);
  ops.add("aten::linalg_cholesky_ex(Tensor self, *, bool upper=False, bool check_errors=False) -> (Tensor L, Tensor info)", cholesky_ex);
  ops.add("aten::cholesky_solve(Tensor self, Tensor input2, bool upper=False) -> Tensor", cholesky_solve);
  ops.add("aten::linalg_solve_triangular(Tensor self, Tensor B, *, bool upper, bool left=True, bool unitriangular=False) -> Tensor", solve_triangular);
  ops.add("aten::triangular_solve(Tensor self, Tensor A, bool upper=True, bool transpose=False, bool unitriangular=False) -> (Tensor solution, Tensor cloned_coefficient)", triangular_solve);
  ops.add("aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)", qr);
  ops.add("aten::linalg_svd(Tensor A, bool full_matrices=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)", svd);
  ops.add("aten::_linalg_svd(Tensor A, bool full_matrices=False, bool compute_uv=True, *, str? driver=None) -> (Tensor U, Tensor S, Tensor Vh)", svd_low_level);
  ops.add("aten::linalg_svdvals(Tensor A, *, str? driver=None) -> Tensor", svdvals);
  ops.add("aten::linalg_eigh(Tensor self, str UPLO=\"L\") -> (Tensor eigenvalues, Tensor eigenvectors)", eigh);
  ops.add("aten::_linalg_eigh(Tensor A, str UPLO=\"L\", bool compute_v=True) -> (Tensor eigenvalues, Tensor eigenvectors)", eigh_low_level);
  ops.add("aten::linalg_eigvalsh(Tensor self, str UPLO=\"L\") -> Tensor", eigvalsh);
  ops.add("aten::linalg_eig(Tensor self) -> (Tensor eigenvalues, Tensor eigenvectors)", eig);
  ops.add("aten::linalg_eigvals(Tensor self) -> Tensor", eigvals);
  ops.add("aten::_linalg_eigvals(Tensor self) -> Tensor", eigvals);
  ops.add("aten::linalg_pinv.atol_rtol_tensor(Tensor self, *, Tensor? atol=None, Tensor? rtol=None, bool hermitian=False) -> Tensor", pinv_tensors);
  ops.add("aten::linalg_pinv.atol_rtol_float(Tensor self, *, float? atol=None, float? rtol=None, bool hermitian=False) -> Tensor", pinv_floats);
  ops.add("aten::linalg_pinv(Tensor self, float rcond, bool hermitian=False) -> Tensor", pinv_rcond);
}

}  // namespace pt2::interp
