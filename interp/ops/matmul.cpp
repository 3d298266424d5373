// Matrix products and what is made of them.
#include <algorithm>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/matrix.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/einsum.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

Tensor mm(const Tensor& self, const Tensor& mat2) { return matrix_product(self, mat2); }
Tensor bmm(const Tensor& self, const Tensor& mat2) { return batched_product(self, mat2); }

ProductTerms terms(const Tensor& addend, const Scalar& beta, const Scalar& alpha) { return {addend, alpha, beta}; }

Tensor addmm(const Tensor& self, const Tensor& mat1, const Tensor& mat2, Scalar beta, Scalar alpha) {
  return matrix_product(mat1, mat2, terms(self, beta, alpha));
}
Tensor baddbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, Scalar beta, Scalar alpha) {
  return batched_product(batch1, batch2, terms(self, beta, alpha));
}

Tensor column(const Tensor& vector) { return make_view(vector, {vector.sizes[0], 1}, {vector.strides[0], 1}, vector.offset); }
Tensor row(const Tensor& vector) { return make_view(vector, {1, vector.sizes[0]}, {1, vector.strides[0]}, vector.offset); }
Tensor reshaped(const Tensor& dense, const Shape& sizes) { return make_view(dense, sizes, contiguous_strides(sizes), dense.offset); }

Tensor mv(const Tensor& self, const Tensor& vec) {
  check(self.dim() == 2 && vec.dim() == 1, "vector + matrix @ vector expected, got ", self.dim(), ", ", vec.dim());
  return reshaped(matrix_product(self, column(vec)), {self.sizes[0]});
}
Tensor addmv(const Tensor& self, const Tensor& mat, const Tensor& vec, Scalar beta, Scalar alpha) {
  check(mat.dim() == 2 && vec.dim() == 1, "vector + matrix @ vector expected, got ", mat.dim(), ", ", vec.dim());
  const Tensor addend = self.dim() == 1 ? column(self) : self;
  return reshaped(matrix_product(mat, column(vec), terms(addend, beta, alpha)), {mat.sizes[0]});
}

Tensor dot(const Tensor& self, const Tensor& tensor) {
  check(self.dim() == 1 && tensor.dim() == 1, "1D tensors expected, but got ", self.dim(), "D and ", tensor.dim(), "D tensors");
  check(self.sizes[0] == tensor.sizes[0], "inconsistent tensor size, expected tensor ", self.sizes, " and src ", tensor.sizes,
        " to have the same number of elements");
  return reshaped(matrix_product(row(self), column(tensor)), {});
}
Tensor conjugate(const Tensor& t) {
  if (!is_complex(t.dtype)) return t;
  return map<Types<Complex>>({"conj", t.dtype, t.dtype}, [](Complex x) { return std::conj(x); }, t);
}
Tensor vdot(const Tensor& self, const Tensor& other) { return dot(conjugate(self), other); }

Tensor outer(const Tensor& self, const Tensor& vec2) {
  check(self.dim() == 1 && vec2.dim() == 1, "outer: Expected 1-D arguments, got ", self.dim(), "-D and ", vec2.dim(), "-D");
  const DType dtype = result_type(self, vec2);
  return map<NumberTypes>({"mul", dtype, dtype}, [](auto a, auto b) { return a * b; }, column(self), row(vec2));
}
Tensor addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, Scalar beta, Scalar alpha) {
  const DType dtype = result_type(self, vec1, vec2);
  const Tensor product = outer(vec1, vec2);
  const bool add = beta.to_complex() != 0.0;
  return map<NumberTypes>({"addr", dtype, dtype},
                          [&](auto x, auto p) {
                            using T = decltype(x);
                            return (add ? beta.to<T>() * x : T(0)) + alpha.to<T>() * p;
                          },
                          expand_to(self, product.sizes), product);
}
Tensor addbmm(const Tensor& self, const Tensor& batch1, const Tensor& batch2, Scalar beta, Scalar alpha) {
  check(batch1.dim() == 3 && batch2.dim() == 3, "batch1 and batch2 must be 3D tensors");
  const int64_t b = batch1.sizes[0], m = batch1.sizes[1], k = batch1.sizes[2], n = batch2.sizes[2];
  check(batch2.sizes[0] == b && batch2.sizes[1] == k, "batch1 and batch2 do not fit: ", batch1.sizes, " and ", batch2.sizes);
  if (is_floating(self.dtype) && item_size(self.dtype) == 2 && b > 0) {  // half types are rounded after each matrix of the batch
    auto matrix = [](const Tensor& t, int64_t i) { return make_view(t, {t.sizes[1], t.sizes[2]}, {t.strides[1], t.strides[2]}, t.offset + i * t.strides[0]); };
    Tensor sum = self;
    for (int64_t i = 0; i < b; ++i) sum = matrix_product(matrix(batch1, i), matrix(batch2, i), terms(sum, i == 0 ? beta : Scalar(int64_t{1}), alpha));
    return sum;
  }
  // The sum over the batch is one product with the batch folded into the inner dimension.
  const Tensor left = as_contiguous(make_view(batch1, {m, b, k}, {batch1.strides[1], batch1.strides[0], batch1.strides[2]}, batch1.offset));
  const Tensor right = as_contiguous(batch2);
  return matrix_product(reshaped(left, {m, b * k}), reshaped(right, {b * k, n}), terms(self, beta, alpha));
}

