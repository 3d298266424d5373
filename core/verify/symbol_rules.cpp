#include <set>

#include "core/graph/unbound_symbols.h"
#include "core/text/bound_text.h"
#include "core/verify/rule.h"

namespace pt2::verify_detail {

namespace {

template <class Visit>
void for_each_size(const Node& node, Visit&& visit) {
  if (const TensorMeta* meta = tensor_meta(node.val)) {
    for (const SymInt& size : meta->sizes)
      if (size.expr) visit(*size.expr, size.has_hint ? std::optional(size.value) : std::nullopt);
  } else if (const SymMeta* symbol = sym_meta(node.val)) {
    const int64_t* hint = symbol->hint.as<int64_t>();
    if (symbol->expr) visit(*symbol->expr, hint ? std::optional(*hint) : std::nullopt);
  }
}

std::string whole_text(const std::optional<double>& bound, std::string_view unbounded) { return bound_text(bound, /*is_float=*/false, unbounded); }

void ranges(const Subject& subject, Report& report) {
  for (const auto& [symbol, range] : subject.program.range_constraints)
    if (range.min && range.max && *range.min > *range.max)
      report.program("the range of " + quoted(symbol) + " is empty: from " + whole_text(range.min, "") + " to " + whole_text(range.max, ""));
}

void specialized(const Subject& subject, Report& report) {
  for (const auto& [symbol, range] : subject.program.range_constraints)
    if (range.min && range.max && *range.min == *range.max) report.program("the size " + quoted(symbol) + " can only be " + whole_text(range.min, ""));
}

void hints(const Subject& subject, Report& report) {
  std::set<std::string, std::less<>> told;
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    for_each_size(node, [&](const SymExpr& expr, std::optional<int64_t> hint) {
      if (!hint) return;
      for (const auto& [symbol, range] : subject.program.range_constraints) {
        if (expr.text != symbol || (!(range.min && double(*hint) < *range.min) && !(range.max && double(*hint) > *range.max))) continue;
        if (told.emplace(symbol).second)
          report.node(ref, quoted(symbol) + " was " + std::to_string(*hint) + " for the example inputs, outside of its range from " + whole_text(range.min, "-∞") + " to " + whole_text(range.max, "∞"));
      }
    });
  });
}

void unbound(const Subject& subject, Report& report) {
  for (const UnboundSymbol& found : unbound_symbols(subject.program))
    report.node(found.node, "the symbol " + quoted(found.symbol) + " in the size " + found.expression + " is declared nowhere");
}

// A bound that no size comes near is none.
bool limits(const std::optional<double>& max) { return max && *max < 0x1p62; }

// A data-dependent size without an upper bound is checked by nothing.
void unchecked(const Subject& subject, Report& report) {
  std::set<std::string, std::less<>> told;
  for_each_node_of(subject.program, [&](NodeRef ref, const Node& node) {
    if (!tensor_meta(node.val)) return;
    for_each_size(node, [&](const SymExpr& expr, auto) {
      for (const auto& [symbol, range] : subject.program.range_constraints)
        if (expr.text == symbol && symbol.starts_with('u') && !limits(range.max) && told.emplace(symbol).second)
          report.node(ref, "the data-dependent size " + quoted(symbol) + " has no upper bound");
    });
  });
}

constexpr Rule kRules[] = {
    {{"symbol.unbound", Severity::Warning, "Every symbol is declared", "Nothing gives it a value; sizes that depend on it are unknown."}, unbound},
    {{"symbol.range", Severity::Error, "Ranges of symbols are not empty", "No input can satisfy it; export the program again."}, ranges},
    {{"symbol.specialized", Severity::Warning, "Dynamic sizes can vary", "Export found that only one value works: the program is specialized to it. Look for a size that is compared or used as a number."}, specialized},
    {{"symbol.hint", Severity::Warning, "Example inputs lie in the declared ranges", "The program was traced with a size it says it does not take."}, hints},
    {{"symbol.unchecked", Severity::Note, "Data-dependent sizes are bounded", "A torch._check on the size in the model gives backends a bound to allocate by."}, unchecked},
};

}  // namespace

std::span<const Rule> symbol_rules() { return kRules; }

}  // namespace pt2::verify_detail
