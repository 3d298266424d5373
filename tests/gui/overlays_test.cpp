// What lies over the graph covers nothing that matters; what signs mean is said; names of items are unique.
#include <set>

#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "views/widgets/badges.h"

using pt2::gui::Driver;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/", kPrograms = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kDecomposed = kSamples + "conv_bn_relu_decomposed.pt2", kNan = kSamples + "conv_bn_relu_nan.pt2";
const std::string kRun = "debug.start\nwait idle\nclick inputs/run\nwait idle\n";
constexpr std::pair<float, float> kSizes[] = {{1280, 800}, {1600, 1000}};

struct Area { double x = 0, y = 0, w = 0, h = 0; };

Area area(Driver& d, const std::string& name) {
  const pt2::views::ProbeItem* item = d.app.probe().find(name);
  REQUIRE_MESSAGE(item, name);
  return {item->min.x, item->min.y, item->max.x - item->min.x, item->max.y - item->min.y};
}

bool apart(const Area& a, const Area& b) { return a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y; }

size_t count(Driver& d, const std::string& prefix) {
  size_t n = 0;
  for (const auto& item : d.app.probe().items()) n += item.name.starts_with(prefix);
  return n;
}

}  // namespace

TEST_CASE("a toast stands above the scale of colours, the banner above the boxes, the search above graph and text") {
  for (const auto& [width, height] : kSizes) {
    const float wide = float(width);  // clang 14 captures no structured binding
    CAPTURE(wide);
    Driver d({kNan}, width, height);
    REQUIRE(d.run("wait idle\ndebug.stop_on_nonfinite on\n" + kRun + "view.color_by max_abs\nwait idle\nview.fit\nwait idle\n"));
    CHECK(apart(area(d, "graph/banner"), area(d, "graph/node/x")));
    REQUIRE(d.run("go.bookmark 7\nwait 3\n"));
    CHECK(apart(area(d, "toast/0"), area(d, "graph/scale")));
    for (const char* box : {"graph/node/x", "graph/node/relu", "graph/node/output"}) CHECK_MESSAGE(apart(area(d, "graph/scale"), area(d, box)), box);
    REQUIRE(d.run("view.both\nsearch.open conv\nwait idle\nview.fit\nwait idle\n"));
    for (const char* box : {"graph/node/relu", "graph/node/output"}) CHECK_MESSAGE(apart(area(d, "graph/scale"), area(d, box)), box);
    for (const char* covered : {"graph/node/x", "graph/overlay", "graph/fit", "text/line/1"})
      for (const char* part : {"search/input", "search/close"}) CHECK_MESSAGE(apart(area(d, part), area(d, covered)), covered);
  }
}

TEST_CASE("what is gone to does not lie below the scale of colours") {
  Driver d({kSample}, 1100, 700);
  REQUIRE(d.run("wait idle\nview.color_by bytes\nwait idle\nselect.node x\nwait idle\nview.actual_size\nwait idle\n"));
  for (const char* node : {"conv2d", "batch_norm", "relu", "output", "conv2d"}) {
    REQUIRE(d.run(std::string("select.node ") + node + "\nwait idle\n"));
    CHECK_MESSAGE(apart(area(d, "graph/scale"), area(d, (std::string("graph/node/") + node).c_str())), node);
  }
}

TEST_CASE("what is gone to does not lie below the mini-map") {
  Driver d({kSample}, 1280, 720);
  REQUIRE(d.run("wait idle\nselect.node conv2d\nwait idle\nview.actual_size\nwait idle\nview.zoom_in\nwait idle\nview.zoom_in\nwait idle\nexpect graph/minimap exists\n"));
  const Area map = area(d, "graph/minimap"), box = area(d, "graph/node/conv2d");
  const int right = int(map.x - box.x - box.w / 2), down = int(map.y - box.y - box.h / 2);
  for (const char* go : {"go.node conv2d", "go.module conv"}) {
    CAPTURE(go);
    REQUIRE(d.run("select.clear\nwait idle\ndrag graph/node/conv2d " + std::to_string(right) + " " + std::to_string(down) + "\nwait idle\n"));
    REQUIRE_FALSE(apart(area(d, "graph/minimap"), area(d, "graph/node/conv2d")));
    REQUIRE(d.run(std::string(go) + "\nwait idle\nexpect graph/minimap exists\n"));
    CHECK(apart(area(d, "graph/minimap"), area(d, "graph/node/conv2d")));
    REQUIRE(d.run("drag graph/node/conv2d " + std::to_string(int(box.x - area(d, "graph/node/conv2d").x)) + " " + std::to_string(int(box.y - area(d, "graph/node/conv2d").y)) + "\nwait idle\n"));
  }
}

TEST_CASE("the mini-map is faint over boxes until the pointer comes, and away while every box is in sight") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nexpect graph/minimap absent\n"
              "select.node conv2d\nview.zoom_in\nwait idle\nview.zoom_in\nwait idle\nview.zoom_in\nwait idle\nview.zoom_in\nwait idle\n"
              "expect graph/minimap exists\n"));
  // Until boxes lie below it.
  CHECK(d.run("drag graph/node/conv2d 250 350\nwait idle\nhover status/theme\nexpect graph/minimap text \"faint\"\nhover graph/minimap\n"));
  const pt2::views::ProbeItem* minimap = d.app.probe().find("graph/minimap");
  REQUIRE(minimap);
  CHECK(minimap->text.empty());
}

