#pragma once
// Batches of matrices for linear algebra: dense, in double precision, seen by Eigen.
#include <Eigen/Dense>
#include <complex>
#include <optional>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

using MaybeTensor = std::optional<Tensor>;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using View = Eigen::Map<Matrix<T>>;

inline DType computed(DType dtype) { return is_complex(dtype) ? DType::Complex128 : DType::Float64; }

// Calls visit.operator()<T>() with double or std::complex<double>.
template <class Visit>
void with_field(DType dtype, Visit&& visit) {
  check(is_floating(dtype) || is_complex(dtype), "linalg: Expected a floating point or complex tensor as input. Got ", dtype);
  if (is_complex(dtype)) visit.template operator()<std::complex<double>>();
  else visit.template operator()<double>();
}

// A batch of matrices, dense and in double precision.
struct Batch {
  Tensor dense;
  int64_t count = 1, rows = 0, columns = 0;
  DType dtype;   // of the tensor it came from
  Shape lead;    // batch dimensions
  template <class T>
  View<T> matrix(int64_t i) const { return View<T>(dense.data<T>() + i * rows * columns, rows, columns); }
};

inline Batch batch_of(const Tensor& t, std::string_view name) {
  check(t.dim() >= 2, name, ": The input tensor must have at least 2 dimensions.");
  Batch b;
  b.dtype = t.dtype;
  b.dense = as_contiguous(to_dtype(t, computed(t.dtype)));
  b.rows = t.sizes[t.sizes.size() - 2], b.columns = t.sizes.back();
  b.lead.assign(t.sizes.begin(), t.sizes.end() - 2);
  b.count = checked_numel(b.lead);
  return b;
}
inline Batch square_batch(const Tensor& t, std::string_view name) {
  Batch b = batch_of(t, name);
  check(b.rows == b.columns, name, ": A must be batches of square matrices, but they are ", b.rows, " by ", b.columns, " matrices");
  return b;
}
inline Batch new_batch(const Batch& like, int64_t rows, int64_t columns, DType dtype = DType::Unknown) {
  Batch b = like;
  b.rows = rows, b.columns = columns;
  if (dtype != DType::Unknown) b.dtype = dtype;
  Shape sizes = like.lead;
  sizes.push_back(rows);
  sizes.push_back(columns);
  b.dense = empty(sizes, computed(b.dtype));
  return b;
}
// As LAPACK leaves matrices: column by column in memory.
inline Tensor column_major(const Batch& b) {
  Shape sizes = b.dense.sizes, strides = contiguous_strides(sizes);
  const size_t r = sizes.size() - 2;
  strides[r] = 1, strides[r + 1] = std::max<int64_t>(1, b.rows);
  const Tensor result = empty_strided(sizes, strides, b.dtype);
  copy_into(result, b.dense);
  return result;
}
inline Tensor row_major(const Batch& b) { return to_dtype(b.dense, b.dtype); }
inline Tensor vector_per_matrix(const Batch& b, int64_t length, DType dtype) {
  Shape sizes = b.lead;
  if (length >= 0) sizes.push_back(length);
  return empty(sizes, dtype);
}
inline Tensor no_errors(const Batch& b) { return zeros(b.lead, DType::Int32); }

}  // namespace pt2::interp
