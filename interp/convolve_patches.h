#pragma once
// The patch matrix of a convolution (im2col), read piece by piece in the layout the product kernels want, so that nothing is packed twice.
#include <cstdint>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"
#include "interp/convolve.h"
#include "interp/kernels/matrix_kernels.h"
#include "interp/kernels/patch_kernels.h"

namespace pt2::interp {

// Sizes and strides of [batch, channels, depth, height, width]; strides in elements.
struct Image {
  std::byte* data = nullptr;
  int64_t batch = 1, channels = 1;
  Spatial sizes{1, 1, 1};
  int64_t batch_stride = 0, channel_stride = 0;
  Spatial strides{0, 0, 0};
  int64_t positions() const { return sizes[0] * sizes[1] * sizes[2]; }
};
// Of a tensor [batch, channels, up to three spatial dimensions].
Image image_of(const Tensor& tensor);

// How output positions and kernel positions meet the input.
struct Geometry {
  Spatial out{1, 1, 1}, kernel{1, 1, 1}, stride{1, 1, 1}, padding{0, 0, 0}, dilation{1, 1, 1};
  int64_t volume() const { return kernel[0] * kernel[1] * kernel[2]; }
};

// The columns [first, first + count) of the patch matrix: rows are [channel, kernel position], columns are output positions in row-major order.
// What is read is laid out in panels; with panels as wide as the matrix that is the matrix itself.
template <class T>
class PatchReader {
 public:
  PatchReader(const Image& image, const Geometry& geometry, int64_t first, int64_t count, const PanelLayout& panels);

  // Rows [begin, end), counted from `channel` of image `batch`: the input value under each position, 0 outside.
  void read(int64_t batch, int64_t channel, int64_t begin, int64_t end, T* to);

 private:
  // Neighbours in one row of output positions and in one panel. `filler`: columns of zeros.
  struct Segment { int64_t depth, row, column, count, panel_first, panel_width, panel_column; bool filler = false; };

  // The segments under one kernel position, whose first row is `first_row` of `rows`.
  void place_copies(int64_t kernel_position, int64_t first_row, int64_t rows);

  const Image& image_;
  const Geometry& geometry_;
  std::vector<Segment> segments_;
  std::vector<PatchCopy> copies_;
};

extern template class PatchReader<float>;
extern template class PatchReader<double>;

}  // namespace pt2::interp