TEST_CASE("the scale of colours is faint over boxes until the pointer comes") {
  Driver d({kSample}, 1100, 700);
  REQUIRE(d.run("wait idle\nview.color_by bytes\nwait idle\nwait 3\n"));
  const auto said = [&] { return d.app.probe().find("graph/scale")->text; };
  CHECK(said().find("faint") == std::string::npos);
  REQUIRE(d.run("select.node conv2d\nview.actual_size\nwait idle\n"));
  const Area scale = area(d, "graph/scale"), box = area(d, "graph/node/conv2d");
  REQUIRE(d.run("drag graph/node/conv2d " + std::to_string(int(scale.x + scale.w / 2 - box.x - box.w / 2)) + " " + std::to_string(int(scale.y - box.y)) + "\nwait idle\nhover status/theme\n"));
  CHECK(said().find("faint") != std::string::npos);
  REQUIRE(d.run("hover graph/scale\n"));
  CHECK(said().find("faint") == std::string::npos);
}

TEST_CASE("the Compare pane shows its rows as it opens") {
  Driver d({kPrograms + "shared_module.pt2", kPrograms + "lists.pt2"}, 1600, 1000);
  REQUIRE(d.run("wait idle\nview.pane compare\nwait idle\n"));
  CHECK(count(d, "compare/row/") >= 8);
  const double bottom = area(d, "split/bottom").y;
  // Afterwards the panes below are as they were.
  REQUIRE(d.run("compare.close\nview.layout_debug\nwait idle\n"));
  CHECK(area(d, "split/bottom").y > bottom + 100);
}

TEST_CASE("the legend lists every sign, each with words of its own") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nclick graph/fit\nhelp.legend\nwait idle\n"));
  for (const auto& row : pt2::views::kBadges) CHECK_MESSAGE(d.app.probe().find(std::string("legend/sign/") + row.name), row.name);
  for (const char* name : {"box/selected", "box/input", "box/output", "line/input", "line/output", "line/mutation", "line/cut", "chip/parameter"}) CHECK_MESSAGE(d.app.probe().find(std::string("legend/") + name), name);
  std::set<std::string> words;
  for (const auto& item : d.app.probe().items())
    if (item.name.starts_with("legend/")) CHECK_MESSAGE(words.insert(item.text).second, item.text);
}

TEST_CASE("a module shown alone says that a value leaves it, under a name of its own") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "view.open_module bn\n"
              "wait idle\n"
              "expect graph/node/batch_norm exists\n"
              "expect graph/output/batch_norm text \"output of bn: batch_norm\"\n"
              "click graph/output/batch_norm\n"
              "expect state.selection.node == \"batch_norm\"\n"));
}

TEST_CASE("no two items have one name: open menus, two files that do not open, two that changed") {
  for (const char* menu : {"file", "edit", "view", "go", "run", "compare", "help"}) {
    CAPTURE(menu);
    Driver d({kSample, kDecomposed});
    CHECK(d.run(std::string("wait idle\nclick menu/") + menu + "\nwait idle\n"));
  }
  {
    // Sub-graphs in sub-graphs of the same name, and a module of the unlifted form shown alone.
    Driver d({kPrograms + "nested_cond.pt2"});
    CHECK(d.run("wait idle\nview.unfold_all\nwait idle\nview.fit\nwait idle\nexpect graph/node/true_graph_0/true_graph_0/add exists\nexpect graph/node/true_graph_0/gt exists\n"
                "click graph/node/true_graph_0/true_graph_0/mul\nexpect state.selection.node == \"true_graph_0/true_graph_0/mul\"\n"
                "select.node true_graph_0/false_graph_0/mul\nwait idle\nexpect state.selection.node == \"true_graph_0/false_graph_0/mul\"\n"
                "select.node false_graph_0/mul_1\nwait idle\nexpect state.selection.node == \"false_graph_0/mul_1\"\n"));
  }
  {
    Driver d({kSample});
    CHECK(d.run("wait idle\nview.unlifted on\nview.open_module conv\nwait idle\nexpect graph/output/conv2d exists\nexpect graph/node/conv2d exists\n"));
  }
  const pt2::test::Scratch scratch;
  Driver d({scratch.path("none.pt2"), scratch.path("neither.pt2")});
  CHECK(d.run("wait idle\nexpect error/title text \"none.pt2\"\nexpect error.b/title text \"neither.pt2\"\n"));
}

TEST_CASE("ways of counting steps are told apart where they stand") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\n" + kRun + "select.clear\ngo.step\nwait idle\n"));
  CHECK(d.run("expect palette/foot text \"the place among the operators of the program's own graph, from 1\"\nkey Escape\nview.pane timeline\nwait idle\nhover timeline/step/1\nexpect timeline/tip text \"operator 2 of 3 with those in sub-graphs\"\n"));
}

TEST_CASE("names of hidden inputs lie over no title") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.isolate relu\nwait idle\nview.actual_size\nwait idle\nexpect graph/hidden_input/batch_norm text \"conv2d\"\n"));
  const Area names = area(d, "graph/hidden_input/batch_norm"), title = area(d, "graph/module/bn"), box = area(d, "graph/node/batch_norm");
  CHECK(apart(names, box));
  CHECK(names.y >= title.y + title.h - 4);  // its text ends before the room one can click
}
