#pragma once
// Parts of a tensor by the text people write in Python: "0, :, 2:4", "..., ::2", "[-1]". A view, no copy.
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// What one dimension of the source became.
struct SlicedDim {
  int64_t start = 0, step = 1, size = 1;  // indices start, start + step, … (size of them)
  bool dropped = false;                   // by a single index
};
struct TensorSlice {
  Tensor view;
  std::vector<SlicedDim> dims;            // one per dimension of the source
};

// As indexing in PyTorch: single indices must exist, ranges are cut to the size, steps are positive, missing dimensions are whole.
Result<TensorSlice> slice_tensor(const Tensor& tensor, std::string_view text);

// An element's index from its place in row-major order, and the way back.
std::vector<int64_t> index_from_flat(int64_t flat, const Shape& sizes);
int64_t flat_from_index(const std::vector<int64_t>& index, const Shape& sizes);

}  // namespace pt2
