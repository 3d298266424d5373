#pragma once
// Functions of one dense row, compiled for each instruction set: what normalization, softmax and attention are made of.
#include <cstdint>
#include <vector>

namespace pt2::interp {

template <class T>
struct RowFunctions {
  // to = from · scale + shift, with one factor, or one for each element.
  void (*scale_shift)(const T* from, T* to, int64_t count, T scale, T shift);
  void (*scale_shift_each)(const T* from, T* to, int64_t count, const T* scale, const T* shift);
  // to = (from - center) · scale: exactly 0 where an element is the center.
  void (*center_scale)(const T* from, T* to, int64_t count, T center, T scale);
  // Mean and Σ(x - mean)² in two passes, accumulated in double.
  void (*moments)(const T* from, int64_t count, double* mean, double* squares);
  // Σ x² in double.
  double (*sum_of_squares)(const T* from, int64_t count);
  // softmax and its logarithm; NaN in, NaN out; a row of -inf gives NaN. `to` may be `from`.
  void (*softmax)(const T* from, T* to, int64_t count);
  void (*log_softmax)(const T* from, T* to, int64_t count);
};

struct RowKernels {
  RowFunctions<float> f32;
  RowFunctions<double> f64;
  template <class T>
  const RowFunctions<T>& of() const;
};
template <>
inline const RowFunctions<float>& RowKernels::of<float>() const { return f32; }
template <>
inline const RowFunctions<double>& RowKernels::of<double>() const { return f64; }

// Those of the best instruction set this processor has.
const RowKernels& row_kernels();
// Those of each instruction set it has.
std::vector<const RowKernels*> usable_row_kernels();

}  // namespace pt2::interp
