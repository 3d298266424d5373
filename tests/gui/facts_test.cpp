// What panes tell besides the graph: what a rule means, what the window runs on, what a run took for a node.
#include <algorithm>
#include <filesystem>

#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

std::string program(const std::string& name) { return std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2"; }

const std::string kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";
const std::string kRun = "debug.start\nwait idle\nclick inputs/run\nwait idle\n";

std::string clipboard() {
  const char* text = ImGui::GetClipboardText();
  return text ? text : "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("Problems: Explain shows what the rule means, of the marked problem and of a row") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.pane problems\nwait idle\nexpect problems/row/0 text \"trap.unused\"\n"
              "click problems/explain\nwait idle\nexpect state.dialog == \"rules\"\nexpect rules/problem text \"bn.num_batches_tracked\"\n"
              "expect rules/lit/trap.unused text \"Every parameter and buffer is used\"\nkey Escape\nwait idle\nexpect state.dialog == null\n"
              "right_click problems/row/0\nwait idle\nclick problems/menu/explain\nwait idle\nexpect rules/lit/trap.unused exists\n"));
  CHECK(d.run("key Escape\nwait idle\nproblem.explain 9\nwait idle\nexpect state.toast has \"problems 0 to\"\nexpect state.dialog == null\n"));
}

TEST_CASE("Help lists the rules, those of reading a file too") {
  Driver d;
  CHECK(d.run("help.rules\nwait idle\nexpect rules/structure.order text \"Placeholders come first\"\n"));
  d.resize(1440, 4000);
  CHECK(d.run("key Escape\nwait idle\nhelp.rules\nwait idle\nscroll rules/structure.order -60\nwait idle\nexpect rules/symbol.not-understood exists\n"));
}

TEST_CASE("Problems: all are copied as text and as JSON") {
  Driver d({program("mutations")});
  CHECK(d.run("wait idle\nview.pane problems\nwait idle\nclick problems/copy\nwait idle\nclick problems/copy/text\nwait idle\nexpect state.toast has \"Copied\"\n"));
  const auto problems = d.state()["problems"];
  REQUIRE(problems.size() > 1);
  for (const auto& problem : problems) CHECK(has(clipboard(), ": " + problem["severity"].get<std::string>() + ": " + problem["message"].get<std::string>() + "  [" + problem["rule"].get<std::string>() + "]"));
  CHECK(d.run("click problems/copy\nwait idle\nclick problems/copy/json\nwait idle\n"));
  const auto copied = nlohmann::json::parse(clipboard());
  CHECK(copied["schema"] == "pt2scope/verify");
  REQUIRE(copied["findings"].size() == problems.size());
  for (size_t i = 0; i < problems.size(); ++i)
    for (const char* key : {"severity", "rule", "message", "where"}) CHECK(copied["findings"][i][key] == problems[i][key]);
}

TEST_CASE("Problems: grouped by severity or rule, each group with its count; F8 goes on through them") {
  Driver d({program("mutations")});
  CHECK(d.run("wait idle\nview.pane problems\nwait idle\nclick problems/grouping\nwait idle\nclick problems/grouping/2\nwait idle\n"));
  const auto problems = d.state()["problems"];
  const std::string rule = problems[0]["rule"];
  const auto same = std::count_if(problems.begin(), problems.end(), [&](const auto& p) { return p["rule"] == rule; });
  CHECK(d.run("expect problems/group/" + rule + " text \"" + std::to_string(same) + "\"\nexpect problems/row/0 exists\n"));
  CHECK(d.run("click problems/group/" + rule + "\nwait idle\nexpect problems/row/0 absent\nproblem.go 0\nwait idle\nexpect problems/row/0 exists\n"));
  CHECK(d.run("click problems/grouping\nwait idle\nclick problems/grouping/1\nwait idle\nexpect problems/group/" + problems[0]["severity"].get<std::string>() + " exists\nclick problems/row/0\nwait idle\nkey F8\nwait idle\n"));
  CHECK(d.run("click problems/grouping\nwait idle\nclick problems/grouping/0\nwait idle\nexpect problems/row/0 exists\nexpect problems/group/" + rule + " absent\n"));
}

