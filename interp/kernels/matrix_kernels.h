#pragma once
// Dense matrix products, compiled for each instruction set and chosen at run time. One thread; matrix.h spreads them over all cores.
#include <cstdint>
#include <vector>

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

// How the columns of a matrix are laid out for the innermost loops: panels of `width` columns, row by row, one after the other. What is left over
// is one column after the other where it is few, else a panel of whole vectors of `lanes` columns, the last filled up with zeros.
struct PanelLayout {
  int64_t width = 1, lanes = 1;
  static constexpr int64_t kFewColumns = 4;

  // Columns kept for the last `count` columns of a matrix, less than `width`.
  int64_t kept(int64_t count) const { return count <= kFewColumns ? count : (count + lanes - 1) / lanes * lanes; }
  // For a matrix of `count` columns.
  int64_t columns(int64_t count) const { return count / width * width + kept(count % width); }
};

// The same with dense rows of a and b in panels, aligned to 64 bytes.
template <class T>
struct PanelProduct {
  int64_t m = 0, n = 0, k = 0;
  const T* a = nullptr;
  int64_t a_row = 0;
  const T* panels = nullptr;
  T* c = nullptr;
  int64_t c_row = 0;
  bool accumulate = false;
};
inline constexpr int64_t kPanelDepth = 256;  // k at most: a panel stays in the nearest caches

struct MatrixKernels {
  void (*product_f32)(const MatrixProduct<float>&);
  void (*product_f64)(const MatrixProduct<double>&);
  void (*panel_product_f32)(const PanelProduct<float>&);
  void (*panel_product_f64)(const PanelProduct<double>&);
  PanelLayout panels_f32, panels_f64;
};

// Those of the best instruction set this processor has.
const MatrixKernels& matrix_kernels();
// Those of each instruction set it has.
std::vector<const MatrixKernels*> usable_matrix_kernels();

}  // namespace pt2::interp
