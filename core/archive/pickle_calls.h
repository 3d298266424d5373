#pragma once
// What the calls in a pickle mean, where they build plain data: a closed table from names to functions of this class. Part of the
// unpickler, in a file of its own because it is about PyTorch and the other about pickles.
#include <span>
#include <string_view>
#include <vector>

#include "core/archive/unpickler.h"

namespace pt2 {

class PickleCalls {
 public:
  explicit PickleCalls(Unpickler& machine) : m_(machine) {}

  PickleId call(PickleId callable, std::vector<PickleId> arguments);
  void build(PickleId object, PickleId state);
  PickleId persistent(PickleId id);

 private:
  using Arguments = std::span<const PickleId>;
  using Function = PickleId (PickleCalls::*)(std::string_view name, Arguments arguments);
  static Function find(std::string_view name);

  PickleId rebuild_tensor(std::string_view name, Arguments a);
  PickleId rebuild_tensor_v3(std::string_view name, Arguments a);
  PickleId rebuild_parameter(std::string_view name, Arguments a);
  PickleId rebuild_qtensor(std::string_view name, Arguments a);
  PickleId rebuild_sparse(std::string_view name, Arguments a);
  PickleId rebuild_nested(std::string_view name, Arguments a);
  PickleId rebuild_meta(std::string_view name, Arguments a);
  PickleId rebuild_wrapper_subclass(std::string_view name, Arguments a);
  PickleId rebuild_from_type(std::string_view name, Arguments a);
  PickleId rebuild_from_cpu_tensor(std::string_view name, Arguments a);
  PickleId rebuild_from_numpy(std::string_view name, Arguments a);
  PickleId reconstruct_fake(std::string_view name, Arguments a);
  PickleId make_sequence(std::string_view name, Arguments a);
  PickleId make_dict(std::string_view name, Arguments a);
  PickleId make_complex(std::string_view name, Arguments a);
  PickleId make_bytes(std::string_view name, Arguments a);
  PickleId make_attribute(std::string_view name, Arguments a);
  PickleId make_layout(std::string_view name, Arguments a);
  PickleId make_opaque(std::string_view name, Arguments a);

  // Arguments of the right kind, or the call fails.
  int64_t integer(PickleId id) const;
  bool boolean(PickleId id) const;
  Shape shape(PickleId id) const;
  DType dtype(PickleId id) const;
  TensorLayout layout(PickleId id) const;
  Device device(PickleId id) const;
  PickledTensor& tensor(PickleId id) const;
  void expect(bool condition, const char* what) const;
  PickleId add_tensor(PickledTensor tensor);
  PickledTensor strided(Arguments a, size_t requires_grad_at);
  void apply_metadata(PickledTensor& tensor, PickleId metadata) const;
  std::string number_text(PickleId id) const;

  Unpickler& m_;
  std::string_view calling_;
};

}  // namespace pt2
