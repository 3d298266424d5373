#include "core/graph/unbound_symbols.h"

#include <set>
#include <unordered_set>

namespace pt2 {

namespace {

// Calls `visit(expression)` for the expressions in a value's meta.
template <class Visit>
void for_each_expression(const ValueMeta& meta, Visit&& visit) {
  if (const TensorMeta* tensor = tensor_meta(meta)) {
    for (const SymInt& size : tensor->sizes)
      if (size.expr) visit(*size.expr);
    for (const SymInt& stride : tensor->strides)
      if (stride.expr) visit(*stride.expr);
    if (tensor->storage_offset.expr) visit(*tensor->storage_offset.expr);
  } else if (const SymMeta* symbol = sym_meta(meta)) {
    if (symbol->expr) visit(*symbol->expr);
  }
}

}  // namespace

std::vector<UnboundSymbol> unbound_symbols(const Program& program) {
  std::set<std::string, std::less<>> known;
  for (const auto& [symbol, range] : program.range_constraints) known.emplace(symbol);
  for (const Graph& graph : program.graphs)
    for (size_t i = 0; i < graph.placeholder_count(); ++i)
      for_each_expression(graph.node(NodeId(i)).val, [&](const SymExpr& expr) {
        const std::vector<std::string> symbols = free_symbols(expr);
        if (symbols.size() == 1 && symbols[0] == expr.text) known.insert(symbols[0]);
      });

  std::vector<UnboundSymbol> found;
  std::unordered_set<const SymExpr*> seen;  // metas share their expressions
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    for (size_t i = 0; i < graph.nodes().size(); ++i)
      for_each_expression(graph.node(NodeId(i)).val, [&](const SymExpr& expr) {
        if (!seen.insert(&expr).second) return;
        for (const std::string& symbol : free_symbols(expr))
          if (known.insert(symbol).second) found.push_back({symbol, expr.text, {GraphId(g), NodeId(i)}});
      });
  }
  return found;
}

}  // namespace pt2
