#include <Eigen/Core>

#include "interp/kernels/isa/variants.h"
#include "interp/kernels/matrix_kernels.h"

namespace pt2::interp::PT2_ISA {

namespace {

template <class T, int Order>
using View = Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Order>, 0, Eigen::OuterStride<>>;

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
  if (p.a_column == 1) with_left(View<T, Eigen::RowMajor>(p.a, p.m, p.k, Eigen::OuterStride<>(p.a_row)), p);
  else with_left(View<T, Eigen::ColMajor>(p.a, p.m, p.k, Eigen::OuterStride<>(p.a_column)), p);
}

}  // namespace

extern const MatrixKernels kMatrixKernels;
const MatrixKernels kMatrixKernels = {product<float>, product<double>};

}  // namespace pt2::interp::PT2_ISA
