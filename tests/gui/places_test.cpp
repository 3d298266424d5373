// Places one comes back to: bookmarks, notes, problems, the minimap, bars by keyboard.
#include <fstream>

#include "imgui_internal.h"

#include "core/bundle.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {
const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2";


std::string write(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
  return path;
}
}  // namespace

TEST_CASE("bookmarks: Ctrl+Shift and a digit sets one, Ctrl and the digit goes there") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/conv2d\n"
              "key Ctrl+Shift+3\n"
              "expect state.marks[0].node == \"conv2d\"\n"
              "expect state.marks[0].key == 3\n"
              "click graph/node/relu\n"
              "key Ctrl+3\n"
              "expect state.selection.node == \"conv2d\"\n"
              "key Ctrl+4\n"
              "expect state.toast has \"no bookmark 4\"\n"
              // The key moves to another node; a node without key and note has no mark.
              "click graph/node/relu\n"
              "key Ctrl+Shift+3\n"
              "expect state.marks[0].node == \"relu\"\n"
              "mark.bookmark\n"
              "wait idle\n"));
  CHECK(d.state()["marks"].empty());
  // A module, and a node in a folded one.
  CHECK(d.run("select.module bn\n"
              "mark.bookmark\n"
              "wait idle\n"
              "expect state.marks[0].module == \"bn\"\n"
              "expect state.marks[0].key == 1\n"
              "click graph/node/conv2d\n"
              "key Ctrl+Shift+2\n"
              "view.fold_module conv\n"
              "wait idle\n"
              "expect graph/node/conv2d absent\n"
              "key Ctrl+1\n"
              "expect state.selection.module == \"bn\"\n"
              "key Ctrl+2\n"
              "wait idle\n"
              "expect state.selection.node == \"conv2d\"\n"
              "expect graph/node/conv2d exists\n"));
}

TEST_CASE("a mark on what is folded away is on the folded box") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nclick graph/node/conv2d\nkey Ctrl+Shift+2\nwait idle\nexpect graph/node/conv2d text \"bookmark 2\"\n"
              "view.fold_module conv\nwait idle\nexpect graph/module/conv text \"bookmark 2\"\n"
              // One of its own comes first.
              "select.module conv\nmark.bookmark\nwait idle\nexpect graph/module/conv text \"bookmark 1\"\n"
              "view.unfold_module conv\nwait idle\nexpect graph/node/conv2d text \"bookmark 2\"\n"));
}

TEST_CASE("Source: where a file is found after all, the line of the selection comes into sight") {
  const pt2::test::Scratch scratch;
  std::string text;
  for (int i = 1; i <= 300; ++i) text += i == 216 ? "        return self.block(self.block(x)) + self.tail(x)\n" : "# " + std::to_string(i) + "\n";
  Driver d({std::string(PT2_SOURCE_DIR) + "/tests/data/programs/shared_module.pt2"});
  CHECK(d.run("wait idle\nselect.node add\nview.pane source\nwait idle\nexpect source/line/216 text \"self.tail\"\n"
              "source.add_root models.py=" + write(scratch.path("models.py"), text) + "\nwait idle\nexpect source/line/215 text \"# 215\"\nexpect source/line/216 text \"self.tail\"\n"));
}

TEST_CASE("Source: where a file is missing, the path it was looked for at is named") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/tests/data/programs/shared_module.pt2"});
  CHECK(d.run("wait idle\nselect.node add\nview.pane source\nwait idle\nexpect source/missing text \"models.py\"\n"
              "source.add_root models.py=/nonexistent/elsewhere.py\nwait idle\nexpect source/missing text \"/nonexistent/elsewhere.py\"\n"));
}

TEST_CASE("notes: F2 writes one, the Node and Marks panes show it, Delete removes it") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/relu\n"
              "key F2\n"
              "expect state.dialog == \"note\"\n"
              "wait 3\n"
              "type too large here\n"
              "key Enter\n"
              "wait idle\n"
              "expect state.dialog == null\n"
              "expect state.marks[0].note == \"too large here\"\n"
              "expect node/note text \"too large here\"\n"
              "click left/tab/marks\n"
              "wait idle\n"
              "expect marks/row/0 text \"too large here\"\n"
              "click graph/node/conv2d\n"
              "expect node/note absent\n"
              "click marks/row/0\n"
              "expect state.selection.node == \"relu\"\n"
              "click node/note/edit\n"
              "expect state.dialog == \"note\"\n"
              "wait 3\n"
              "key Escape\n"
              "expect state.marks[0].note == \"too large here\"\n"
              "click marks/row/0\n"
              "key Delete\n"));
  CHECK(d.state()["marks"].empty());
  CHECK(d.duplicates.empty());
}

TEST_CASE("F2 in Watch edits the selected expression") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "watch.add relu.max()\n"
              "watch.add relu.min()\n"
              "view.pane watch\n"
              "wait idle\n"
              "click watch/row/0\n"
              "key F2\n"
              "wait 3\n"
              "key Ctrl+A\n"
              "type conv2d.mean()\n"
              "key Enter\n"
              "wait idle\n"
              "expect state.watches[0].expression == \"conv2d.mean()\"\n"
              "expect state.watches[1].expression == \"relu.min()\"\n"));
}

