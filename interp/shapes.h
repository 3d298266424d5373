#pragma once
// Sizes, dimensions and views: checked_numel, normalize_dim and make_view are the only ways to size memory, take a dimension or make a view.
#include <optional>
#include <span>

#include "core/tensor/tensor.h"

namespace pt2::interp {

// A dimension counted from the end becomes one counted from the front. A 0-dimensional tensor takes dims 0 and -1.
int64_t normalize_dim(int64_t dim, int64_t rank);
// Several, each at most once; none given (or an empty list) means all. Sorted.
std::vector<int64_t> normalize_dims(std::span<const int64_t> dims, int64_t rank);

// The number of elements; throws where a size is negative or the number of elements does not fit.
int64_t checked_numel(std::span<const int64_t> sizes);

// A stride, padding or dilation that a program asks for. Throws beyond ±2^31: sums of its products with real sizes then fit.
int64_t checked_extent(int64_t extent);

Shape broadcast_shapes(std::span<const int64_t> a, std::span<const int64_t> b);
bool broadcastable_to(std::span<const int64_t> from, std::span<const int64_t> to);

// view's sizes with one -1 filled in.
Shape infer_size(std::span<const int64_t> sizes, int64_t numel);
// The strides with which a tensor can be seen under other sizes without a copy; nullopt: it cannot.
std::optional<Shape> view_strides(std::span<const int64_t> sizes, std::span<const int64_t> strides, std::span<const int64_t> new_sizes);

// A tensor on the same storage. Throws where an element would lie outside it. The dtype may change.
Tensor make_view(const Tensor& base, Shape sizes, Shape strides, int64_t offset);
Tensor make_view(const Tensor& base, Shape sizes, Shape strides, int64_t offset, DType dtype);

// expand: size-1 dimensions get stride 0. -1 keeps a size.
Tensor expand_to(const Tensor& tensor, std::span<const int64_t> sizes);

bool is_non_overlapping_and_dense(const Tensor& tensor);
// Two indices may name one element (an expanded tensor): nothing may be written through it.
bool has_internal_overlap(const Tensor& tensor);
// Contiguous, ChannelsLast or ChannelsLast3d.
bool is_contiguous_as(const Tensor& tensor, MemoryFormat format);
// Which of the three the strides look like: Tensor::suggest_memory_format.
MemoryFormat suggested_format(const Tensor& tensor);
// The strides a new tensor has in a format (Contiguous, ChannelsLast, ChannelsLast3d).
Shape strides_for(std::span<const int64_t> sizes, MemoryFormat format);
// The strides of a copy that keeps the layout: torch.preserve_format.
Shape preserved_strides(const Tensor& tensor);

}  // namespace pt2::interp
