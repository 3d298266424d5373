#include "interp/op_table.h"

#include <algorithm>

#include "interp/check.h"
#include "interp/promote.h"

namespace pt2::interp {

namespace {

std::string_view without_prefix(std::string_view target) {
  constexpr std::string_view kPrefix = "torch.ops.";
  return target.starts_with(kPrefix) ? target.substr(kPrefix.size()) : target;
}

BoundType::Base bound_base(SchemaBase base) {
  using Base = BoundType::Base;
  switch (base) {
    case SchemaBase::Tensor: return Base::Tensor;
    case SchemaBase::Int:
    case SchemaBase::SymInt: return Base::Int;
    case SchemaBase::Float: return Base::Float;
    case SchemaBase::Bool: return Base::Bool;
    case SchemaBase::Scalar:
    case SchemaBase::Complex: return Base::Scalar;
    case SchemaBase::Str: return Base::String;
    case SchemaBase::ScalarType: return Base::DType;
    case SchemaBase::Layout: return Base::Layout;
    case SchemaBase::MemoryFormat: return Base::MemoryFormat;
    case SchemaBase::Device: return Base::Device;
    case SchemaBase::Generator:
    case SchemaBase::Dimname:
    case SchemaBase::Other: return Base::Any;
  }
  return Base::Any;
}

// Whether a C++ type can hold what the schema's type can be.
bool fits(const BoundType& bound, const SchemaType& type) {
  if (bound == BoundType{}) return true;  // Unused, RuntimeValue
  if (type.text == "SymBool") return bound == BoundType{BoundType::Base::Bool};
  return type.list_depth <= 1 && bound == BoundType{bound_base(type.base), type.optional, type.is_list(), type.item_optional};
}

bool same_type(const SchemaType& a, const SchemaType& b) {
  return bound_base(a.base) == bound_base(b.base) && a.optional == b.optional && a.item_optional == b.item_optional && a.list_depth == b.list_depth;
}

std::vector<size_t> written_parameters(const OpSchema& schema) {
  std::vector<size_t> written;
  for (size_t i = 0; i < schema.parameters.size(); ++i)
    if (schema.parameters[i].type.writes()) written.push_back(i);
  return written;
}

std::vector<RuntimeValue> default_values(const OpSchema& schema) {
  std::vector<RuntimeValue> defaults;
  for (const SchemaParameter& p : schema.parameters) {
    RuntimeValue value = p.has_default() ? constant_value(p.default_value) : RuntimeValue();
    if (p.type.is_list() && p.type.list_size > 0 && !value.is<ListValue>() && !value.is_none())
      value = make_list(std::vector<RuntimeValue>(p.type.list_size, value));
    defaults.push_back(std::move(value));
  }
  return defaults;
}

// What is wrong between a kernel and its schema; empty where they fit.
std::string mismatch(const OpSchema& schema, const Kernel& kernel) {
  if (kernel.parameters.size() != schema.parameters.size())
    return "takes " + std::to_string(kernel.parameters.size()) + " parameters";
  for (size_t i = 0; i < schema.parameters.size(); ++i)
    if (!fits(kernel.parameters[i], schema.parameters[i].type)) return "parameter \"" + schema.parameters[i].name + "\" has another type";
  if (kernel.returns_void) {
    if (schema.returns.size() > written_parameters(schema).size()) return "returns nothing";
    return "";
  }
  if (kernel.results.size() != schema.returns.size()) return "returns " + std::to_string(kernel.results.size()) + " values";
  for (size_t i = 0; i < schema.returns.size(); ++i) {
    BoundType result = kernel.results[i];
    if (!schema.returns[i].type.optional) result.optional = false;  // an undefined tensor is None: gradients not asked for
    if (!fits(result, schema.returns[i].type)) return "result " + std::to_string(i) + " has another type";
  }
  return "";
}

// "aten.add.Tensor" for "aten::add.Tensor(…", "aten.relu.default" for "aten::relu(…".
std::string schema_target(std::string_view schema) {
  std::string target(schema.substr(0, schema.find('(')));
  if (const size_t colons = target.find("::"); colons != std::string::npos) target.replace(colons, 2, ".");
  if (std::count(target.begin(), target.end(), '.') == 1) target += ".default";
  return target;
}

std::unique_ptr<Op> make_op(OpSchema schema, Kernel kernel) {
  auto op = std::make_unique<Op>();
  op->defaults = default_values(schema);
  op->written = written_parameters(schema);
  op->schema = std::move(schema);
  op->kernel = kernel;
  return op;
}

}  // namespace

RuntimeValue constant_value(const Argument& argument) {
  struct Visitor {
    RuntimeValue operator()(NoneArg) const { return {}; }
    RuntimeValue operator()(NodeId) const { return {}; }
    RuntimeValue operator()(bool v) const { return v; }
    RuntimeValue operator()(int64_t v) const { return v; }
    RuntimeValue operator()(double v) const { return v; }
    RuntimeValue operator()(std::complex<double> v) const { return v; }
    RuntimeValue operator()(std::string_view v) const { return std::string(v); }
    RuntimeValue operator()(DType v) const { return RuntimeValue::Value(v); }
    RuntimeValue operator()(MemoryFormat v) const { return RuntimeValue::Value(v); }
    RuntimeValue operator()(TensorLayout v) const { return RuntimeValue::Value(v); }
    RuntimeValue operator()(const Device& v) const { return RuntimeValue::Value(v); }
    RuntimeValue operator()(const OperatorArg& v) const { return RuntimeValue::Value(OperatorValue{v.name}); }
    RuntimeValue operator()(const UnknownArg&) const { return RuntimeValue::Value(OpaqueValue{"an argument of an unknown kind"}); }
    RuntimeValue operator()(const ListArg& v) const { return make_list(constants(v.items)); }
    RuntimeValue operator()(const TupleArg& v) const { return make_tuple(constants(v.items)); }
    RuntimeValue operator()(const DictArg&) const { return RuntimeValue::Value(OpaqueValue{"a dict"}); }
    static std::vector<RuntimeValue> constants(const std::vector<Argument>& items) {
      std::vector<RuntimeValue> values;
      for (const Argument& item : items) values.push_back(constant_value(item));
      return values;
    }
  };
  return std::visit(Visitor{}, argument.value);
}

namespace {

// Copies a result into the argument an in-place or out variant writes; lists tensor by tensor.
void write_result(const Op& copy, const KernelContext& context, const RuntimeValue& destination, const RuntimeValue& result) {
  if (destination.is<ListValue>()) {
    check(destination.items().size() == result.items().size(), "expected ", result.items().size(), " tensors to write, found ", destination.items().size());
    for (size_t i = 0; i < result.items().size(); ++i) write_result(copy, context, destination.items()[i], result.items()[i]);
    return;
  }
  const auto* target = destination.as<Tensor>();
  const auto* value = result.as<Tensor>();
  if (target && value) {
    check_can_cast(value->dtype, target->dtype);
    check(target->sizes == value->sizes, "output with shape ", target->sizes, " doesn't match the broadcast shape ", value->sizes);
  }
  const RuntimeValue copied[] = {destination, result, RuntimeValue(false)};
  copy.call(context, copied);
}

}  // namespace

Results Op::call(const KernelContext& context, std::span<const RuntimeValue> arguments) const {
  Results results;
  if (!derived) {
    kernel(context, arguments, results);
    if (kernel.returns_void)
      for (size_t i = 0; i < schema.returns.size(); ++i) results.push_back(arguments[written[i]]);
    return results;
  }
  kernel(context, arguments.first(kernel.parameters.size()), results);
  check(results.size() == written.size(), "expected ", written.size(), " results to write, found ", results.size());
  for (size_t i = 0; i < written.size(); ++i) {
    write_result(*copy, context, arguments[written[i]], results[i]);
    results[i] = arguments[written[i]];
  }
  results.resize(schema.returns.size());
  return results;
}

void OpTable::add(std::string_view schema, Kernel kernel) {
  std::string target = schema_target(schema);
  if (registered_.contains(target)) doubled_.push_back(target + ": registered twice");
  else registered_.emplace(std::move(target), Registration{std::string(schema), kernel});
}

const Op* OpTable::find(std::string_view target) const {
  std::lock_guard lock(asked_->mutex);
  return find_locked(std::string(without_prefix(target)));
}

const Op* OpTable::find_locked(const std::string& target) const {
  if (registered_.contains(target)) return find_registered(target);
  if (auto it = asked_->ops.find(target); it != asked_->ops.end()) return it->second.get();
  return asked_->ops.emplace(target, derive(target)).first->second.get();
}

const Op* OpTable::find_registered(const std::string& target) const {
  if (auto it = asked_->ops.find(target); it != asked_->ops.end()) return it->second.get();
  auto it = registered_.find(target);
  if (it == registered_.end()) return nullptr;
  return asked_->ops.emplace(target, make_registered(target, it->second)).first->second.get();
}

std::unique_ptr<Op> OpTable::make_registered(const std::string& target, const Registration& registration) const {
  auto parsed = parse_op_schema(registration.schema);
  if (!parsed) {
    asked_->problems.push_back(registration.schema + ": " + parsed.error().message);
    return nullptr;
  }
  if (std::string problem = mismatch(*parsed, registration.kernel); !problem.empty()) {
    asked_->problems.push_back(target + ": the kernel " + problem);
    return nullptr;
  }
  auto op = make_op(std::move(*parsed), registration.kernel);
  if (op->written == std::vector<size_t>{0} && !op->kernel.takes_context)
    if (const Op* functional = find_functional(op->schema); functional && !functional->kernel.takes_context) op->functional = functional;
  return op;
}

// The registered operator whose parameters are those of `writing` (without its `out` parameters) and whose results are what it writes.
const Op* OpTable::find_functional(const OpSchema& writing) const {
  const std::vector<size_t> written = written_parameters(writing);
  const bool in_place = !written.empty() && written[0] == 0 && writing.name.ends_with("_") && !writing.name.ends_with("__");
  size_t parameters = writing.parameters.size();
  if (!in_place) parameters -= written.size();
  if (written.empty() || (!in_place && written[0] != parameters)) return nullptr;

  std::string name = writing.name;
  if (in_place) name.pop_back();
  const size_t colons = name.find("::");
  const std::string prefix = name.substr(0, colons) + "." + name.substr(colons + 2) + ".";
  auto fits_written = [&](const Op* op) {
    if (!op->written.empty() || op->kernel.parameters.size() != parameters || op->schema.returns.size() != written.size()) return false;
    for (size_t i = 0; i < parameters; ++i) {
      const bool named_self = in_place && i == 0;  // `input` there, `self` here
      if (!named_self && op->schema.parameters[i].name != writing.parameters[i].name) return false;
      if (!same_type(op->schema.parameters[i].type, writing.parameters[i].type)) return false;
    }
    return true;
  };
  // The overload of the same name where there is one, else the first in alphabetical order that takes the same (pow_.Scalar: pow.Tensor_Scalar).
  if (const Op* op = find_registered(prefix + (writing.overload.empty() ? "default" : writing.overload)); op && fits_written(op)) return op;
  for (auto it = registered_.lower_bound(prefix); it != registered_.end() && it->first.starts_with(prefix); ++it)
    if (const Op* op = find_registered(it->first); op && fits_written(op)) return op;
  return nullptr;
}

std::unique_ptr<Op> OpTable::derive(const std::string& target) const {
  const OpSchema* writing = find_op_schema(target);
  const Op* functional = writing ? find_functional(*writing) : nullptr;
  const Op* copy = functional ? find_registered("aten.copy_.default") : nullptr;
  if (!copy) return nullptr;
  auto op = make_op(std::move(*parse_op_schema(writing->source)), functional->kernel);
  op->derived = true;
  op->copy = copy;
  return op;
}

std::vector<const Op*> OpTable::all() const {
  std::lock_guard lock(asked_->mutex);
  std::vector<const Op*> all;
  for (const auto& [target, registration] : registered_)
    if (const Op* op = find_registered(target)) all.push_back(op);
  for (const OpTableRow& row : op_table_rows()) {
    if (row.schema.find("!)") == std::string_view::npos || registered_.contains(std::string(row.op))) continue;
    if (const Op* op = find_locked(std::string(row.op))) all.push_back(op);
  }
  std::sort(all.begin(), all.end(), [](const Op* a, const Op* b) { return a->schema.target() < b->schema.target(); });
  return all;
}

std::vector<std::string> OpTable::problems() const {
  all();
  std::lock_guard lock(asked_->mutex);
  std::vector<std::string> problems = doubled_;
  problems.insert(problems.end(), asked_->problems.begin(), asked_->problems.end());
  return problems;
}

}  // namespace pt2::interp
