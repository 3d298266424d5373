// Going to a node, a hit, a match; menus by keyboard; what is said to the search from outside.
#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/", kPrograms = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kDecomposed = kSamples + "conv_bn_relu_decomposed.pt2";
const std::string kRun = "debug.start\nwait idle\nclick inputs/run\nwait idle\n";

// As far away as one looks at a large program.
std::string overview() {
  std::string lines = "view.actual_size\nwait idle\n";
  for (int i = 0; i < 8; ++i) lines += "view.zoom_out\nwait idle\n";
  return lines;
}

double zoom(Driver& d) { return d.state()["graph"]["zoom"].get<double>(); }

}  // namespace

TEST_CASE("the search text that a command sets wins over the field that has the keyboard") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "search.open conv\n"
              "wait idle\n"
              "type bn\n"
              "expect state.search.query == \"bn\"\n"
              "search.query relu\n"
              "wait idle\n"
              "expect state.search.query == \"relu\"\n"
              "expect search/input text \"relu\"\n"
              // The keyboard stays there; the text is selected, as where the search was opened.
              "type b\n"
              "expect state.search.query == \"b\"\n"
              "search.open batch\n"
              "wait idle\n"
              "expect search/input text \"batch\"\n"));
}

TEST_CASE("going to a node comes near enough to read it, and leaves a readable zoom alone") {
  Driver d({kSample});
  for (const char* go : {"go.node relu\n", "search.query relu\nsearch.next\n", "go.palette relu\nwait idle\nkey Enter\n", "click graph/node/relu\nmark.bookmark\nselect.node x\ngo.bookmark 1\n"}) {
    CAPTURE(go);
    REQUIRE(d.run("wait idle\nselect.clear\n" + overview()));
    REQUIRE(zoom(d) < 0.45);
    CHECK(d.run(std::string(go) + "wait idle\nexpect state.selection.node == \"relu\"\nexpect graph/node/relu exists\n"));
    CHECK(zoom(d) == doctest::Approx(0.8));
  }
  // Selecting in another pane moves no more than it did.
  REQUIRE(d.run(overview()));
  const double far = zoom(d);
  CHECK(d.run("select.node conv2d\nwait idle\n"));
  CHECK(zoom(d) == far);
  // Readable: the zoom stays, also where what is gone to was folded.
  CHECK(d.run("view.actual_size\nview.zoom_out\nview.zoom_out\nview.fold_module relu\nwait idle\n"));
  const double near = zoom(d);
  REQUIRE(near >= 0.45);
  CHECK(d.run("go.node relu\nwait idle\nexpect graph/node/relu exists\n"));
  CHECK(zoom(d) == near);
  // Folded and far away: first laid out, then gone to.
  CHECK(d.run("view.fold_module relu\nwait idle\n" + overview() + "go.node relu\nwait idle\nexpect graph/node/relu exists\n"));
  CHECK(zoom(d) == doctest::Approx(0.8));
}

TEST_CASE("going to a module or out of one shown alone unfolds, leaves and comes near") {
  Driver d({kPrograms + "shared_module.pt2"});
  REQUIRE(d.run("wait idle\nview.fold_all\nwait idle\n" + overview() + "go.palette @tail.0\nwait idle\nkey Enter\nwait idle\n"));
  CHECK(d.run("expect state.selection.module == \"tail.0\"\nexpect graph/module/tail.0 exists\n"));
  CHECK(zoom(d) == doctest::Approx(0.8));
  CHECK(d.run("view.open_module block\nwait idle\nexpect state.graph.root == \"block\"\n"
              "go.node linear\nwait idle\nexpect state.graph.root == \"block\"\n"
              "go.node tanh\nwait idle\nexpect state.graph.root == null\nexpect graph/node/tanh exists\n"));
}

