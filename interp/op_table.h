#pragma once
// The operators this build can run: schema and kernel by name. One line registers an operator:
//
//   ops.add("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", add_tensor);
//
// A schema is parsed, and the C++ parameter list held against it, when the operator is first asked for: a program uses a few dozen of the
// thousands. In-place and out variants need no line of their own: where `add_.Tensor` or `add.out` is asked for and only `add.Tensor` is
// registered, its result is copied into the written argument, as PyTorch does it. Register them only where there is something to gain (no
// temporary), or where there is no functional form.
#include <map>
#include <memory>
#include <mutex>
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

  // Takes "torch.ops.aten.add.Tensor" or "aten.add.Tensor". nullptr: no implementation. From any thread; the answer lives as long as the table.
  const Op* find(std::string_view target) const;
  // Schemas, sorted by operator; the derived in-place and out variants are among them.
  std::vector<const Op*> all() const;
  // Registrations whose C++ parameters do not fit their schema, doubled names, unknown spellings. Tests hold it empty.
  std::vector<std::string> problems() const;

 private:
  struct Registration {
    std::string schema;
    Kernel kernel;
  };
  // What was asked for so far, by target; nullptr where there is no implementation.
  struct Asked {
    std::mutex mutex;
    std::unordered_map<std::string, std::unique_ptr<Op>> ops;
    std::vector<std::string> problems;
  };

  // With the mutex held.
  const Op* find_locked(const std::string& target) const;
  const Op* find_registered(const std::string& target) const;
  std::unique_ptr<Op> make_registered(const std::string& target, const Registration& registration) const;
  std::unique_ptr<Op> derive(const std::string& target) const;
  const Op* find_functional(const OpSchema& writing) const;

  std::map<std::string, Registration> registered_;  // by "aten.add.Tensor": the overloads of a name are neighbours
  std::vector<std::string> doubled_;
  std::unique_ptr<Asked> asked_ = std::make_unique<Asked>();
};

// Every operator of interp/ops; built when first asked for.
const OpTable& builtin_ops();

// A constant argument as a runtime value; None for node references, which only a frame can look up.
RuntimeValue constant_value(const Argument& argument);

}  // namespace pt2::interp
