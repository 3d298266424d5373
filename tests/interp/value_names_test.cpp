#include "interp/value_names.h"

#include <doctest/doctest.h>

#include "interp/watch_expression.h"
#include "tests/interp/session.h"
#include "tests/support/test_files.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

std::string watched(Session& s, std::string expression) {
  s.debugger->watches.clear();
  s.debugger->add_watch(std::move(expression));
  s.settle();
  return s.debugger->watches[0].value;
}

// Runs with x = y = 1 up to the first operator.
void start_with_ones(Session& s) {
  InputRequest request;
  request.texts = {{"x", "1"}, {"y", "1"}};
  s.debugger->start(request);
  s.settle();
  REQUIRE(!s.debugger->problem());
}

void add_any(Session& s, std::string_view condition) {
  Breakpoint any;
  any.kind = BreakpointKind::Any;
  std::string problem;
  REQUIRE(parse_condition(condition, any, problem));
  s.debugger->breakpoints.push_back(any);
  s.debugger->breakpoints_changed();
}

void run(Session& s) {
  s.debugger->run();
  s.settle();
}

}  // namespace

TEST_CASE("a path is one name where the program has it, else a division") {
  Session s("nested_cond");
  auto name = [&](std::string_view text) { return text.substr(0, name_length(text, *s.program)); };
  CHECK(name("sum_1/gt") == "sum_1");
  CHECK(name("true_graph_0/sum_1.max()") == "true_graph_0/sum_1");
  CHECK(name("true_graph_0@0/true_graph_0@12/add/2") == "true_graph_0@0/true_graph_0@12/add");
  CHECK(name("true_graph_0/nothing > 1") == "true_graph_0/nothing");
  CHECK(find_value(*s.program, "true_graph_0/true_graph_0/add").node);
  CHECK(find_value(*s.program, "true_graph_0/false_graph_0/sub").node);
  CHECK(!find_value(*s.program, "false_graph_0/sub/mul").node);
  CHECK(!find_value(*s.program, "true_graph_0/nothing").node);
  CHECK(means_call("b@2/", "a@0/b@2/"));
  CHECK(means_call("a/b/", "a@0/b@2/"));
  CHECK(!means_call("b@1/", "a@0/b@2/"));
  CHECK(!means_call("a/b/", "b@2/"));
  CHECK(unknown_name("true_graph_0/nothing.nan() > 0", *s.program) == "true_graph_0/nothing");
  CHECK(unknown_name("true_graph_0@0/add.nan() > 0", *s.program) == "");
}

TEST_CASE("watches name values of sub-graphs, and of one of their calls") {
  Session s("while_loop");
  s.run_to_end();
  CHECK(watched(s, "while_loop_body_graph_0/add") == "i64[] = 5");
  CHECK(watched(s, "while_loop_body_graph_0@0/add") == "i64[] = 1");
  CHECK(watched(s, "while_loop_body_graph_0@3/add + while_loop_body_graph_0@0/add") == "i64[] = 5");
  CHECK(watched(s, "while_loop_body_graph_0@3/add/2") == "f32[] = 2");
  CHECK(watched(s, "while_loop_body_graph_0@7/add") == "there was no call while_loop_body_graph_0@7");
  CHECK(watched(s, "add") == "i64[] = 5");  // no other graph has one
}

TEST_CASE("a name alone is of the call one stands in, else of the program, never of another graph") {
  Session s("nested_cond");
  start_with_ones(s);
  CHECK(watched(s, "sum_1").find("not evaluated yet") != std::string::npos);
  s.debugger->step_over();
  s.settle();
  const std::string root = watched(s, "sum_1");
  CHECK(root.starts_with("f32[] = "));
  s.debugger->step_over();
  s.settle();
  s.debugger->step_into();
  s.settle();
  REQUIRE(s.cursor() == "sum_1");
  CHECK(watched(s, "sum_1").find("not evaluated yet") != std::string::npos);
  CHECK(watched(s, "mul").find("several sub-graphs have a \"mul\"") != std::string::npos);
  for (int steps = 0; steps < 2; ++steps) {
    s.debugger->step_over();
    s.settle();
  }
  s.debugger->step_into();
  s.settle();
  REQUIRE(s.cursor() == "add");
  CHECK(watched(s, "mul").find("\"mul\" is not evaluated yet") != std::string::npos);  // of the graph one stands in
  s.debugger->run();
  s.settle();
  CHECK(watched(s, "sum_1") == root);
}

TEST_CASE("the program's own value is named from within a sub-graph that has one of that name") {
  Session s("nested_cond");
  start_with_ones(s);
  for (int steps = 0; steps < 2; ++steps) {
    s.debugger->step_over();
    s.settle();
  }
  const std::string own = watched(s, "sum_1");
  s.debugger->step_into();
  s.settle();
  REQUIRE(watched(s, "sum_1").find("not evaluated yet") != std::string::npos);
  CHECK(watched(s, "::sum_1") == own);
  CHECK(watched(s, "::sum_1 - ::sum_1.sum()") == "f32[] = 0");
  CHECK(watched(s, "maximum(::sum_1, ::sum_1)") == own);
  CHECK(watched(s, "::nothing").find("unknown name \"::nothing\"") != std::string::npos);
  CHECK(find_named_node(*s.program, "::sum_1")->node.graph == s.program->root());
  CHECK(unknown_name("::sum_1.nan() > 0", *s.program) == "");
  CHECK(unknown_name("::nothing.nan() > 0", *s.program) == "::nothing");
  CHECK(names_in("x[::2] + y[0, ::n] + ::x", *s.program) == std::vector<std::string>{"x", "y", "n", "::x"});
}

