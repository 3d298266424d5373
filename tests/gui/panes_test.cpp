#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {
const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2";
}

TEST_CASE("graph: chips, modules, edges and empty canvas are clicked as one would") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/chip/conv2d/p_conv_weight\n"
              "expect state.selection.value == \"p_conv_weight\"\n"
              "click graph/module/bn\n"
              "expect state.selection.module == \"bn\"\n"
              "click graph/edge/conv2d/batch_norm/0\n"
              "expect state.selection.value == \"conv2d\"\n"
              "key Escape\n"
              "expect state.selection.value == null\n"));
  CHECK(d.duplicates.empty());
}

TEST_CASE("graph: keys zoom about what is selected") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.node output\nwait idle\n"));
  for (int i = 0; i < 8; ++i) d.run("view.zoom_in\nwait idle\n");
  CHECK(d.run("expect graph/node/output exists\nexpect graph/node/conv2d absent\n"));
}

TEST_CASE("graph: turned or folded, what is selected stays in sight") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.node output\nwait idle\n"));
  for (int i = 0; i < 5; ++i) d.run("view.zoom_in\nwait idle\n");
  CHECK(d.run("view.direction\nwait idle\nexpect graph/node/output exists\n"
              "select.clear\nview.fold_all\nwait idle\nexpect state.graph.visible >= 1\n"));
}

TEST_CASE("graph: arrow keys walk, Space folds and unfolds, the folded module is one box") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/conv2d\n"
              "key Down\n"
              "expect state.selection.node == \"batch_norm\"\n"
              "key Up\n"
              "expect state.selection.node == \"conv2d\"\n"
              "key End\n"
              "expect state.selection.node == \"output\"\n"
              "click graph/module/bn\n"
              "key Space\n"
              "wait idle\n"
              "expect graph/node/batch_norm absent\n"
              "expect graph/module/bn text \"BatchNorm2d\"\n"
              "key Space\n"
              "wait idle\n"
              "expect graph/node/batch_norm exists\n"
              "double_click graph/module/bn\n"
              "wait idle\n"
              "expect graph/node/batch_norm absent\n"
              "double_click graph/module/bn\n"
              "wait idle\n"
              "expect graph/node/batch_norm exists\n"));
}

TEST_CASE("text: as PyTorch prints it, in step with the graph") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.text_form readable\nwait idle\n"
              "expect text/line/1 text \"ExportedProgram:\"\n"
              "expect text/line/5 text \"torch.ops.aten.conv2d.default(x, p_conv_weight\"\n"
              "click text/line/4\n"
              "expect state.selection.node == \"conv2d\"\n"
              "debug.toggle_breakpoint relu\nview.text_form graph\nwait idle\n"
              "expect text/line/1 text \"graph():\"\n"
              "select.node relu\nexpect text/line/12 text \"%relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default]\"\n"
              "view.text_form short\nexpect state.toast has \"compact, readable or graph\"\n"
              "view.text_form compact\nwait idle\nexpect text/line/1 text \"def forward(self\"\n"
              "view.unlifted on\nwait idle\nexpect state.graph.unlifted == true\n"
              "view.text_form graph\nwait idle\nexpect state.graph.unlifted == false\nexpect text/line/2 text \"p_conv_weight\"\n"));
}

TEST_CASE("graph: a drag pans, the wheel zooms, F fits again, parameters become nodes") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\n"
                "drag graph/node/conv2d 40 30\n"));
  const double before = d.state()["graph"]["zoom"];
  REQUIRE(d.run("scroll graph/node/conv2d 2\n"));
  CHECK(double(d.state()["graph"]["zoom"]) > before);
  REQUIRE(d.run("click graph/node/conv2d\n"
                "key F\n"
                "wait idle\n"));
  CHECK(double(d.state()["graph"]["zoom"]) == doctest::Approx(before));
  CHECK(d.run("key P\n"
              "wait idle\n"
              "expect graph/node/p_conv_weight exists\n"
              "expect graph/chip/conv2d/p_conv_weight absent\n"
              "key P\n"
              "wait idle\n"
              "expect graph/node/p_conv_weight absent\n"));
}

