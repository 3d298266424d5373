// Functions of matrices by Eigen, in double: powers, the exponential, norms. Batches matrix by matrix.
#include <Eigen/Dense>
#include <cmath>
#include <unsupported/Eigen/MatrixFunctions>

#include "interp/allocation.h"
#include "interp/check.h"
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

Tensor matrix_power(const Tensor& self, int64_t n) {
  const Batch a = square_batch(self, "linalg.matrix_power"), result = new_batch(a, a.rows, a.rows);
  with_field(self.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      Matrix<T> base = a.matrix<T>(i);
      if (n < 0) base = base.partialPivLu().inverse().eval();
      Matrix<T> power = Matrix<T>::Identity(a.rows, a.rows);
      for (int64_t e = std::abs(n); e > 0; e /= 2) {
        if (e % 2) power = power * base;
        base = base * base;
      }
      result.matrix<T>(i) = power;
    }
  });
  return row_major(result);
}
Tensor matrix_exp(const Tensor& self) {
  const Batch a = square_batch(self, "linalg.matrix_exp"), result = new_batch(a, a.rows, a.rows);
  with_field(self.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> m = a.matrix<T>(i);
      if (a.rows > 0) result.matrix<T>(i) = m.exp();
    }
  });
  return row_major(result);
}

// The two dimensions moved to the end.
Tensor matrices_last(const Tensor& t, std::span<const int64_t> dim) {
  check(dim.size() == 2, "linalg.matrix_norm: dim must be a 2-tuple, got ", dim);
  const int64_t r = normalize_dim(dim[0], t.dim()), c = normalize_dim(dim[1], t.dim());
  check(r != c, "linalg.matrix_norm: dims must be different");
  Shape sizes, strides;
  for (int64_t d = 0; d < t.dim(); ++d)
    if (d != r && d != c) sizes.push_back(t.sizes[static_cast<size_t>(d)]), strides.push_back(t.strides[static_cast<size_t>(d)]);
  for (int64_t d : {r, c}) sizes.push_back(t.sizes[static_cast<size_t>(d)]), strides.push_back(t.strides[static_cast<size_t>(d)]);
  return make_view(t, sizes, strides, t.offset);
}
enum class Norm { Frobenius, Nuclear, Largest, Smallest, Columns, ColumnsMin, Rows, RowsMin };
Tensor matrix_norm_of(const Tensor& self, Norm norm, std::span<const int64_t> dim, bool keepdim, std::optional<DType> dtype) {
  const Tensor moved = matrices_last(dtype ? to_dtype(self, *dtype) : self, dim);
  const Batch a = batch_of(moved, "linalg.matrix_norm");
  Tensor result = vector_per_matrix(a, -1, DType::Float64);
  with_field(a.dtype, [&]<class T>() {
    for (int64_t i = 0; i < a.count; ++i) {
      const Matrix<T> m = a.matrix<T>(i);
      double& value = result.data<double>()[i];
      const bool of_nothing = (norm == Norm::ColumnsMin && a.columns == 0) || (norm == Norm::RowsMin && a.rows == 0) || (norm == Norm::Smallest && m.size() == 0);
      check(!of_nothing, "linalg.matrix_norm: the smallest of no values was asked for, of a matrix of ", a.rows, " by ", a.columns);
      if (m.size() == 0) {
        value = 0;
        continue;
      }
      switch (norm) {
        case Norm::Frobenius: value = m.norm(); break;
        case Norm::Columns: value = m.cwiseAbs().colwise().sum().maxCoeff(); break;
        case Norm::ColumnsMin: value = m.cwiseAbs().colwise().sum().minCoeff(); break;
        case Norm::Rows: value = m.cwiseAbs().rowwise().sum().maxCoeff(); break;
        case Norm::RowsMin: value = m.cwiseAbs().rowwise().sum().minCoeff(); break;
        default: {
          const auto s = Eigen::JacobiSVD<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>>(m).singularValues();
          value = norm == Norm::Nuclear ? s.sum() : norm == Norm::Largest ? s.maxCoeff() : s.minCoeff();
        }
      }
    }
  });
  result = to_dtype(result, real_of(a.dtype));
  if (keepdim) {
    Shape sizes = self.sizes;
    for (int64_t d : dim) sizes[static_cast<size_t>(normalize_dim(d, self.dim()))] = 1;
    result = make_view(result, sizes, contiguous_strides(sizes), result.offset);
  }
  return result;
}
Norm norm_by_name(std::string_view name) {
  check(name == "fro" || name == "nuc", "linalg.matrix_norm: Order ", name, " not supported.");
  return name == "fro" ? Norm::Frobenius : Norm::Nuclear;
}
Norm norm_by_number(double order) {
  if (order == 1) return Norm::Columns;
  if (order == -1) return Norm::ColumnsMin;
  if (order == 2) return Norm::Largest;
  if (order == -2) return Norm::Smallest;
  check(std::isinf(order), "linalg.matrix_norm: Order ", order, " not supported.");
  return order > 0 ? Norm::Rows : Norm::RowsMin;
}
Tensor matrix_norm_name(const Tensor& self, std::string_view ord, std::span<const int64_t> dim, bool keepdim, std::optional<DType> dtype) {
  return matrix_norm_of(self, norm_by_name(ord), dim, keepdim, dtype);
}
Tensor matrix_norm_number(const Tensor& self, Scalar ord, std::span<const int64_t> dim, bool keepdim, std::optional<DType> dtype) {
  return matrix_norm_of(self, norm_by_number(ord.to_double()), dim, keepdim, dtype);
}

// A vector norm where no order asks for a matrix one: of everything, or along one dimension.
Tensor vector_norm(const Tensor& self, double order, const std::optional<std::vector<int64_t>>& dim, bool keepdim, std::optional<DType> dtype) {
  return call("aten.linalg_vector_norm.default", self, order, dim, keepdim, dtype);
}
Tensor norm_number(const Tensor& self, std::optional<Scalar> ord, const std::optional<std::vector<int64_t>>& dim, bool keepdim, std::optional<DType> dtype) {
  const bool matrix = ord && (dim ? dim->size() == 2 : self.dim() == 2);
  if (!matrix) return vector_norm(self, ord ? ord->to_double() : 2, dim, keepdim, dtype);
  return matrix_norm_of(self, norm_by_number(ord->to_double()), dim.value_or(std::vector<int64_t>{0, 1}), keepdim, dtype);
}
Tensor norm_name(const Tensor& self, std::string_view ord, const std::optional<std::vector<int64_t>>& dim, bool keepdim, std::optional<DType> dtype) {
  return matrix_norm_of(self, norm_by_name(ord), dim.value_or(std::vector<int64_t>{0, 1}), keepdim, dtype);
}

}  // namespace

void add_matrix_function_ops(OpTable& ops) {
  ops.add("aten::linalg_norm(Tensor self, Scalar? ord=None, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", norm_number);
  ops.add("aten::linalg_norm.ord_str(Tensor self, str ord, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", norm_name);
  ops.add("aten::linalg_matrix_power(Tensor self, int n) -> Tensor", matrix_power);
  ops.add("aten::linalg_matrix_exp(Tensor self) -> Tensor", matrix_exp);
  ops.add("aten::matrix_exp(Tensor self) -> Tensor", matrix_exp);
  ops.add("aten::linalg_matrix_norm.str_ord(Tensor self, str ord=\"fro\", int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", matrix_norm_name);
  ops.add("aten::linalg_matrix_norm(Tensor self, Scalar ord, int[] dim=[-2, -1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", matrix_norm_number);
}

}  // namespace pt2::interp
