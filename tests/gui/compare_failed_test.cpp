// Nodes that fail when both programs of a comparison run: among the problems of both sides, and in the graphs.
#include "tests/gui/driver.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;
using pt2::test::JsonProgram;
using pt2::test::saved;

namespace {

// x holds six elements: PyTorch, too, refuses to view them as five.
JsonProgram viewed_as(const char* size) {
  return JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").call("view", "aten.view.default", std::string("self=neg, size=") + size).output("view");
}
const std::string kFails = "B fails at view when both run: shape '[5]' is invalid for input of size 6";

size_t failures_listed(Driver& d) {
  size_t count = 0;
  const auto state = d.state();
  for (const auto& problem : state["problems"]) count += problem["rule"] == "run.failed";
  return count;
}

}  // namespace

TEST_CASE("run both: a node that fails is a problem of both sides, leads to it, and has its sign in the graph") {
  const pt2::test::Scratch scratch;
  Driver d({saved(scratch.path("left.pt2"), viewed_as("[6]")), saved(scratch.path("right.pt2"), viewed_as("[5]"))});
  CHECK(d.run("wait idle\n"
              "compare.run\n"
              "wait idle\n"
              "expect graph.b/node/view text \"failed\"\n"
              "expect graph.b/node/neg exists\n"));
  for (const char* tab : {"centre/tab/0", "centre/tab/1"}) {
    CHECK(d.run("click " + std::string(tab) + "\nview.pane problems\nwait idle\n"));
    REQUIRE(failures_listed(d) == 1);
    const auto problem = d.state()["problems"].back();
    CHECK(problem["severity"] == "error");
    CHECK(problem["where"] == "B, node \"view\"");
    CHECK_MESSAGE(problem["message"].get<std::string>().starts_with(kFails), problem["message"]);
    const std::string row = "problems/row/" + std::to_string(d.state()["problems"].size() - 1);
    CHECK(d.run("select.node neg\nclick " + row + "\nwait idle\nexpect state.selection.node == \"view\"\n"));
    CHECK(d.run("click problems/explain\nwait idle\nexpect rules/lit/run.failed exists\nkey Escape\nwait idle\n"));
  }
  // The program that ran has no such sign.
  CHECK(!d.run("expect graph.a/node/view text \"failed\"\n"));
  // What was said of a comparison that is over is gone.
  CHECK(d.run("compare.close\nwait idle\n"));
  CHECK(failures_listed(d) == 0);
}

TEST_CASE("run both: both sides' failures are listed, and those of a run before are gone") {
  const pt2::test::Scratch scratch;
  Driver d({saved(scratch.path("left.pt2"), viewed_as("[5]")), saved(scratch.path("right.pt2"), viewed_as("[5]"))});
  CHECK(d.run("wait idle\ncompare.run\nwait idle\nexpect graph.a/node/view text \"failed\"\nexpect graph.b/node/view text \"failed\"\n"));
  CHECK(failures_listed(d) == 2);
  CHECK(d.run("compare.isolate\nwait idle\n"));  // both run again
  CHECK(failures_listed(d) == 2);
  CHECK(d.run("debug.set_input x=normal()\ncompare.run\nwait idle\n"));
  CHECK(failures_listed(d) == 2);
}

TEST_CASE("run both: a node that fails and has no counterpart is gone to on its own side") {
  const pt2::test::Scratch scratch;
  const JsonProgram plain = JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").output("neg");
  JsonProgram longer = JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").call("view", "aten.view.default", "self=neg, size=[5]").output("neg");
  Driver d({saved(scratch.path("left.pt2"), plain), saved(scratch.path("right.pt2"), longer)});
  CHECK(d.run("wait idle\ncompare.run\nwait idle\nclick centre/tab/0\nview.pane problems\nwait idle\n"));
  REQUIRE(failures_listed(d) == 1);
  CHECK(d.run("click problems/row/" + std::to_string(d.state()["problems"].size() - 1) + "\nwait idle\nexpect state.selection.node == \"view\"\n"));
}

TEST_CASE("run both in lockstep: a node that fails has its sign once both sides have got there") {
  const pt2::test::Scratch scratch;
  Driver d({saved(scratch.path("left.pt2"), viewed_as("[6]")), saved(scratch.path("right.pt2"), viewed_as("[5]"))});
  CHECK(d.run("wait idle\ncompare.run\nwait idle\ncompare.step\nwait idle\n"));
  CHECK(!d.run("expect graph.b/node/view text \"failed\"\n"));
  CHECK(d.run("compare.step\nwait idle\nexpect graph.b/node/view text \"failed\"\n"));
}
