#pragma once
// Symbolic expressions of sizes: `Mul(Integer(2), Symbol('s77', positive=True, integer=True))` (srepr, 2.6+) and `2*s0` (plain, 2.1–2.5)
// are parsed to one tree, printed as sympy's str prints it, and evaluated with checked 64-bit arithmetic.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pt2 {

struct SymExpr {
  std::string source;              // as written in the file
  std::string text;                // as PyTorch prints it; equals `source` where that could not be parsed
  struct Tree;                     // in sym_expr.cpp
  std::shared_ptr<const Tree> tree;  // null: could not be parsed (then the value is unknown, and the text is shown)
  std::optional<std::string> problem;  // why, where tree is null
};

// Never fails: what cannot be parsed keeps its text. Limits: 4,096 characters, depth 64, 1,000 terms.
SymExpr parse_sym_expr(std::string_view source);

using SymNumber = std::variant<int64_t, double, bool>;
using SymbolLookup = std::function<std::optional<SymNumber>(std::string_view symbol)>;

// nullopt: a symbol is unknown, an overflow, a division by zero, or no tree.
std::optional<SymNumber> evaluate(const SymExpr& expr, const SymbolLookup& lookup);
// The symbols that occur, sorted, each once.
std::vector<std::string> free_symbols(const SymExpr& expr);

// The texts of its parts that are no numbers or truth values, itself included.
std::vector<std::string> subexpressions(const SymExpr& expr);

// A size, stride or offset: a number, or an expression with the value it had for the example inputs.
struct SymInt {
  int64_t value = 0;                        // the number, or the hint
  bool has_hint = true;                     // false: a data-dependent expression without hint
  std::shared_ptr<const SymExpr> expr;      // null: a plain number
  bool is_symbolic() const { return expr != nullptr; }
  std::string text() const { return expr ? expr->text : std::to_string(value); }
};

}  // namespace pt2
