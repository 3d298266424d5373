#include "interp/log_message.h"

#include <cmath>
#include <limits>

#include "interp/solve_symbols.h"
#include "interp/watch_expression.h"
#include "tests/interp/session.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

TEST_CASE("the smallest and largest of a message are those that are there, infinities among them") {
  const float nan = std::nanf(""), inf = std::numeric_limits<float>::infinity();
  const auto extremes = [](const std::vector<float>& values) {
    const RuntimeValue value = test::floats({static_cast<int64_t>(values.size())}, values);
    return *value_field("min", value) + " " + *value_field("max", value);
  };
  CHECK(extremes({1, -2, 3}) == "-2 3");
  CHECK(extremes({1, nan, 3}) == "1 3");
  CHECK(extremes({1, -inf, 3}) == "-inf 3");
  CHECK(extremes({-inf, nan}) == "-inf -inf");
  CHECK(extremes({inf, -inf}) == "-inf inf");
  CHECK(extremes({nan, nan}) == "- -");
  CHECK_FALSE(value_field("mean", test::floats({1}, {1})));
}

TEST_CASE("a name in a message that stands for nothing is told, functions and values are taken") {
  const Session s("nan_sources");
  CHECK(unknown_in_message("{name} {value} {min} {max} {nan} {inf} {sqrt.nan() * 2} of {x}", *s.program) == "");
  CHECK(unknown_in_message("{sqrt.mean()} {mean} {std}", *s.program) == "mean");
  CHECK(unknown_in_message("no names {, or mean", *s.program) == "");
  CHECK(filled_message("a {b} {c", [](std::string_view part) { return "<" + std::string(part) + ">"; }) == "a <b> {c");
}

TEST_CASE("a size that only a run tells cannot be chosen") {
  const Session s("data_dependent");
  REQUIRE(!s.program->range_constraints.empty());
  const auto known = input_symbols(*s.program);
  CHECK_FALSE(known.contains("u0"));
  SymbolSolver solver(*s.program);
  const auto set = solver.set("u0", 7);
  REQUIRE_FALSE(set);
  CHECK(set.error().advice.find("u0") == std::string::npos);
}

TEST_CASE("a symbol that a run found out can be watched") {
  Session s("data_dependent");
  s.run_to_end();
  for (const char* symbol : {"u0", "u1"}) s.debugger->add_watch(symbol);
  s.settle();
  CHECK(s.debugger->watches[0].value == summary(*s.debugger->value(s.node("item"))));
  CHECK(s.debugger->watches[1].value == summary(*s.debugger->value(s.node("sym_size_int_1"))));
  s.debugger->set_time(1);
  s.settle();
  CHECK(s.debugger->watches[0].failed);
}
