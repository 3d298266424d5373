// Max and Min as sympy builds them: `Min(12, 12*s27)` is 12 where s27 is a positive integer. An argument goes when bounds of the
// difference to another one show that it is always outdone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/symbolic/sym_tree.h"

namespace pt2::symbolic {

namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

struct Bounds { double low = -kUnbounded, high = kUnbounded; };

double times(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

Bounds product(const Bounds& a, const Bounds& b) {
  const auto [low, high] = std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return {low, high};
}

Bounds bounds(const Tree& t) {
  switch (t.op) {
    case Op::Integer: case Op::Rational: return {double(t.p) / double(t.q), double(t.p) / double(t.q)};
    case Op::Float: return {t.real, t.real};
    case Op::Symbol: return {t.q == 1 ? double(t.p) : -kUnbounded, kUnbounded};
    case Op::Add: {
      Bounds sum{0, 0};
      for (const TreePtr& arg : t.args) {
        const Bounds b = bounds(*arg);
        sum = {sum.low + b.low, sum.high + b.high};
      }
      return sum;
    }
    case Op::Mul: {
      Bounds result{1, 1};
      for (const TreePtr& arg : t.args) result = product(result, bounds(*arg));
      return result;
    }
    case Op::Pow: {
      const Bounds base = bounds(*t.args[0]);
      const Tree& exponent = *t.args[1];
      if (base.low < 0 || exponent.op != Op::Integer || exponent.p < 1) return {};
      return {std::pow(base.low, double(exponent.p)), std::pow(base.high, double(exponent.p))};
    }
    case Op::Function: break;
    default: return {};
  }
  if (t.args.empty()) return {};
  if (t.name == "Mod") return {0, kUnbounded};
  if (t.name == "PythonMod" && t.args.size() == 2 && bounds(*t.args[1]).low > 0) return {0, kUnbounded};
  if ((t.name == "FloorDiv" || t.name == "CleanDiv") && t.args.size() == 2 && bounds(*t.args[0]).low >= 0 && bounds(*t.args[1]).low >= 0)
    return {0, kUnbounded};
  if (t.name == "Max" || t.name == "Min") {
    Bounds result = bounds(*t.args[0]);
    for (size_t i = 1; i < t.args.size(); ++i) {
      const Bounds b = bounds(*t.args[i]);
      if (t.name == "Max") result = {std::max(result.low, b.low), std::max(result.high, b.high)};
      else result = {std::min(result.low, b.low), std::min(result.high, b.high)};
    }
    return result;
  }
  return {};
}

// `sum` without the factors that all its terms have and that are never negative.
TreePtr without_common_factors(const TreePtr& sum) {
  if (sum->op != Op::Add) return sum;
  std::vector<std::vector<TreePtr>> terms;
  for (const TreePtr& term : sum->args) terms.push_back(term->op == Op::Mul ? term->args : std::vector<TreePtr>{term});
  for (size_t i = 0; i < terms[0].size();) {
    const TreePtr factor = terms[0][i];
    auto find = [&](std::vector<TreePtr>& in) {
      return std::find_if(in.begin(), in.end(), [&](const TreePtr& t) { return compare(*t, *factor) == 0; });
    };
    const bool common = !is_number(*factor) && bounds(*factor).low >= 0 &&
                        std::all_of(terms.begin(), terms.end(), [&](auto& in) { return find(in) != in.end(); });
    if (common) for (auto& in : terms) in.erase(find(in));
    else ++i;
  }
  std::vector<TreePtr> rest;
  for (auto& factors : terms) rest.push_back(make_mul(std::move(factors)));
  return make_add(std::move(rest));
}

bool never_less(const TreePtr& a, const TreePtr& b) {
  const TreePtr difference = make_add({a, make_mul({make_integer(-1), b})});
  return bounds(*difference).low >= 0 || bounds(*without_common_factors(difference)).low >= 0;
}

}  // namespace

TreePtr make_extreme(std::string_view name, std::vector<TreePtr> args) {
  const bool is_max = name == "Max";
  std::vector<TreePtr> flat;
  for (const TreePtr& arg : args) {
    if (arg->op == Op::Function && arg->name == name) flat.insert(flat.end(), arg->args.begin(), arg->args.end());
    else flat.push_back(arg);
  }
  std::vector<TreePtr> kept;
  for (const TreePtr& arg : flat) {
    auto outdone_by = [&](const TreePtr& other) { return is_max ? never_less(other, arg) : never_less(arg, other); };
    if (std::any_of(kept.begin(), kept.end(), outdone_by)) continue;
    std::erase_if(kept, [&](const TreePtr& other) { return is_max ? never_less(arg, other) : never_less(other, arg); });
    kept.push_back(arg);
  }
  if (kept.size() == 1) return kept[0];
  // Their order does not matter, so sympy shows them sorted.
  std::stable_sort(kept.begin(), kept.end(), [](const TreePtr& a, const TreePtr& b) { return compare(*a, *b) < 0; });
  return make_node(Op::Function, std::move(kept), name);
}

}  // namespace pt2::symbolic
