// What a run with edits keeps of the run it stands beside: the call that is looked at, its stop, the hits of breakpoints.
#include <doctest/doctest.h>

#include "interp/what_if.h"
#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

TEST_CASE("the call that is looked at stays through an edit, and when it is taken back") {
  Session s("while_loop");
  s.run_to_end();
  const NamedNode mul = *find_named_node(*s.program, "while_loop_body_graph_0/mul");
  const auto shown = [&] { return s.debugger->trace().frames()[s.debugger->shown(mul.node)->frame].path; };
  s.debugger->choose_call(mul.node.graph, s.debugger->trace().calls_of(mul.node.graph)[1]);
  REQUIRE(shown() == "while_loop_body_graph_0@1/");
  s.debugger->edit_value(mul.node, "", "mul + 1", "while_loop_body_graph_0@1/");
  s.settle();
  CHECK(shown() == "while_loop_body_graph_0@1/");
  s.debugger->edit_value(mul.node, "", "mul + 2", "while_loop_body_graph_0@1/");
  s.settle();
  CHECK(shown() == "while_loop_body_graph_0@1/");
  s.debugger->clear_edits();
  s.settle();
  CHECK(shown() == "while_loop_body_graph_0@1/");
  s.debugger->follow_calls();
  CHECK(shown() == "while_loop_body_graph_0@4/");
}

TEST_CASE("what a rule stopped at is back with its origin when edits are taken back") {
  Session s("nan_sources");
  s.debugger->breakpoints[0].enabled = true;
  s.start();
  s.debugger->run();
  s.settle();
  REQUIRE(s.debugger->stopped_by());
  REQUIRE(s.debugger->slice());
  const std::string reason = s.debugger->stop_reason(), origin = s.debugger->slice()->origin;
  s.debugger->edit_value(s.node("ones"), "", "2");
  s.settle();
  s.debugger->clear_edits();
  s.settle();
  CHECK(s.debugger->stop_reason() == reason);
  CHECK(s.debugger->stopped_by());
  REQUIRE(s.debugger->slice());
  CHECK(s.debugger->slice()->origin == origin);
}

TEST_CASE("all edits of a node are taken back at once: of one call and of every call, its value and its arguments") {
  Session s("while_loop");
  s.run_to_end();
  const NodeRef mul = find_named_node(*s.program, "while_loop_body_graph_0/mul")->node;
  const std::string before = summary(*s.debugger->value(s.node("getitem_1")));
  s.debugger->edit_value(mul, "", "mul + 1", "while_loop_body_graph_0@0/");
  s.settle();
  s.debugger->edit_value(mul, "", "mul * 2");
  s.settle();
  REQUIRE(s.debugger->edits().size() == 2);
  s.debugger->clear_edits_of(mul);
  s.settle();
  CHECK(s.debugger->edits().empty());
  CHECK(summary(*s.debugger->value(s.node("getitem_1"))) == before);
}

TEST_CASE("the hits of breakpoints are those of the run as it stands, with edits and without") {
  Session s("nan_sources");
  for (const char* place : {"sqrt", "op=aten.select.int", "any"}) s.debugger->breakpoints.push_back(*parse_breakpoint(place, *s.program));
  std::string problem;
  s.debugger->breakpoints.back().action = BreakpointAction::Collect;
  REQUIRE(parse_condition("NaN", s.debugger->breakpoints.back(), problem));
  const auto hits = [&] {
    std::vector<uint64_t> counts;
    for (size_t i = 3; i < s.debugger->breakpoints.size(); ++i) counts.push_back(s.debugger->breakpoints[i].hits);
    return counts;
  };
  s.start();
  for (const char* stop : {"select", "select_1"}) {
    s.debugger->run();
    s.settle();
    REQUIRE(s.cursor() == stop);
  }
  const auto before = hits();
  CHECK(before[0] == 1);
  CHECK(before[1] == 2);
  CHECK(before[2] > 1);
  s.debugger->edit_value(s.node("ones"), "", "2");  // NaN are where they were
  s.settle();
  REQUIRE(s.cursor() == "select_1");
  CHECK(hits() == before);
  s.debugger->edit_value(s.node("cat"), "", "0");
  s.settle();
  CHECK(hits()[2] < before[2]);
  s.debugger->run();
  s.settle();
  CHECK(s.cursor() == "select_2");
  CHECK(hits()[1] == 3);  // it stood at the second already
  s.debugger->clear_edits();
  s.settle();
  CHECK(s.cursor() == "select_1");
  CHECK(hits() == before);
}

TEST_CASE("what an edit gave counts among the values that are kept, and as the node's bytes") {
  Session s("shared_module");
  s.run_to_end();
  const size_t before = s.debugger->trace().kept_bytes();
  const size_t bytes = s.debugger->trace().run_of(s.at("relu"))->bytes;
  REQUIRE(bytes > 0);
  for (const char* text : {"0.5", "relu * 2"}) {
    s.debugger->edit_value(s.node("relu"), "", text);
    s.settle();
    REQUIRE_FALSE(s.debugger->problem());
    CHECK(s.debugger->trace().kept_bytes() == before);
    CHECK(s.debugger->trace().run_of(s.at("relu"))->bytes == bytes);
  }
}