Tensor inner(const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) {
    const DType dtype = result_type(self, other);
    return map<NumberTypes>({"mul", dtype, dtype}, [](auto a, auto b) { return a * b; }, self, other);
  }
  check(self.sizes.back() == other.sizes.back(), "inner() the last dimension must match on both input tensors but got shapes ", self.sizes, " and ",
        other.sizes);
  const std::vector<int64_t> last_self{self.dim() - 1}, last_other{other.dim() - 1};
  return tensordot(self, other, last_self, last_other);
}

Tensor linear_op(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias) { return linear(input, weight, bias); }

Tensor chain(const std::vector<Tensor>& matrices) {
  check(!matrices.empty(), "chain_matmul(): Expected one or more matrices");
  Tensor result = matrices[0];
  for (size_t i = 1; i < matrices.size(); ++i) result = matmul(result, matrices[i]);
  return result;
}

Tensor kron(const Tensor& self, const Tensor& other) {
  const int64_t rank = std::max(self.dim(), other.dim());
  Shape a_sizes, a_strides, b_sizes, b_strides, sizes;
  for (int64_t d = 0; d < rank; ++d) {
    auto at = [&](const Tensor& t, Shape& s, Shape& st) {
      const int64_t k = d - (rank - t.dim());
      s.push_back(k < 0 ? 1 : t.sizes[k]);
      st.push_back(k < 0 ? 0 : t.strides[k]);
    };
    at(self, a_sizes, a_strides);
    a_sizes.push_back(1);
    a_strides.push_back(0);
    b_sizes.push_back(1);
    b_strides.push_back(0);
    at(other, b_sizes, b_strides);
    sizes.push_back(a_sizes[2 * d] * b_sizes[2 * d + 1]);
  }
  const DType dtype = result_type(self, other);
  const Tensor product = map<NumberTypes>({"mul", dtype, dtype}, [](auto a, auto b) { return a * b; },
                                          make_view(self, a_sizes, a_strides, self.offset), make_view(other, b_sizes, b_strides, other.offset));
  return reshaped(as_contiguous(product), sizes);
}

Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const std::optional<Tensor>& bias) {
  check(input1.dim() > 0 && input2.dim() > 0, "bilinear(): inputs need a dimension of features");
  auto rows = [](const Tensor& t) { return reshaped(as_contiguous(t), {checked_numel(std::span(t.sizes).first(t.sizes.size() - 1)), t.sizes.back()}); };
  Tensor result = einsum("bn,anm,bm->ba", {rows(input1), weight, rows(input2)});
  Shape sizes(input1.sizes.begin(), input1.sizes.end() - 1);
  sizes.push_back(weight.sizes[0]);
  result = reshaped(as_contiguous(result), sizes);
  if (bias) result = map<NumberTypes>({"add", result.dtype, result.dtype}, [](auto a, auto b) { return a + b; }, result, *bias);
  return result;
}

Tensor einsum_op(std::string_view equation, const std::vector<Tensor>& tensors, Unused) { return einsum(equation, tensors); }
Tensor tensordot_op(const Tensor& self, const Tensor& other, std::span<const int64_t> dims_self, std::span<const int64_t> dims_other) {
  return tensordot(self, other, dims_self, dims_other);
}

}  // namespace

void add_matmul_ops(OpTable& ops) {
  ops.add("aten::mm(Tensor self, Tensor mat2) -> Tensor", mm);
  ops.add("aten::bmm(Tensor self, Tensor mat2) -> Tensor", bmm);
  ops.add("aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addmm);
  ops.add("aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", baddbmm);
  ops.add("aten::mv(Tensor self, Tensor vec) -> Tensor", mv);
  ops.add("aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addmv);
  ops.add("aten::dot(Tensor self, Tensor tensor) -> Tensor", dot);
  ops.add("aten::vdot(Tensor self, Tensor other) -> Tensor", vdot);
  ops.add("aten::outer(Tensor self, Tensor vec2) -> Tensor", outer);
  ops.add("aten::ger(Tensor self, Tensor vec2) -> Tensor", outer);
  ops.add("aten::addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addr);
  ops.add("aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor", addbmm);
  ops.add("aten::inner(Tensor self, Tensor other) -> Tensor", inner);
  ops.add("aten::matmul(Tensor self, Tensor other) -> Tensor", matmul);
  ops.add("aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", linear_op);
  ops.add("aten::bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor", bilinear);
  ops.add("aten::chain_matmul(Tensor[] matrices) -> Tensor", chain);
  ops.add("aten::linalg_multi_dot(Tensor[] tensors) -> Tensor", chain);
  ops.add("aten::kron(Tensor self, Tensor other) -> Tensor", kron);
  ops.add("aten::einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor", einsum_op);
  ops.add("aten::tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor", tensordot_op);
}

}  // namespace pt2::interp
