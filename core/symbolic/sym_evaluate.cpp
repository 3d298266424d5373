// Values of expressions: integers and fractions exactly in checked 64 bits, floats as Python's. What cannot be computed has no value.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/symbolic/sym_tree.h"

namespace pt2 {

namespace symbolic {

namespace {

struct NoValue {};  // thrown and caught in this file

struct Number {
  enum Kind { Fraction, Float, Bool } kind = Fraction;
  int64_t p = 0, q = 1;  // Fraction, in lowest terms; Bool: p is 0 or 1
  double real = 0;

  double as_double() const { return kind == Float ? real : double(p) / double(q); }
  bool is_float() const { return kind == Float; }
  bool truth() const { return kind == Float ? real != 0 : p != 0; }
};

Number integer(int64_t value) { return {Number::Fraction, value}; }
Number floating(double value) { return {Number::Float, 0, 1, value}; }
Number boolean(bool value) { return {Number::Bool, value ? 1 : 0}; }

int64_t add(int64_t a, int64_t b) { int64_t r; if (__builtin_add_overflow(a, b, &r)) throw NoValue(); return r; }
int64_t subtract(int64_t a, int64_t b) { int64_t r; if (__builtin_sub_overflow(a, b, &r)) throw NoValue(); return r; }
int64_t multiply(int64_t a, int64_t b) { int64_t r; if (__builtin_mul_overflow(a, b, &r)) throw NoValue(); return r; }

Number fraction(int64_t p, int64_t q) {
  if (q == 0) throw NoValue();
  if (q < 0) {
    p = subtract(0, p);
    q = subtract(0, q);
  }
  if (q != 1 && p != INT64_MIN) {
    const int64_t divisor = std::gcd(p, q);
    p /= divisor;
    q /= divisor;
  }
  return {Number::Fraction, p, q};
}

Number sum(const Number& a, const Number& b) {
  if (a.is_float() || b.is_float()) return floating(a.as_double() + b.as_double());
  return fraction(add(multiply(a.p, b.q), multiply(b.p, a.q)), multiply(a.q, b.q));
}

Number product(const Number& a, const Number& b) {
  if (a.is_float() || b.is_float()) return floating(a.as_double() * b.as_double());
  return fraction(multiply(a.p, b.p), multiply(a.q, b.q));
}

Number quotient(const Number& a, const Number& b) {
  if (a.is_float() || b.is_float()) {
    if (b.as_double() == 0) throw NoValue();
    return floating(a.as_double() / b.as_double());
  }
  return fraction(multiply(a.p, b.q), multiply(a.q, b.p));
}

int64_t floor_division(int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) throw NoValue();
  const int64_t r = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? r - 1 : r;
}

Number floor_of(const Number& x) {
  if (x.is_float()) return floating(std::floor(x.real));
  return integer(floor_division(x.p, x.q));
}

Number floor_divide(const Number& a, const Number& b) {
  if (!a.is_float() && !b.is_float() && a.q == 1 && b.q == 1) return integer(floor_division(a.p, b.p));
  return floor_of(quotient(a, b));
}

Number remainder(const Number& a, const Number& b) { return sum(a, product(integer(-1), product(b, floor_divide(a, b)))); }

Number power(const Number& base, const Number& exponent) {
  if (base.is_float() || exponent.is_float() || exponent.q != 1) return floating(std::pow(base.as_double(), exponent.as_double()));
  if (exponent.p < 0 && base.p == 0) throw NoValue();
  int64_t p = 1, q = 1, n = exponent.p;
  if (n > 64 && !(base.q == 1 && (base.p >= -1 && base.p <= 1))) throw NoValue();
  if (n < -64) throw NoValue();
  n = n > 64 ? 2 + n % 2 : n;
  for (int64_t i = 0; i < std::abs(n); ++i) {
    p = multiply(p, base.p);
    q = multiply(q, base.q);
  }
  return n < 0 ? fraction(q, p) : fraction(p, q);
}

int compare_values(const Number& a, const Number& b) {
  if (!a.is_float() && !b.is_float()) {
    const __int128 x = __int128(a.p) * b.q, y = __int128(b.p) * a.q;
    return x < y ? -1 : x > y;
  }
  const double x = a.as_double(), y = b.as_double();
  if (std::isnan(x) || std::isnan(y)) throw NoValue();
  return x < y ? -1 : x > y;
}

Number integer_from(double value) {
  if (!(value >= -9223372036854775808.0 && value < 9223372036854775808.0)) throw NoValue();
  return integer(int64_t(value));
}

Number to_integer(const Number& x, double (*round)(double)) {
  if (!x.is_float() && x.q == 1) return integer(x.p);
  return integer_from(round(x.as_double()));
}

int64_t whole(const Number& x) {
  if (x.is_float() || x.q != 1) throw NoValue();
  return x.p;
}

struct UnaryFunction { const char* name; double (*compute)(double); };
constexpr UnaryFunction kUnary[] = {{"sqrt", std::sqrt}, {"cos", std::cos}, {"cosh", std::cosh}, {"sin", std::sin}, {"sinh", std::sinh},
                                    {"tan", std::tan}, {"tanh", std::tanh}, {"asin", std::asin}, {"acos", std::acos}, {"atan", std::atan},
                                    {"asinh", std::asinh}, {"exp", std::exp}, {"log", std::log}, {"log2", std::log2}};

// 1 where sizes and strides describe a dense tensor, in whatever order of dimensions.
bool non_overlapping_and_dense(const std::vector<Number>& values) {
  const size_t rank = values.size() / 2;
  std::vector<std::pair<int64_t, int64_t>> dims;  // (stride, size)
  for (size_t i = 0; i < rank; ++i) dims.emplace_back(whole(values[rank + i]), whole(values[i]));
  if (rank == 1) return dims[0].first == 1 || dims[0].second < 2;
  std::sort(dims.begin(), dims.end());
  int64_t expected = 1;
  for (const auto& [stride, size] : dims) {
    if (size == 1) continue;
    if (stride != expected) return false;
    expected = multiply(expected, size);
  }
  return true;
}

class Evaluator {
 public:
  explicit Evaluator(const SymbolLookup& lookup) : lookup_(lookup) {}

