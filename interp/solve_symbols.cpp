#include "interp/solve_symbols.h"

#include <cmath>

#include "core/base/nearest.h"
#include "core/text/bound_text.h"

namespace pt2::interp {

namespace {

constexpr std::string_view kExample = "the example of the export";

}  // namespace

std::set<std::string> input_symbols(const Program& program) {
  std::set<std::string> known;
  auto add = [&](const SymExpr& expr) {
    for (const std::string& symbol : free_symbols(expr)) known.insert(symbol);
  };
  const Graph& graph = program.root_graph();
  for (size_t i = 0; i < graph.placeholder_count(); ++i) {
    const ValueMeta& val = graph.node(NodeId(i)).val;
    if (const TensorMeta* tensor = tensor_meta(val))
      for (const SymInt& size : tensor->sizes)
        if (size.expr) add(*size.expr);
    if (const SymMeta* symbol = sym_meta(val); symbol && symbol->expr) add(*symbol->expr);
  }
  return known;
}

SymbolSolver::SymbolSolver(const Program& program) : program_(program) {}

std::optional<SymNumber> SymbolSolver::lookup(std::string_view symbol) const {
  auto it = symbols_.find(std::string(symbol));
  if (it == symbols_.end()) return std::nullopt;
  return SymNumber(it->second);
}

std::optional<int64_t> SymbolSolver::value_of(const SymInt& size) const {
  if (!size.is_symbolic()) return size.value;
  const auto number = evaluate(*size.expr, [this](std::string_view s) { return lookup(s); });
  if (number)
    if (const auto* integer = std::get_if<int64_t>(&*number)) return *integer;
  return std::nullopt;
}

Result<void> SymbolSolver::set(const std::string& symbol, int64_t size) {
  const std::set<std::string> known = input_symbols(program_);
  if (!known.count(symbol)) {
    const std::string meant = nearest(symbol, {known.begin(), known.end()});
    std::string names;
    for (const std::string& name : known) names += (names.empty() ? "" : ", ") + name;
    return Error{ErrorKind::Failed, "there is no symbol \"" + symbol + "\"" + (meant.empty() ? "" : ", perhaps \"" + meant + "\""), "symbols",
                 names.empty() ? "No size of this program's inputs may vary." : "The sizes of its inputs are " + names + "."};
  }
  auto [it, added] = symbols_.emplace(symbol, size);
  if (!added && it->second != size)
    return Error{ErrorKind::Failed, symbol + " = " + std::to_string(it->second) + " from " + sources_[symbol] + ", " + std::to_string(size) + " was asked for",
                 "symbols", std::string(kLeaveOneOut)};
  sources_.emplace(symbol, "the symbols given");
  return {};
}

Result<void> SymbolSolver::equate(const SymExpr& expr, int64_t value, std::string source) {
  const auto names = free_symbols(expr);
  if (names.size() == 1 && expr.text == names[0]) {
    auto [it, added] = symbols_.emplace(names[0], value);
    if (added) sources_[names[0]] = std::move(source);
    else if (it->second != value)
      return Error{ErrorKind::Failed, names[0] + " = " + std::to_string(it->second) + " from " + sources_[names[0]] + ", " + std::to_string(value) +
                                          " from " + source,
                   "inputs", "These sizes must be the same. Give inputs that agree."};
    return {};
  }
  equations_.push_back({&expr, value, std::move(source)});
  return {};
}

Result<void> SymbolSolver::bind(const InputSpec& spec, const RuntimeValue& value) {
  const Node& node = program_.root_graph().node(spec.node);
  const std::string name(node.name);
  if (const TensorMeta* meta = tensor_meta(node.val)) {
    const auto* tensor = value.as<Tensor>();
    if (!tensor) return {};
    for (size_t d = 0; d < meta->sizes.size() && d < tensor->sizes.size(); ++d)
      if (meta->sizes[d].is_symbolic())
        if (auto bound = equate(*meta->sizes[d].expr, tensor->sizes[d], name + ".shape[" + std::to_string(d) + "]"); !bound) return bound;
  } else if (const SymMeta* meta = sym_meta(node.val); meta && meta->expr) {
    if (const auto* number = value.as<int64_t>()) return equate(*meta->expr, *number, name);
  }
  return {};
}

// An equation with one unknown symbol: from two values a line and where it meets, else the first small size that fits.
bool SymbolSolver::solve_one(const Equation& equation) {
  std::string unknown;
  for (const std::string& name : free_symbols(*equation.expr)) {
    if (symbols_.contains(name)) continue;
    if (!unknown.empty()) return false;
    unknown = name;
  }
  if (unknown.empty()) return false;
  auto at = [&](int64_t size) -> std::optional<int64_t> {
    const auto number = evaluate(*equation.expr, [&](std::string_view s) { return s == unknown ? std::optional<SymNumber>(size) : lookup(s); });
    const auto* integer = number ? std::get_if<int64_t>(&*number) : nullptr;
    return integer ? std::optional(*integer) : std::nullopt;
  };
  auto solved = [&](int64_t size) {
    if (size < 0 || at(size) != equation.value) return false;
    symbols_[unknown] = size;
    sources_[unknown] = equation.source;
    return true;
  };
  const auto first = at(2), second = at(3);
  if (first && second && *first != *second && (equation.value - *first) % (*second - *first) == 0 &&
      solved(2 + (equation.value - *first) / (*second - *first)))
    return true;
  constexpr int64_t kTried = 100'000;
  for (int64_t size = 0; size < kTried; ++size)
    if (solved(size)) return true;
  return false;
}

// Symbols that nothing determined take the value they had when the program was exported, moved into their range.
void SymbolSolver::use_hints() {
  auto missing = [&](const SymExpr& expr) {
    const auto names = free_symbols(expr);
    return names.size() == 1 && expr.text == names[0] && !symbols_.contains(names[0]) ? names[0] : std::string();
  };
  std::map<std::string, int64_t> hints;
  for (const InputSpec& spec : program_.signature.inputs) {
    if (!spec.node.valid()) continue;
    const ValueMeta& val = program_.root_graph().node(spec.node).val;
    if (const TensorMeta* meta = tensor_meta(val)) {
      for (const SymInt& size : meta->sizes)
        if (size.is_symbolic()) {
          for (const std::string& name : free_symbols(*size.expr))
            if (!symbols_.contains(name)) hints.emplace(name, 2);
          if (const std::string name = missing(*size.expr); !name.empty() && size.has_hint) hints[name] = size.value;
        }
    } else if (const SymMeta* meta = sym_meta(val); meta && meta->expr) {
      const auto* hint = meta->hint.as<int64_t>();
      if (const std::string name = missing(*meta->expr); !name.empty()) hints[name] = hint ? *hint : 2;
    }
  }
  for (auto [name, value] : hints) {
    for (const auto& [symbol, range] : program_.range_constraints)
      if (symbol == name) {
        if (range.min && static_cast<double>(value) < *range.min) value = whole_bound(*range.min);
        if (range.max && static_cast<double>(value) > *range.max) value = whole_bound(*range.max);
      }
    symbols_[name] = value;
    sources_[name] = kExample;
  }
}

// Where the symbol has its value from the export's example alone, no value of it fits: that of the example says nothing.
std::string SymbolSolver::violation(const Equation& equation, int64_t value) const {
  const std::string given = equation.source + " = " + std::to_string(equation.value);
  const std::vector<std::string> names = free_symbols(*equation.expr);
  if (names.size() != 1 || sources_.find(names[0]) == sources_.end() || sources_.at(names[0]) != kExample) return given + ", but " + equation.expr->text + " = " + std::to_string(value);
  const auto at = [&](int64_t size) {
    const auto number = evaluate(*equation.expr, [&](std::string_view) { return std::optional<SymNumber>(size); });
    const auto* integer = number ? std::get_if<int64_t>(&*number) : nullptr;
    return integer ? *integer : 0;
  };
  const int64_t factor = at(1);
  const std::string product = std::to_string(factor) + "*" + names[0];
  if (factor > 1 && equation.expr->text == product) return given + ", which is no multiple of " + std::to_string(factor) + ": the size is " + product;
  return given + ", but no " + names[0] + " makes " + equation.expr->text + " that size";
}

Result<void> SymbolSolver::finish(bool ignore_ranges) {
  auto solve_all = [&] {
    for (bool again = true; again;) {
      again = false;
      for (const Equation& equation : equations_) again = solve_one(equation) || again;
    }
  };
  solve_all();
  use_hints();
  std::vector<std::string> violations;
  for (const Equation& equation : equations_) {
    const auto number = evaluate(*equation.expr, [this](std::string_view s) { return lookup(s); });
    const auto* integer = number ? std::get_if<int64_t>(&*number) : nullptr;
    if (integer && *integer != equation.value) violations.push_back(violation(equation, *integer));
  }
  for (const auto& [symbol, range] : program_.range_constraints) {
    auto it = symbols_.find(std::string(symbol));
    if (it == symbols_.end()) continue;
    const double value = static_cast<double>(it->second);
    const std::string text = it->first + " = " + std::to_string(it->second);
    const std::string from = sources_[it->first].empty() ? "" : " from " + sources_[it->first];
    if (range.min && value < *range.min) violations.push_back(text + from + " is below " + bound_text(range.min, false, "") + " (range constraint from export)");
    if (range.max && value > *range.max) violations.push_back(text + from + " exceeds " + bound_text(range.max, false, "") + " (range constraint from export)");
  }
  if (violations.empty()) return {};
  if (!ignore_ranges) return Error{ErrorKind::Failed, violations[0], "inputs", "Give inputs of a size the program was exported for."};
  warnings_ = std::move(violations);
  return {};
}

}  // namespace pt2::interp