TEST_CASE("Ctrl+Enter runs to the selection") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/relu\n"
              "key Ctrl+Enter\n"
              "wait idle\n"
              "click inputs/run\n"
              "wait idle\n"
              "expect state.cursor == \"relu\"\n"));
}

TEST_CASE("F8 and Shift+F8 walk over the problems and select their nodes") {
  Driver d({std::string(PT2_TEST_DATA) + "/programs/mutations.pt2"});
  CHECK(d.run("wait idle\n"));
  REQUIRE(d.state()["problems"].size() > 1);
  CHECK(d.run("key F8\n"
              "wait idle\n"
              "expect problems/row/0 exists\n"));
  const auto first = d.state()["selection"];
  CHECK((!first["node"].is_null() || !first["value"].is_null()));
  CHECK(d.run("key Shift+F8\nkey F8\nwait idle\n"));
  CHECK(d.state()["selection"] == first);
}

TEST_CASE("toolbar and status bar: Alt+5 and Alt+6, arrows, Enter, Escape") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "key Alt+6\n"
              "expect status/focus exists\n"
              "key End\n"
              "key Enter\n"
              "wait idle\n"
              "expect state.theme == \"light\"\n"
              "key Alt+5\n"
              "expect toolbar/focus exists\n"
              "key Home\n"
              "key Enter\n"
              "wait idle\n"
              "expect state.dialog == \"inputs\"\n"
              "key Escape\n"
              "key Alt+5\n"
              "key Escape\n"
              "wait idle\n"
              "expect toolbar/focus absent\n"));
}

TEST_CASE("the minimap moves the graph by click and drag") {
  Driver d({kSample}, 1000, 640);
  CHECK(d.run("wait idle\n"
              "expect graph/minimap absent\n"
              "focus.centre\n"
              "view.actual_size\n"
              "view.zoom_in\n"
              "view.zoom_in\n"
              "wait idle\n"
              "expect graph/minimap exists\n"));
  auto y = [&] { return d.state()["graph"]["pan"][1].get<double>(); };
  CHECK(d.run("drag graph/minimap 0 40\nwait idle\n"));
  const double below = y();
  CHECK(d.run("click graph/minimap\nwait idle\n"));
  const double middle = y();
  CHECK(below > middle + 50);
  CHECK(d.run("drag graph/minimap 0 -40\nwait idle\n"));
  CHECK(y() < middle - 50);
  CHECK(d.run("key M\nwait 2\nexpect graph/minimap absent\n"));
}

TEST_CASE("values of a file: colours, Node pane, unknown names counted, errors with their place") {
  const pt2::test::Scratch folder;
  const std::string csv = write(folder.path("cost.csv"), "node,ms,where\nconv2d,12.5,gpu\nrelu,3,cpu\nnothing,1,cpu\n");
  const std::string bad = write(folder.path("bad.csv"), "node,ms\nrelu,1,2\n");
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "view.data_file " + csv + ":where\n"
              "wait idle\n"
              "expect state.graph.data.column == \"where\"\n"
              "expect state.graph.data.matched == 2\n"
              "expect state.toast has \"1 name is not in the program: nothing\"\n"
              "expect toast/0 text \"warning\"\n"
              "expect graph/overlay text \"where\"\n"
              "expect graph/scale text \"where\"\n"
              "click graph/node/conv2d\n"
              "expect node/data/ms text \"12.5\"\n"
              "expect node/data/where text \"gpu\"\n"
              "click graph/overlay\n"
              "wait idle\n"
              "click graph/overlay/column/0\n"
              "wait idle\n"
              "expect graph/scale text \"ms\"\n"
              "view.data_file " + bad + "\n"
              "wait idle\n"
              "expect state.toast has \"line 2, column 8\"\n"
              "expect toast/0 text \"error\"\n"
              "view.forget_data\n"
              "wait idle\n"
              "expect node/data/ms absent\n"
              "expect state.graph.color_by == \"family\"\n"));
}

TEST_CASE("the tour: four cards, back, skip") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "expect tour/title absent\n"
              "help.tour\n"
              "wait idle\n"
              "expect tour/title text \"Select\"\n"
              "click tour/next\n"
              "wait idle\n"
              "expect tour/title text \"Step\"\n"
              "click tour/back\n"
              "wait idle\n"
              "click tour/next\n"
              "wait idle\n"
              "click tour/next\n"
              "wait idle\n"
              "expect tour/title text \"Inspect\"\n"
              "click tour/skip\n"
              "wait idle\n"
              "expect tour/title absent\n"
              "expect state.tour == 0\n"));
}

