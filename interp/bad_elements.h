#pragma once
// Elements that are NaN or infinite, for finding out where one comes from.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/tensor/view.h"
#include "interp/runtime_value.h"

namespace pt2::interp {

Shape index_of(const Shape& sizes, int64_t flat);
int64_t offset_of(const Tensor& tensor, const Shape& index);
// The index of the element that lies at an offset of the storage; none: the tensor does not reach there, or not in one way.
std::optional<Shape> index_at(const Tensor& tensor, int64_t offset);

// 0 for a finite element, else NaN or ±inf.
double badness(const std::byte* element, DType dtype);
double badness_at(const Tensor& tensor, const Shape& index);
// NaN is one kind, each infinity another: an operator that gives Inf where it gave NaN no longer does the same.
bool same_kind(double a, double b);
bool can_be_bad(DType dtype);

std::vector<Tensor> tensors_of(const RuntimeValue& value);
// Flat indices of elements whose badness is `wanted`.
template <class Wanted>
std::vector<int64_t> elements_that(const Tensor& tensor, Wanted&& wanted, size_t at_most = SIZE_MAX) {
  std::vector<int64_t> found;
  if (!can_be_bad(tensor.dtype)) return found;
  int64_t flat = 0;
  for_each_run(tensor, [&](const std::byte* first, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count && found.size() < at_most; ++i)
      if (wanted(badness(first + i * step, tensor.dtype))) found.push_back(flat + i);
    flat += count;
  });
  return found;
}
std::vector<int64_t> bad_elements(const Tensor& tensor);

}  // namespace pt2::interp