TEST_CASE("graph: boxes are coloured by what is asked, and a scale says by what") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "expect graph/scale absent\n"
              "view.color_by bytes\n"
              "wait idle\n"
              "expect graph/scale text \"Output size\"\n"
              "expect graph/scale/reset absent\n"
              "drag graph/scale/range/low 40 0\n"
              "wait idle\n"
              "expect graph/scale/reset exists\n"
              "click graph/scale/reset\n"
              "wait idle\n"
              "expect graph/scale/reset absent\n"
              "view.color_range 1000 2000\n"
              "wait idle\n"
              "expect graph/scale/range text \"1000 … 2000\"\n"
              "view.color_by executed\n"
              "wait idle\n"
              "expect graph/scale/range absent\n"
              "expect graph/scale text \"Executed\"\n"));
  CHECK(d.state()["selection"]["node"] == nullptr);
}

TEST_CASE("graph: upstream of a node is lit and counted; Escape takes it back") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/batch_norm\n"
              "key U\n"
              "expect state.graph.highlight == \"upstream\"\n"
              "key Escape\n"
              "expect state.graph.highlight == null\n"
              "expect state.selection.node == \"batch_norm\"\n"));
}

TEST_CASE("text: lines and names select; the graph follows") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "view.text\n"
              "wait idle\n"
              "expect text/line/2 text \"conv2d: f32[1,16,32,32] = aten.conv2d.default(x\"\n"
              "click text/line/3\n"
              "wait idle\n"
              "view.graph\n"
              "wait idle\n"
              "click graph/node/relu\n"
              "expect state.selection.node == \"relu\"\n"
              "expect text/line/2 absent\n"));
}

TEST_CASE("signature: rows select the parameter or the node") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click left/tab/signature\n"
              "wait idle\n"
              "expect signature/input/p_conv_weight text \"conv.weight\"\n"
              "click signature/input/b_bn_running_mean\n"
              "expect state.selection.value == \"b_bn_running_mean\"\n"
              "click signature/input/x\n"
              "expect state.selection.node == \"x\"\n"
              "click signature/output/relu\n"
              "expect state.selection.node == \"relu\"\n"));
  CHECK(d.duplicates.empty());
}

TEST_CASE("modules: a row selects the module") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click modules/bn\n"
              "expect state.selection.module == \"bn\"\n"
              "expect node/title text \"bn\"\n"));
}

TEST_CASE("node: each argument of the schema has a row, defaults too") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/conv2d\n"
              "wait idle\n"
              "expect node/arg/stride text \"1\"\n"
              "expect node/arg/padding text \"[1, 1]\"\n"
              "expect node/arg/groups text \"1\"\n"
              "expect node/arg/weight text \"p_conv_weight\"\n"
              "select.node batch_norm\n"
              "wait idle\n"
              "expect node/arg/eps text \"1e-05\"\n"));
}

TEST_CASE("tensor: a weight's statistics, slices and histogram before anything was run") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\n"
                "click graph/chip/conv2d/p_conv_weight\n"
                "click right/tab/tensor\n"
                "wait idle\n"
                "click tensor/tab/grid\n"
                "wait idle\n"
                "expect tensor/title text \"p_conv_weight\"\n"
                "expect tensor/cell/0/0 exists\n"));
  CHECK(d.state()["tensor"]["value"] == "p_conv_weight");
  CHECK(d.state()["tensor"]["stats"]["nan"] == 0);
  CHECK(d.run("click tensor/tab/histogram\n"
              "wait idle\n"
              "expect tensor/histogram/bar/0 exists\n"
              "expect tensor/histogram/bar/63 exists\n"
              "expect state.tensor.tab == \"histogram\"\n"
              "click tensor/tab/grid\n"
              "click tensor/slice\n"
              "type 0, 1\n"
              "wait idle\n"
              "expect state.tensor.slice == \"0, 1\"\n"
              "expect tensor/cell/2/2 exists\n"
              "click tensor/tab/text\n"
              "click tensor/tab/image\n"
              "wait idle\n"
              "expect tensor/image exists\n"));
  CHECK(d.duplicates.empty());
}
