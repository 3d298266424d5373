// What the panes around the debugger say: the banner, the status bar, scales of colours, calls of loops, the Inputs dialog.
#include "core/tensor/tensor_files.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"

using pt2::gui::Driver;

namespace {

std::string program(const std::string& name) { return std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2"; }

const std::string kRun = "debug.start\nwait idle\nclick inputs/run\nwait idle\n";

std::string expect(const std::string& what, const std::string& value) { return "expect state." + what + " == " + value + "\n"; }
std::string toast(const std::string& text) { return "expect state.toast has \"" + text + "\"\n"; }

}  // namespace

TEST_CASE("the way of a NaN is asked for the selected value, also after another") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\n" + kRun + "debug.show_producer mul\nwait idle\n" + expect("producer.node", "\"sqrt\"") + "select.node select_1\ndebug.show_producer\nwait idle\n" +
              expect("producer.node", "\"div\"")));
}

TEST_CASE("a later stop says nothing of where an earlier one came from") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\ndebug.stop_on_nonfinite on\nbreakpoint.add t\n" + kRun +
              "expect graph/banner/origin text \"sqrt[0, 1]\"\n"
              "click graph/banner/show_producer\nwait idle\n" +
              expect("graph.highlight", "\"origin\"") + "breakpoint.enable rule 0 off\ndebug.start\nwait idle\n" + expect("cursor", "\"t\"") +
              "expect graph/banner text \"before t\"\nexpect graph/banner/origin absent\n" + expect("graph.highlight", "null")));
}

TEST_CASE("the banner takes no more lines than its words and one of buttons") {
  Driver d({program("nan_sources")}, 1100, 700);
  CHECK(d.run("wait idle\ndebug.stop_on_nonfinite on\n" + kRun));
  const auto* top = d.app.probe().find("graph/banner");
  const auto* button = d.app.probe().find("graph/banner/continue");
  REQUIRE(top);
  REQUIRE(button);
  CHECK(button->max.y - top->min.y < 75);
}

TEST_CASE("after a run the status bar says that there is a NaN and leads to the first") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\n" + kRun + "expect status/run text \"Finished: NaN in \"\nexpect status/run text \"first sqrt\"\nclick status/run\nwait idle\n" + expect("selection.node", "\"sqrt\"")));
}

TEST_CASE("scales of colours say what has no place on them, and why there are none") {
  {
    Driver d({program("shared_module")});
    CHECK(d.run("wait idle\nview.color_by nonfinite\nwait idle\nexpect graph/scale text \"Run the program first\"\n" + kRun + "view.color_by nonfinite\nwait idle\n"
                "expect graph/scale text \"no NaN or Inf\"\n"
                "view.color_by mismatch\nwait idle\nexpect graph/scale text \"No reference\"\n"
                "debug.reference_run\nwait idle\nexpect graph/scale text \"no difference\"\n"));
  }
  Driver e({program("nan_sources")});
  CHECK(e.run("wait idle\n" + kRun + "view.color_by nonfinite\nwait idle\nexpect graph/scale text \"no NaN or Inf\"\ndebug.edit_value ones nan\nwait idle\nview.color_by max_abs\nwait idle\n"
              "expect graph/scale text \"NaN: \"\n"));
}

// masked_rows.pt2: an Inf that a mask asks for, and the NaN that softmax makes of a row of it.
TEST_CASE("colours, marks and the status bar tell an Inf that was asked for from one that arises, and NaN that arises from what inherits it") {
  Driver d({program("masked_rows")});
  CHECK(d.run("wait idle\n" + kRun + "view.color_by nonfinite\nwait idle\nexpect graph/scale text \"Inf asked for: \"\nexpect graph/scale text \"NaN arises: \"\n"
              "view.color_by max_abs\nwait idle\nexpect graph/scale text \"infinite: \"\nexpect status/run text \", first softmax; Inf in 8 more, first wide (earlier)\"\nview.color_by nonfinite\nwait idle\nexpect graph/scale text \"Inf: 8 nodes\"\n"
              "debug.set_input wide=1\ndebug.set_input signal=1\ndebug.set_input x=1\ndebug.restart\nwait idle\nexpect status/run text \", first softmax\"\n"));
  const pt2::views::ProbeItem* status = d.app.probe().find("status/run");
  REQUIRE(status);
  CHECK(status->text.find("Inf") == std::string::npos);
}