TEST_CASE("the next problem and the next difference come near enough to be read") {
  {
    Driver d({kPrograms + "conv_bn_train.pt2"});
    REQUIRE(d.run("wait idle\n" + overview()));
    REQUIRE(zoom(d) < 0.45);
    CHECK(d.run("key F8\nwait idle\nexpect state.selection.node == \"add_\"\nexpect graph/node/add_ exists\n"));
    CHECK(zoom(d) == doctest::Approx(0.8));
  }
  Driver d({kSample, kDecomposed});
  REQUIRE(d.run("wait idle\n" + overview()));
  REQUIRE(zoom(d) < 0.45);
  CHECK(d.run("key F8\nwait idle\nexpect state.compare.selected.left[0] == \"conv2d\"\nexpect graph.a/node/conv2d exists\nexpect graph.b/node/convolution exists\n"));
  CHECK(zoom(d) == doctest::Approx(0.8));
}

TEST_CASE("Find match goes to the counterpart in the other graph") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "right_click graph.a/node/conv2d\n"
              "wait idle\n"
              "click graph.a/menu/compare.find_match\n"
              "wait idle\n"
              "expect state.selection.document == \"conv_bn_relu_decomposed.pt2\"\n"
              "expect state.selection.node == \"convolution\"\n"
              "compare.unlink\n"
              "wait idle\n"
              "compare.find_match convolution\n"
              "wait idle\n"
              "expect state.toast has \"no counterpart in A\"\n"));
}

TEST_CASE("Find identical lists the modules that are the same layer again") {
  Driver d({kPrograms + "shared_module.pt2"});
  CHECK(d.run("wait idle\n"
              "right_click modules/block\n"
              "wait idle\n"
              "click modules/menu/identical\n"
              "wait idle\n"
              "expect modules/block exists\n"
              "expect modules/block@1 exists\n"
              "expect modules/tail.0 exists\n"
              "expect modules/tail.1 absent\n"
              "expect modules/block.linear absent\n"));
}

TEST_CASE("Breakpoints and Timeline have their context menus by keyboard") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "debug.toggle_breakpoint relu\n"
              "view.pane breakpoints\n"
              "wait idle\n"
              "key Alt+4\n"
              "key Down\n"
              "key Down\n"
              "key Down\n"
              "expect state.selection.node == \"relu\"\n"
              "key Menu\n"
              "wait idle\n"
              "click breakpoints/menu/enable\n"
              "wait idle\n"
              "expect state.breakpoints[0].enabled == false\n"
              "key Shift+F10\n"
              "wait idle\n"
              "click breakpoints/menu/remove\n"
              "wait idle\n"));
  CHECK(d.state()["breakpoints"].empty());
  CHECK(d.run(kRun +
              "view.pane timeline\n"
              "select.node batch_norm\n"
              "wait idle\n"
              "key Alt+4\n"
              "key Menu\n"
              "wait idle\n"
              "click timeline/menu/debug.set_time\n"
              "wait idle\n"
              "expect state.cursor == \"batch_norm\"\n"
              "double_click timeline/step/0\n"
              "wait idle\n"
              "expect state.cursor == \"conv2d\"\n"
              "right_click timeline/step/2\n"
              "wait idle\n"
              "expect state.selection.node == \"relu\"\n"
              "click timeline/menu/debug.toggle_breakpoint\n"
              "wait idle\n"
              "expect state.breakpoints[0].node == \"relu\"\n"));
}

TEST_CASE("of a module larger than the graph's pane its beginning is shown, and all of it where that can be read") {
  Driver d({kPrograms + "shared_module.pt2"}, 1000, 520);
  std::string near = "view.actual_size\nwait idle\n";
  for (int i = 0; i < 4; ++i) near += "view.zoom_in\nwait idle\n";
  REQUIRE(d.run("wait idle\nview.unfold_all\nwait idle\nselect.node output\n" + near));
  const double zoomed = zoom(d);
  CHECK(d.run("select.module tail\nwait idle\nexpect graph/node/linear_4 exists\n"));
  CHECK(zoom(d) == zoomed);
  CHECK(d.run("select.node output\nwait idle\ngo.module block\nwait idle\nexpect graph/module/block exists\n"));
  CHECK(zoom(d) < zoomed);
}

TEST_CASE("the palette finds modules by any part of their path and by their class") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nkey Ctrl+P\ntype batchnorm2\nwait idle\nexpect palette/row/0 text \"bn\"\nkey Escape\n"));
}
