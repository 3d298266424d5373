#pragma once
// A file that may hold exported programs and tensors: entries by name, weights on demand. Opening reads the directory and the small
// JSON configurations only; the bytes of a tensor are read (or mapped) when somebody asks for them. Nothing from a file is ever executed.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/finding.h"
#include "core/base/result.h"
#include "core/archive/pickle_value.h"
#include "core/tensor/device.h"
#include "core/tensor/tensor.h"

namespace pt2 {

// What `info --json` calls `container`: container_name() gives "pt2_archive", "legacy", …
enum class Container { Pt2Archive, Legacy, AotInductor, TorchScript, TorchSave, Safetensors, Npz, Npy, OtherZip };
std::string_view container_name(Container container);

enum class TensorRole { Weight, Constant, SampleInput, Tensor };  // Tensor: of a plain tensor file

// A tensor as the file declares it, without its bytes.
struct TensorInfo {
  std::string name;                 // fqn; for sample inputs "args[0]", "kwargs['mask']"; the key in tensor files
  TensorRole role = TensorRole::Tensor;
  DType dtype = DType::Unknown;
  Shape sizes, strides;
  int64_t offset = 0;               // in elements
  Device device;
  TensorLayout layout = TensorLayout::Strided;
  bool is_parameter = false, requires_grad = false;
  std::string record;               // archive member that holds the storage; equal records share storage
  std::string note;                 // "", or what it is instead of plain data: "no data (meta tensor)", "subclass corpus.Foo", …
};

class Archive {
 public:
  virtual ~Archive() = default;
  virtual Container container() const = 0;
  // Names of the programs, in file order; a legacy file has one, "model".
  virtual std::vector<std::string> models() const = 0;
  // The text of the program's JSON. Limit: limits::kModelJsonBytes.
  virtual Result<std::string> model_json(std::string_view model) const = 0;
  // Legacy: the `version` entry; archives: nothing (the JSON has it).
  virtual std::optional<std::string> version_entry() const { return std::nullopt; }

  // Weights (state dict), constants and tensors among the sample inputs of a program; for a tensor file, model = "".
  virtual std::vector<TensorInfo> tensors(std::string_view model) const = 0;
  // Bytes on demand. Tensors of one record share one Storage, also between calls while any is alive. Thread-safe.
  virtual Result<Tensor> read_tensor(std::string_view model, TensorRole role, std::string_view name) const = 0;
  // (args, kwargs) as plain data, tensors as TensorInfo references; a None value where the file has no sample inputs.
  virtual Result<PickleValue> sample_inputs(std::string_view model) const = 0;

  // Names of extra files, and the text of one.
  virtual std::vector<std::string> extra_files() const = 0;
  virtual Result<std::string> extra_file(std::string_view name) const = 0;
  // All member names, for "show entries".
  virtual std::vector<std::string> entries() const = 0;
  // Oddities met: missing or short records, calls in pickles that were not run, …
  // Filled by check(): all structure (pickles' opcodes, payload bounds), no weight bytes.
  virtual std::vector<Finding> check() const = 0;
};

// Told apart by content. Errors name the place and what the file seems to be.
Result<std::shared_ptr<Archive>> open_archive(const std::string& path);

}  // namespace pt2
