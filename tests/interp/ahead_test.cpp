// What a run has passed for good, and what it can still come to.
#include <doctest/doctest.h>

#include "interp/run_report.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

bool behind(Session& s, const char* place) {
  const auto b = parse_breakpoint(place, *s.program);
  REQUIRE(b);
  return s.debugger->lies_behind(*b);
}

void run_to(Session& s, const char* place) {
  s.debugger->run_to(*parse_breakpoint(place, *s.program));
  s.settle();
}

}  // namespace

TEST_CASE("a node of the program lies behind once it ran, and ahead again where one looks back") {
  Session s("shared_module");
  s.start();
  run_to(s, "relu");
  CHECK(behind(s, "linear"));
  CHECK_FALSE(behind(s, "relu"));
  CHECK(behind(s, "linear_1"));
  CHECK_FALSE(behind(s, "linear_2"));
  CHECK_FALSE(behind(s, "op=aten.linear.*"));
  s.debugger->set_time(0);
  CHECK_FALSE(behind(s, "linear"));
  s.debugger->run();
  s.settle();
  s.debugger->run_without_stopping();
  s.settle();
  CHECK(behind(s, "relu"));
  CHECK(behind(s, "op=aten.linear.*"));
}

TEST_CASE("a loop's body comes again, one of its calls does not") {
  Session s("while_loop");
  s.start();
  run_to(s, "while_loop_body_graph_0@2/mul");
  CHECK_FALSE(behind(s, "while_loop_body_graph_0/add"));
  CHECK(behind(s, "while_loop_body_graph_0@1/add"));
  CHECK(behind(s, "while_loop_body_graph_0@2/add"));
  CHECK_FALSE(behind(s, "while_loop_body_graph_0@3/add"));
  CHECK(behind(s, "while_loop"));  // it is under way
  run_to(s, "getitem");
  CHECK(behind(s, "while_loop_body_graph_0/add"));
}

TEST_CASE("a call has begun from its first step on") {
  Session s("loop_to_nan");
  s.start();
  const auto last = s.debugger->trace().frames().size();
  CHECK(last == 1);
  CHECK_FALSE(s.debugger->has_begun(FrameId(1)));
  s.debugger->run_without_stopping();
  s.settle();
  CHECK(s.debugger->has_begun(FrameId(1)));
  s.debugger->set_time(1);
  CHECK_FALSE(s.debugger->has_begun(FrameId(1)));
}

TEST_CASE("an operator's arguments are live while it runs, beside its result") {
  Session s("shared_module");
  s.run_to_end();
  const auto live = [&](const char* node) { return s.debugger->trace().steps()[*s.debugger->trace().step_of(s.at(node))].live_bytes; };
  CHECK(live("linear") == 24);    // f32[2, 3]; inputs and weights lie apart
  CHECK(live("linear_1") == 48);
  CHECK(live("linear_4") == 48);  // relu_1 waits for add
  CHECK(live("add") == 72);
}

TEST_CASE("a whole run says which of its places it never came to") {
  Session s("while_loop");
  RunRequest request;
  request.breaks = {*parse_breakpoint("while_loop_body_graph_0@17/mul", *s.program)};
  auto report = run_program(*s.file, s.program, request);
  REQUIRE(report);
  CHECK(report->finished);
  CHECK(report->not_reached == std::vector<std::string>{"while_loop_body_graph_0@17/mul"});
  request.breaks = {*parse_breakpoint("while_loop_body_graph_0@2/mul", *s.program)};
  report = run_program(*s.file, s.program, request);
  REQUIRE(report);
  CHECK(report->stopped_at == "while_loop_body_graph_0@2/mul");
  CHECK(report->not_reached.empty());
  request.breaks.assign(1, {});
  request.breaks[0].kind = BreakpointKind::Any;
  request.breaks[0].condition = BreakpointCondition::NaN;
  report = run_program(*s.file, s.program, request);
  REQUIRE(report);
  CHECK(report->not_reached == std::vector<std::string>{"nan"});
}
