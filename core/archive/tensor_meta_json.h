#pragma once
// TensorMeta of the Export schema with plain numbers, as payload configurations and fake tensors have it.
#include <string_view>

#include "core/base/result.h"
#include "core/tensor/device.h"
#include "core/tensor/tensor.h"

namespace pt2 {

class JsonCursor;

struct StoredTensorMeta {
  DType dtype = DType::Unknown;
  Shape sizes, strides;
  int64_t offset = 0;
  Device device;
  TensorLayout layout = TensorLayout::Strided;
  bool requires_grad = false;
};

Result<StoredTensorMeta> parse_tensor_meta(std::string_view json);
// Throws JsonError.
StoredTensorMeta tensor_meta_at(const JsonCursor& meta);

}  // namespace pt2