  Number value(const Tree& t) const {
    switch (t.op) {
      case Op::Integer: return integer(t.p);
      case Op::Rational: return fraction(t.p, t.q);
      case Op::Float: return floating(t.real);
      case Op::Infinity: case Op::IntInfinity: return floating(INFINITY);
      case Op::NegativeInfinity: case Op::NegativeIntInfinity: return floating(-INFINITY);
      case Op::NotANumber: case Op::Tuple: throw NoValue();
      case Op::Symbol: return symbol(t.name);
      case Op::True: return boolean(true);
      case Op::False: return boolean(false);
      case Op::Add: return folded(t, sum);
      case Op::Mul: return folded(t, product);
      case Op::Pow: return power(arg(t, 0), arg(t, 1));
      case Op::Eq: return boolean(compare_args(t) == 0);
      case Op::Ne: return boolean(compare_args(t) != 0);
      case Op::Le: return boolean(compare_args(t) <= 0);
      case Op::Lt: return boolean(compare_args(t) < 0);
      case Op::Ge: return boolean(compare_args(t) >= 0);
      case Op::Gt: return boolean(compare_args(t) > 0);
      case Op::And:
        for (const TreePtr& a : t.args) if (!value(*a).truth()) return boolean(false);
        return boolean(true);
      case Op::Or:
        for (const TreePtr& a : t.args) if (value(*a).truth()) return boolean(true);
        return boolean(false);
      case Op::Not: return boolean(!arg(t, 0).truth());
      case Op::Function: return function(t);
    }
    throw NoValue();
  }

 private:
  Number arg(const Tree& t, size_t i) const {
    if (i >= t.args.size()) throw NoValue();
    return value(*t.args[i]);
  }
  int compare_args(const Tree& t) const { return compare_values(arg(t, 0), arg(t, 1)); }

  Number symbol(const std::string& name) const {
    const auto found = lookup_(name);
    if (!found) throw NoValue();
    if (auto* i = std::get_if<int64_t>(&*found)) return integer(*i);
    if (auto* d = std::get_if<double>(&*found)) return floating(*d);
    return boolean(std::get<bool>(*found));
  }

  template <class Fold>
  Number folded(const Tree& t, Fold fold) const {
    Number result = arg(t, 0);
    for (size_t i = 1; i < t.args.size(); ++i) result = fold(result, value(*t.args[i]));
    return result;
  }

  Number extreme(const Tree& t, int wanted) const {
    Number result = arg(t, 0);
    for (size_t i = 1; i < t.args.size(); ++i) {
      const Number x = value(*t.args[i]);
      if (compare_values(x, result) == wanted) result = x;
    }
    return result;
  }

