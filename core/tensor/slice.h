#pragma once
// Python's way of writing a part of a tensor: "0, :, 2:8:2", "..., -1". Also understands surrounding brackets.
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// A view of the same storage. Numbers drop their dimension; steps are positive, as torch wants them.
Result<Tensor> sliced(const Tensor& tensor, std::string_view slice);

}  // namespace pt2