// two_origins.pt2: log makes NaN, div another of 0/0, sqrt a third.
TEST_CASE("where a NaN comes from is asked of a run's first, of a node, and of the element marked in the Tensor pane") {
  Driver d({program("two_origins")});
  CHECK(d.run("wait idle\n" + kRun + "view.color_by nonfinite\nwait idle\nexpect graph/scale text \"NaN arises: 3\"\nexpect graph/scale text \"NaN comes in: 1\"\n"
              "click menu/run\nwait idle\nclick menu/run/show_producer\nwait idle\nexpect graph/banner/origin text \"NaN comes from log[0]\"\n"
              "select.node sqrt\ndebug.show_producer\nwait idle\nexpect graph/banner/origin text \"NaN comes from sqrt[3] (made from finite arguments)\"\n"
              "click right/tab/tensor\nwait idle\ntensor.go_to 1\nwait idle\nclick tensor/show_producer\nwait idle\nexpect graph/banner/origin text \"NaN of sqrt comes from div[1]\"\n"
              "select.node sqrt\ntensor.go_to 0\nwait idle\nkey Alt+3\ndebug.show_producer\nwait idle\nexpect graph/banner/origin text \"NaN of sqrt comes from log[0]\"\n"
              "tensor.go_to 2\nwait idle\nexpect tensor/show_producer absent\n"));
}

TEST_CASE("the way of a run's first NaN is that of the call in which it is") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\n" + kRun + "debug.edit_value while_loop_body_graph_0@1/mul nan\nwait idle\ndebug.show_producer\nwait idle\n"
              "expect graph/banner/origin text \"NaN comes from while_loop_body_graph_0@1/mul\"\n"));
}

TEST_CASE("hits of nan:true follow an edit, outputs are counted nowhere, and the edited parameter is marked") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_nan.pt2"});
  REQUIRE(d.run("wait idle\n" + kRun + "search.open nan:true\nwait idle\nexpect status/run text \"NaN in 2 values\"\nview.color_by nonfinite\nwait idle\n"
                "expect graph/scale text \"NaN arises: 1 node\"\nexpect graph/scale text \"NaN comes in: 1 node\"\n"));
  CHECK(d.app.workspace().active()->search.hits.size() == 2);
  REQUIRE(d.run("debug.edit_value b_bn_running_var[3] 1.0\nwait idle\nexpect graph/banner/edits text \"3 values differ\"\n"));
  CHECK(d.app.workspace().active()->search.hits.empty());
  REQUIRE(d.run("debug.clear_edits\nwait idle\n"));
  CHECK(d.app.workspace().active()->search.hits.size() == 2);
}

TEST_CASE("a number that fills an input of symbolic sizes is no complaint") {
  Driver d({program("symbolic")});
  CHECK(d.run("wait idle\ndebug.inputs\nwait idle\ndebug.set_symbol s77=4\ndebug.set_symbol s27=6\ndebug.set_input x=0.5\nwait idle\nexpect inputs/violation/0 absent\n"
              "debug.set_input x=none.npy\nwait idle\nexpect inputs/violation/0 text \"neither a value\"\n"));
}

TEST_CASE("of a loop of thousands of turns Timeline draws a bar for each pixel, not for each operator") {
  Driver d({program("while_loop")});
  REQUIRE(d.run("wait idle\ndebug.set_input i=-6000\n" + kRun + "view.pane timeline\nwait idle\nexpect timeline/step/7 exists\nexpect timeline/step/12000 absent\n"));
  size_t bars = 0;
  const auto state = d.state();
  for (const auto& probe : state["probes"]) bars += probe["name"].get<std::string>().starts_with("timeline/step/");
  CHECK(bars < 8000);  // of 18,000: the first 4,096, and of the others two for each pixel
}

