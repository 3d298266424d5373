#include "interp/call_by_name.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "interp/check.h"
#include "interp/higher_order.h"
#include "interp/op_table.h"

namespace pt2::interp {

namespace {

using Named = std::pair<std::string_view, RuntimeValue>;

// The targets of aten's operators by their names; the texts belong to the embedded table.
const std::multimap<std::string_view, std::string_view>& targets_by_name() {
  static const auto targets = [] {
    std::multimap<std::string_view, std::string_view> made;
    for (const OpTableRow& row : op_table_rows())
      if (row.op.starts_with("aten.")) made.emplace(row.op.substr(5, row.op.rfind('.') - 5), row.op);
    return made;
  }();
  return targets;
}

// What writes to its arguments would change recorded values, what draws random numbers would differ each time it is looked at.
bool is_pure(const Op& op, std::string_view target) {
  const OpSchema* schema = find_op_schema(target);
  return op.written.empty() && !(schema && schema->has_tag("nondeterministic_seeded"));
}

std::vector<const Op*> overloads(std::string_view name) {
  std::vector<const Op*> found;
  const auto [begin, end] = targets_by_name().equal_range(name);
  for (auto it = begin; it != end; ++it)
    if (const Op* op = builtin_ops().find(it->second); op && is_pure(*op, it->second)) found.push_back(op);
  return found;
}

bool is_number(const RuntimeValue& value) { return value.is<int64_t>() || value.is<double>() || value.is<bool>() || value.is<std::complex<double>>(); }

bool item_fits(SchemaBase base, const RuntimeValue& value, bool numbers_as_tensors) {
  switch (base) {
    case SchemaBase::Tensor: return value.is<Tensor>() || (numbers_as_tensors && is_number(value));
    case SchemaBase::Int:
    case SchemaBase::SymInt: return value.is<int64_t>();
    case SchemaBase::Float: return value.is<double>() || value.is<int64_t>();
    case SchemaBase::Bool: return value.is<bool>();
    case SchemaBase::Scalar: return is_number(value);
    case SchemaBase::Str: return value.is<std::string>();
    case SchemaBase::ScalarType: return value.is<DType>();
    default: return false;
  }
}

bool fits(const SchemaType& type, const RuntimeValue& value, bool numbers_as_tensors) {
  if (value.is_none()) return type.optional;
  if (!type.is_list()) return item_fits(type.base, value, numbers_as_tensors);
  const auto* list = value.as<ListValue>();
  if (!list) return type.list_size > 0 && item_fits(type.base, value, numbers_as_tensors);
  return std::all_of(list->items->begin(), list->items->end(), [&](const RuntimeValue& item) { return item_fits(type.base, item, numbers_as_tensors); });
}

bool takes(const OpSchema& schema, std::span<const Named> arguments, bool numbers_as_tensors) {
  std::vector<bool> given(schema.parameters.size(), false);
  for (size_t i = 0; i < arguments.size(); ++i) {
    size_t at = i;
    if (!arguments[i].first.empty())
      for (at = 0; at < given.size() && schema.parameters[at].name != arguments[i].first; ++at) {}
    else if (at < given.size() && schema.parameters[at].keyword_only) return false;
    if (at >= given.size() || given[at] || !fits(schema.parameters[at].type, arguments[i].second, numbers_as_tensors)) return false;
    given[at] = true;
  }
  for (size_t p = 0; p < given.size(); ++p)
    if (!given[p] && !schema.parameters[p].has_default() && !schema.parameters[p].type.optional) return false;
  return true;
}

}  // namespace

bool is_callable_by_name(std::string_view name) { return !overloads(name).empty(); }

RuntimeValue call_by_name(std::string_view name, std::span<const Named> arguments) {
  const std::vector<const Op*> known = overloads(name);
  check(!known.empty(), "there is no function \"", name, "\"; PyTorch's operators are known by their names, as relu(a), clamp(a, 0, 1), where(c, a, b), maximum(a, b)");
  for (const bool numbers_as_tensors : {false, true})
    for (const Op* op : known)
      if (takes(op->schema, arguments, numbers_as_tensors)) return call_operator(*op, current_context(), arguments);
  std::string forms;
  for (const Op* op : known) forms += (forms.empty() ? "" : "; ") + op->schema.source.substr(op->schema.source.find("::") + 2);
  fail("these are no arguments of ", name, ", which is ", forms);
}

}  // namespace pt2::interp
