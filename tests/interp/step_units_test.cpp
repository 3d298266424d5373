// Steps back go by the units of steps over, or of steps into.
#include <string>
#include <vector>

#include "tests/interp/session.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Session;

namespace {

using Places = std::vector<std::string>;

std::string place(const Session& s) {
  const auto here = s.debugger->cursor();
  return here ? s.debugger->trace().frames()[here->frame].path + s.cursor() + (s.debugger->returned_from() ? " goes on" : "") : "end";
}

// Where the run stands, and after each of `steps` until nothing changes.
template <typename Step>
Places walk(Session& s, Step step) {
  Places places{place(s)};
  for (size_t time = s.debugger->time();; time = s.debugger->time()) {
    step();
    s.settle();
    if (s.debugger->time() == time) return places;
    places.push_back(place(s));
  }
}
Places over(Session& s) { return walk(s, [&] { s.debugger->step_over(); }); }
Places into(Session& s) { return walk(s, [&] { s.debugger->step_into(); }); }
Places back(Session& s) { return walk(s, [&] { s.debugger->step_back(); }); }
Places back_into(Session& s) { return walk(s, [&] { s.debugger->step_back_into(); }); }

Places reversed(Places places) { return {places.rbegin(), places.rend()}; }

}  // namespace

TEST_CASE("steps back stand where steps over stood: a node with its sub-graphs is one step") {
  for (const char* name : {"loop_to_nan", "nested_cond", "while_loop", "mutations"}) {
    INFO(std::string(name));
    Session s(name);
    s.start();
    const Places places = over(s);
    CHECK(places.size() > 2);
    CHECK(back(s) == reversed(places));
    CHECK(over(s) == places);
  }
}

TEST_CASE("steps back into sub-graphs go by operators, through all that steps into come to") {
  for (const char* name : {"loop_to_nan", "nested_cond", "while_loop"}) {
    INFO(std::string(name));
    Session s(name);
    s.start();
    const Places places = into(s);
    CHECK(back_into(s) == reversed(places));
    CHECK(into(s) == places);
  }
}

TEST_CASE("in a call a step back goes to the operator before, from the first of the first call to the node that makes it") {
  Session s("loop_to_nan");
  s.debugger->breakpoints.push_back(*parse_breakpoint("while_loop_body_graph_0@1/sub", *s.program));
  s.start();
  s.debugger->run();
  s.settle();
  const Places places = back(s);
  const Places calls{"while_loop_body_graph_0@1/sub",  "while_loop_body_graph_0@1/add", "while_loop_cond_graph_0@1/lt", "while_loop_body_graph_0@0/sqrt",
                     "while_loop_body_graph_0@0/sub", "while_loop_body_graph_0@0/add", "while_loop_cond_graph_0@0/lt", "while_loop"};
  CHECK(places == calls);
}

TEST_CASE("a loop that went on steps back to where it had not begun") {
  Session s("loop_to_nan");
  s.debugger->breakpoints[0].enabled = true;
  s.start();
  s.debugger->run();
  s.settle();
  REQUIRE(place(s) == "while_loop goes on");
  s.debugger->step_back();
  CHECK(place(s) == "while_loop");
  CHECK(s.debugger->executed() == 0);
}

TEST_CASE("run to a node that makes calls, in the past, and continue back stand before it begins") {
  Session s("loop_to_nan");
  s.debugger->toggle_breakpoint(s.node("map_impl"));
  s.start();
  s.debugger->run();
  s.settle();
  const size_t before = s.debugger->time();
  s.debugger->run_without_stopping();
  s.settle();
  s.debugger->back_to_breakpoint();
  CHECK(s.debugger->time() == before);
  s.debugger->step_into();
  REQUIRE(place(s) == "body_graph_0@0/log");
  s.debugger->back_to_breakpoint();
  CHECK(place(s) == "map_impl");
  s.debugger->back_to_breakpoint();
  CHECK(place(s) == "while_loop");
  s.debugger->run_to(s.node("map_impl"));
  CHECK(s.debugger->time() == before);
  CHECK(place(s) == "map_impl");
}

TEST_CASE("a folded module is one step back, from its end and from within") {
  Session s("shared_module");
  s.start();
  const ModuleId block = s.program->node(s.node("relu")).module;
  s.debugger->step_over(block);
  s.settle();
  CHECK(place(s) == "linear_2");
  REQUIRE(s.debugger->operator_before());
  CHECK(*s.debugger->operator_before() == s.at("relu"));
  s.debugger->step_back(block);
  CHECK(place(s) == "linear");
  s.debugger->step_over(block);
  CHECK(place(s) == "linear_2");
  for (const std::string at : {"relu", "linear_1"}) {
    s.debugger->step_back();
    CHECK(place(s) == at);
  }
  s.debugger->step_back(block);
  CHECK(place(s) == "linear");
  CHECK_FALSE(s.debugger->operator_before());
}

TEST_CASE("a call with several results is one step with the getitems that take them, where these have no boxes") {
  Session s("lists");
  s.start();
  const Places places = walk(s, [&] { s.debugger->step_over({}, true); });
  CHECK(places == Places{"split", "unbind", "topk", "stack", "gt", "where", "sym_size_int", "ge", "_assert_scalar_default", "le", "_assert_scalar_default_1", "end"});
  CHECK(walk(s, [&] { s.debugger->step_back({}, true); }) == reversed(places));
  CHECK(walk(s, [&] { s.debugger->step_over({}, true); }) == places);  // through the past
  CHECK(back(s).size() > places.size());
}
