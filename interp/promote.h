#pragma once
// Type promotion exactly as PyTorch's: tensors with dimensions decide over 0-dimensional ones, those over Python numbers, as long as the
// category (bool < integer < floating < complex) does not rise.
#include <optional>
#include <span>

#include "core/tensor/tensor.h"
#include "interp/scalar.h"

namespace pt2::interp {

// torch.promote_types. Throws KernelError for pairs PyTorch refuses (float8, uint16 … uint64 with others).
DType promote_types(DType a, DType b);
// torch.can_cast: no category may be lost.
bool can_cast(DType from, DType to);
// As an in-place operator checks its result: "result type Float can't be cast to the desired output type Long".
void check_can_cast(DType from, DType to);

// As converting a Python number to an element type checks it: "value cannot be converted to type int8_t without overflow".
void check_convertible(const Scalar& number, DType dtype);

// The dtype a Python number gives: bool, int64, float32, complex64.
DType dtype_of(const Scalar& number);
// float32 for bool and integers, else itself: what sin, mean, true division … compute in.
DType floating_result(DType dtype);
// The real type of a complex one's parts, and back.
DType real_of(DType dtype);
DType complex_of(DType dtype);

class Promotion {
 public:
  Promotion& add(const Tensor& tensor);
  Promotion& add(const Scalar& number);
  template <class T>
  Promotion& add(const std::optional<T>& operand) { return operand ? add(*operand) : *this; }
  DType result() const;

 private:
  DType with_dims_ = DType::Unknown, zero_dim_ = DType::Unknown, number_ = DType::Unknown;
};

// result_type(self, other), result_type(self, 2.5) …
template <class... Operands>
DType result_type(const Operands&... operands) {
  Promotion promotion;
  (promotion.add(operands), ...);
  return promotion.result();
}
DType result_type_of(std::span<const Tensor> tensors);

// "Float", "Long": as PyTorch's messages call the dtypes.
std::string_view scalar_type_name(DType dtype);

}  // namespace pt2::interp
