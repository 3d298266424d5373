#include "core/symbolic/sym_expr.h"

#include <algorithm>

#include "core/symbolic/sym_tree.h"

namespace pt2 {

SymExpr parse_sym_expr(std::string_view source) {
  SymExpr expr{std::string(source), std::string(source), nullptr, std::nullopt};
  try {
    const symbolic::Parsed parsed = symbolic::parse(source, symbolic::Dialect::Size);
    expr.tree = parsed.tree;
    // Releases that wrote sympy's str showed exactly that.
    if (parsed.constructors) expr.text = symbolic::print(*parsed.tree);
  } catch (const symbolic::Failure& failure) {
    expr.problem = failure.message;
  }
  return expr;
}

std::vector<std::string> free_symbols(const SymExpr& expr) {
  std::vector<std::string> symbols;
  std::vector<const SymExpr::Tree*> pending;
  if (expr.tree) pending.push_back(expr.tree.get());
  while (!pending.empty()) {
    const SymExpr::Tree* tree = pending.back();
    pending.pop_back();
    if (tree->op == symbolic::Op::Symbol) symbols.push_back(tree->name);
    for (const auto& arg : tree->args) pending.push_back(arg.get());
  }
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

}  // namespace pt2
