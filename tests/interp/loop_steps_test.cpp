// Stepping, stopping and cutting out in one call of a loop's body.
#include <doctest/doctest.h>

#include "core/tensor/tensor_files.h"
#include "interp/value_names.h"
#include "interp/repro.h"
#include "tests/interp/session.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

std::string place(const Session& s) {
  const auto here = s.debugger->cursor();
  return here ? s.debugger->trace().frames()[here->frame].path + s.cursor() : "";
}

void stop_at(Session& s, const char* where) {
  s.debugger->breakpoints.push_back(*parse_breakpoint(where, *s.program));
  s.start();
  if (s.debugger->stopped_by()) return;
  s.debugger->run();
  s.settle();
}

}  // namespace

TEST_CASE("each step into a loop is one operator, the loop itself is come to once") {
  Session s("loop_to_nan");
  stop_at(s, "while_loop");
  std::vector<std::string> places;
  for (int i = 0; i < 26; ++i) {
    places.push_back(place(s));
    s.debugger->step_into();
    s.settle();
  }
  CHECK(std::vector(places.begin(), places.begin() + 6) == std::vector<std::string>{"while_loop", "while_loop_cond_graph_0@0/lt", "while_loop_body_graph_0@0/add", "while_loop_body_graph_0@0/sub",
                                                                                 "while_loop_body_graph_0@0/sqrt", "while_loop_cond_graph_0@1/lt"});
  CHECK(places[25] == "while_loop_cond_graph_0@6/lt");
  CHECK(place(s) == "getitem");
}

TEST_CASE("after a stop at the end of an iteration the loop says which, and a step over leaves it") {
  Session s("loop_to_nan");
  s.debugger->breakpoints[0].enabled = true;
  s.start();
  s.debugger->run();
  s.settle();
  CHECK(place(s) == "while_loop");
  REQUIRE(s.debugger->returned_from());
  CHECK(s.debugger->trace().frames()[*s.debugger->returned_from()].path == "while_loop_body_graph_0@5/");
  s.debugger->step_over();
  s.settle();
  CHECK(place(s) == "getitem");
  CHECK_FALSE(s.debugger->returned_from());
}

TEST_CASE("a step out of a body ends at its loop, a step over the last operator of a body goes to the next call") {
  Session s("loop_to_nan");
  stop_at(s, "while_loop_body_graph_0@1/sqrt");
  s.debugger->step_over();
  s.settle();
  CHECK(place(s) == "while_loop_cond_graph_0@2/lt");
  s.debugger->step_out();
  s.settle();
  CHECK(place(s) == "while_loop");
  CHECK(s.debugger->trace().frames()[s.debugger->returned_from().value()].path == "while_loop_cond_graph_0@2/");
}

TEST_CASE("a step out in the past leaves one call of a loop, not all of them") {
  Session s("loop_to_nan");
  stop_at(s, "while_loop_body_graph_0@1/sqrt");
  const size_t then = s.debugger->time();
  s.debugger->run_without_stopping();
  s.settle();
  s.debugger->set_time(then);
  REQUIRE(place(s) == "while_loop_body_graph_0@1/sqrt");
  s.debugger->step_out();
  CHECK(place(s) == "while_loop_cond_graph_0@2/lt");
  s.debugger->step_out();
  CHECK(place(s) == "while_loop_body_graph_0@2/add");
}

TEST_CASE("hits are counted where nothing stops") {
  Session s("loop_to_nan");
  s.start();
  const size_t own = s.debugger->breakpoints.size();
  for (const char* text : {"while_loop_body_graph_0/sqrt", "while_loop_body_graph_0/sqrt", "while_loop_body_graph_0/add"})
    s.debugger->breakpoints.push_back(*parse_breakpoint(text, *s.program));
  s.debugger->breakpoints[own + 1].condition = BreakpointCondition::NaN;
  s.debugger->breakpoints[own + 2].hit_at_least = 2;
  s.debugger->run_without_stopping();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  CHECK(s.debugger->breakpoints[own].hits == 6);
  CHECK(s.debugger->breakpoints[own + 1].hits == 1);
  CHECK(s.debugger->breakpoints[own + 2].hits == 6);
}

TEST_CASE("a breakpoint on one call stops there only, forwards and back") {
  Session s("loop_to_nan");
  stop_at(s, "while_loop_body_graph_0@3/sqrt");
  CHECK(place(s) == "while_loop_body_graph_0@3/sqrt");
  CHECK(s.debugger->stop_reason() == "breakpoint while_loop_body_graph_0@3/sqrt before while_loop_body_graph_0@3/sqrt");
  s.debugger->run();
  s.settle();
  CHECK(s.debugger->state() == RunState::Finished);
  CHECK(s.debugger->breakpoints.back().hits == 1);
  s.debugger->back_to_breakpoint();
  CHECK(place(s) == "while_loop_body_graph_0@3/sqrt");
  // What the list shows is read again.
  CHECK(parse_breakpoint(where_text(s.debugger->breakpoints.back(), *s.program), *s.program)->call == "while_loop_body_graph_0@3/");
  // With a condition, it is judged in that call.
  Session t("loop_to_nan");
  Breakpoint nan = *parse_breakpoint("while_loop_body_graph_0@4/sqrt", *t.program);
  nan.condition = BreakpointCondition::NaN;
  t.debugger->breakpoints.push_back(nan);
  nan = *parse_breakpoint("while_loop_body_graph_0@5/sqrt", *t.program);
  nan.condition = BreakpointCondition::NaN;
  t.debugger->breakpoints.push_back(nan);
  t.start();
  t.debugger->run();
  t.settle();
  CHECK(t.debugger->stop_reason() == "after while_loop_body_graph_0@5/sqrt: 2 NaN of 3 (NaN)");
}

TEST_CASE("a reproduction of one call has the inputs of that call") {
  Session s("loop_to_nan");
  const NamedNode sqrt = *find_named_node(*s.program, "while_loop_body_graph_0@5/sqrt");
  const test::Scratch scratch;
  REQUIRE(write_repro(*s.file, s.program, {sqrt.node}, {}, scratch.path("r"), sqrt.call));
  const auto expected = read_tensor_file(scratch.path("r/expected.pt"));
  REQUIRE(expected);
  const Tensor* value = expected->find("sqrt");
  REQUIRE(value);
  // As in PyTorch: the root of [-0.2454, -0.0249, 0.0609].
  CHECK(value->data<float>()[0] != value->data<float>()[0]);
  CHECK(value->data<float>()[1] != value->data<float>()[1]);
  CHECK(value->data<float>()[2] == doctest::Approx(0.2468f).epsilon(1e-3));
  const auto refused = write_repro(*s.file, s.program, {sqrt.node}, {}, scratch.path("s"), "while_loop_body_graph_0@6/");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().advice == "A node before them failed, or their sub-graph was not called so often: there is no while_loop_body_graph_0@6.");
}
