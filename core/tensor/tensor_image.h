#pragma once
// A tensor as a picture: one pixel an element.
#include <cstdint>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

struct TensorImage {
  int width = 0, height = 0;
  std::vector<uint8_t> rgba;  // rows from the top
};

// The last two dimensions are rows and columns; what is before is laid out as tiles. Values from `low` to `high` take the colours of
// viridis where they have one sign, else blue, white, orange about 0. NaN is magenta, infinities are white (+) and black (−).
Result<TensorImage> tensor_image(const Tensor& tensor, double low, double high);

}  // namespace pt2