TEST_CASE("a condition and an edit in a sub-graph take the program's own value") {
  Session s("nested_cond");
  add_any(s, "::sum_1 > -1000 and true_graph_0/sum_1 > -1000");
  start_with_ones(s);
  run(s);
  CHECK(s.debugger->stop_reason().find("true_graph_0") != std::string::npos);
}

TEST_CASE("conditions name values of sub-graphs") {
  {
    Session s("while_loop");
    add_any(s, "while_loop_body_graph_0/add > 2");
    s.start();
    run(s);
    CHECK(s.debugger->stop_reason() == "after while_loop_body_graph_0@2/add: while_loop_body_graph_0/add > 2");
  }
  {
    Session s("while_loop");
    add_any(s, "while_loop_body_graph_0@1/add > 0");
    s.start();
    run(s);
    CHECK(s.debugger->stop_reason().starts_with("after while_loop_body_graph_0@1/add"));
  }
}

TEST_CASE("a breakpoint on any operator stops before those that its counts mean") {
  struct Case { const char *condition, *first, *second; };
  for (const Case& c : {Case{"hit >= 3", "mul", "t"}, Case{"every 5", "contiguous", "add"}, Case{"always", "div", "mul"}}) {
    CAPTURE(std::string(c.condition));
    Session s("nan_sources");
    add_any(s, c.condition);
    s.start();
    run(s);
    CHECK(s.cursor() == c.first);
    CHECK(s.debugger->stop_reason() == "breakpoint any before " + std::string(c.first));
    run(s);
    CHECK(s.cursor() == c.second);
  }
}

TEST_CASE("a condition of counts alone is written as its counts, and what it logs has them") {
  for (const char* text : {"every 2", "hit >= 3", "hit >= 3, every 2", "NaN, every 2", "always"}) {
    Breakpoint b;
    std::string problem;
    REQUIRE(parse_condition(text, b, problem));
    CHECK(condition_text(b) == text);
  }
  Session s("nan_sources");
  add_any(s, "every 5");
  s.debugger->breakpoints.back().action = BreakpointAction::Log;
  s.debugger->breakpoints_changed();
  s.run_to_end();
  REQUIRE_FALSE(s.debugger->log().empty());
  CHECK(s.debugger->log().front().find(": every 5 (any)") != std::string::npos);
}

TEST_CASE("a node is found by its path, in every call or in one") {
  const auto program = test::open_data("programs/while_loop.pt2")->program();
  const auto every = find_named_node(*program, "while_loop_body_graph_0/mul"), one = find_named_node(*program, "while_loop_body_graph_0@3/mul");
  REQUIRE(every);
  REQUIRE(one);
  CHECK(every->node == one->node);
  CHECK(every->call.empty());
  CHECK(one->call == "while_loop_body_graph_0@3/");
  CHECK(name_in_call(*program, one->node, one->call) == "while_loop_body_graph_0@3/mul");
  CHECK(name_in_call(*program, one->node, "") == "while_loop_body_graph_0/mul");
  CHECK_FALSE(find_named_node(*program, "while_loop_body_graph_0@/mul"));
  CHECK_FALSE(find_named_node(*program, "mul"));
}

TEST_CASE("a call is known by its path; calls around it may be left out") {
  CHECK(means_call("", "a@0/b@2/"));
  CHECK(means_call("b@2/", "a@0/b@2/"));
  CHECK(means_call("a@0/b@2/", "a@0/b@2/"));
  CHECK(means_call("a@0/b/", "a@0/b@2/"));
  CHECK_FALSE(means_call("a@1/b/", "a@0/b@2/"));
  CHECK_FALSE(means_call("b@2/", "a@0/b@21/"));
  CHECK_FALSE(means_call("a@0/b@2/", "b@2/"));
  CHECK_FALSE(means_call("b@2/", ""));
}

TEST_CASE("expressions join truths as Python does, and tell the infinities apart") {
  Session s("while_loop");
  s.run_to_end();
  CHECK(watched(s, "getitem == 5 and not getitem > 5") == "True");
  CHECK(watched(s, "getitem > 5 or getitem < 5") == "False");
  CHECK(watched(s, "(getitem > 5 or getitem == 5) and 1") == "True");
  CHECK(watched(s, "not 0 and not 1 or 1") == "True");
  CHECK(watched(s, "'a' and 1").find("neither true nor false") != std::string::npos);
  CHECK(unknown_name("getitem and not nothing", *s.program) == "nothing");
  CHECK(watched(s, "getitem_1.new_full([3], -inf)") == "f32[3]  -Inf 3");
  CHECK(watched(s, "getitem_1 * inf").find("Inf ") != std::string::npos);
}
