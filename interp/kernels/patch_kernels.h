#pragma once
// The innermost loops of reading a convolution's patches, compiled for each instruction set.
#include <cstdint>
#include <vector>

namespace pt2::interp {

// A stretch of columns of the patch matrix under one kernel position: zeros, values of the input, zeros. In elements.
struct PatchCopy {
  int64_t from = 0;  // the first value, from the beginning of its channel
  int64_t to = 0;    // where the zeros before it go in the first row
  int64_t to_step = 0;  // from there to the next row
  int64_t before = 0, count = 0, after = 0;
};

// Rows of the patch matrix that have the same kernel position: one for each channel.
template <class T>
struct PatchRows {
  const T* channel = nullptr;
  int64_t channel_step = 0, column_step = 1;  // between channels, between the values of neighbouring columns
  int64_t rows = 0;
  const PatchCopy* copies = nullptr;
  int64_t copy_count = 0;
  T* to = nullptr;
};

struct PatchKernels {
  void (*read_f32)(const PatchRows<float>&);
  void (*read_f64)(const PatchRows<double>&);
};

// Those of the best instruction set this processor has.
const PatchKernels& patch_kernels();
// Those of each instruction set it has.
std::vector<const PatchKernels*> usable_patch_kernels();

}  // namespace pt2::interp
