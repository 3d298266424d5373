#pragma once
// The views other families build on.
#include <optional>
#include <span>
#include <vector>

#include "core/tensor/tensor.h"

namespace pt2::interp {

Tensor view(const Tensor& self, std::span<const int64_t> size);     // throws where a copy would be needed
Tensor reshape(const Tensor& self, std::span<const int64_t> shape); // a view where it can be one
Tensor permute(const Tensor& self, std::span<const int64_t> dims);
Tensor transpose(const Tensor& self, int64_t dim0, int64_t dim1);
Tensor movedim(const Tensor& self, int64_t source, int64_t destination);
Tensor unsqueeze(const Tensor& self, int64_t dim);
Tensor squeeze_dim(const Tensor& self, int64_t dim);
Tensor select(const Tensor& self, int64_t dim, int64_t index);
Tensor slice(const Tensor& self, int64_t dim, std::optional<int64_t> start, std::optional<int64_t> end, int64_t step = 1);
Tensor narrow(const Tensor& self, int64_t dim, int64_t start, int64_t length);
Tensor expand(const Tensor& self, std::span<const int64_t> size);
Tensor diagonal(const Tensor& self, int64_t offset, int64_t dim1, int64_t dim2);
Tensor flatten(const Tensor& self, int64_t start_dim, int64_t end_dim);
std::vector<Tensor> split_with_sizes(const Tensor& self, std::span<const int64_t> sizes, int64_t dim);
std::vector<Tensor> unbind(const Tensor& self, int64_t dim);
Tensor as_strided(const Tensor& self, std::span<const int64_t> size, std::span<const int64_t> stride, std::optional<int64_t> storage_offset);
Tensor cat(const std::vector<Tensor>& tensors, int64_t dim);
Tensor stack(const std::vector<Tensor>& tensors, int64_t dim);
Tensor flip(const Tensor& self, std::span<const int64_t> dims);

}  // namespace pt2::interp
