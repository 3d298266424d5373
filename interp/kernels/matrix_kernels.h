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

// The same with dense rows of a and b in panels of columns, as the innermost loops read it: panel p holds the columns from p · width on, row by
// row, and begins at p · width · k; the last may be narrower. Aligned to 64 bytes.
template <class T>
struct PanelProduct {
  int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  int64_t a_row = 0;
  const T* panels = nullptr;
  T* c = nullptr;
  int64_t c_row = 0;
  bool accumulate = false;
  T* scratch = nullptr;  // k · (m + width), aligned to 64 bytes
};
inline constexpr int64_t kPanelDepth = 256;  // k at most: a panel stays in the first cache

struct MatrixKernels {
  void (*product_f32)(const MatrixProduct<float>&);
  void (*product_f64)(const MatrixProduct<double>&);
  void (*panel_product_f32)(const PanelProduct<float>&);
  void (*panel_product_f64)(const PanelProduct<double>&);
  int64_t panel_width_f32, panel_width_f64;
};

// Those of the best instruction set this processor has.
const MatrixKernels& matrix_kernels();

}  // namespace pt2::interp
