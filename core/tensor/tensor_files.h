#pragma once
// Files of named tensors: .safetensors, .npz and .npy are read and written, torch.save files (.pt, .pth) read. Reading tells them apart by
// content, writing by the name's suffix.
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// In the order of the file. Complex tensors are kept in .safetensors as pairs of real numbers (a last dimension of 2) and their keys
// listed in the metadata under "complex"; both directions do that by themselves, so a caller only meets complex tensors.
struct TensorFile {
  std::vector<std::pair<std::string, Tensor>> tensors;
  std::map<std::string, std::string> metadata;  // .safetensors only

  const Tensor* find(std::string_view name) const {
    for (const auto& [key, tensor] : tensors)
      if (key == name) return &tensor;
    return nullptr;
  }
};

// A .npy file's one tensor, and a torch.save file that is one tensor, is called "tensor". A folder stands for the .npy files in it and
// below, called by their path without the suffix: "relu", "body@2/relu". Bytes are read or mapped when touched.
Result<TensorFile> read_tensor_file(const std::string& path);

// .safetensors, .npz or .npy (exactly one tensor). Written beside `path` first and then moved there, so a failure leaves no half file.
Result<void> write_tensor_file(const std::string& path, const TensorFile& file);

// A .safetensors file written tensor by tensor: each may be forgotten after add(). The header comes first in the file but is known
// last, so room is left for it by the number of tensors expected; where that was too little, the data is moved.
class SafetensorsWriter {
 public:
  static Result<SafetensorsWriter> create(const std::string& path, size_t expected_tensors);
  SafetensorsWriter(SafetensorsWriter&&) noexcept;
  SafetensorsWriter& operator=(SafetensorsWriter&&) noexcept;
  ~SafetensorsWriter();  // without finish(): nothing is left behind

  Result<void> add(std::string_view name, const Tensor& tensor);
  Result<void> finish(std::map<std::string, std::string> metadata = {});

 private:
  struct State;
  explicit SafetensorsWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace pt2
