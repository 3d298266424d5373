#include <Eigen/Core>

#include "interp/kernels/isa/panel_product.h"
#include "interp/kernels/isa/variants.h"
#include "interp/kernels/matrix_kernels.h"

namespace pt2::interp::PT2_ISA {

namespace {

template <class T, int Order>
using View = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Order>, 0, Eigen::OuterStride<>>;

// A few rows against many dense columns (a linear layer on one token): each element is a dot product, summed in eight lanes.
constexpr int64_t kFewRows = 4, kLanes = 8;

template <class T>
void dot_products(const MatrixProduct<T>& p) {
  for (int64_t j = 0; j < p.n; ++j) {
    const T* b = p.b + j * p.b_column;
    for (int64_t i = 0; i < p.m; ++i) {
      const T* a = p.a + i * p.a_row;
      T lanes[kLanes] = {};
      int64_t k = 0;
      for (; k + kLanes <= p.k; k += kLanes)
        for (int64_t l = 0; l < kLanes; ++l) lanes[l] += a[k + l] * b[k + l];
      for (int64_t l = 0; k < p.k; ++k, ++l) lanes[l] += a[k] * b[k];
      for (int64_t half = kLanes / 2; half > 0; half /= 2)
        for (int64_t l = 0; l < half; ++l) lanes[l] += lanes[l + half];
      T& c = p.c[i * p.c_row + j];
      c = p.accumulate ? c + lanes[0] : lanes[0];
    }
  }
}

template <class T, class A, class B>
void multiply(const A& a, const B& b, const MatrixProduct<T>& p) {
  using C = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0, Eigen::OuterStride<>>;
  C c(p.c, p.m, p.n, Eigen::OuterStride<>(p.c_row));
  if (!p.accumulate) c.setZero();
  if (p.n == 1) c.col(0).noalias() += a * b.col(0);
  else if (p.m == 1) c.row(0).noalias() += a.row(0) * b;
  else c.noalias() += a * b;
}

template <class T, class A>
void with_left(const A& a, const MatrixProduct<T>& p) {
  if (p.b_column == 1) multiply(a, View<T, Eigen::RowMajor>(p.b, p.k, p.n, Eigen::OuterStride<>(p.b_row)), p);
  else multiply(a, View<T, Eigen::ColMajor>(p.b, p.k, p.n, Eigen::OuterStride<>(p.b_column)), p);
}

template <class T>
void product(const MatrixProduct<T>& p) {
  if (p.m <= kFewRows && p.b_row == 1 && p.a_column == 1) return dot_products(p);
  if (p.a_column == 1) with_left(View<T, Eigen::RowMajor>(p.a, p.m, p.k, Eigen::OuterStride<>(p.a_row)), p);
  else with_left(View<T, Eigen::ColMajor>(p.a, p.m, p.k, Eigen::OuterStride<>(p.a_column)), p);
}

}  // namespace

extern const MatrixKernels kMatrixKernels;
const MatrixKernels kMatrixKernels = {product<float>, product<double>, panel_product<float>, panel_product<double>,
                                      panel_layout<float>(), panel_layout<double>()};

}  // namespace pt2::interp::PT2_ISA
