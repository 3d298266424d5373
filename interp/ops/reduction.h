#pragma once
// Reductions other families build on.
#include <optional>
#include <span>

#include "core/tensor/tensor.h"

namespace pt2::interp {

// `dims` empty: all of them.
Tensor sum(const Tensor& self, std::span<const int64_t> dims, bool keepdim, std::optional<DType> dtype = std::nullopt);
Tensor amax(const Tensor& self, std::span<const int64_t> dims, bool keepdim);
Tensor logsumexp(const Tensor& self, std::span<const int64_t> dims, bool keepdim);
// (Σ |x|^p)^(1/p); p may be infinite.
Tensor vector_norm(const Tensor& self, double p, std::span<const int64_t> dims, bool keepdim, std::optional<DType> dtype = std::nullopt);

}  // namespace pt2::interp
