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

namespace {

template <class Visit>
void for_each_part(const SymExpr& expr, Visit&& visit) {
  std::vector<const SymExpr::Tree*> pending;
  if (expr.tree) pending.push_back(expr.tree.get());
  while (!pending.empty()) {
    const SymExpr::Tree* tree = pending.back();
    pending.pop_back();
    visit(*tree);
    for (const auto& arg : tree->args) pending.push_back(arg.get());
  }
}

}  // namespace

std::vector<std::string> subexpressions(const SymExpr& expr) {
  std::vector<std::string> texts;
  for_each_part(expr, [&](const SymExpr::Tree& part) {
    if (!symbolic::is_number(part) && part.op != symbolic::Op::True && part.op != symbolic::Op::False) texts.push_back(symbolic::print(part));
  });
  return texts;
}

std::vector<std::string> free_symbols(const SymExpr& expr) {
  std::vector<std::string> symbols;
  for_each_part(expr, [&](const SymExpr::Tree& part) {
    if (part.op == symbolic::Op::Symbol) symbols.push_back(part.name);
  });
  std::sort(symbols.begin(), symbols.end());
  symbols.erase(std::unique(symbols.begin(), symbols.end()), symbols.end());
  return symbols;
}

}  // namespace pt2
