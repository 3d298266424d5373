#include "interp/python_functions.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "interp/check.h"

using namespace pt2::interp;

namespace {

RuntimeValue call(std::string_view target, std::vector<RuntimeValue> arguments) { return find_python_function(target)(arguments); }
int64_t int_of(const RuntimeValue& v) { return *v.as<int64_t>(); }
double float_of(const RuntimeValue& v) { return *v.as<double>(); }

}  // namespace

TEST_CASE("the table of Python functions is sorted") {
  const auto targets = python_function_targets();
  CHECK(std::is_sorted(targets.begin(), targets.end()));
  CHECK(!find_python_function("_operator.nothing"));
}

TEST_CASE("Python's arithmetic") {
  CHECK(int_of(call("_operator.add", {2, 3})) == 5);
  CHECK(float_of(call("_operator.add", {2, 0.5})) == 2.5);
  CHECK(int_of(call("_operator.floordiv", {-7, 2})) == -4);
  CHECK(int_of(call("_operator.mod", {-7, 3})) == 2);
  CHECK(float_of(call("_operator.mod", {-7.5, 2.0})) == 0.5);
  CHECK(float_of(call("_operator.truediv", {7, 2})) == 3.5);
  CHECK(int_of(call("_operator.pow", {3, 4})) == 81);
  CHECK(float_of(call("_operator.pow", {2, -1})) == 0.5);
  CHECK(int_of(call("builtins.round", {2.5})) == 2);
  CHECK(int_of(call("math.trunc", {-2.7})) == -2);
  CHECK(int_of(call("torch.sym_max", {2, 7})) == 7);
  CHECK(float_of(call("torch.sym_max", {7, 2.5})) == 7.0);
  CHECK(*call("_operator.and_", {true, false}).as<bool>() == false);
  CHECK(int_of(call("_operator.lshift", {3, 4})) == 48);
  CHECK_THROWS_WITH(call("_operator.add", {INT64_MAX, 1}), "the result does not fit in 64 bits");
  CHECK_THROWS_WITH(call("_operator.floordiv", {1, 0}), "integer division or modulo by zero");
}

TEST_CASE("getitem takes Python's indices") {
  const RuntimeValue list = make_tuple({1, 2, 3});
  CHECK(int_of(call("_operator.getitem", {list, -1})) == 3);
  CHECK_THROWS_WITH(call("_operator.getitem", {list, 3}), "index 3 is out of range for 3 items");
}