TEST_CASE("Problems: groups are those of the file as it was read last") {
  const pt2::test::Scratch scratch;
  const std::string file = scratch.path("program.pt2");
  std::filesystem::copy_file(kSample, file);
  Driver d({file});
  CHECK(d.run("wait idle\nview.pane problems\nwait idle\nclick problems/grouping\nwait idle\nclick problems/grouping/2\nwait idle\nexpect problems/group/trap.unused exists\n"));
  std::filesystem::copy_file(program("nan_sources"), file, std::filesystem::copy_options::overwrite_existing);
  CHECK(d.run("file.reload\nwait idle\nwait 3\nexpect problems/group/trap.unused absent\n"));
  const auto state = d.state();
  REQUIRE(state["problems"].size() == 1);  // as many as before
  CHECK(d.run("expect problems/group/" + state["problems"][0]["rule"].get<std::string>() + " exists\n"));
}

TEST_CASE("Log: Report copies version, renderer and what the open files hold") {
  Driver d({program("containers")});
  CHECK(d.run("wait idle\nview.pane log\nwait idle\nclick log/report\nwait idle\nexpect state.toast has \"Copied\"\n"));
  const std::string text = clipboard();
  for (const char* words : {"pt2scope ", "renderer: ", "system: Linux", "containers.pt2", "container: pt2_archive", "schema: ", "program: model"}) CHECK_MESSAGE(has(text, words), words << "\n" << text);
}

TEST_CASE("Node: what a run took, and of which call") {
  Driver d({program("while_loop")});
  CHECK(d.run("wait idle\nselect.node while_loop\nwait idle\nexpect node/run/time absent\n" + kRun +
              "select.node while_loop\nwait idle\nexpect node/run/calls text \"1\"\nexpect node/run/time exists\nexpect node/run/bytes exists\nexpect node/run/call absent\n"
              "select.node while_loop_body_graph_0/add\nwait idle\nexpect node/run/calls text \"5\"\nexpect node/run/time text \" in all\"\nexpect node/run/call text \"while_loop_body_graph_0@4\"\n"
              "debug.choose_call 2\nwait idle\nexpect node/run/call text \"while_loop_body_graph_0@2\"\n"));
}

TEST_CASE("Node: what has no implementation, and what waits for it, say so") {
  Driver d({program("custom_op")});
  CHECK(d.run("wait idle\n" + kRun + "select.node auto_functionalized_v2\nwait idle\nexpect node/run/outcome text \"no implementation of data.several.default\"\n"
              "key F5\nwait idle\nselect.node getitem_1\nwait idle\nexpect node/run/outcome text \"waits for auto_functionalized_v2\"\n"));
}

TEST_CASE("Modules: a module is isolated from its menu") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nright_click modules/bn\nwait idle\nclick modules/menu/isolate\nwait idle\nexpect state.selection.module == \"bn\"\n"));
  CHECK(d.run("expect graph/node/batch_norm exists\nexpect graph/node/conv2d exists\nexpect graph/node/x absent\n"));
}

TEST_CASE("a click on a parameter's chip brings the Tensor pane to the front") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.pane node\nwait idle\nclick graph/chip/conv2d/p_conv_weight\nwait idle\nexpect state.panes has \"tensor\"\nexpect state.tensor.value == \"p_conv_weight\"\n"));
}

TEST_CASE("the state has all keys while no file is open") {
  Driver d;
  CHECK(d.run("wait idle\n"));
  const auto state = d.state();
  for (const char* key : {"query", "count", "index", "open"}) CHECK_MESSAGE(state["search"].contains(key), key);
  for (const char* key : {"root", "expanded", "unlifted", "params", "color_by", "highlight", "hover", "zoom", "pan", "visible"}) CHECK_MESSAGE(state["graph"].contains(key), key);
  CHECK(state["graph"]["visible"] == 0);
  CHECK(state["search"]["count"] == 0);
}
