#include "core/decode/unbound_symbols.h"

#include <set>
#include <string>
#include <unordered_set>

namespace pt2::decode {

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

void find_unbound_symbols(Context& context) {
  const Program& program = context.program;
  std::set<std::string, std::less<>> known;
  for (const auto& [symbol, range] : program.range_constraints) known.emplace(symbol);
  for (const Graph& graph : program.graphs)
    for (size_t i = 0; i < graph.placeholder_count(); ++i)
      for_each_expression(graph.node(NodeId(i)).val, [&](const SymExpr& expr) {
        const std::vector<std::string> symbols = free_symbols(expr);
        if (symbols.size() == 1 && symbols[0] == expr.text) known.insert(symbols[0]);
      });

  std::unordered_set<const SymExpr*> seen;  // metas share their expressions
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const Graph& graph = program.graphs[GraphId(g)];
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      const Node& node = graph.node(NodeId(i));
      for_each_expression(node.val, [&](const SymExpr& expr) {
        if (!seen.insert(&expr).second) return;
        for (const std::string& symbol : free_symbols(expr)) {
          if (!known.insert(symbol).second) continue;
          context.finding(Severity::Warning, "symbol.unbound",
                          "the symbol \"" + symbol + "\" in the expression " + expr.text.substr(0, 200) + " is declared nowhere",
                          (graph.name.empty() ? "" : "graph \"" + std::string(graph.name) + "\": ") + "the value \"" + std::string(node.name) + "\"",
                          "Its value is unknown; sizes that depend on it are, too.", {GraphId(g), NodeId(i)});
        }
      });
    }
  }
}

}  // namespace pt2::decode
