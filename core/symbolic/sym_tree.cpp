#include "core/symbolic/sym_tree.h"

#include <algorithm>
#include <numeric>

namespace pt2::symbolic {

namespace {

int64_t checked_multiply(int64_t a, int64_t b) {
  int64_t r = 0;
  if (__builtin_mul_overflow(a, b, &r)) throw Failure{"a number does not fit 64 bits"};
  return r;
}

int64_t checked_add(int64_t a, int64_t b) {
  int64_t r = 0;
  if (__builtin_add_overflow(a, b, &r)) throw Failure{"a number does not fit 64 bits"};
  return r;
}

double as_double(const Tree& t) { return t.op == Op::Float ? t.real : double(t.p) / double(t.q); }
bool foldable(const Tree& t) { return is_rational(t) || t.op == Op::Float; }

TreePtr sum_of(const Tree& a, const Tree& b) {
  if (a.op == Op::Float || b.op == Op::Float) return make_float(as_double(a) + as_double(b));
  return make_rational(checked_add(checked_multiply(a.p, b.q), checked_multiply(b.p, a.q)), checked_multiply(a.q, b.q));
}

TreePtr product_of(const Tree& a, const Tree& b) {
  if (a.op == Op::Float || b.op == Op::Float) return make_float(as_double(a) * as_double(b));
  return make_rational(checked_multiply(a.p, b.p), checked_multiply(a.q, b.q));
}

bool is_integer(const Tree& t, int64_t value) { return t.op == Op::Integer && t.p == value; }

// The factors of a term without its number.
std::vector<TreePtr> factors(const TreePtr& term) {
  if (is_number(*term)) return {};
  if (term->op != Op::Mul) return {term};
  return {term->args.begin() + (is_number(*term->args[0]) ? 1 : 0), term->args.end()};
}

// A factor as base to an integer power; where the exponent is no integer, the power itself to the first.
std::pair<TreePtr, int64_t> decompose_power(const TreePtr& factor) {
  if (factor->op != Op::Pow || !is_rational(*factor->args[1])) return {factor, 1};
  const Tree& exponent = *factor->args[1];
  if (exponent.q == 1) return {factor->args[0], exponent.p};
  return {make_node(Op::Pow, {factor->args[0], make_rational(1, exponent.q)}), exponent.p};
}

TreePtr number_of(const TreePtr& term) {
  return term->op == Op::Mul && foldable(*term->args[0]) ? term->args[0] : make_integer(1);
}

bool same_factors(const TreePtr& a, const TreePtr& b) {
  const std::vector<TreePtr> x = factors(a), y = factors(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const TreePtr& l, const TreePtr& r) { return compare(*l, *r) == 0; });
}

double coefficient(const Tree& term) {
  if (foldable(term)) return as_double(term);
  return term.op == Op::Mul && foldable(*term.args[0]) ? as_double(*term.args[0]) : 1;
}

// sympy orders a sum by the powers of its bases, the bases being ordered among themselves: higher powers of earlier bases come first.
std::vector<TreePtr> ordered_terms(std::vector<TreePtr> terms) {
  if (terms.size() == 2) {  // except that a positive number comes before a single negated factor: `3 - s0`
    if (is_number(*terms[1])) std::swap(terms[0], terms[1]);
    const Tree& product = *terms[1];
    if (is_number(*terms[0]) && !is_negative_number(*terms[0]) && product.op == Op::Mul && product.args.size() == 2 &&
        is_negative_number(*product.args[0]))
      return terms;
  }
  auto less = [](const TreePtr& a, const TreePtr& b) { return compare(*a, *b) < 0; };
  struct Keyed {
    TreePtr term;
    std::vector<std::pair<TreePtr, int64_t>> powers;
    std::vector<std::pair<size_t, int64_t>> monomial;  // (index of the base, power), by index
  };
  std::vector<Keyed> keyed;
  std::vector<TreePtr> bases;
  for (TreePtr& term : terms) {
    Keyed k{term, {}, {}};
    for (const TreePtr& factor : factors(term)) {
      k.powers.push_back(decompose_power(factor));
      bases.push_back(k.powers.back().first);
    }
    keyed.push_back(std::move(k));
  }
  std::sort(bases.begin(), bases.end(), less);
  bases.erase(std::unique(bases.begin(), bases.end(), [](const TreePtr& a, const TreePtr& b) { return compare(*a, *b) == 0; }), bases.end());
  for (Keyed& k : keyed) {
    for (const auto& [base, power] : k.powers)
      k.monomial.emplace_back(std::lower_bound(bases.begin(), bases.end(), base, less) - bases.begin(), power);
    std::sort(k.monomial.begin(), k.monomial.end());
  }
  auto before = [](const Keyed& a, const Keyed& b) {
    for (size_t i = 0;; ++i) {
      const bool a_ends = i == a.monomial.size(), b_ends = i == b.monomial.size();
      if (a_ends && b_ends) return coefficient(*a.term) < coefficient(*b.term);
      // A base that only one has counts with power 0 in the other.
      if (a_ends || (!b_ends && b.monomial[i].first < a.monomial[i].first)) return b.monomial[i].second < 0;
      if (b_ends || a.monomial[i].first < b.monomial[i].first) return a.monomial[i].second > 0;
      if (a.monomial[i].second != b.monomial[i].second) return a.monomial[i].second > b.monomial[i].second;
    }
  };
  std::stable_sort(keyed.begin(), keyed.end(), before);
  for (size_t i = 0; i < terms.size(); ++i) terms[i] = keyed[i].term;
  return terms;
}

}  // namespace

