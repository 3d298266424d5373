#pragma once
// What torch.save writes: a zip with a pickle, and a member for each storage the pickle names; before PyTorch 1.6 a row of pickles and
// storages.
#include <memory>
#include <string>
#include <vector>

#include "core/archive/pickle_value.h"
#include "core/archive/stored_tensor.h"

namespace pt2 {

struct TorchSave {
  PickleValue value;                  // tensors in it by their name
  std::vector<StoredTensor> tensors;  // in the order they occur
  std::vector<Finding> findings;
};

// How tensors are called by their place in the value.
enum class TensorNaming {
  Keys,          // of a dict: its keys; deeper "optimizer['state'][0]"; a lone tensor "tensor"
  SampleInputs,  // (args, kwargs): "args[0]", "kwargs['mask']"
};

// `where`: what the source is called in messages and record names, "data/weights/model.pt"; may be empty.
// Fails where the pickle is unreadable; calls that were not run and tensors without values are findings.
Result<TorchSave> read_torch_save(std::shared_ptr<const ByteSource> source, const std::string& where, TensorNaming naming);

}  // namespace pt2
