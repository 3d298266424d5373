#include "interp/check_guards.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "core/symbolic/guards.h"
#include "interp/op_table.h"

namespace pt2::interp {

namespace {

using Paths = std::unordered_map<std::string, SymNumber>;

std::optional<SymNumber> number_of(const RuntimeValue& value) {
  if (const auto* b = value.as<bool>()) return SymNumber(*b);
  if (const auto* i = value.as<int64_t>()) return SymNumber(*i);
  if (const auto* d = value.as<double>()) return SymNumber(*d);
  return std::nullopt;
}

// Whatever a guard can ask of the user inputs, by the path it is written with.
Paths input_paths(const Program& program, std::span<const ProgramInput> inputs) {
  const std::vector<std::string> names = user_input_paths(program);
  Paths paths;
  size_t user = 0;
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput) continue;
    const std::string path = user < names.size() ? names[user] : std::string(spec.name);
    ++user;
    if (!spec.node.valid() || spec.node.index >= inputs.size()) continue;
    const RuntimeValue& value = inputs[spec.node.index].value;
    if (const auto* tensor = value.as<Tensor>()) {
      for (size_t d = 0; d < tensor->sizes.size(); ++d) {
        const std::string index = "()[" + std::to_string(d) + "]";
        paths.emplace(path + ".size" + index, tensor->sizes[d]);
        paths.emplace(path + ".stride" + index, tensor->strides[d]);
      }
      paths.emplace(path + ".storage_offset()", tensor->offset);
    } else if (const auto number = number_of(value)) {
      paths.emplace(path, *number);
    }
  }
  return paths;
}

std::string number_text(const SymNumber& number) {
  if (const auto* i = std::get_if<int64_t>(&number)) return std::to_string(*i);
  if (const auto* b = std::get_if<bool>(&number)) return *b ? "True" : "False";
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", std::get<double>(number));
  return text;
}

// Python's `value == constant`, and math.isnan(value) where the constant is NaN.
bool is_constant(const RuntimeValue& value, const RuntimeValue& constant) {
  if (const auto* text = constant.as<std::string>()) return value.is<std::string>() && *value.as<std::string>() == *text;
  const auto a = number_of(value), b = number_of(constant);
  if (!a || !b) return value.value.index() == constant.value.index();
  const auto real = [](const SymNumber& number) { return std::visit([](auto v) { return static_cast<double>(v); }, number); };
  return real(*a) == real(*b) || (std::isnan(real(*a)) && std::isnan(real(*b)));
}

}  // namespace

GuardFindings check_guards(const Program& program, std::span<const ProgramInput> inputs) {
  GuardFindings findings;
  const Paths paths = input_paths(program, inputs);
  const SymbolLookup lookup = [&](std::string_view path) -> std::optional<SymNumber> {
    const auto it = paths.find(std::string(path));
    return it == paths.end() ? std::nullopt : std::optional(it->second);
  };
  for (const Guard& guard : program_guards(program)) {
    if (guard.origin == Guard::Origin::Constant) {
      const auto spec = std::find_if(program.signature.inputs.begin(), program.signature.inputs.end(), [&](const InputSpec& s) { return s.node == guard.input; });
      if (spec == program.signature.inputs.end() || !spec->constant || guard.input.index >= inputs.size()) continue;
      const RuntimeValue& value = inputs[guard.input.index].value;
      if (!value.is<MissingValue>() && !is_constant(value, constant_value(*spec->constant))) {
        const auto number = number_of(value);
        findings.failed.push_back("Guard failed: " + guard.text + (number ? " (it is " + number_text(*number) + ")" : ""));
      }
      continue;
    }
    if (guard.condition.problem) {
      findings.unchecked.push_back(guard.text + ": " + *guard.condition.problem);
      continue;
    }
    if (holds(guard, lookup).value_or(true)) continue;
    std::string values;
    for (const std::string& path : free_symbols(guard.condition))
      if (const auto number = lookup(path)) values += (values.empty() ? "" : ", ") + path + " = " + number_text(*number);
    findings.failed.push_back("Guard failed: " + guard.text + (values.empty() ? "" : " (" + values + ")"));
  }
  return findings;
}

}  // namespace pt2::interp
