#include "interp/named_node.h"

#include <doctest/doctest.h>

#include "tests/support/test_files.h"

using namespace pt2;
using namespace pt2::interp;

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
  CHECK(in_call("a@0/b@2/", ""));
  CHECK(in_call("a@0/b@2/", "b@2/"));
  CHECK(in_call("a@0/b@2/", "a@0/b@2/"));
  CHECK(in_call("a@0/b@2/", "a@0/b/"));
  CHECK_FALSE(in_call("a@0/b@2/", "a@1/b/"));
  CHECK_FALSE(in_call("a@0/b@21/", "b@2/"));
  CHECK_FALSE(in_call("b@2/", "a@0/b@2/"));
  CHECK_FALSE(in_call("", "b@2/"));
}
