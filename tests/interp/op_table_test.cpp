#include "interp/op_table.h"

#include <doctest/doctest.h>

#include "interp/check.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

int64_t weighted(int64_t self, Scalar alpha, std::span<const int64_t> list, const std::optional<double>& extra) {
  int64_t sum = self * alpha.to_int();
  for (int64_t i : list) sum += i;
  return extra ? sum + static_cast<int64_t>(*extra) : sum;
}

std::tuple<int64_t, double> two_results(const KernelContext&, int64_t a, Unused) { return {a, 0.5}; }

}  // namespace

TEST_CASE("the operators of this build fit their schemas") {
  for (const std::string& problem : builtin_ops().problems()) FAIL_CHECK(problem);
}

TEST_CASE("a kernel is called with its schema's arguments") {
  OpTable ops;
  ops.add("test::weighted.x(int self, Scalar alpha=2, SymInt[2] list=0, float? extra=None) -> int", weighted);
  ops.add("test::two(int a, Generator? generator) -> (int, float)", two_results);
  for (const std::string& problem : ops.problems()) FAIL_CHECK(problem);
  const Op* op = ops.find("torch.ops.test.weighted.x");
  REQUIRE(op);
  const RuntimeValue arguments[] = {3, op->defaults[1], op->defaults[2], op->defaults[3]};
  CHECK(op->defaults[2].items().size() == 2);
  CHECK(*op->call(current_context(), arguments)[0].as<int64_t>() == 6);
  const RuntimeValue wrong[] = {std::string("three"), op->defaults[1], op->defaults[2], op->defaults[3]};
  CHECK_THROWS_WITH(op->call(current_context(), wrong), "expected an int, found str");

  const RuntimeValue two_arguments[] = {7, RuntimeValue()};
  const Results results = ops.find("test.two.default")->call(current_context(), two_arguments);
  REQUIRE(results.size() == 2);
  CHECK(*results[1].as<double>() == 0.5);
}

TEST_CASE("a kernel that does not fit its schema is a problem, not an operator") {
  OpTable ops;
  ops.add("test::weighted(int self, Scalar alpha, SymInt[] list, Tensor? extra) -> int", weighted);
  ops.add("test::two(int a, int b) -> int", two_results);
  CHECK(ops.problems() == std::vector<std::string>{"test.two.default: the kernel returns 2 values",
                                                   "test.weighted.default: the kernel parameter \"extra\" has another type"});
  CHECK(ops.find("test.two.default") == nullptr);
}
