// softmax, log_softmax and their gradients along any dimension.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/kernels/row_kernels.h"
#include "interp/kernels/vector_math.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/rows.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/stepwise.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

enum class Kind { Softmax, LogSoftmax };

// Along the last dimension PyTorch keeps the sum of a half type's exponentials, and its logarithm, in that type.
template <class T>
void log_softmax_of_half(const T* from, T* to, int64_t count, StepRounding rounded) {
  const T top = *std::max_element(from, from + count);
  row_kernels().of<T>().scale_shift(from, to, count, T(1), -top);
  vector_math().exp(to, to, count);
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += to[i];
  row_kernels().of<T>().scale_shift(from, to, count, T(1), -(top + rounded(std::log(rounded(static_cast<T>(sum))))));
}

template <Kind kind>
Tensor softmax_along(const Tensor& self, int64_t dim, DType dtype) {
  check(is_floating(dtype), kind == Kind::Softmax ? "\"softmax\"" : "\"log_softmax\"", " not implemented for '", scalar_type_name(dtype), "'");
  const StepRounding rounded = normalize_dim(dim, self.dim()) + 1 >= self.dim() ? half_steps(dtype) : StepRounding();
  return along_rows(self, dim, dtype, [&]<class T>(const T* from, T* to, int64_t count) {
    if constexpr (kind == Kind::Softmax) row_kernels().of<T>().softmax(from, to, count);
    else if (rounded.dtype != DType::Unknown && count > 0) log_softmax_of_half(from, to, count, rounded);
    else row_kernels().of<T>().log_softmax(from, to, count);
  });
}

template <Kind kind>
Tensor softmax_int(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return softmax_along<kind>(dtype ? as_dtype(self, *dtype) : self, dim, dtype.value_or(self.dtype));
}
template <Kind kind>
Tensor softmax_half_to_float(const Tensor& self, int64_t dim, bool half_to_float) {
  return softmax_along<kind>(self, dim, half_to_float ? DType::Float32 : self.dtype);
}

// Rows of -inf only give 0, not NaN: attention with everything masked.
Tensor safe_softmax(const Tensor& self, int64_t dim, std::optional<DType> dtype) {
  return along_rows(dtype ? as_dtype(self, *dtype) : self, dim, dtype.value_or(self.dtype), [&]<class T>(const T* from, T* to, int64_t count) {
    if (std::all_of(from, from + count, [](T x) { return x == -std::numeric_limits<T>::infinity(); })) std::fill(to, to + count, T(0));
    else row_kernels().of<T>().softmax(from, to, count);
  });
}

// softmax: y · (g - Σ g·y); log_softmax: g - exp(y) · Σ g.
template <Kind kind>
Tensor backward(const Tensor& grad_output, const Tensor& output, int64_t dim, DType input_dtype) {
  const Tensor g = rows_last(grad_output, dim), y = rows_last(output, dim);
  const Tensor result = empty(g.sizes, native_dtype(compute_type(grad_output.dtype)));
  const int64_t count = g.sizes.empty() ? 1 : g.sizes.back(), rows = count ? g.numel() / count : 0;
  dispatch(FloatTypes(), grad_output.dtype, "softmax_backward", [&]<class T>() {
    const Tensor gs = as_contiguous(g, native_dtype(compute_of<T>())), ys = as_contiguous(y, native_dtype(compute_of<T>()));
    parallel_for(rows, grain_for(count * 4), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const T *a = gs.data<T>() + r * count, *b = ys.data<T>() + r * count;
        T* to = result.data<T>() + r * count;
        double sum = 0;
        for (int64_t i = 0; i < count; ++i) sum += kind == Kind::Softmax ? static_cast<double>(a[i]) * static_cast<double>(b[i]) : static_cast<double>(a[i]);
        for (int64_t i = 0; i < count; ++i)
          to[i] = kind == Kind::Softmax ? b[i] * (a[i] - static_cast<T>(sum)) : a[i] - std::exp(b[i]) * static_cast<T>(sum);
      }
    });
  });
  return rows_back(to_dtype(result, input_dtype), dim);
}

}  // namespace

void add_softmax_ops(OpTable& ops) {
  ops.add("aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax_int<Kind::Softmax>);
  ops.add("aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax_int<Kind::Softmax>);
  ops.add("aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", softmax_int<Kind::LogSoftmax>);
  ops.add("aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", softmax_int<Kind::LogSoftmax>);
  ops.add("aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", softmax_half_to_float<Kind::Softmax>);
  ops.add("aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor", softmax_half_to_float<Kind::LogSoftmax>);
  ops.add("aten::_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor", safe_softmax);
  ops.add("aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor", backward<Kind::Softmax>);
  ops.add("aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor", backward<Kind::LogSoftmax>);
}

}  // namespace pt2::interp
