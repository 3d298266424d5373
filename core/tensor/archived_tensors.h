#pragma once
#include "core/archive/archive.h"
#include "core/tensor/tensor_files.h"

namespace pt2 {

// All tensors of an archive that holds nothing else, and the metadata of a .safetensors file.
Result<TensorFile> archived_tensors(const Archive& archive);

}  // namespace pt2
