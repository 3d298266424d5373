// Expressions as sympy's str prints them with PyTorch's own functions. Parentheses follow sympy's precedences, where PyTorch's division
// and remainder functions bind more weakly than a sum: `((s0//2)) + 1`.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/symbolic/sym_tree.h"

namespace pt2::symbolic {

namespace {

enum Precedence { kNone = 0, kIdentity = 10, kOr = 20, kAnd = 30, kRelation = 35, kBitOr = 36, kBitAnd = 38, kAdd = 40, kMul = 50, kPow = 60,
                  kFunction = 70, kNot = 100, kAlmostAtom = 999, kAtom = 1000 };

int function_precedence(const std::string& name) {
  for (const char* weak : {"FloorDiv", "CleanDiv", "ModularIndexing", "Where", "PythonMod", "Mod", "FloatTrueDiv", "IntTrueDiv"})
    if (name == weak) return kRelation;
  if (name == "PowByNatural") return kMul;
  if (name == "FloatPow") return kPow;
  if (name == "Identity") return kIdentity;
  if (name == "Max" || name == "Min") return kAtom;
  return kFunction;
}

int precedence(const Tree& t) {
  switch (t.op) {
    case Op::Integer: case Op::Float: return is_negative_number(t) ? kAdd : kAtom;
    case Op::Rational: return t.p < 0 ? kAdd : kMul;
    case Op::NegativeInfinity: return kAdd;
    case Op::Add: return kAdd;
    case Op::Mul:
      for (const TreePtr& arg : t.args)
        if (arg->op == Op::Function && function_precedence(arg->name) < kMul) return kMul;
      return is_negative_number(*t.args[0]) ? kAdd : kMul;
    case Op::Pow: return kPow;
    case Op::Eq: case Op::Ne: return kMul;
    case Op::Le: case Op::Lt: case Op::Ge: case Op::Gt: return kRelation;
    case Op::And: return kAnd;
    case Op::Or: return kOr;
    case Op::Not: return kNot;
    case Op::Function: return function_precedence(t.name);
    default: return kAtom;
  }
}

// 15 significant digits, fixed notation for exponents in (-5, 15), trailing zeros cut except where the number stands alone: mpmath's way.
std::string print_float(double value, bool alone) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return alone ? "0" : "0.0";
  constexpr int kDigits = 15;
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.30e", std::fabs(value));
  int exponent = std::atoi(std::string(buffer).substr(33).c_str());
  std::string digits = std::string(1, buffer[0]) + std::string(buffer + 2, kDigits);  // one more than wanted
  if (digits.back() >= '5') {
    int i = kDigits - 1;
    while (i >= 0 && digits[i] == '9') digits[i--] = '0';
    if (i >= 0) ++digits[i];
    else {
      digits.insert(0, "1");
      ++exponent;
    }
  }
  digits.resize(kDigits);
  size_t point = 1;
  const bool fixed = exponent > -5 && exponent < kDigits;
  if (fixed && exponent < 0) digits.insert(0, size_t(-exponent), '0');
  else if (fixed) point = size_t(exponent) + 1;
  digits.insert(point, ".");
  if (!alone) {
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits += '0';
  }
  if (value < 0) digits.insert(0, "-");
  if (!fixed) digits += exponent < 0 ? "e" + std::to_string(exponent) : "e+" + std::to_string(exponent);
  return digits;
}

class Printer {
 public:
  std::string text(const Tree& t, bool alone = false) const {
    switch (t.op) {
      case Op::Integer: return std::to_string(t.p);
      case Op::Rational: return std::to_string(t.p) + "/" + std::to_string(t.q);
      case Op::Float: return print_float(t.real, alone);
      case Op::Infinity: return "oo";
      case Op::NegativeInfinity: return "-oo";
      case Op::IntInfinity: return "int_oo";
      case Op::NegativeIntInfinity: return "-int_oo";
      case Op::NotANumber: return "nan";
      case Op::Symbol: return t.name;
      case Op::True: return "True";
      case Op::False: return "False";
      case Op::Add: return sum(t);
      case Op::Mul: return product(t);
      case Op::Pow: return power(*t.args[0], *t.args[1]);
      case Op::Eq: return "Eq(" + joined(t, ", ", kNone) + ")";
      case Op::Ne: return "Ne(" + joined(t, ", ", kNone) + ")";
      case Op::Le: return joined(t, " <= ", kRelation);
      case Op::Lt: return joined(t, " < ", kRelation);
      case Op::Ge: return joined(t, " >= ", kRelation);
      case Op::Gt: return joined(t, " > ", kRelation);
      case Op::And: return joined(t, " & ", kBitAnd);
      case Op::Or: return joined(t, " | ", kBitOr);
      case Op::Not: return "~" + inside(*t.args[0], kNot);
      case Op::Tuple: return "(" + joined(t, ", ", kNone) + ")";
      case Op::Function: break;
    }
    if ((t.name == "FloorDiv" || t.name == "CleanDiv") && t.args.size() == 2) return "(" + joined(t, "//", kAlmostAtom) + ")";
    if (t.name == "Identity" && t.args.size() == 1) return "(" + text(*t.args[0]) + ")";
    return t.name + "(" + joined(t, ", ", kNone) + ")";
  }