TEST_CASE("settings of the graph hold at once, for what is open and what opens later") {
  Driver d({kSample, PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_nan.pt2"});
  CHECK(d.run("wait idle\nfile.settings\nwait idle\nclick settings/parameters/nodes\nclick settings/direction/LR\nclick settings/getitem\nwait idle\nview.parameters hidden\nsettings.set getitem on\nexpect state.graph.params == \"hidden\"\nview.parameters nodes\nwait idle\nkey Escape\nwait idle\n"
              "expect state.graph.params == \"nodes\"\n"));
  for (const auto& document : d.app.workspace().documents()) {
    CHECK(document->graph.parameters == pt2::views::ParameterMode::Nodes);
    CHECK(document->graph.direction == pt2::views::Direction::LeftRight);
    CHECK(document->graph.show_getitem);
  }
  CHECK(d.run("settings.reset\nwait idle\nexpect state.graph.params == \"attached\"\n"));
}

TEST_CASE("settings: found by their words, set, and all as at first") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "file.settings\n"
              "wait idle\n"
              "click settings/parameters/hidden\n"
              "wait idle\n"
              "click settings/find\n"
              "type tolerance\n"
              "wait idle\n"
              "expect settings/rtol exists\n"
              "expect settings/direction/LR absent\n"
              "settings.set rtol 0.5\n"
              "settings.set max_boxes few\n"
              "expect state.toast has \"max_boxes is 100 to 1000000\"\n"
              "key Escape\n"
              "file.open " PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2\n"
              "wait idle\n"
              "expect state.graph.params == \"hidden\"\n"
              "settings.reset\n"
              "wait idle\n"));
  CHECK(d.app.workspace().ui.preferences.rtol == std::nullopt);
}

TEST_CASE("a bundle is written from the window and brings what was set up") {
  const pt2::test::Scratch folder;
  const std::string out = folder.path("b.pt2");
  {
    Driver d({kSample});
    CHECK(d.run("wait idle\n"
                "debug.run_without_stopping\n"
                "wait idle\n"
                "click inputs/run\n"
                "wait idle\n"
                "debug.toggle_breakpoint relu\n"
                "watch.add relu.max()\n"
                "click graph/node/conv2d\n"
                "mark.note look here\n"
                "view.fold_module bn\n"
                "view.direction\n"
                "wait idle\n"
                "file.bundle\n"
                "wait idle\n"
                "expect bundle/values text \"on\"\n"
                "click bundle/none\n"
                "bundle.write " + out + "\n"
                "wait idle\n"
                "expect state.toast has \"7 left out\"\n"));
  }
  Driver d({out});
  CHECK(d.run("wait idle\n"
              "expect state.breakpoints[0].node == \"relu\"\n"
              "expect state.watches[0].expression == \"relu.max()\"\n"
              "expect state.marks[0].note == \"look here\"\n"
              "expect state.selection.node == \"conv2d\"\n"
              "expect state.graph.expanded == [\"conv\", \"relu\"]\n"
              "expect state.reference.name == \"values of the bundle\"\n"));
  size_t missing = 0;
  const auto state = d.state();
  for (const auto& problem : state["problems"]) missing += problem["rule"] == "weights.missing";
  CHECK_MESSAGE(missing == 7, state["problems"].dump());
}

TEST_CASE("a bundle whose additions are damaged opens, and says so") {
  const pt2::test::Scratch folder;
  pt2::BundleRequest request;
  request.source = kSample;
  request.out = folder.path("b.pt2");
  request.session = "[1, 2";
  request.view = R"({"root": 5, "expanded": [1, "bn"], "hidden": "x", "getitem": "yes", "color_by": []})";
  REQUIRE(pt2::write_bundle(request).has_value());
  Driver d({request.out});
  CHECK(d.run("wait idle\n"
              "expect graph/node/batch_norm exists\n"
              "expect state.graph.expanded == [\"bn\"]\n"
              "expect state.toast has \"cannot be read\"\n"
              "expect toast/0 text \"warning\"\n"));
}

TEST_CASE("the context menu of the selection opens by key in graph, text, tables and lists") {
  Driver d({kSample});
  auto popup = [] { return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel); };
  CHECK(d.run("wait idle\nclick graph/node/relu\nkey Shift+F10\nwait 2\n"));
  CHECK(popup());
  CHECK(d.run("key Escape\nwait 2\nview.text\nwait idle\nclick text/line/3\nkey Menu\nwait 2\n"));
  CHECK(popup());
  CHECK(d.run("key Escape\nwait 2\nclick left/tab/signature\nwait idle\nclick signature/input/x\nkey Menu\nwait 2\n"));
  CHECK(popup());
  CHECK(d.run("key Escape\nwait 2\nclick left/tab/modules\nwait idle\nclick modules/bn\nkey Menu\nwait 2\n"));
  CHECK(popup());
  CHECK(d.run("key Escape\nwait 2\nwatch.add relu\nview.pane watch\nwait idle\nclick watch/row/0\nkey Menu\nwait 2\n"));
  CHECK(popup());
  CHECK(d.run("key Escape\nwait 2\n"));
  CHECK_FALSE(popup());
}
