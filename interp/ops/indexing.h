#pragma once
// Indexing that other families build on.
#include <optional>
#include <vector>

#include "core/tensor/tensor.h"

namespace pt2::interp {

// self[indices]: index tensors (integers, or bool masks) for the first dimensions, None where a dimension is taken whole.
Tensor index(const Tensor& self, const std::vector<std::optional<Tensor>>& indices);
Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index);
Tensor gather(const Tensor& self, int64_t dim, const Tensor& index);
// The coordinates of the elements that are not zero: [count, rank].
Tensor nonzero(const Tensor& self);
// Integer indices as dense int64 with negative ones counted from the end; throws where one is outside [-size, size).
Tensor checked_indices(const Tensor& index, int64_t size, int64_t dim);

}  // namespace pt2::interp
