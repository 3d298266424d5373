// sympy's default_sort_key, by which it orders factors, the bases of a sum and the arguments of Max and Min. A key is
// (class, arguments, exponent, coefficient) of the expression without its number and its exponent, so that x, 2*x and x**3 lie together.
#include <algorithm>
#include <limits>

#include "core/symbolic/sym_tree.h"

namespace pt2::symbolic {

namespace {

struct ClassKey {
  int group, rank;
  std::string_view name;
  friend auto operator<=>(const ClassKey&, const ClassKey&) = default;
};

std::string_view op_name(Op op) {
  switch (op) {
    case Op::Symbol: return "Symbol";
    case Op::True: return "BooleanTrue";
    case Op::False: return "BooleanFalse";
    case Op::Add: return "Add";
    case Op::Mul: return "Mul";
    case Op::Pow: return "Pow";
    case Op::Eq: return "Equality";
    case Op::Ne: return "Unequality";
    case Op::Le: return "LessThan";
    case Op::Lt: return "StrictLessThan";
    case Op::Ge: return "GreaterThan";
    case Op::Gt: return "StrictGreaterThan";
    case Op::And: return "And";
    case Op::Or: return "Or";
    case Op::Not: return "Not";
    case Op::Tuple: return "ExprCondPair";
    default: return "Number";
  }
}

ClassKey class_key(const Tree& t) {
  if (is_number(t)) return {1, 0, "Number"};
  switch (t.op) {
    case Op::Symbol: case Op::True: case Op::False: return {2, 0, op_name(t.op)};
    case Op::Mul: return {3, 0, "Mul"};
    case Op::Add: return {3, 1, "Add"};
    case Op::Pow: return {3, 2, "Pow"};
    case Op::Function: break;
    default: return {5, 0, op_name(t.op)};
  }
  if (t.name == "Max" || t.name == "Min") return {5, 0, t.name};
  // Functions that take any number of arguments, or that the loader does not know as classes, come before the others.
  const bool any_arity = t.name == "Identity" || t.name == "CeilDiv" || t.name == "IsNonOverlappingAndDenseIndicator" || t.name == "Piecewise" ||
                         t.name.starts_with("OpaqueUnaryFn_") || t.name.starts_with("BitwiseFn_");
  return {4, any_arity ? 0 : 10000, t.name};
}

const Tree& one() {
  static const TreePtr tree = make_integer(1);
  return *tree;
}

struct Key {
  const Tree* base;                // without coefficient and exponent; null: the product of `args`
  std::vector<const Tree*> args;   // of a compound base
  const Tree* exponent = &one();
  const Tree* coefficient = &one();
};

bool is_atom(const Tree& t) { return t.args.empty(); }

Key key_of(const Tree& t) {
  Key key{&t, {}};
  const TreePtr* begin = t.args.data();
  const TreePtr* end = begin + t.args.size();
  if (t.op == Op::Mul && is_number(*t.args[0])) {
    key.coefficient = begin->get();
    ++begin;
    key.base = end - begin == 1 ? begin->get() : nullptr;
  }
  if (key.base && key.base->op == Op::Pow) {
    key.exponent = key.base->args[1].get();
    key.base = key.base->args[0].get();
  }
  if (key.base) {
    begin = key.base->args.data();
    end = begin + key.base->args.size();
  }
  for (; begin != end; ++begin) key.args.push_back(begin->get());
  return key;
}

int sign(auto order) { return order < 0 ? -1 : order > 0 ? 1 : 0; }

double magnitude(const Tree& t) {
  switch (t.op) {
    case Op::Float: return t.real;
    case Op::Infinity: case Op::IntInfinity: return std::numeric_limits<double>::infinity();
    case Op::NegativeInfinity: case Op::NegativeIntInfinity: return -std::numeric_limits<double>::infinity();
    default: return double(t.p) / double(t.q);
  }
}

int compare_numbers(const Tree& a, const Tree& b) {
  if (a.op == Op::Integer && b.op == Op::Integer) return sign(a.p <=> b.p);
  const double x = magnitude(a), y = magnitude(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

}  // namespace

int compare(const Tree& a, const Tree& b) {
  if (is_number(a) && is_number(b)) return compare_numbers(a, b);
  const Key x = key_of(a), y = key_of(b);
  const ClassKey product{3, 0, "Mul"};
  if (int c = sign((x.base ? class_key(*x.base) : product) <=> (y.base ? class_key(*y.base) : product))) return c;
  if (x.base && y.base && is_atom(*x.base) && is_atom(*y.base)) {
    // A lone number has no arguments, the number that is the base of a power has its text as one.
    if (int c = sign(!is_number(a) <=> !is_number(b))) return c;
    if (int c = sign(print(*x.base).compare(print(*y.base)))) return c;
  } else {
    if (int c = sign(x.args.size() <=> y.args.size())) return c;
    for (size_t i = 0; i < x.args.size(); ++i)
      if (int c = compare(*x.args[i], *y.args[i])) return c;
  }
  if (int c = compare(*x.exponent, *y.exponent)) return c;
  return compare_numbers(*x.coefficient, *y.coefficient);
}

}  // namespace pt2::symbolic
