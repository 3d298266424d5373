#pragma once
// Contractions over named dimensions.
#include <span>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"

namespace pt2::interp {

// torch.einsum: letters, "...", implicit and explicit output, repeated letters (diagonals), contracted from left to right.
Tensor einsum(std::string_view equation, const std::vector<Tensor>& operands);
// torch.tensordot: sums over pairs of dimensions.
Tensor tensordot(const Tensor& a, const Tensor& b, std::span<const int64_t> dims_a, std::span<const int64_t> dims_b);

}  // namespace pt2::interp
