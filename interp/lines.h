#pragma once
// Operators along one dimension: cumsum, sort, argmax … take each line of a tensor, read it into a buffer, and write lines of results.
#include "interp/convert.h"
#include "interp/function_ref.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

struct Line {
  std::byte* data;
  int64_t stride_bytes, size;
  DType dtype;

  template <class C>
  void read(C* to) const { loader(dtype, compute_of<C>())(data, stride_bytes, to, size); }
  template <class C>
  void write(const C* from) const { storer(compute_of<C>(), dtype)(from, data, stride_bytes, size); }
};

// Calls body with the corresponding lines of all tensors along `dim`, on all cores. The tensors agree in all other sizes; a 0-dimensional
// tensor is one line of one element.
void for_each_line(std::span<const Tensor* const> tensors, int64_t dim, FunctionRef<void(std::span<const Line> lines)> body);

}  // namespace pt2::interp
