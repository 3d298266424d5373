#pragma once
// Results and scratch: all memory of kernels comes from here, is counted against the budget of the run, and refused as an ordinary error.
#include <cstddef>

#include "core/tensor/tensor.h"
#include "interp/scalar.h"

namespace pt2::interp {

// Bytes aligned to 64, uninitialised or zero. Throws KernelError of kind Limit where the budget has no more.
Storage allocate(size_t size_bytes);
Storage allocate_zeroed(size_t size_bytes);

// Uninitialised: for kernels that write every element.
Tensor empty(std::span<const int64_t> sizes, DType dtype, MemoryFormat format = MemoryFormat::Contiguous);
Tensor empty_strided(std::span<const int64_t> sizes, std::span<const int64_t> strides, DType dtype);
// `format` Preserve keeps the layout of `like`; Unknown for dtype keeps its dtype.
Tensor empty_like(const Tensor& like, DType dtype = DType::Unknown, MemoryFormat format = MemoryFormat::Preserve);
Tensor zeros(std::span<const int64_t> sizes, DType dtype, MemoryFormat format = MemoryFormat::Contiguous);
Tensor zeros_like(const Tensor& like, DType dtype = DType::Unknown);
Tensor full(std::span<const int64_t> sizes, DType dtype, const Scalar& value);
// A 0-dimensional tensor of a Python number, weak in type promotion.
Tensor wrapped_scalar(const Scalar& number);

// Writes a number to every element.
void fill(const Tensor& tensor, const Scalar& value);

// Scratch of `count` T, uninitialised, on the budget.
template <class T>
class Scratch {
 public:
  explicit Scratch(int64_t count) : storage_(allocate(static_cast<size_t>(count) * sizeof(T))), count_(count) {}
  T* data() const { return reinterpret_cast<T*>(storage_.data()); }
  T& operator[](int64_t i) const { return data()[i]; }
  int64_t size() const { return count_; }
  T* begin() const { return data(); }
  T* end() const { return data() + count_; }

 private:
  Storage storage_;
  int64_t count_;
};

}  // namespace pt2::interp
