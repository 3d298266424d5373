#include <Eigen/Core>

#include "interp/kernels/isa/variants.h"
#include "interp/kernels/row_kernels.h"

namespace pt2::interp::PT2_ISA {

namespace {

template <class T>
using In = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
template <class T>
using Out = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;

template <class T>
void scale_shift(const T* from, T* to, int64_t count, T scale, T shift) {
  Out<T>(to, count) = In<T>(from, count) * scale + shift;
}
template <class T>
void scale_shift_each(const T* from, T* to, int64_t count, const T* scale, const T* shift) {
  Out<T>(to, count) = In<T>(from, count) * In<T>(scale, count) + In<T>(shift, count);
}
template <class T>
void center_scale(const T* from, T* to, int64_t count, T center, T scale) {
  Out<T>(to, count) = (In<T>(from, count) - center) * scale;
}

// Sums of blocks in the element type, blocks in double: as accurate as a sum in double, as quick as one in float.
constexpr int64_t kBlock = 128;

template <class T>
void moments(const T* from, int64_t count, double* mean, double* squares) {
  double sum = 0;
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t n = count - i < kBlock ? count - i : kBlock;
    sum += static_cast<double>(In<T>(from + i, n).sum());
  }
  *mean = count > 0 ? sum / static_cast<double>(count) : sum;
  const T center = static_cast<T>(*mean);
  double off_sum = 0, square_sum = 0;
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t n = count - i < kBlock ? count - i : kBlock;
    const auto off = In<T>(from + i, n) - center;
    off_sum += static_cast<double>(off.sum());
    square_sum += static_cast<double>(off.square().sum());
  }
  if (count == 0 || !(off_sum - off_sum == 0)) {  // nothing, or something that is not finite
    *squares = square_sum;
    return;
  }
  // What summing and rounding took from the mean: that of equal elements is the element.
  const double off = off_sum / static_cast<double>(count);
  *mean = static_cast<double>(center) + off;
  *squares = square_sum - off_sum * off;
}

template <class T>
double sum_of_squares(const T* from, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t n = count - i < kBlock ? count - i : kBlock;
    sum += static_cast<double>(In<T>(from + i, n).square().sum());
  }
  return sum;
}

template <class T>
T largest(const T* from, int64_t count) { return In<T>(from, count).template maxCoeff<Eigen::PropagateNaN>(); }

template <class T>
T sum_all(const T* from, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; i += kBlock) sum += static_cast<double>(In<T>(from + i, count - i < kBlock ? count - i : kBlock).sum());
  return static_cast<T>(sum);
}

template <class T>
void softmax(const T* from, T* to, int64_t count) {
  if (count == 0) return;
  const T top = largest(from, count);
  Out<T> out(to, count);
  out = (In<T>(from, count) - top).exp();
  out *= T(1) / sum_all(to, count);
}
template <class T>
void log_softmax(const T* from, T* to, int64_t count) {
  if (count == 0) return;
  const T top = largest(from, count);
  double sum = 0;
  Eigen::Array<T, kBlock, 1> block;
  for (int64_t i = 0; i < count; i += kBlock) {
    const int64_t n = count - i < kBlock ? count - i : kBlock;
    block.head(n) = (In<T>(from + i, n) - top).exp();
    sum += static_cast<double>(block.head(n).sum());
  }
  Eigen::Array<T, 1, 1> total;
  total(0) = static_cast<T>(sum);
  const T shift = top + total.log()(0);
  Out<T>(to, count) = In<T>(from, count) - shift;
}

template <class T>
constexpr RowFunctions<T> functions() {
  return {scale_shift<T>, scale_shift_each<T>, center_scale<T>, moments<T>, sum_of_squares<T>, softmax<T>, log_softmax<T>};
}

}  // namespace

extern const RowKernels kRowKernels;
const RowKernels kRowKernels = {functions<float>(), functions<double>()};

}  // namespace pt2::interp::PT2_ISA