  Number function(const Tree& t) const {
    const std::string_view name = t.name;
    if (name == "Max" || name == "max" || name == "sym_max") return extreme(t, 1);
    if (name == "Min" || name == "min" || name == "sym_min") return extreme(t, -1);
    if (name == "FloorDiv" || name == "CleanDiv") return floor_divide(arg(t, 0), arg(t, 1));
    if (name == "CeilDiv") return product(integer(-1), floor_divide(product(integer(-1), arg(t, 0)), arg(t, 1)));
    if (name == "Mod" || name == "PythonMod") return remainder(arg(t, 0), arg(t, 1));
    if (name == "ModularIndexing") return remainder(floor_divide(arg(t, 0), arg(t, 1)), arg(t, 2));
    if (name == "IntTrueDiv" || name == "FloatTrueDiv") return floating(quotient(arg(t, 0), arg(t, 1)).as_double());
    if (name == "PowByNatural") return power(arg(t, 0), arg(t, 1));
    if (name == "FloatPow") return floating(std::pow(arg(t, 0).as_double(), arg(t, 1).as_double()));
    if (name == "LShift") return product(arg(t, 0), power(integer(2), arg(t, 1)));
    if (name == "RShift") return floor_divide(arg(t, 0), power(integer(2), arg(t, 1)));
    if (name == "ToFloat" || name == "sym_float" || name == "float") return floating(arg(t, 0).as_double());
    if (name == "TruncToFloat") return floating(std::trunc(arg(t, 0).as_double()));
    if (name == "TruncToInt" || name == "trunc" || name == "sym_int" || name == "int") return to_integer(arg(t, 0), std::trunc);
    if (name == "FloorToInt" || name == "floor") return to_integer(arg(t, 0), std::floor);
    if (name == "CeilToInt" || name == "ceiling" || name == "ceil") return to_integer(arg(t, 0), std::ceil);
    if (name == "RoundToInt" || (name == "round" && t.args.size() == 1)) return to_integer(arg(t, 0), std::nearbyint);
    if (name == "RoundDecimal" || name == "round") {
      const double scale = std::pow(10.0, double(whole(arg(t, 1))));
      return floating(std::nearbyint(arg(t, 0).as_double() * scale) / scale);
    }
    if (name == "Abs" || name == "abs") {
      const Number x = arg(t, 0);
      return compare_values(x, integer(0)) < 0 ? product(integer(-1), x) : x;
    }
    if (name == "Where" || name == "sym_ite") return arg(t, 0).truth() ? arg(t, 1) : arg(t, 2);
    if (name == "Identity") return arg(t, 0);
    if (name == "isnan") return boolean(std::isnan(arg(t, 0).as_double()));
    if (name == "sym_not") return boolean(!arg(t, 0).truth());
    if (name == "BitwiseFn_bitwise_and") return integer(whole(arg(t, 0)) & whole(arg(t, 1)));
    if (name == "BitwiseFn_bitwise_or") return integer(whole(arg(t, 0)) | whole(arg(t, 1)));
    if (name == "BitwiseFn_bitwise_xor") return integer(whole(arg(t, 0)) ^ whole(arg(t, 1)));
    if (name == "Piecewise") {
      for (const TreePtr& piece : t.args)
        if (piece->op == Op::Tuple && arg(*piece, 1).truth()) return arg(*piece, 0);
      throw NoValue();
    }
    if (name == "IsNonOverlappingAndDenseIndicator") {
      std::vector<Number> values;
      for (const TreePtr& a : t.args) values.push_back(value(*a));
      return integer(non_overlapping_and_dense(values) ? 1 : 0);
    }
    std::string_view unary = name;
    for (std::string_view prefix : {"OpaqueUnaryFn_", "sym_", "_sym_"})
      if (unary.starts_with(prefix)) unary.remove_prefix(prefix.size());
    for (const UnaryFunction& f : kUnary)
      if (unary == f.name && t.args.size() == 1) return floating(f.compute(arg(t, 0).as_double()));
    throw NoValue();
  }

  const SymbolLookup& lookup_;
};

}  // namespace

}  // namespace symbolic

std::optional<SymNumber> evaluate(const SymExpr& expr, const SymbolLookup& lookup) {
  if (!expr.tree) return std::nullopt;
  try {
    const symbolic::Number result = symbolic::Evaluator(lookup).value(*expr.tree);
    switch (result.kind) {
      case symbolic::Number::Bool: return SymNumber(result.p != 0);
      case symbolic::Number::Float: return SymNumber(result.real);
      case symbolic::Number::Fraction: break;
    }
    if (result.q == 1) return SymNumber(result.p);
    return SymNumber(result.as_double());
  } catch (const symbolic::NoValue&) {
    return std::nullopt;
  }
}

}  // namespace pt2
