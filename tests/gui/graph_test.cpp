// What of the graph is in sight, how near, and what is under the pointer.
#include <algorithm>
#include <future>

#include "imgui_internal.h"

#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2", kPrograms = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/";

std::string times(int n, const std::string& line) {
  std::string lines;
  for (int i = 0; i < n; ++i) lines += line + "\nwait idle\n";
  return lines;
}
// As far away as one looks at a large program.
const std::string kOverview = "view.actual_size\nwait idle\n" + times(8, "view.zoom_out");

double zoom(Driver& d) { return d.state()["graph"]["zoom"].get<double>(); }

}  // namespace

TEST_CASE("sub-graphs of the unlifted form feed the operators that run them, whatever its nodes are called by") {
  Driver d({kPrograms + "nested_cond.pt2"});
  CHECK(d.run("wait idle\nview.unlifted on\nwait idle\n"
              "expect graph/edge/x/_guards_fn/0 exists\n"
              "expect graph/edge/true_graph_0/cond/0 exists\n"
              "expect graph/edge/false_graph_0/cond/0 exists\n"
              "expect graph/edge/x/true_graph_0/0 absent\n"
              "click graph/node/_guards_fn\nexpect state.selection.unlifted == \"_guards_fn\"\n"
              "view.unfold_all\nwait idle\nview.fit\nwait idle\n"
              "expect graph/edge/x/_guards_fn/0 exists\n"
              "expect graph/edge/true_graph_0/output/cond/0 exists\n"
              "expect graph/edge/x/true_graph_0/output/0 absent\n"
              "expect graph/edge/true_graph_0/true_graph_0/output/true_graph_0/cond/0 exists\n"));
}

TEST_CASE("isolating a node leaves its neighbours, and folded modules and sub-graphs only where they are among them") {
  {
    Driver d({kSample});
    CHECK(d.run("wait idle\nview.fold_module conv\nview.fold_module bn\nwait idle\n"
                "go.node relu\nview.isolate\nwait idle\n"
                "expect graph/node/relu exists\nexpect graph/module/bn exists\nexpect graph/node/output exists\n"
                "expect graph/module/conv absent\nexpect graph/node/x absent\n"
                "expect graph/edge/bn/relu/0 exists\n"
                "view.unfold_module bn\nwait idle\nexpect graph/node/batch_norm exists\nexpect graph/module/conv absent\n"
                "view.unhide_all\nwait idle\nexpect graph/module/conv exists\nexpect graph/node/x exists\n"));
  }
  Driver d({kPrograms + "nested_cond.pt2"});
  CHECK(d.run("wait idle\ngo.node gt\nview.isolate\nwait idle\n"
              "expect graph/node/gt exists\nexpect graph/node/sum_1 exists\nexpect graph/node/cond exists\n"
              "expect graph/subgraph/true_graph_0 absent\nexpect graph/node/x absent\n"
              "view.isolate cond\nwait idle\n"
              "expect graph/subgraph/true_graph_0 exists\nexpect graph/subgraph/false_graph_0 exists\nexpect graph/node/output exists\nexpect graph/node/sum_1 absent\n"
              // Nodes that only the unlifted form has go with what they read.
              "view.isolate gt\nview.unlifted on\nwait idle\nexpect graph/node/_guards_fn absent\nexpect graph/node/gt exists\n"));
}

TEST_CASE("isolating what is folded away unfolds and selects it") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.fold_module conv\nview.fold_module bn\nwait idle\nview.isolate batch_norm\nwait idle\n"
              "expect graph/node/batch_norm exists\nexpect state.selection.node == \"batch_norm\"\nexpect graph/module/conv exists\nexpect graph/node/x absent\n"));
}

TEST_CASE("a module shown alone is seen whole, also where it was unfolded and near") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nselect.node x\nwait idle\nview.actual_size\nwait idle\n" + times(5, "view.zoom_in") + "view.open_module relu\nwait idle\n"));
  CHECK(d.run("expect graph/node/relu exists\nexpect graph/node/batch_norm exists\nexpect graph/output/relu exists\n"));
  CHECK(zoom(d) == doctest::Approx(1));
}

TEST_CASE("a highlight has one count, of operators, above the graph and in the status bar") {
  Driver d({kSample});
  for (const auto& [key, text] : {std::pair{"U", "upstream: 1 operator"}, std::pair{"D", "downstream: 1 operator"}}) {
    const std::string pressed(key);  // clang 14 captures no structured binding
    CAPTURE(pressed);
    const std::string words = std::string(" text \"") + text + "\"\n";
    CHECK(d.run(std::string("wait idle\nclick graph/node/batch_norm\nkey ") + key + "\nwait idle\nexpect graph/highlight" + words + "expect status/highlight" + words));
  }
  CHECK(d.run("key Escape\nwait idle\nexpect status/highlight absent\nexpect graph/highlight absent\n"));
  // An input is no operator: all that comes from it count.
  CHECK(d.run("view.downstream x\nwait idle\nexpect status/highlight text \"downstream: 3 operators\"\n"
              "view.both_ways batch_norm\nwait idle\nexpect status/highlight text \"up- and downstream: 2 operators\"\n"));
}

