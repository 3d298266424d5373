#pragma once
// Operators along one dimension as functions of dense rows.
#include "interp/allocation.h"
#include "interp/parallel.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

// The tensor with `dim` moved to the end, and back. Views.
inline Tensor with_dim_moved(const Tensor& t, int64_t from, int64_t to) {
  Shape sizes = t.sizes, strides = t.strides;
  const int64_t size = sizes[from], stride = strides[from];
  sizes.erase(sizes.begin() + from), strides.erase(strides.begin() + from);
  sizes.insert(sizes.begin() + to, size), strides.insert(strides.begin() + to, stride);
  return make_view(t, sizes, strides, t.offset);
}
inline Tensor rows_last(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? t : with_dim_moved(t, normalize_dim(dim, t.dim()), t.dim() - 1);
}
inline Tensor rows_back(const Tensor& t, int64_t dim) {
  return t.dim() == 0 ? t : as_contiguous(with_dim_moved(t, t.dim() - 1, normalize_dim(dim, t.dim())));
}

// function(from, to, count) for every row along `dim`, in float or double; the result has `dtype` and is contiguous.
template <class Function>
Tensor along_rows(const Tensor& self, int64_t dim, DType dtype, Function function) {
  normalize_dim(dim, self.dim());
  const DType native = native_dtype(compute_type(dtype));
  const Tensor rows = as_contiguous(rows_last(as_dtype(self, native), dim));
  const Tensor result = empty(rows.sizes, native);
  const int64_t count = rows.sizes.empty() ? 1 : rows.sizes.back(), n = count ? rows.numel() / count : 0;
  dispatch(FloatTypes(), dtype, "along_rows", [&]<class T>() {
    parallel_for(n, grain_for(count * 8), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) function(static_cast<const T*>(rows.data<T>() + r * count), result.data<T>() + r * count, count);
    });
  });
  return as_dtype(rows_back(result, dim), dtype);
}

}  // namespace pt2::interp