TreePtr make_leaf(Op op) { return std::make_shared<Tree>(Tree{op}); }
TreePtr make_integer(int64_t value) { return std::make_shared<Tree>(Tree{Op::Integer, {}, value}); }
TreePtr make_float(double value) { return std::make_shared<Tree>(Tree{Op::Float, {}, 0, 1, value}); }
TreePtr make_symbol(std::string_view name, std::optional<int64_t> at_least) {
  return std::make_shared<Tree>(Tree{Op::Symbol, std::string(name), at_least.value_or(0), at_least ? 1 : 0});
}

TreePtr make_rational(int64_t p, int64_t q) {
  if (q == 0) return make_leaf(Op::NotANumber);
  const int64_t divisor = std::gcd(p, q) * (q < 0 ? -1 : 1);
  return std::make_shared<Tree>(Tree{q / divisor == 1 ? Op::Integer : Op::Rational, {}, p / divisor, q / divisor});
}

TreePtr make_node(Op op, std::vector<TreePtr> args, std::string_view name) {
  int depth = 0;
  for (const TreePtr& arg : args) depth = std::max(depth, arg->depth);
  if (depth >= kMaxDepth) throw Failure{"deeper than " + std::to_string(kMaxDepth) + " levels"};
  return std::make_shared<Tree>(Tree{op, std::string(name), 0, 1, 0, depth + 1, std::move(args)});
}

TreePtr make_function(std::string_view name, std::vector<TreePtr> args) {
  if ((name == "Max" || name == "Min") && !args.empty()) return make_extreme(name, std::move(args));
  return make_node(Op::Function, std::move(args), name);
}

TreePtr make_add(std::vector<TreePtr> args) {
  std::vector<TreePtr> terms;
  TreePtr number;
  auto add = [&](const TreePtr& term) {
    if (foldable(*term)) number = number ? sum_of(*number, *term) : term;
    else terms.push_back(term);
  };
  for (const TreePtr& arg : args) {
    if (arg->op == Op::Add) for (const TreePtr& term : arg->args) add(term);
    else add(arg);
  }
  if (terms.empty()) return number ? number : make_integer(0);
  if (number && !is_integer(*number, 0)) terms.push_back(number);
  if (terms.size() == 1) return terms[0];
  terms = ordered_terms(std::move(terms));
  // Terms that differ in their number only now lie together.
  std::vector<TreePtr> merged;
  for (TreePtr& term : terms) {
    if (merged.empty() || is_number(*term) || is_number(*merged.back()) || !same_factors(merged.back(), term)) {
      merged.push_back(std::move(term));
      continue;
    }
    std::vector<TreePtr> product = factors(term);
    product.push_back(sum_of(*number_of(merged.back()), *number_of(term)));
    merged.back() = make_mul(std::move(product));
  }
  if (merged.size() == terms.size()) return make_node(Op::Add, std::move(merged));
  return make_add(std::move(merged));
}

TreePtr make_mul(std::vector<TreePtr> args) {
  std::vector<TreePtr> rest;
  TreePtr number;
  auto multiply = [&](const TreePtr& factor) {
    if (foldable(*factor)) number = number ? product_of(*number, *factor) : factor;
    else rest.push_back(factor);
  };
  for (const TreePtr& arg : args) {
    if (arg->op == Op::Mul) for (const TreePtr& factor : arg->args) multiply(factor);
    else multiply(arg);
  }
  if (rest.empty()) return number ? number : make_integer(1);
  if (number && is_integer(*number, 0)) return number;
  if (number && is_integer(*number, 1)) number = nullptr;
  if (!number && rest.size() == 1) return rest[0];
  if (number && rest.size() == 1 && rest[0]->op == Op::Add && is_rational(*number)) {
    std::vector<TreePtr> terms;
    for (const TreePtr& term : rest[0]->args) terms.push_back(make_mul({number, term}));
    return make_add(std::move(terms));
  }
  std::stable_sort(rest.begin(), rest.end(), [](const TreePtr& a, const TreePtr& b) { return compare(*a, *b) < 0; });
  // Powers of one base now lie together.
  std::vector<TreePtr> merged;
  for (TreePtr& factor : rest) {
    if (!merged.empty()) {
      const auto [base, exponent] = decompose_power(merged.back());
      const auto [other_base, other_exponent] = decompose_power(factor);
      if (compare(*base, *other_base) == 0) {
        const int64_t sum = checked_add(exponent, other_exponent);
        merged.pop_back();
        if (sum == 1) merged.push_back(base);
        else if (sum != 0) merged.push_back(make_node(Op::Pow, {base, make_integer(sum)}));
        continue;
      }
    }
    merged.push_back(std::move(factor));
  }
  if (number) merged.insert(merged.begin(), number);
  if (merged.empty()) return make_integer(1);
  return merged.size() == 1 ? merged[0] : make_node(Op::Mul, std::move(merged));
}

bool is_negative_number(const Tree& t) {
  switch (t.op) {
    case Op::Integer: case Op::Rational: return t.p < 0;
    case Op::Float: return t.real < 0;
    default: return t.op == Op::NegativeInfinity || t.op == Op::NegativeIntInfinity;
  }
}

}  // namespace pt2::symbolic