TEST_CASE("loops: a click on a bar shows the call it is of; a call is chosen by command") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\n" + kRun + "view.pane timeline\nwait idle\nclick timeline/step/1\nwait idle\n" + expect("selection.node", "\"while_loop_body_graph_0/add\"") +
              "expect timeline/call text \"call 0\"\n"
              "debug.choose_call 3\nwait idle\nexpect timeline/call text \"call 3\"\n"
              "debug.choose_call call 2\nwait idle\nexpect timeline/call text \"call 2\"\n"
              "debug.choose_call while_loop_body_graph_0@1\nwait idle\nexpect timeline/call text \"call 1\"\n"
              "debug.choose_call none\nwait idle\nexpect timeline/call text \"call 4\"\n"
              "debug.choose_call 9\nwait idle\n" + toast("has no call 9, the last is 4") + "debug.choose_call while_loop_body_graph_0@9\nwait idle\n" + toast("no call") +
              "debug.choose_call last\nwait idle\n" + toast("Expected GRAPH@2")));
}

TEST_CASE("a call that begins later, and a node that was passed, are said to be so") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\n" + kRun + "select.node while_loop_body_graph_0/mul\ndebug.set_time 1\nwait idle\ndebug.choose_call 3\nwait idle\n" + toast("while_loop_body_graph_0@3 has not begun") +
              "breakpoint.add mul if NaN\n" + toast("while_loop_body_graph_0/mul is one") +
              "debug.restart\nwait idle\nbreakpoint.add getitem_1\ndebug.restart\nwait idle\n" + expect("cursor", "\"getitem_1\"") +
              "debug.run_to getitem\nwait idle\n" + toast("getitem lies behind") + expect("run_state", "\"paused\"")));
}

TEST_CASE("breakpoints are numbered as the list and the state have them") {
  Driver d({program("nan_sources")});
  CHECK(d.run("wait idle\nbreakpoint.add mul\nbreakpoint.add t\nbreakpoint.action 1 log\nbreakpoint.condition 0 NaN\n" + expect("breakpoints[1].action", "\"log\"") +
              expect("breakpoints[0].condition", "\"NaN\"") + "breakpoint.action 2 log\n" + toast("There is no breakpoint \\\"2\\\", the last is 1") + "breakpoint.action 1 shout\n" +
              toast("Expected stop, log or collect") + "breakpoint.remove rule 0\n" + toast("stays") + "breakpoint.remove 0\n" + expect("breakpoints[0].where", "\"t\"") +
              "breakpoint.enable 0 off\n" + expect("breakpoints[0].enabled", "false") + "view.pane breakpoints\nwait idle\nclick breakpoints/rule/0/enabled\nwait idle\nexpect breakpoints/rule/0/enabled text \"on\"\n"));
}

TEST_CASE("a call shows the argument that an edit gives it beside the one of the file") {
  Driver d({program("shared_module")});
  CHECK(d.run("wait idle\n" + kRun + "select.node add\nwait idle\nexpect node/edit/value absent\ndebug.edit_argument add alpha 3\nwait idle\n"
              "expect node/arg/alpha text \"3  (What if; was 1)\"\nexpect node/edit/change exists\n"
              "debug.clear_edits\nwait idle\nexpect node/arg/alpha text \"1\"\n"));
}

TEST_CASE("inputs: shapes follow a given file, what contradicts it is said once, and why inputs are filled") {
  pt2::test::Scratch scratch;
  pt2::TensorFile file;
  file.tensors.emplace_back("x", pt2::test::floats({5, 6}, std::vector<float>(30, 1)));
  const std::string path = scratch.path("x.npy");
  REQUIRE(pt2::write_tensor_file(path, file));
  Driver d({program("symbolic")});
  CHECK(d.run("wait idle\ndebug.inputs\nwait idle\nexpect inputs/why_random absent\ndebug.set_input x=" + path + "\ndebug.set_symbol s77=7\nwait idle\n"
              "expect inputs/forecast/mul text \"f32[5, 6]\"\n"
              "expect inputs/violation/0 text \"s77 = 5 from x.shape[0], 7 was asked for\"\n"
              "expect inputs/why_random exists\n"
              "click inputs/run\nwait idle\nexpect inputs/problem text \"7 was asked for\"\nexpect toast/0 absent\n"));
  for (const auto& item : d.app.probe().items())
    if (item.name == "inputs/problem") CHECK(item.text.find("--") == std::string::npos);
}

