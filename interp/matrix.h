#pragma once
// Matrix products of tensors of any strides and element type, on all cores. Half types are multiplied in float and rounded once.
#include <optional>

#include "core/tensor/tensor.h"
#include "interp/kernels/matrix_kernels.h"
#include "interp/scalar.h"

namespace pt2::interp {

// Multiplications of one call of a product kernel at most, so that a cancelled run stops soon: 50 ms with the slowest instruction set.
inline constexpr int64_t kLongProduct = int64_t{1} << 29;

// How a product of [m, k] and [k, n] is cut: slices of the longer side of the result, one for a thread at a time, and pieces of k that are
// added up. `depth` does not depend on the number of threads, so neither does the result.
struct ProductCut {
  bool by_rows = true;
  int64_t slice = 0, depth = 0;
};
ProductCut cut_product(int64_t m, int64_t n, int64_t k, int threads);

// Spread over the cores along the longer side of c.
void multiply(const MatrixProduct<float>& product);
void multiply(const MatrixProduct<double>& product);

// [b, m, k] · [b, k, n] → [b, m, n], contiguous; batch dimensions may be expanded (stride 0). `addend` broadcasts to the result:
// beta · addend + alpha · product, rounded once. All of one element type.
struct ProductTerms {
  std::optional<Tensor> addend;
  Scalar alpha = 1, beta = 1;
};
Tensor batched_product(const Tensor& a, const Tensor& b, const ProductTerms& terms = {});
// [m, k] · [k, n] → [m, n], contiguous.
Tensor matrix_product(const Tensor& a, const Tensor& b, const ProductTerms& terms = {});

// torch.matmul: vectors, matrices, broadcast batches.
Tensor matmul(const Tensor& a, const Tensor& b);
// input · weightᵀ + bias.
Tensor linear(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias);

}  // namespace pt2::interp
