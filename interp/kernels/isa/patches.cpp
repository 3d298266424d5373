#include <cstring>

#include "interp/kernels/isa/variants.h"
#include "interp/kernels/patch_kernels.h"

namespace pt2::interp::PT2_ISA {

namespace {

template <class T>
void fill_zeros(T* to, int64_t step, int64_t rows, int64_t count) {
  if (count == 0) return;
  for (int64_t row = 0; row < rows; ++row, to += step)
    for (int64_t i = 0; i < count; ++i) to[i] = T(0);
}

// Dense values, AtOnce of them at a time; what is left over is copied from the end, some of it twice.
template <int64_t AtOnce, class T>
void copy_dense(const T* from, int64_t from_step, T* to, int64_t to_step, int64_t rows, int64_t count) {
  if (count < AtOnce) {
    if constexpr (AtOnce > 1) copy_dense<AtOnce / 2>(from, from_step, to, to_step, rows, count);
    return;
  }
  for (int64_t row = 0; row < rows; ++row, from += from_step, to += to_step) {
    for (int64_t i = 0; i + AtOnce <= count; i += AtOnce) std::memcpy(to + i, from + i, AtOnce * sizeof(T));
    std::memcpy(to + count - AtOnce, from + count - AtOnce, AtOnce * sizeof(T));
  }
}

// The same stretch of all rows, one after the other: what it takes to copy it is decided once.
template <class T>
void read_stretch(const PatchRows<T>& p, const PatchCopy& copy) {
  const T* from = p.channel + copy.from;
  T* to = p.to + copy.to;
  fill_zeros(to, copy.to_step, p.rows, copy.before);
  to += copy.before;
  fill_zeros(to + copy.count, copy.to_step, p.rows, copy.after);
  if (p.column_step == 1) return copy_dense<64 / sizeof(T)>(from, p.channel_step, to, copy.to_step, p.rows, copy.count);
  for (int64_t row = 0; row < p.rows; ++row, from += p.channel_step, to += copy.to_step)
    if (p.column_step == 2)
      for (int64_t i = 0; i < copy.count; ++i) to[i] = from[i * 2];  // vectorised
    else
      for (int64_t i = 0; i < copy.count; ++i) to[i] = from[i * p.column_step];
}

template <class T>
void read(const PatchRows<T>& p) {
  for (int64_t i = 0; i < p.copy_count; ++i) read_stretch(p, p.copies[i]);
}

}  // namespace

extern const PatchKernels kPatchKernels;
const PatchKernels kPatchKernels = {read<float>, read<double>};

}  // namespace pt2::interp::PT2_ISA
