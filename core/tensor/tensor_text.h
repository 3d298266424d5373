#pragma once
// A tensor's values as text, laid out as PyTorch prints them: rows in brackets, long dimensions cut in the middle.
#include <string>

#include "core/tensor/tensor.h"

namespace pt2 {

struct TensorTextOptions {
  int64_t whole_up_to = 1000;  // elements; beyond, only `edge` at both ends of each dimension
  int64_t edge = 3;
  int precision = 0;           // digits after the point; 0: the shortest text that is exact
};

std::string tensor_text(const Tensor& tensor, const TensorTextOptions& options = {});

}  // namespace pt2
