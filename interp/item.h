#pragma once
#include "core/tensor/tensor.h"
#include "interp/runtime_value.h"
#include "interp/scalar.h"

namespace pt2::interp {

// The first element of a tensor as a number, as tensor.item() gives it. Throws KernelError where it has no element.
Scalar item(const Tensor& tensor);

}  // namespace pt2::interp
