// Hunting a NaN: what the banner says of NaN that edits bring, Inf that is asked for, messages of breakpoints, inputs.
#include "core/encode/write_pt2.h"
#include "tests/gui/driver.h"
#include "tests/support/json_program.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

std::string program(const std::string& name) { return std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2"; }

const std::string kRun = "key F5\nwait idle\nclick inputs/run\nwait idle\n";

}  // namespace

TEST_CASE("what if: the first NaN in a branch that the original did not run is found there") {
  Driver d({program("nested_cond")});
  CHECK(d.run("wait idle\n" + kRun + "debug.edit_argument true_graph_0/false_graph_0/mul other nan\nwait idle\ndebug.edit_value gt true\nwait idle\n"
              "expect graph/banner/edits text \"NaN that the original has not, first in true_graph_0\"\n"));
}

TEST_CASE("a message that names what is not there is refused, and what was set stays") {
  Driver d({program("nan_sources")});
  REQUIRE(d.run("wait idle\nbreakpoint.add sqrt\nbreakpoint.action 0 log min {min}\nwait idle\n"));
  REQUIRE(d.run("breakpoint.message 0 {mean}\nwait idle\n"));
  bool said = false;
  for (const auto& line : d.app.workspace().messages()) said = said || line.text == "\"mean\" is neither a value, a symbol nor a function of this program";
  CHECK(said);
  CHECK(d.run(kRun));
  bool logged = false;
  for (const auto& line : d.app.workspace().messages()) logged = logged || line.text == "min 1";
  CHECK(logged);
}

TEST_CASE("only sizes that inputs have are offered") {
  {
    Driver d({program("data_dependent")});
    CHECK(d.run("wait idle\nkey F5\nwait idle\nexpect inputs/samples text \"on\"\nexpect inputs/symbol/u0 absent\n"));
  }
  Driver symbolic({program("symbolic")});
  CHECK(symbolic.run("wait idle\nkey F5\nwait idle\nexpect inputs/symbol/s77 text \"\"\n"));
}

TEST_CASE("an Inf that is asked for in a branch is asked for outside of it, beside a NaN of the other result") {
  const auto branch = pt2::test::JsonProgram().input("a").call("log", "aten.log.default", "self=a").node(R"({"target": "torch.ops.aten.full_like.default", "inputs": [
      {"name": "self", "arg": {"as_tensor": {"name": "a"}}, "kind": 1}, {"name": "fill_value", "arg": {"as_float": "-Infinity"}, "kind": 1}],
      "outputs": [{"as_tensor": {"name": "full_like"}}], "metadata": {}})").value("full_like", "2, 3").output("log").output("full_like");
  const auto graph = [&](const std::string& name) { return R"({"name": "", "arg": {"as_graph": {"name": ")" + name + R"(", "graph": )" + branch.graph() + R"(}}, "kind": 1})"; };
  const auto program = pt2::test::JsonProgram().input("x").node(R"({"target": "torch.ops.higher_order.cond", "inputs": [{"name": "", "arg": {"as_bool": true}, "kind": 1}, )" + graph("yes") + ", " + graph("no") +
      R"(, {"name": "", "arg": {"as_tensors": [{"name": "x"}]}, "kind": 1}], "outputs": [{"as_tensors": [{"name": "y"}, {"name": "z"}]}], "metadata": {}})").value("y", "2, 3").value("z", "2, 3").output("y").output("z").decode();
  const pt2::test::Scratch folder;
  const std::string path = folder.path("asked.pt2");
  REQUIRE(pt2::write_pt2(path, {*program, {}, {}, {}}).has_value());
  Driver d({path});
  REQUIRE(d.run("wait idle\ndebug.set_input x=-1\n" + kRun + "expect status/run text \"NaN in \"\n"));
  CHECK(d.app.probe().find("status/run")->text.find("Inf") == std::string::npos);
}