TEST_CASE("at 200 % text every button above the graph can be pressed, and what is selected stays in view") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.actual_size\nwait idle\nselect.node x\nwait idle\nexpect graph/minimap absent\n" + times(5, "view.larger") +
              "expect state.scale == 2.0\nexpect graph/node/x exists\n"
              "click graph/parameters\nwait idle\nexpect state.graph.params == \"nodes\"\n"
              "click graph/direction\nwait idle\nclick graph/fit\nwait idle\n"
              "click graph/legend\nwait idle\nexpect state.dialog == \"legend\"\nkey Escape\n"));
}

TEST_CASE("the minimap shows where it leaves most of the pane to the graph") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.actual_size\nwait idle\n" + times(4, "view.zoom_in") + "expect graph/minimap exists\n" + times(5, "view.larger") + "expect graph/minimap absent\n"));
}

TEST_CASE("going to a parameter unfolds its first reader, which has it as a chip") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.fold_all\nwait idle\nexpect graph/module/conv exists\n" + kOverview + "go.node p_conv_weight\nwait idle\n"
              "expect state.selection.node == \"p_conv_weight\"\nexpect graph/chip/conv2d/p_conv_weight exists\nexpect graph/module/bn exists\n"));
  CHECK(zoom(d) == doctest::Approx(0.8));
  CHECK(d.run("view.fold_all\nview.parameters nodes\nwait idle\ngo.node p_bn_bias\nwait idle\nexpect graph/node/p_bn_bias exists\nexpect graph/node/batch_norm exists\n"));
}

TEST_CASE("going to an input of a sub-graph unfolds the sub-graph") {
  Driver d({kPrograms + "nested_cond.pt2"});
  CHECK(d.run("wait idle\nexpect graph/subgraph/true_graph_0 exists\ngo.node true_graph_0/x\nwait idle\nexpect graph/node/true_graph_0/x exists\n"));
}

TEST_CASE("going to a node comes so near that its operator can be read, however small the text") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.smaller\nview.smaller\nwait idle\nexpect state.scale <= 0.81\n" + kOverview + "go.node relu\nwait idle\n"));
  // Types are 10 px at 100 %, and 7.5 px is the least that can be read.
  CHECK(zoom(d) * 0.8 * 10 >= 7.5);
  CHECK(zoom(d) < 0.95);
}

TEST_CASE("after a key or a selection elsewhere nothing is under the pointer until it moves") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nclick graph/node/conv2d\nwait idle\nexpect state.graph.hover == \"conv2d\"\n"
              "key Down\nwait idle\nexpect state.selection.node == \"batch_norm\"\nexpect state.graph.hover == null\n"
              "hover graph/node/relu\nwait idle\nexpect state.graph.hover == \"relu\"\n"
              "select.node conv2d\nwait idle\nexpect state.graph.hover == null\n"
              // A click where the pointer is goes to what lies there.
              "hover graph/node/relu\nselect.node conv2d\nwait idle\nclick graph/node/relu\nwait idle\nexpect state.selection.node == \"relu\"\n"
              "key Escape\nwait idle\nexpect state.graph.hover == null\nexpect state.selection.node == null\n"));
}

TEST_CASE("graph: a layout that is cancelled in the status bar is over in the pane, too, which offers to begin again") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  std::promise<void> go;
  auto wait = go.get_future().share();
  for (int i = 0; i < 4; ++i) d.app.jobs().submit("", "", [wait](pt2::Job&) { wait.wait(); }, [] {});  // all workers are busy
  CHECK(d.run("view.fold_all\nexpect status/job text \"Laying out\"\nclick status/job/cancel\nexpect graph/lay_out exists"));
  go.set_value();
  CHECK(d.run("click graph/lay_out\nwait idle\nexpect graph/lay_out absent\nexpect graph/module/conv exists"));
}

TEST_CASE("the pointer's first move into the window brings the card of what is below it") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ngo.node relu\nwait idle\nhover graph/node/relu\nwait 3\nexpect graph/card text \"relu\"\n"));
}

TEST_CASE("the card that a key asks for stands beside the selected node, wherever the pointer is") {
  Driver d({kSample});
  for (const char* pointer : {"", "hover modules/conv\n", "hover graph/node/x\n"}) {
    CAPTURE(pointer);
    REQUIRE(d.run(std::string("wait idle\n") + pointer + "go.node batch_norm\nwait idle\nkey Ctrl+I\nwait 3\nexpect graph/card text \"batch_norm\"\n"));
    const auto* card = d.app.probe().find("graph/card");
    const auto* node = d.app.probe().find("graph/node/batch_norm");
    REQUIRE(card);
    REQUIRE(node);
    const ImGuiWindow* window = ImGui::FindWindowByName("##card graph");
    REQUIRE(window);
    CHECK_FALSE(window->Hidden);  // as a tooltip for another would make it
    const float gap = std::max(card->min.x - node->max.x, node->min.x - card->max.x);
    CHECK(gap >= 0);
    CHECK(gap <= 20);
    CHECK(card->min.y <= node->max.y);
    CHECK(card->max.y >= node->min.y);
    REQUIRE(d.run("key Ctrl+I\nwait 3\nexpect graph/card absent\n"));
  }
}

