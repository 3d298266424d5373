#pragma once
// Inside of SymExpr: the tree, shared by parser, printer and evaluator. Trees are at most kMaxDepth deep, so walking them may recurse.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/limits.h"
#include "core/symbolic/sym_expr.h"

namespace pt2 {

namespace symbolic {

constexpr int kMaxDepth = int(limits::kSymExprDepth);

enum class Op : uint8_t {
  Integer, Rational, Float, Infinity, NegativeInfinity, IntInfinity, NegativeIntInfinity, NotANumber,  // numbers
  Symbol, True, False,
  Add, Mul, Pow,
  Eq, Ne, Le, Lt, Ge, Gt,
  And, Or, Not,
  Function,  // by name: FloorDiv, Mod, Max, ToFloat …
  Tuple,     // (value, condition) of a Piecewise
};

}  // namespace symbolic

struct SymExpr::Tree {
  symbolic::Op op;
  std::string name;                           // Symbol, Function
  // Integer: p; Rational: p / q in lowest terms, q > 1; Symbol: at least p where q is 1, any number where q is 0.
  int64_t p = 0, q = 1;
  double real = 0;                            // Float
  int depth = 1;
  std::vector<std::shared_ptr<const Tree>> args;  // Add and Mul: in the order sympy prints them; a Mul's number first
};

namespace symbolic {

using Tree = SymExpr::Tree;
using TreePtr = std::shared_ptr<const Tree>;

inline bool is_number(const Tree& t) { return t.op <= Op::NotANumber; }
inline bool is_rational(const Tree& t) { return t.op == Op::Integer || t.op == Op::Rational; }
inline bool is_relation(const Tree& t) { return t.op >= Op::Eq && t.op <= Op::Gt; }

struct Failure { std::string message; };  // thrown and caught inside core/symbolic

TreePtr make_leaf(Op op);
TreePtr make_integer(int64_t value);
TreePtr make_rational(int64_t p, int64_t q);
TreePtr make_float(double value);
TreePtr make_symbol(std::string_view name, std::optional<int64_t> at_least = std::nullopt);
TreePtr make_node(Op op, std::vector<TreePtr> args, std::string_view name = {});
TreePtr make_function(std::string_view name, std::vector<TreePtr> args);
// Flatten, fold numbers, multiply a number into a sum, and order the arguments, as sympy does when it builds an expression.
TreePtr make_add(std::vector<TreePtr> args);
TreePtr make_mul(std::vector<TreePtr> args);
// Max or Min without the arguments that others always outdo.
TreePtr make_extreme(std::string_view name, std::vector<TreePtr> args);

// sympy's default_sort_key.
int compare(const Tree& a, const Tree& b);
bool is_negative_number(const Tree& t);

// sympy's str.
std::string print(const Tree& tree);

enum class Dialect {
  Size,   // what the file's `expr_str` holds: sympy's srepr or str
  Guard,  // Python: symbols are paths such as `L['x'].size()[0]`
};
struct Parsed {
  TreePtr tree;
  bool constructors = false;  // written as srepr
};
// Throws Failure.
Parsed parse(std::string_view text, Dialect dialect);

}  // namespace symbolic
}  // namespace pt2
