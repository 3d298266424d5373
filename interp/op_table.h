#pragma once
// The operators this build can run: schema and kernel by name. One line registers an operator:
//
//   ops.add("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", add_tensor);
//
// The schema is parsed once and the C++ parameter list is held against it. In-place and out variants need no line of their own: where
// `add_.Tensor` or `add.out` is asked for and only `add.Tensor` is registered, its result is copied into the written argument, as
// PyTorch does it. Register them only where there is something to gain (no temporary), or where there is no functional form.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/graph/op_schema.h"
#include "interp/kernel_binding.h"

namespace pt2::interp {

struct Op {
  OpSchema schema;
  Kernel kernel;
  std::vector<RuntimeValue> defaults;  // by parameter; none where there is no default
  // Parameters whose storage the operator writes to, by index.
  std::vector<size_t> written;
  // Derived from the functional form: the kernel's results are copied into `written`, and those are returned. The kernel takes the first
  // kernel.parameters.size() arguments.
  bool derived = false;

  // Runs the kernel on arguments in the schema's order, defaults filled in; one result per return of the schema. Throws KernelError.
  Results call(const KernelContext& context, std::span<const RuntimeValue> arguments) const;
  const struct Op* copy = nullptr;  // derived: aten.copy_
  // In-place: the operator that gives the same values in new memory. None where it draws random numbers.
  const struct Op* functional = nullptr;
};

class OpTable {
 public:
  template <class Function>
  void add(std::string_view schema, Function* kernel) {
    add(schema, make_kernel(kernel));
  }
  void add(std::string_view schema, Kernel kernel);

  // Takes "torch.ops.aten.add.Tensor" or "aten.add.Tensor". nullptr: no implementation. In-place and out variants are derived by finish().
  const Op* find(std::string_view target) const;
  // Derives in-place and out variants of everything registered. Called once, after all families.
  void finish();

  // Schemas, sorted by operator.
  std::vector<const Op*> all() const;
  // Registrations whose C++ parameters do not fit their schema, doubled names, unknown spellings. Tests hold it empty.
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  const Op* find_functional(const OpSchema& writing) const;

  std::unordered_map<std::string, std::unique_ptr<Op>> ops_;  // by "aten.add.Tensor"
  std::unordered_map<std::string, std::vector<const Op*>> functional_;  // by "aten.add.": the overloads finish() chooses from
  std::vector<std::string> problems_;
};

// Every operator of interp/ops; built when first asked for.
const OpTable& builtin_ops();

// A constant argument as a runtime value; None for node references, which only a frame can look up.
RuntimeValue constant_value(const Argument& argument);

}  // namespace pt2::interp
