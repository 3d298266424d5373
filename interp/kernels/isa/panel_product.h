#pragma once
// c = a · b with b in panels: a tile of the result stays in registers while the whole depth passes by. a is read as it lies, each of its rows as a
// stream, so nothing is packed: weights are read once and are larger than any cache.
#include <cstdint>
#include <cstring>

#include "interp/kernels/isa/variants.h"
#include "interp/kernels/matrix_kernels.h"

namespace pt2::interp::PT2_ISA {

namespace {

// A tile is kTileRows by kTileVectors registers of kVectorBytes each; with a row of b and one value of a it fills the register file.
#if defined(__AVX512F__)
constexpr int64_t kVectorBytes = 64, kTileVectors = 3, kTileRows = 8;
#elif defined(__AVX2__)
constexpr int64_t kVectorBytes = 32, kTileVectors = 3, kTileRows = 4;
#else
constexpr int64_t kVectorBytes = 16, kTileVectors = 2, kTileRows = 4;
#endif

template <class T>
constexpr int64_t kVectorLanes = kVectorBytes / static_cast<int64_t>(sizeof(T));

template <class T>
constexpr PanelLayout panel_layout() { return {kTileVectors * kVectorLanes<T>, kVectorLanes<T>}; }

template <class T>
struct VectorOf { typedef T Type __attribute__((vector_size(kVectorBytes))); };
template <class T>
using Vector = typename VectorOf<T>::Type;

template <class T>
Vector<T> load(const T* from) {
  Vector<T> v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class T>
void put(T* c, const Vector<T>& sum, bool accumulate) {
  const Vector<T> value = accumulate ? load(c) + sum : sum;
  std::memcpy(c, &value, sizeof value);
}
template <class T>
void put_part(T* c, const Vector<T>& sum, int64_t columns, bool accumulate) {
  T values[kVectorLanes<T>];
  std::memcpy(values, &sum, sizeof values);
  for (int64_t i = 0; i < columns; ++i) c[i] = accumulate ? c[i] + values[i] : values[i];
}

// Rows of a by one panel of `Vectors` vectors, the last of which may have fewer columns. `Ahead`: the next rows of a are asked for meanwhile.
template <class T, int64_t Rows, int64_t Vectors, bool Ahead = false>
void tile(const PanelProduct<T>& p, int64_t row, const T* panel, int64_t column, int64_t columns) {
  const T* const a = p.a + row * p.a_row;
  const T* const ahead = row + 2 * Rows <= p.m ? a + Rows * p.a_row : a;
  Vector<T> sum[Rows][Vectors] = {};
  for (int64_t k = 0; k < p.k; ++k, panel += Vectors * kVectorLanes<T>) {
    if (Ahead) __builtin_prefetch(ahead + k % Rows * p.a_row + k / Rows * Rows);
    Vector<T> b[Vectors];
    for (int64_t v = 0; v < Vectors; ++v) b[v] = load(panel + v * kVectorLanes<T>);
    for (int64_t r = 0; r < Rows; ++r) {
      const T factor = a[r * p.a_row + k];
      for (int64_t v = 0; v < Vectors; ++v) sum[r][v] += factor * b[v];
    }
  }
  constexpr int64_t kBefore = (Vectors - 1) * kVectorLanes<T>;
  for (int64_t r = 0; r < Rows; ++r) {
    T* const c = p.c + (row + r) * p.c_row + column;
    for (int64_t v = 0; v + 1 < Vectors; ++v) put(c + v * kVectorLanes<T>, sum[r][v], p.accumulate);
    if (columns == Vectors * kVectorLanes<T>) put(c + kBefore, sum[r][Vectors - 1], p.accumulate);
    else put_part(c + kBefore, sum[r][Vectors - 1], columns - kBefore, p.accumulate);
  }
}

// A few columns, each dense: sums along the depth.
template <class T, int64_t Rows, int64_t Columns>
void dots(const PanelProduct<T>& p, int64_t row, const T* columns, int64_t column) {
  const T* const a = p.a + row * p.a_row;
  Vector<T> sum[Rows][Columns] = {};
  int64_t k = 0;
  for (; k + kVectorLanes<T> <= p.k; k += kVectorLanes<T>)
    for (int64_t r = 0; r < Rows; ++r) {
      const Vector<T> factors = load(a + r * p.a_row + k);
      for (int64_t c = 0; c < Columns; ++c) sum[r][c] += factors * load(columns + c * p.k + k);
    }
  for (int64_t r = 0; r < Rows; ++r)
    for (int64_t c = 0; c < Columns; ++c) {
      T total = 0;
      for (int64_t i = 0; i < kVectorLanes<T>; ++i) total += sum[r][c][i];
      for (int64_t i = k; i < p.k; ++i) total += a[r * p.a_row + i] * columns[c * p.k + i];
      T& to = p.c[(row + r) * p.c_row + column + c];
      to = p.accumulate ? to + total : total;
    }
}

template <class T, int64_t Rows>
void last_columns(const PanelProduct<T>& p, int64_t row, const T* panel, int64_t column) {
  const int64_t columns = p.n - column;
  switch (columns) {
    case 0: return;
    case 1: return dots<T, Rows, 1>(p, row, panel, column);
    case 2: return dots<T, Rows, 2>(p, row, panel, column);
    case 3: return dots<T, Rows, 3>(p, row, panel, column);
    case 4: return dots<T, Rows, 4>(p, row, panel, column);
  }
  if (columns <= kVectorLanes<T>) tile<T, Rows, 1>(p, row, panel, column, columns);
  else if (columns <= 2 * kVectorLanes<T>) tile<T, Rows, 2>(p, row, panel, column, columns);
  else tile<T, Rows, 3>(p, row, panel, column, columns);
}

template <class T, int64_t Rows>
int64_t row_blocks(const PanelProduct<T>& p, int64_t row) {
  constexpr int64_t kWidth = panel_layout<T>().width;
  for (; row + Rows <= p.m; row += Rows) {
    int64_t column = 0;
    if (kWidth <= p.n) {
      tile<T, Rows, kTileVectors, true>(p, row, p.panels, 0, kWidth);
      column = kWidth;
    }
    for (; column + kWidth <= p.n; column += kWidth) tile<T, Rows, kTileVectors>(p, row, p.panels + column * p.k, column, kWidth);
    last_columns<T, Rows>(p, row, p.panels + column * p.k, column);
  }
  return row;
}

template <class T>
void panel_product(const PanelProduct<T>& p) {
  row_blocks<T, 1>(p, row_blocks<T, kTileRows>(p, 0));
}

}  // namespace

}  // namespace pt2::interp::PT2_ISA