TEST_CASE("the graph's bar stays in one line in the narrowest pane") {
  Driver d({program("nan_sources")}, 1100, 700);
  CHECK(d.run("wait idle\nview.both\nwait idle\nview.color_by mismatch\nwait idle\n"));
  const auto* fit = d.app.probe().find("graph/fit");
  const auto* legend = d.app.probe().find("graph/legend");
  REQUIRE(fit);
  REQUIRE(legend);
  CHECK(fit->min.y == legend->min.y);
  CHECK(d.app.probe().find("graph/overlay")->min.y == legend->min.y);
}

TEST_CASE("the Node pane edits and takes back what holds in the call it shows, and all of a node's edits") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\n" + kRun + "debug.edit_value while_loop_body_graph_0@4/mul mul + 1\nwait idle\ndebug.edit_value while_loop_body_graph_0/mul mul * 2\nwait idle\n"
              "select.node while_loop_body_graph_0/mul\nwait idle\nexpect node/edit/value text \"mul + 1\"\n"
              "debug.clear_edits while_loop_body_graph_0@4/mul\nwait idle\nexpect node/edit/value text \"mul * 2\"\n"
              "debug.edit_value while_loop_body_graph_0@4/mul mul + 1\nwait idle\nclick node/edit/clear\nwait idle\nexpect graph/banner/edits absent\n"));
  CHECK(d.run("debug.clear_edits while_loop_body_graph_0/mul\nwait idle\n" + toast("There is no edit of")));
}

TEST_CASE("the Node pane has a line for each of several elements that were edited, and takes one back alone") {
  Driver d({program("shared_module")});
  CHECK(d.run("wait idle\n" + kRun + "debug.edit_value relu_1[1, 0] 7\nwait idle\ndebug.edit_value relu_1[1, 1] 8\nwait idle\nselect.node relu_1\nwait idle\n"
              "expect node/edit/value text \"[1, 0] = 7\"\nexpect node/edit/value/1 text \"[1, 1] = 8\"\n"
              "click node/edit/value\nwait 3\nkey Ctrl+A\nkey Delete\nkey Enter\nwait idle\n"
              "expect node/edit/value text \"[1, 1] = 8\"\nexpect node/edit/value/1 absent\n"));
  CHECK(d.state()["edits"].size() == 1);
}

TEST_CASE("a parameter that holds NaN has the sign where it is attached to its readers") {
  Driver d({program("shared_module")});
  CHECK(d.run("wait idle\n" + kRun + "view.fit\nwait idle\nexpect graph/chip/linear_4/p_tail_0_linear_weight exists\n"));
  const auto sign = [&](const std::string& reader) {
    const auto* chip = d.app.probe().find("graph/chip/" + reader);
    return chip && std::string(chip->text).ends_with(" NaN or Inf");
  };
  CHECK_FALSE(sign("linear_4/p_tail_0_linear_weight"));
  CHECK(d.run("debug.edit_value p_tail_0_linear_weight nan\nwait idle\n"));
  CHECK(sign("linear_4/p_tail_0_linear_weight"));
  CHECK_FALSE(sign("linear_4/p_tail_0_linear_bias"));
}

TEST_CASE("timeline: a call within another is told by its path") {
  Driver d({std::string(PT2_TEST_DATA) + "/programs/nested_cond.pt2"});
  CHECK(d.run("wait idle\nkey F5\nwait idle\ndebug.set_input x=2\ndebug.set_input y=3\nclick inputs/run\nwait idle\ngo.value true_graph_0/true_graph_0/mul\nwait idle\n"
              "expect timeline/call text \"true_graph_0@0/true_graph_0@0\"\n"));
}
