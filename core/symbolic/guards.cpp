#include "core/symbolic/guards.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "core/graph/tree_spec.h"
#include "core/symbolic/sym_tree.h"
#include "core/text/python_text.h"

namespace pt2 {

namespace {

// "[0][1].x" → {"[0]", "[1].x"}: the first step and the rest.
std::pair<std::string_view, std::string_view> first_step(std::string_view path) {
  const size_t end = path.starts_with("['") ? path.find("']") + 2 : path.find(']') + 1;
  return {path.substr(0, end), path.substr(end)};
}

std::string_view inside_brackets(std::string_view step) {
  step = step.substr(1, step.size() - 2);
  return step.starts_with('\'') && step.size() >= 2 ? step.substr(1, step.size() - 2) : step;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  if (from.empty()) return;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

std::string constant_text(const Argument& value) {
  return argument_text(value, ArgumentStyle::Repr, [](NodeId) { return std::string(); });
}

class Collector {
 public:
  explicit Collector(const Program& program) : program_(program), paths_(user_input_paths(program)) {}

  std::vector<Guard> run() {
    size_t i = 0;
    for (const InputSpec& input : program_.signature.inputs) {
      if (input.kind != InputKind::UserInput) continue;
      const std::string path = i < paths_.size() ? paths_[i] : std::string(input.name);
      ++i;
      one_input(input, path);
    }
    for (std::string_view code : program_.guards_code) add(Guard::Origin::Code, readable(code), {});
    return std::move(guards_);
  }

 private:
  void add(Guard::Origin origin, std::string text, NodeId input) {
    SymExpr condition = parse_guard(text);
    guards_.push_back({origin, std::move(text), std::move(condition), input});
  }

  void one_input(const InputSpec& input, const std::string& path) {
    if (input.constant) {
      if (input.constant->is_none()) return;
      const double* real = input.constant->as<double>();
      const bool is_nan = real && std::isnan(*real);
      add(Guard::Origin::Constant, is_nan ? "math.isnan(" + path + ")" : path + " == " + constant_text(*input.constant), input.node);
      return;
    }
    if (!input.node) return;
    const ValueMeta& val = program_.root_graph().node(input.node).val;
    if (const TensorMeta* tensor = tensor_meta(val)) {
      for (size_t d = 0; d < tensor->sizes.size(); ++d) one_size(tensor->sizes[d], path + ".size()[" + std::to_string(d) + "]", input.node);
    } else if (const SymMeta* symbol = sym_meta(val); symbol && symbol->expr && symbol->kind == SymKind::Int) {
      SymInt size;
      size.expr = symbol->expr;
      one_size(size, path, input.node);
    }
  }

  void one_size(const SymInt& size, const std::string& source, NodeId input) {
    if (!size.expr) return add(Guard::Origin::Size, source + " == " + std::to_string(size.value), input);
    const auto range = std::find_if(program_.range_constraints.begin(), program_.range_constraints.end(),
                                    [&](const auto& r) { return r.first == size.expr->text; });
    if (range == program_.range_constraints.end()) return;
    const auto [known, is_new] = sources_.emplace(size.expr->text, source);
    if (!is_new) return add(Guard::Origin::Equality, source + " == " + known->second, input);
    const auto bound = [](double value) { return std::to_string(int64_t(value)); };
    const Range& r = range->second;
    if (r.min && *r.min > 2 && *r.min < 1e18) add(Guard::Origin::Range, source + " >= " + bound(*r.min), input);
    if (r.max && *r.max < 1e18) add(Guard::Origin::Range, source + " <= " + bound(*r.max), input);
  }

  // `L['x'].size()[0] >= 3` → `x.size()[0] >= 3`; the tracer may speak of flattened inputs by number.
  std::string readable(std::string_view code) const {
    std::string text(code);
    for (size_t i = paths_.size(); i-- > 0;) {
      replace_all(text, "L['flat_args'][" + std::to_string(i) + "]", paths_[i]);
      const size_t name_end = paths_[i].find_first_of("[.");
      const std::string name = paths_[i].substr(0, name_end);
      replace_all(text, "L['" + name + "']", name);
    }
    return text;
  }

  const Program& program_;
  const std::vector<std::string> paths_;
  std::map<std::string, std::string> sources_;  // expression → where it was met first
  std::vector<Guard> guards_;
};

}  // namespace

SymExpr parse_guard(std::string_view condition) {
  SymExpr expr{std::string(condition), std::string(condition), nullptr, std::nullopt};
  try {
    expr.tree = symbolic::parse(condition, symbolic::Dialect::Guard).tree;
  } catch (const symbolic::Failure& failure) {
    expr.problem = failure.message;
  }
  return expr;
}

std::vector<std::string> user_input_paths(const Program& program) {
  std::vector<std::string> names;
  if (program.module_call_graph.empty() || !program.module_call_graph[0].has_signature) return names;
  const ModuleCall& root = program.module_call_graph[0];
  const auto spec = parse_tree_spec(root.in_spec);
  if (!spec) return names;
  // The spec's root is (positional arguments, keyword arguments).
  for (const std::string& leaf : leaf_paths(*spec, program.namedtuple_fields)) {
    const auto [part, rest] = first_step(leaf);
    const auto [argument, path] = first_step(rest);
    if (part.size() < 3 || argument.size() < 3) return {};
    std::string name(inside_brackets(argument));
    if (part == "[0]") {
      const size_t index = size_t(std::atoll(name.c_str()));
      name = index < root.forward_arg_names.size() ? std::string(root.forward_arg_names[index]) : "arg_" + name;
    }
    names.push_back(name + std::string(path));
  }
  return names;
}

std::vector<Guard> program_guards(const Program& program) { return Collector(program).run(); }

std::optional<bool> holds(const Guard& guard, const SymbolLookup& lookup) {
  const auto value = evaluate(guard.condition, lookup);
  if (!value) return std::nullopt;
  return std::visit([](auto v) { return v != 0; }, *value);
}

}  // namespace pt2
