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
    const RuntimeValue& destination = arguments[written[i]];
    const auto* target = destination.as<Tensor>();
    const auto* result = results[i].as<Tensor>();
    if (target && result) {
      check_can_cast(result->dtype, target->dtype);
      check(target->sizes == result->sizes, "output with shape ", target->sizes, " doesn't match the broadcast shape ", result->sizes);
    }
    const RuntimeValue copied[] = {destination, results[i], RuntimeValue(false)};
    copy->call(context, copied);
    results[i] = destination;
  }
  results.resize(schema.returns.size());
  return results;
}

void OpTable::add(std::string_view text, Kernel kernel) {
  auto parsed = parse_op_schema(text);
  if (!parsed) {
    problems_.push_back(std::string(text) + ": " + parsed.error().message);
    return;
  }
  auto op = std::make_unique<Op>();
  op->schema = std::move(*parsed);
  const std::string target = op->schema.target();
  if (std::string problem = mismatch(op->schema, kernel); !problem.empty()) problems_.push_back(target + ": the kernel " + problem);
  else if (ops_.contains(target)) problems_.push_back(target + ": registered twice");
  else {
    op->kernel = std::move(kernel);
    op->defaults = default_values(op->schema);
    op->written = written_parameters(op->schema);
    ops_.emplace(target, std::move(op));
  }
}

const Op* OpTable::find(std::string_view target) const {
  auto it = ops_.find(std::string(without_prefix(target)));
  return it == ops_.end() ? nullptr : it->second.get();
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
    if (op->derived || !op->written.empty() || op->kernel.parameters.size() != parameters || op->schema.returns.size() != written.size()) return false;
    for (size_t i = 0; i < parameters; ++i) {
      const bool named_self = in_place && i == 0;  // `input` there, `self` here
      if (!named_self && op->schema.parameters[i].name != writing.parameters[i].name) return false;
      if (!same_type(op->schema.parameters[i].type, writing.parameters[i].type)) return false;
    }
    return true;
  };
  // The overload of the same name where there is one, else the first in alphabetical order that takes the same (pow_.Scalar: pow.Tensor_Scalar).
  if (const Op* op = find(prefix + (writing.overload.empty() ? "default" : writing.overload)); op && fits_written(op)) return op;
  const Op* best = nullptr;
  auto overloads = functional_.find(prefix);
  if (overloads == functional_.end()) return nullptr;
  for (const Op* op : overloads->second)
    if (fits_written(op) && (!best || op->schema.overload < best->schema.overload)) best = op;
  return best;
}

void OpTable::finish() {
  const Op* copy = find("aten.copy_.default");
  if (!copy) return;
  for (const auto& [target, op] : ops_) functional_[target.substr(0, target.rfind('.') + 1)].push_back(op.get());
  for (const OpTableRow& row : op_table_rows()) {
    if (row.schema.find("!)") == std::string_view::npos || ops_.contains(std::string(row.op))) continue;
    const OpSchema* writing = find_op_schema(row.op);
    const Op* functional = writing ? find_functional(*writing) : nullptr;
    if (!functional) continue;
    auto op = std::make_unique<Op>();
    op->schema = std::move(*parse_op_schema(row.schema));
    op->kernel = functional->kernel;
    op->defaults = default_values(op->schema);
    op->written = written_parameters(op->schema);
    op->derived = true;
    op->copy = copy;
    ops_.emplace(row.op, std::move(op));
  }
  for (const auto& [target, op] : ops_)
    if (op->written == std::vector<size_t>{0} && !op->kernel.takes_context)
      if (const Op* functional = find_functional(op->schema); functional && !functional->kernel.takes_context) op->functional = functional;
}

std::vector<const Op*> OpTable::all() const {
  std::vector<const Op*> all;
  for (const auto& [name, op] : ops_) all.push_back(op.get());
  std::sort(all.begin(), all.end(), [](const Op* a, const Op* b) { return a->schema.target() < b->schema.target(); });
  return all;
}

}  // namespace pt2::interp
