// Python's arithmetic on ints (checked 64-bit: an overflow is an error, not a wrap), floats and bools.
#include "interp/python_functions.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/graph/results.h"
#include "interp/check.h"
#include "interp/item.h"

namespace pt2::interp {

namespace {

using Values = std::span<const RuntimeValue>;

struct Number {
  bool is_float = false;
  int64_t integer = 0;
  double real = 0;  // the value, for ints as well
};

Number number(const RuntimeValue& value) {
  if (const auto* i = value.as<int64_t>()) return {false, *i, static_cast<double>(*i)};
  if (const auto* b = value.as<bool>()) return {false, *b, static_cast<double>(*b)};
  if (const auto* d = value.as<double>()) return {true, 0, *d};
  if (const auto* t = value.as<Tensor>(); t && t->numel() == 1) return number(RuntimeValue(item(*t)));
  fail("expected a number, found ", kind_text(value));
}

bool truth(const RuntimeValue& value) {
  const Number n = number(value);
  return n.is_float ? n.real != 0 : n.integer != 0;
}

void expect(Values v, size_t count) { check(v.size() == count, "expected ", count, " arguments, found ", v.size()); }

// `overflow` is computed into `result`, which is therefore taken by reference.
int64_t checked(bool overflow, const int64_t& result) {
  check(!overflow, "the result does not fit in 64 bits");
  return result;
}

int64_t integer(const RuntimeValue& value, const char* what) {
  const Number n = number(value);
  check(!n.is_float, what, ": expected an int, found a float");
  return n.integer;
}

RuntimeValue add(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  if (a.is_float || b.is_float) return a.real + b.real;
  int64_t r = 0;
  return checked(__builtin_add_overflow(a.integer, b.integer, &r), r);
}

RuntimeValue sub(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  if (a.is_float || b.is_float) return a.real - b.real;
  int64_t r = 0;
  return checked(__builtin_sub_overflow(a.integer, b.integer, &r), r);
}

RuntimeValue mul(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  if (a.is_float || b.is_float) return a.real * b.real;
  int64_t r = 0;
  return checked(__builtin_mul_overflow(a.integer, b.integer, &r), r);
}

RuntimeValue truediv(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  check(b.real != 0, "division by zero");
  return a.real / b.real;
}

RuntimeValue floordiv(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  check(b.real != 0, "integer division or modulo by zero");
  if (a.is_float || b.is_float) return std::floor(a.real / b.real);
  check(!(a.integer == INT64_MIN && b.integer == -1), "the result does not fit in 64 bits");
  int64_t q = a.integer / b.integer;
  if (a.integer % b.integer != 0 && (a.integer < 0) != (b.integer < 0)) --q;
  return q;
}

RuntimeValue mod(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  check(b.real != 0, "integer division or modulo by zero");
  if (a.is_float || b.is_float) {
    double r = std::fmod(a.real, b.real);
    if (r != 0 && (r < 0) != (b.real < 0)) r += b.real;
    return r;
  }
  if (b.integer == -1) return int64_t{0};
  int64_t r = a.integer % b.integer;
  if (r != 0 && (r < 0) != (b.integer < 0)) r += b.integer;
  return r;
}

RuntimeValue pow(Values v) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  if (a.is_float || b.is_float || b.integer < 0) {
    check(!(a.real == 0 && b.real < 0), "0.0 cannot be raised to a negative power");
    return std::pow(a.real, b.real);
  }
  int64_t result = 1, base = a.integer;
  for (int64_t n = b.integer; n > 0; n >>= 1) {
    if (n & 1) checked(__builtin_mul_overflow(result, base, &result), result);
    if (n > 1) checked(__builtin_mul_overflow(base, base, &base), base);
  }
  return result;
}

RuntimeValue neg(Values v) {
  expect(v, 1);
  const Number a = number(v[0]);
  if (a.is_float) return -a.real;
  int64_t r = 0;
  return checked(__builtin_sub_overflow(int64_t{0}, a.integer, &r), r);
}

RuntimeValue pos(Values v) {
  expect(v, 1);
  const Number a = number(v[0]);
  return a.is_float ? RuntimeValue(a.real) : RuntimeValue(a.integer);
}

RuntimeValue abs(Values v) {
  const Number a = number(v[0]);
  if (a.is_float) return std::fabs(a.real);
  return a.integer < 0 ? neg(v) : RuntimeValue(a.integer);
}

template <class Compare>
bool compare(Values v, Compare compare) {
  expect(v, 2);
  const Number a = number(v[0]), b = number(v[1]);
  return a.is_float || b.is_float ? compare(a.real, b.real) : compare(a.integer, b.integer);
}

// Equality holds between any two values; strings, None and dtypes take part.
bool equal(Values v) {
  expect(v, 2);
  const auto *s = v[0].as<std::string>(), *t = v[1].as<std::string>();
  if (s || t) return s && t && *s == *t;
  if (v[0].is_none() || v[1].is_none()) return v[0].is_none() && v[1].is_none();
  const auto *d = v[0].as<DType>(), *e = v[1].as<DType>();
  if (d || e) return d && e && *d == *e;
  return compare(v, [](auto a, auto b) { return a == b; });
}

RuntimeValue eq(Values v) { return equal(v); }
RuntimeValue ne(Values v) { return !equal(v); }
RuntimeValue lt(Values v) { return compare(v, [](auto a, auto b) { return a < b; }); }
RuntimeValue le(Values v) { return compare(v, [](auto a, auto b) { return a <= b; }); }
RuntimeValue gt(Values v) { return compare(v, [](auto a, auto b) { return a > b; }); }
RuntimeValue ge(Values v) { return compare(v, [](auto a, auto b) { return a >= b; }); }

template <class Combine>
RuntimeValue bitwise(Values v, const char* what, Combine combine) {
  expect(v, 2);
  const auto *a = v[0].as<bool>(), *b = v[1].as<bool>();
  if (a && b) return combine(int64_t{*a}, int64_t{*b}) != 0;
  return combine(integer(v[0], what), integer(v[1], what));
}

RuntimeValue bit_and(Values v) { return bitwise(v, "and_", [](int64_t a, int64_t b) { return a & b; }); }
RuntimeValue bit_or(Values v) { return bitwise(v, "or_", [](int64_t a, int64_t b) { return a | b; }); }
RuntimeValue bit_xor(Values v) { return bitwise(v, "xor", [](int64_t a, int64_t b) { return a ^ b; }); }

RuntimeValue invert(Values v) {
  expect(v, 1);
  return ~integer(v[0], "invert");
}

RuntimeValue lshift(Values v) {
  expect(v, 2);
  const int64_t a = integer(v[0], "lshift"), n = integer(v[1], "lshift");
  check(n >= 0, "negative shift count");
  if (a == 0) return a;
  check(n < 63, "the result does not fit in 64 bits");
  int64_t r = 0;
  return checked(__builtin_mul_overflow(a, int64_t{1} << n, &r), r);
}

RuntimeValue rshift(Values v) {
  expect(v, 2);
  const int64_t a = integer(v[0], "rshift"), n = integer(v[1], "rshift");
  check(n >= 0, "negative shift count");
  return a >> std::min<int64_t>(n, 63);
}

// Rounded by `rounded`, as an int.
template <class Round>
RuntimeValue to_int(Values v, Round rounded) {
  check(!v.empty(), "expected an argument");
  const Number a = number(v[0]);
  if (!a.is_float) return a.integer;
  const double r = rounded(a.real);
  check(!std::isnan(r), "cannot convert float NaN to integer");
  check(r >= -0x1p63 && r < 0x1p63, "cannot convert float ", a.real, " to a 64-bit integer");
  return static_cast<int64_t>(r);
}

RuntimeValue trunc(Values v) { return to_int(v, [](double d) { return std::trunc(d); }); }
RuntimeValue floor(Values v) { return to_int(v, [](double d) { return std::floor(d); }); }
RuntimeValue ceil(Values v) { return to_int(v, [](double d) { return std::ceil(d); }); }

// Python's round(): half to even; with digits, the decimal nearest.
RuntimeValue round(Values v) {
  if (v.size() < 2 || v[1].is_none()) return to_int(v, [](double d) { return std::nearbyint(d); });
  const Number a = number(v[0]);
  if (!a.is_float) return a.integer;
  char text[512];
  std::snprintf(text, sizeof text, "%.*f", static_cast<int>(std::clamp<int64_t>(integer(v[1], "round"), 0, 300)), a.real);
  return std::strtod(text, nullptr);
}

RuntimeValue sym_float(Values v) {
  expect(v, 1);
  return number(v[0]).real;
}
RuntimeValue sym_not(Values v) {
  expect(v, 1);
  return !truth(v[0]);
}
RuntimeValue sym_ite(Values v) {
  expect(v, 3);
  return truth(v[0]) ? v[1] : v[2];
}

// torch.sym_max and sym_min: of two kinds of numbers, the result is a float.
template <class Better>
RuntimeValue best(Values v, Better better) {
  check(!v.empty(), "expected an argument");
  Number result = number(v[0]);
  for (size_t i = 1; i < v.size(); ++i) {
    const Number n = number(v[i]);
    const bool any_float = result.is_float || n.is_float;
    if (any_float ? better(n.real, result.real) : better(n.integer, result.integer)) result = n;
    if (any_float) result.is_float = true;
  }
  return result.is_float ? RuntimeValue(result.real) : RuntimeValue(result.integer);
}

RuntimeValue sym_max(Values v) { return best(v, [](auto a, auto b) { return a > b; }); }
RuntimeValue sym_min(Values v) { return best(v, [](auto a, auto b) { return a < b; }); }

RuntimeValue sym_sum(Values v) {
  const std::vector<RuntimeValue>& items = v.size() == 1 && v[0].is<ListValue>() ? v[0].items() : std::vector<RuntimeValue>(v.begin(), v.end());
  RuntimeValue sum = int64_t{0};
  for (const RuntimeValue& item : items) {
    const RuntimeValue pair[] = {sum, item};
    sum = add(pair);
  }
  return sum;
}

template <double (*Function)(double)>
RuntimeValue real(Values v) {
  expect(v, 1);
  return Function(number(v[0]).real);
}

RuntimeValue sqrt(Values v) {
  expect(v, 1);
  const double x = number(v[0]).real;
  check(!(x < 0), "math domain error: the square root of ", x);
  return std::sqrt(x);
}

RuntimeValue getitem(Values v) {
  expect(v, 2);
  if (const auto* dict = v[0].as<DictValue>()) {
    const auto* key = v[1].as<std::string>();
    check(key, "expected a string as key, found ", kind_text(v[1]));
    for (const auto& [name, value] : *dict->items)
      if (name == *key) return value;
    fail("no item \"", *key, "\"");
  }
  check(v[0].is<ListValue>(), "expected a list or tuple, found ", kind_text(v[0]));
  const auto& items = v[0].items();
  const int64_t index = integer(v[1], "getitem"), size = static_cast<int64_t>(items.size());
  check(index >= -size && index < size, "index ", index, " is out of range for ", size, " items");
  return items[index < 0 ? index + size : index];
}

// vmap's bookkeeping: nothing to do for an interpreter that runs example by example.
RuntimeValue nothing(Values) { return {}; }

struct Row {
  std::string_view target;
  PythonFunction function;
};

constexpr std::array kFunctions = std::to_array<Row>({
    {"_operator.abs", abs},
    {"_operator.add", add},
    {"_operator.and_", bit_and},
    {"_operator.eq", eq},
    {"_operator.floordiv", floordiv},
    {"_operator.ge", ge},
    {kGetitem, getitem},
    {"_operator.gt", gt},
    {"_operator.invert", invert},
    {"_operator.le", le},
    {"_operator.lshift", lshift},
    {"_operator.lt", lt},
    {"_operator.mod", mod},
    {"_operator.mul", mul},
    {"_operator.ne", ne},
    {"_operator.neg", neg},
    {"_operator.not_", sym_not},
    {"_operator.or_", bit_or},
    {"_operator.pos", pos},
    {"_operator.pow", pow},
    {"_operator.rshift", rshift},
    {"_operator.sub", sub},
    {"_operator.truediv", truediv},
    {"_operator.xor", bit_xor},
    {"builtins.abs", abs},
    {"builtins.max", sym_max},
    {"builtins.min", sym_min},
    {"builtins.round", round},
    {"math.acos", real<std::acos>},
    {"math.asin", real<std::asin>},
    {"math.atan", real<std::atan>},
    {"math.ceil", ceil},
    {"math.cos", real<std::cos>},
    {"math.cosh", real<std::cosh>},
    {"math.exp", real<std::exp>},
    {"math.floor", floor},
    {"math.log", real<std::log>},
    {"math.log2", real<std::log2>},
    {"math.pow", pow},
    {"math.sin", real<std::sin>},
    {"math.sinh", real<std::sinh>},
    {"math.sqrt", sqrt},
    {"math.tan", real<std::tan>},
    {"math.tanh", real<std::tanh>},
    {"math.trunc", trunc},
    {"torch._functorch.predispatch.lazy_load_decompositions", nothing},
    {"torch._sym_acos", real<std::acos>},
    {"torch._sym_asin", real<std::asin>},
    {"torch._sym_atan", real<std::atan>},
    {"torch._sym_cos", real<std::cos>},
    {"torch._sym_cosh", real<std::cosh>},
    {"torch._sym_log2", real<std::log2>},
    {"torch._sym_sin", real<std::sin>},
    {"torch._sym_sinh", real<std::sinh>},
    {"torch._sym_sqrt", sqrt},
    {"torch._sym_tan", real<std::tan>},
    {"torch._sym_tanh", real<std::tanh>},
    {"torch.sym_float", sym_float},
    {"torch.sym_fresh_size", pos},
    {"torch.sym_int", trunc},
    {"torch.sym_ite", sym_ite},
    {"torch.sym_max", sym_max},
    {"torch.sym_min", sym_min},
    {"torch.sym_not", sym_not},
    {"torch.sym_sqrt", sqrt},
    {"torch.sym_sum", sym_sum},
});

constexpr auto kTargets = [] {
  std::array<std::string_view, kFunctions.size()> targets;
  for (size_t i = 0; i < targets.size(); ++i) targets[i] = kFunctions[i].target;
  return targets;
}();

}  // namespace

PythonFunction find_python_function(std::string_view target) {
  auto it = std::lower_bound(kTargets.begin(), kTargets.end(), target);
  return it != kTargets.end() && *it == target ? kFunctions[it - kTargets.begin()].function : nullptr;
}

std::span<const std::string_view> python_function_targets() { return kTargets; }

}  // namespace pt2::interp
