#include <Eigen/Core>
#include <algorithm>

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

// To Eigen all of this is transposed: columns of b are rows on its left, and a row-major c is column-major.
template <class T>
struct Panels {
  using Traits = Eigen::internal::gebp_traits<T, T>;
  using Left = Eigen::internal::const_blas_data_mapper<T, Eigen::Index, Eigen::ColMajor>;
  using Right = Eigen::internal::const_blas_data_mapper<T, Eigen::Index, Eigen::ColMajor>;
  using Result = Eigen::internal::blas_data_mapper<T, Eigen::Index, Eigen::ColMajor>;
  static constexpr int64_t kWidth = Traits::mr;
  Eigen::internal::gemm_pack_lhs<T, Eigen::Index, Left, Traits::mr, Traits::LhsProgress, typename Traits::LhsPacket4Packing, Eigen::ColMajor> pack_left;
  Eigen::internal::gemm_pack_rhs<T, Eigen::Index, Right, Traits::nr, Eigen::ColMajor> pack_right;
  Eigen::internal::gebp_kernel<T, T, Eigen::Index, Result, Traits::mr, Traits::nr> multiply;
};

template <class T>
void panel_product(const PanelProduct<T>& p) {
  using P = Panels<T>;
  P panels;
  if (!p.accumulate)
    for (int64_t i = 0; i < p.m; ++i) std::fill_n(p.c + i * p.c_row, p.n, T(0));
  T* const right = p.scratch + p.k * P::kWidth;
  panels.pack_right(right, typename P::Right(p.a, p.a_row), p.k, p.m);
  const int64_t whole = p.n / P::kWidth * P::kWidth, rest = p.n - whole;
  panels.multiply(typename P::Result(p.c, p.c_row), p.panels, right, whole, p.k, p.m, T(1));
  if (rest == 0) return;
  panels.pack_left(p.scratch, typename P::Left(p.panels + whole * p.k, rest), p.k, rest);
  panels.multiply(typename P::Result(p.c + whole, p.c_row), p.scratch, right, rest, p.k, p.m, T(1));
}

}  // namespace

extern const MatrixKernels kMatrixKernels;
const MatrixKernels kMatrixKernels = {product<float>, product<double>, panel_product<float>, panel_product<double>, Panels<float>::kWidth, Panels<double>::kWidth};

}  // namespace pt2::interp::PT2_ISA
