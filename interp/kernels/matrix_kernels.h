#pragma once
// Dense matrix products, compiled for each instruction set and chosen at run time. One thread; gemm.h spreads them over all cores.
#include <cstdint>

namespace pt2::interp {

// c = a · b, or c += a · b. Strides in elements; of each matrix's two strides at least one is 1 (or its dimension is 1); c's columns are dense.
template <class T>
struct MatrixProduct {
  int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  int64_t a_row = 0, a_column = 0;
  const T* b = nullptr;
  int64_t b_row = 0, b_column = 0;
  T* c = nullptr;
  int64_t c_row = 0;
  bool accumulate = false;
};

struct MatrixKernels {
  void (*product_f32)(const MatrixProduct<float>&);
  void (*product_f64)(const MatrixProduct<double>&);
};

// Those of the best instruction set this processor has.
const MatrixKernels& matrix_kernels();

}  // namespace pt2::interp
