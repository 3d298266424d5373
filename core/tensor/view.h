#pragma once
// Sizes and strides as numbers from a file: what they need, checked before anything is made of them; and walks over strided elements.
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// Number of elements; nullopt for negative sizes or more than fit in 64 bits.
std::optional<int64_t> checked_numel(std::span<const int64_t> sizes);
// Elements a storage needs so that every element of the view is inside; 0 for an empty view. nullopt: negative or more than 64 bits.
std::optional<int64_t> checked_extent(std::span<const int64_t> sizes, std::span<const int64_t> strides, int64_t offset);
// "" where a storage of so many bytes holds the view, else "needs 1,280 bytes (float32 [80, 4]), the member has 128".
std::string view_problem(DType dtype, std::span<const int64_t> sizes, std::span<const int64_t> strides, int64_t offset, uint64_t storage_bytes);

// Elements in one byte of a stored record: 2 and 4 for the packed quantized types, else 1. Tensors in memory are unpacked.
inline int elements_per_stored_byte(DType dtype) { return dtype == DType::QUInt4x2 ? 2 : dtype == DType::QUInt2x4 ? 4 : 1; }

std::string shape_text(std::span<const int64_t> sizes);  // "[80, 4]"

// All elements in row-major order as runs along the last dimension: run(first element, count, step in bytes).
// A 0-dimensional tensor is one run of one.
template <class Run>
void for_each_run(const Tensor& tensor, Run&& run) {
  for (const int64_t size : tensor.sizes)
    if (size == 0) return;
  const int64_t item = item_size(tensor.dtype);
  const size_t dims = tensor.sizes.size();
  if (dims == 0) return run(static_cast<const std::byte*>(tensor.bytes()), int64_t{1}, item);
  Shape index(dims, 0);
  const std::byte* row = tensor.bytes();
  while (true) {
    run(row, tensor.sizes[dims - 1], tensor.strides[dims - 1] * item);
    size_t d = dims - 1;
    while (true) {
      if (d == 0) return;
      --d;
      row += tensor.strides[d] * item;
      if (++index[d] < tensor.sizes[d]) break;
      row -= tensor.strides[d] * item * tensor.sizes[d];
      index[d] = 0;
    }
  }
}

// The same values in row-major order; the tensor itself where it already is so.
Result<Tensor> contiguous(const Tensor& tensor);

}  // namespace pt2