TEST_CASE("the card that a key asks for closes on Escape before anything else does, and when something opens") {
  Driver d({kSample});
  const std::string card = "go.node batch_norm\nwait idle\nkey Ctrl+I\nwait 3\nexpect graph/card exists\n";
  CHECK(d.run("wait idle\nview.upstream batch_norm\nwait idle\n" + card + "key Escape\nwait 3\nexpect graph/card absent\nexpect state.selection.node == \"batch_norm\"\nexpect state.graph.highlight == \"upstream\"\n"));
  for (const char* opens : {"go.palette", "help.about", "right_click graph/node/batch_norm"}) {
    CAPTURE(opens);
    CHECK(d.run(card + opens + "\nwait 3\nexpect graph/card absent\nkey Escape\nwait 3\nexpect graph/card absent\n"));
  }
}

TEST_CASE("the card that a key asks for lies beside its box or below it where the text is large") {
  auto options = Driver::options({kSample});
  options.scale = 2;
  Driver d(options, 1280, 720);
  REQUIRE(d.run("wait idle\ngo.node batch_norm\nwait idle\nkey Ctrl+I\nwait 3\nexpect graph/card text \"batch_norm\"\n"));
  const auto* card = d.app.probe().find("graph/card");
  const auto* node = d.app.probe().find("graph/node/batch_norm");
  REQUIRE(card);
  REQUIRE(node);
  CHECK_MESSAGE((card->min.x >= node->max.x || card->max.x <= node->min.x || card->min.y >= node->max.y || card->max.y <= node->min.y), "the card covers its box");
  CHECK(card->max.y <= 720);
}

TEST_CASE("a selected module has a card as well, folded or open") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.fold_module conv\nselect.module conv\nwait idle\nkey Ctrl+I\nwait 3\nexpect graph/card text \"Conv2d\"\nexpect graph/card text \"1 op\\ntorch\"\n"
              "view.unfold_module conv\nwait idle\nexpect graph/card text \"Space folds it\"\n"));
}

TEST_CASE("what is gone to comes back where it was hidden, and nothing else") {
  Driver d({kSample});
  const std::string isolate = "view.isolate relu\nwait idle\nexpect graph/node/conv2d absent\n", seen = "wait idle\nexpect graph/node/conv2d exists\nexpect graph/node/x absent\n";
  CHECK(d.run("wait idle\n" + isolate + "go.node conv2d\n" + seen));
  CHECK(d.run(isolate + "search.query op:conv2d\nsearch.next\n" + seen));
  CHECK(d.run(isolate + "go.module conv\n" + seen));
  CHECK(d.run(isolate + "go.palette conv2d\nwait idle\nkey Enter\n" + seen));
}

TEST_CASE("a result gone to while it is hidden comes back with the call it is of") {
  Driver d({kPrograms + "lists.pt2"});
  CHECK(d.run("wait idle\nview.isolate stack\nwait idle\nexpect graph/node/split absent\ngo.node getitem_2\nwait idle\nexpect graph/node/split exists\nexpect graph/node/topk absent\n"));
}

TEST_CASE("notes on the graph stand side by side") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.hide_node relu\nview.unlifted on\nview.downstream conv2d\nwait idle\nexpect graph/highlight exists\nexpect graph/unlifted exists\nexpect graph/hidden text \"1 node hidden\"\n"));
  const auto top = [&](const char* name) { return d.app.probe().find(name)->min.y; };
  CHECK(std::abs(top("graph/highlight") - top("graph/hidden")) < 5);
  CHECK(std::abs(top("graph/unlifted") - top("graph/hidden")) < 10);
  CHECK(d.run("click graph/unhide\nwait idle\nexpect graph/hidden absent\nexpect graph/highlight exists\n"));
}

TEST_CASE("the graph only: the text beside it goes and comes back, or comes where it is asked for") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.both\nwait idle\nexpect text/line/1 exists\nkey Alt+2\nwait 3\nview.graph_only\nwait idle\nexpect text/line/1 absent\nexpect graph/node/relu exists\n"
              "view.graph_only\nwait idle\nexpect text/line/1 exists\nexpect graph/node/relu exists\n"
              "view.graph_only\nview.text\nwait idle\nexpect text/line/1 exists\nexpect state.panes has \"modules\"\n"
              "view.graph_only\nwait idle\nexpect text/line/1 absent\nexpect graph/node/relu exists\n"));
}