 private:
  // In parentheses where it binds no stronger than `level`.
  std::string inside(const Tree& t, int level) const { return precedence(t) <= level ? "(" + text(t) + ")" : text(t); }

  std::string joined(const Tree& t, const char* separator, int level) const {
    std::string s;
    for (const TreePtr& arg : t.args) s += (s.empty() ? "" : separator) + inside(*arg, level);
    return s;
  }

  std::string sum(const Tree& t) const {
    std::string s;
    for (const TreePtr& term : t.args) {
      std::string part = text(*term);
      const bool minus = part.starts_with('-') && term->op != Op::Add;
      if (minus) part.erase(0, 1);
      if (precedence(*term) < kAdd || term->op == Op::Add) part = "(" + part + ")";
      if (s.empty()) s = (minus ? "-" : "") + part;
      else s += (minus ? " - " : " + ") + part;
    }
    return s;
  }

  static bool has_negative_exponent(const Tree& t) {
    if (t.op != Op::Pow) return false;
    const Tree& e = *t.args[1];
    return is_negative_number(e) || (e.op == Op::Mul && is_negative_number(*e.args[0]));
  }

  std::string product(const Tree& t) const {
    const int level = precedence(t);
    std::string numerator, denominator, sign;
    int denominators = 0;
    auto append = [](std::string& to, const std::string& factor) { to += (to.empty() ? "" : "*") + factor; };
    for (const TreePtr& arg : t.args) {
      if (is_rational(*arg) && arg == t.args[0]) {
        if (arg->p < 0) sign = "-";
        const uint64_t p = arg->p < 0 ? 0 - uint64_t(arg->p) : uint64_t(arg->p);
        if (p != 1) append(numerator, std::to_string(p));
        if (arg->q != 1) {
          append(denominator, std::to_string(arg->q));
          ++denominators;
        }
      } else if (arg == t.args[0] && is_negative_number(*arg)) {
        sign = "-";
        const std::string number = text(*arg);
        append(numerator, number.substr(number.starts_with('-') ? 1 : 0));
      } else if (has_negative_exponent(*arg)) {
        const TreePtr exponent = make_mul({make_integer(-1), arg->args[1]});
        const Tree& base = *arg->args[0];
        if (exponent->op == Op::Integer && exponent->p == 1) {
          const bool compound = base.op == Op::Mul || base.op == Op::Pow;
          append(denominator, compound ? "(" + text(base) + ")" : inside(base, level));
        } else {
          append(denominator, inside(*make_node(Op::Pow, {arg->args[0], exponent}), level));
        }
        ++denominators;
      } else {
        append(numerator, inside(*arg, level));
      }
    }
    if (numerator.empty()) numerator = "1";
    if (denominators == 0) return sign + numerator;
    return sign + numerator + "/" + (denominators == 1 ? denominator : "(" + denominator + ")");
  }

  std::string power(const Tree& base, const Tree& exponent) const {
    if (exponent.op == Op::Rational && exponent.q == 2 && exponent.p == 1) return "sqrt(" + text(base) + ")";
    if (exponent.op == Op::Rational && exponent.q == 2 && exponent.p == -1) return "1/sqrt(" + text(base) + ")";
    if (exponent.op == Op::Integer && exponent.p == -1) return "1/" + inside(base, kPow);
    return inside(base, kPow) + "**" + inside(exponent, kPow);
  }
};

}  // namespace

std::string print(const Tree& tree) { return Printer().text(tree, true); }

}  // namespace pt2::symbolic
