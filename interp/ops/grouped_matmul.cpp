// Products of groups of rows with matrices of their own (mixtures of experts), and of scaled 8-bit floats.
#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/view.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;

Tensor product(const Tensor& a, const Tensor& b) { return call("aten.mm.default", a, b); }

// Where the groups end, in order, none beyond `size`.
std::vector<int64_t> ends_of(const Tensor& offs, int64_t size) {
  check(offs.dim() == 1 && is_integral(offs.dtype), "offs should be a 1D integral tensor, found ", offs.dim(), "D ", offs.dtype);
  const Tensor dense = as_contiguous(offs, DType::Int64);
  const std::vector<int64_t> ends(dense.data<int64_t>(), dense.data<int64_t>() + dense.numel());
  int64_t before = 0;
  for (int64_t end : ends) {
    check(end >= before && end <= size, "offs must rise from 0 to at most ", size, ", found ", end, " after ", before);
    before = end;
  }
  return ends;
}

// Calls body(group, begin, length) for each group.
template <class Body>
void for_each_group(const std::vector<int64_t>& ends, Body body) {
  int64_t begin = 0;
  for (size_t g = 0; g < ends.size(); ++g) {
    body(static_cast<int64_t>(g), begin, ends[g] - begin);
    begin = ends[g];
  }
}

// Rows [.., offs[g]) of `input` with weight[g]. Rows behind the last group are zero.
Tensor rows_by_group(const Tensor& input, const Tensor& weight, const std::vector<int64_t>& ends, DType dtype) {
  check(static_cast<int64_t>(ends.size()) == weight.sizes[0], "expected as many offsets as matrices, found ", ends.size(), " and ", weight.sizes[0]);
  const Tensor result = zeros(Shape{input.sizes[0], weight.sizes[2]}, dtype);
  for_each_group(ends, [&](int64_t g, int64_t begin, int64_t length) {
    if (length > 0) copy_into(narrow(result, 0, begin, length), product(narrow(input, 0, begin, length), select(weight, 0, g)));
  });
  return result;
}

Tensor grouped_mm_fallback(const Tensor& input, const Tensor& weight, const Tensor& offs) {
  check(input.dim() == 2 && weight.dim() == 3, "grouped_mm_fallback: expected a 2D input and 3D weights, found ", input.sizes, " and ", weight.sizes);
  return rows_by_group(input, weight, ends_of(offs, input.sizes[0]), input.dtype);
}

// Which dimension the groups cut depends on the ranks: rows of the first, columns of the second, or what is summed over.
Tensor grouped_mm(const Tensor& self, const Tensor& mat2, const MaybeTensor& offs, const MaybeTensor& bias, std::optional<DType> out_dtype) {
  check((self.dim() == 2 || self.dim() == 3) && (mat2.dim() == 2 || mat2.dim() == 3), "_grouped_mm: mat_a and mat_b have to be 2 or 3 dimensional, found ", self.sizes, " and ",
        mat2.sizes);
  check(!bias, "_grouped_mm: Bias not supported yet");
  check(self.dtype == mat2.dtype, "_grouped_mm: expected matrices of one dtype, found ", self.dtype, " and ", mat2.dtype);
  const DType dtype = out_dtype.value_or(self.dtype);
  if (self.dim() == 3 && mat2.dim() == 3) {
    check(!offs, "_grouped_mm: offs is for 2D matrices");
    return to_dtype(call("aten.bmm.default", self, mat2), dtype);
  }
  check(offs.has_value(), "_grouped_mm: Have to provide offsets for 2D matrices");
  if (mat2.dim() == 3) return rows_by_group(self, mat2, ends_of(*offs, self.sizes[0]), dtype);
  if (self.dim() == 3) {
    const std::vector<int64_t> ends = ends_of(*offs, mat2.sizes[1]);
    check(static_cast<int64_t>(ends.size()) == self.sizes[0], "_grouped_mm: matrix batch sizes have to match, found ", ends.size(), " groups and ", self.sizes[0], " matrices");
    const Tensor result = zeros(Shape{self.sizes[1], mat2.sizes[1]}, dtype);
    for_each_group(ends, [&](int64_t g, int64_t begin, int64_t length) {
      if (length > 0) copy_into(narrow(result, 1, begin, length), product(select(self, 0, g), narrow(mat2, 1, begin, length)));
    });
    return result;
  }
  check(self.sizes[1] == mat2.sizes[0], "_grouped_mm: contraction dimension of mat_a and mat_b must match");
  const std::vector<int64_t> ends = ends_of(*offs, self.sizes[1]);
  const Tensor result = zeros(Shape{static_cast<int64_t>(ends.size()), self.sizes[0], mat2.sizes[1]}, dtype);
  for_each_group(ends, [&](int64_t g, int64_t begin, int64_t length) {
    if (length > 0) copy_into(select(result, 0, g), product(narrow(self, 1, begin, length), narrow(mat2, 0, begin, length)));
  });
  return result;
}

// Scales are one number, or one for each row of `self` and column of `mat2`.
Tensor scaled_mm(const Tensor& self, const Tensor& mat2, const Tensor& scale_a, const Tensor& scale_b, const MaybeTensor& bias, const MaybeTensor& scale_result,
                 std::optional<DType> out_dtype, bool) {
  check(self.dim() == 2 && mat2.dim() == 2, "_scaled_mm: mat1 and mat2 must be matrices");
  check(self.sizes[1] == mat2.sizes[0], "mat1 and mat2 shapes cannot be multiplied (", self.sizes[0], "x", self.sizes[1], " and ", mat2.sizes[0], "x", mat2.sizes[1], ")");
  auto scaled = [](const Tensor& matrix, const Tensor& scale) { return call("aten.mul.Tensor", to_dtype(matrix, DType::Float32), to_dtype(scale, DType::Float32)); };
  Tensor result = product(scaled(self, scale_a), scaled(mat2, scale_b));
  if (bias) result = call("aten.add.Tensor", result, to_dtype(*bias, DType::Float32));
  if (scale_result) result = call("aten.mul.Tensor", result, *scale_result);
  return to_dtype(result, out_dtype.value_or(self.dtype));
}

}  // namespace

void add_grouped_matmul_ops(OpTable& ops) {
  ops.add("transformers::grouped_mm_fallback(Tensor input, Tensor weight, Tensor offs) -> Tensor", grouped_mm_fallback);
  ops.add("aten::_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, ScalarType? out_dtype=None) -> Tensor", grouped_mm);
  ops.add("aten::_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor", scaled_mm);
}

}  // namespace pt2::interp
