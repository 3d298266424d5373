#pragma once
// Small tensors from numbers.
#include <memory>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace pt2::test {

template <class T>
Tensor tensor_of(DType dtype, Shape sizes, std::vector<T> values) {
  Tensor t;
  t.dtype = dtype;
  t.strides = contiguous_strides(sizes);
  t.sizes = std::move(sizes);
  auto kept = std::make_shared<std::vector<T>>(std::move(values));
  t.storage = Storage(kept, reinterpret_cast<std::byte*>(kept->data()), kept->size() * sizeof(T));
  return t;
}
inline Tensor floats(Shape sizes, std::vector<float> values) { return tensor_of(DType::Float32, std::move(sizes), std::move(values)); }

}  // namespace pt2::test
