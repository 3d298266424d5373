// Looking around: menus in small windows, lists by keyboard, what stays on screen, names that tell things apart.
#include <filesystem>

#include "core/tensor/tensor_files.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"
#include "views/workspace/titles.h"

using pt2::gui::Driver;

namespace {

const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2", kNested = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/nested_cond.pt2";

double zoom(Driver& d) { return d.state()["graph"]["zoom"].get<double>(); }
nlohmann::json pan(Driver& d) { return d.state()["graph"]["pan"]; }

std::string downs(int n) {
  std::string lines;
  for (int i = 0; i < n; ++i) lines += "key Down\nwait 3\n";
  return lines;
}

}  // namespace

TEST_CASE("a menu that is higher than the window opens below the bar and scrolls, so the click that opens it presses nothing") {
  Driver d({kSample}, 1100, 500);
  CHECK(d.run("wait idle\nexpect state.panes has \"modules\"\nclick menu/view\nwait 5\n"
              "expect menu/view/left exists\nexpect state.panes has \"modules\"\n"));
  const auto* first = d.app.probe().find("menu/view/left");
  REQUIRE(first);
  CHECK(first->min.y >= 20);
}

TEST_CASE("Alt and a digit puts the keyboard on a row: arrows walk, Enter and Space press") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nkey Alt+1\nwait 3\n" + downs(2) + "key Enter\nwait idle\nexpect state.selection.module == \"bn\"\n"
              "key Up\nwait 3\nkey Space\nwait idle\nexpect state.selection.module == \"conv\"\n"
              // A tree folds and opens by Left and Right.
              "key Up\nwait 3\nkey Left\nwait idle\nexpect modules/conv absent\nkey Right\nwait idle\nexpect modules/conv exists\n"));
  CHECK(d.run("view.pane signature\nwait idle\nkey Alt+1\nwait 3\n" + downs(1) + "key Enter\nwait idle\nexpect state.selection.value == \"p_conv_weight\"\n"));
  CHECK(d.run("go.node relu\nmark.note first\ngo.node conv2d\nmark.note second\nselect.clear\nview.pane marks\nwait idle\nkey Alt+1\nwait 3\nkey Enter\nwait idle\n"));
  CHECK_FALSE(d.state()["selection"]["node"].is_null());
}

TEST_CASE("breakpoints by keyboard: arrows select their nodes") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_nan.pt2"});
  CHECK(d.run("wait idle\nview.layout_debug\nview.pane breakpoints\nbreakpoint.add conv2d\nbreakpoint.add relu\nselect.clear\nwait idle\n"
              "key Alt+4\nwait 3\n" + downs(4) + "wait idle\nexpect state.selection.node == \"relu\"\nkey Up\nwait idle\nexpect state.selection.node == \"conv2d\"\n"));
}

TEST_CASE("the text by keyboard where it is all that the centre shows, and links of the Node pane") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.node conv2d\nview.text\nwait idle\nkey Alt+2\nwait 3\nkey Down\nwait idle\nexpect state.selection.node == \"batch_norm\"\n"
              "expect focus/centre.text exists\n"
              "view.graph\nview.pane node\nselect.node relu\nwait idle\nkey Alt+3\nwait 3\nkey Down\nwait 3\nkey Enter\nwait idle\n"));
  CHECK(d.state()["selection"]["node"] != "relu");
}

TEST_CASE("what has too many boxes waits for a word; folding goes on from what is on screen") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.parameters nodes\nview.fold_all\nwait idle\n"));
  const auto boxes = d.state()["graph"]["visible"].get<size_t>();
  d.app.workspace().ui.preferences.max_boxes = boxes;
  CHECK(d.run("view.unfold_all\nwait idle\nwait 3\nexpect graph/lay_out exists\nexpect graph/module/bn exists\n"));
  CHECK(d.state()["graph"]["expanded"].empty());
  CHECK(d.state()["graph"]["visible"] == boxes);
  CHECK(d.run("click graph/lay_out\nwait idle\nexpect graph/node/batch_norm exists\nexpect graph/lay_out absent\n"));
  CHECK(d.state()["graph"]["expanded"].size() == 3);
  // A picture that was allowed may be folded a little.
  CHECK(d.run("view.fold_module relu\nwait idle\nexpect graph/lay_out absent\nexpect graph/module/relu exists\n"));
}

TEST_CASE("walking with the keys far away comes near enough to read") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nselect.node x\nview.actual_size\nwait idle\n"));
  for (int i = 0; i < 10; ++i) REQUIRE(d.run("view.zoom_out\nwait idle\n"));
  REQUIRE(zoom(d) < 0.2);
  CHECK(d.run("key Alt+2\nwait 3\nkey PageDown\nwait idle\nexpect state.selection.node == \"conv2d\"\n"));
  CHECK(zoom(d) >= 0.8);
}

TEST_CASE("commands take the node that is named where nothing is selected") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.clear\nview.isolate relu\nwait idle\nexpect graph/node/relu exists\nexpect graph/node/conv2d absent\n"
              "view.unhide_all\nview.upstream relu\nwait idle\nexpect state.graph.highlight == \"upstream\"\n"
              "view.hide_node conv2d\nwait idle\nexpect graph/node/conv2d absent\nexpect graph/node/relu exists\n"));
}

TEST_CASE("a picture that nobody moved stays whole when its pane changes size") {
  Driver d({kSample}, 1440, 900);
  REQUIRE(d.run("wait idle\nwait 15\n"));
  const double opened = zoom(d);
  d.resize(1440, 620);
  REQUIRE(d.run("wait 3\nwait idle\nexpect graph/node/x exists\nexpect graph/node/output exists\n"));
  CHECK(zoom(d) < opened);
  CHECK(zoom(d) > 0.4);  // near enough to read names
  d.resize(1440, 900);
  REQUIRE(d.run("wait 3\nwait idle\n"));
  CHECK(zoom(d) == doctest::Approx(opened));
}

TEST_CASE("where the camera was moved another size of the pane changes neither zoom nor centre") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nwait 15\nview.zoom_in\nwait idle\n"));
  const double before = zoom(d);
  const auto centre = pan(d);
  REQUIRE(d.run("view.layout_debug\nwait idle\nwait 3\n"));
  CHECK(zoom(d) == before);
  CHECK(pan(d) == centre);
  d.resize(1000, 600);
  REQUIRE(d.run("wait 3\nwait idle\n"));
  CHECK(zoom(d) == before);
  // Larger text makes the graph's larger too.
  REQUIRE(d.run("view.larger\nview.larger\nwait idle\nwait 3\n"));
  CHECK(zoom(d) == before);
  REQUIRE(d.run("view.fit\nwait idle\n"));
  CHECK(zoom(d) < before);
}

TEST_CASE("a picture too far away to be read stays whole when its pane changes size") {
  Driver d(std::vector<std::string>{kSample}, 1000, 380);
  REQUIRE(d.run("wait idle\nwait 15\n"));
  const double before = zoom(d);
  REQUIRE(before < 0.4);
  d.resize(1000, 330);
  REQUIRE(d.run("wait 3\nwait idle\nexpect graph/node/x exists\nexpect graph/node/output exists\n"));
  CHECK(zoom(d) < before);
}

TEST_CASE("Back leads to where the camera was, also where nothing was selected") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nwait 15\n"));
  const double before = zoom(d);
  REQUIRE(d.run("go.back\n") == false);
  REQUIRE(d.run("view.zoom_out\nview.zoom_out\nview.zoom_out\nview.zoom_out\nview.zoom_out\nview.zoom_out\nwait idle\n"));
  const double far = zoom(d);
  CHECK(far < before);
  REQUIRE(d.run("go.node relu\nwait idle\n"));
  CHECK(zoom(d) > far);
  REQUIRE(d.run("go.back\nwait idle\n"));
  CHECK(d.state()["selection"]["node"].is_null());
  CHECK(zoom(d) == doctest::Approx(far));
  CHECK(d.run("go.forward\nwait idle\nexpect state.selection.node == \"relu\"\n"));
}

TEST_CASE("Backspace after Enter on a folded module folds it again, with the camera where it was") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.fold_module conv\nwait idle\nselect.module conv\nview.zoom_in\nview.zoom_in\nview.zoom_in\nwait idle\nclick graph/module/conv\nwait idle\n"));
  const double before = zoom(d);
  const auto centre = pan(d);
  REQUIRE(d.run("key Enter\nwait idle\nexpect graph/node/conv2d exists\nexpect graph/node/relu absent\n"));
  CHECK(zoom(d) != doctest::Approx(before));
  REQUIRE(d.run("key Backspace\nwait idle\nexpect graph/module/conv exists\nexpect graph/node/conv2d absent\nexpect state.selection.module == \"conv\"\n"));
  CHECK(zoom(d) == doctest::Approx(before));
  CHECK(pan(d) == centre);
  // What was unfolded before stays so.
  CHECK(d.run("view.unfold_module conv\nwait idle\nselect.module conv\nview.open_module\nwait idle\nview.leave_module\nwait idle\nexpect graph/node/conv2d exists\nexpect graph/node/batch_norm exists\n"));
}

TEST_CASE("sub-graphs are counted in the status bar and listed with the modules") {
  Driver d({kNested});
  CHECK(d.run("wait idle\nexpect status/nodes text \"in sub-graphs\"\n"
              "expect modules/subgraph/true_graph_0 exists\nexpect modules/subgraph/true_graph_0/true_graph_0 exists\n"
              "click modules/subgraph/true_graph_0/true_graph_0\nwait idle\n"));
  const std::string node = d.state()["selection"]["node"].get<std::string>();
  CHECK(node.starts_with("true_graph_0/true_graph_0/"));
}

TEST_CASE("files of one name are told apart by their folders") {
  const std::vector<std::string> paths{"/m/a/model.pt2", "/m/b/model.pt2", "/m/other.pt2", "/n/a/model.pt2"};
  CHECK(pt2::views::distinct_names(paths) == std::vector<std::string>{"m/a/model.pt2", "b/model.pt2", "other.pt2", "n/a/model.pt2"});
  const std::vector<std::string> same{"/m/a/model.pt2", "/m/a/model.pt2"};
  CHECK(pt2::views::distinct_names(same).front() == "model.pt2");
  const pt2::test::Scratch scratch;
  for (const char* folder : {"one", "two"}) {
    std::filesystem::create_directory(scratch.path(folder));
    std::filesystem::copy_file(kSample, scratch.folder / folder / "model.pt2");
  }
  Driver d({scratch.path("one/model.pt2"), scratch.path("two/model.pt2")});
  CHECK(d.run("wait idle\nexpect centre/tab/0 text \"one/model.pt2\"\nexpect centre/tab/1 text \"two/model.pt2\"\n"));
  CHECK(d.app.window_title().find("/model.pt2") == 3);
}

TEST_CASE("a query that is being typed is not called wrong, and its field stays where it is") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nsearch.open\nwait idle\nwait 3\n"));
  const float before = d.app.probe().find("search/input")->min.x;
  REQUIRE(d.run("type shape:[\nwait 2\n"));
  CHECK(d.app.probe().find("search/input")->min.x == before);
  CHECK(d.app.probe().find("search/count")->text.empty());
  REQUIRE(d.run("wait 60\n"));
  CHECK_FALSE(d.app.probe().find("search/count")->text.empty());
  CHECK(d.app.probe().find("search/input")->min.x == before);
}

TEST_CASE("the Tensor pane says what an output is") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.node output\nview.pane tensor\nwait idle\nexpect tensor/note text \"It returns relu\"\n"));
}

TEST_CASE("folding, direction and the mode of parameters are kept with the session") {
  const pt2::test::Scratch scratch;
  auto options = Driver::options({kSample});
  options.session = scratch.path("view.json");
  {
    Driver d(options, 1440, 900);
    REQUIRE(d.run("wait idle\nview.fold_module conv\nview.parameters nodes\nview.direction\nwait idle\n"));
  }
  Driver d(options, 1440, 900);
  CHECK(d.run("wait idle\nexpect graph/module/conv exists\nexpect state.graph.expanded has \"bn\"\nexpect state.graph.params == \"nodes\"\n"));
  CHECK(d.app.workspace().active()->graph.direction == pt2::views::Direction::LeftRight);
}

TEST_CASE("what is hidden leaves the selection and the view at its neighbour") {
  const auto place = [](Driver& d, const char* name) {
    const auto* item = d.app.probe().find(name);
    REQUIRE_MESSAGE(item, name);
    return item->min;
  };
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.actual_size\nclick graph/node/batch_norm\nwait idle\n"));
  const ImVec2 before = place(d, "graph/node/relu");
  CHECK(d.run("key H\nwait idle\nexpect graph/node/batch_norm absent\nexpect state.selection.node == \"relu\"\n"));
  CHECK(place(d, "graph/node/relu").x == doctest::Approx(before.x).epsilon(0.01));
  CHECK(place(d, "graph/node/relu").y == doctest::Approx(before.y).epsilon(0.01));
  // Down to the output; there is nothing below it, so up again.
  CHECK(d.run("key H\nwait idle\nexpect state.selection.node == \"output\"\nkey H\nwait idle\nexpect state.selection.node == \"conv2d\"\nexpect graph/node/conv2d exists\nexpect graph/hidden text \"3 nodes hidden\"\n"
              "view.unhide_all\nwait idle\nexpect graph/node/conv2d exists\n"
              // Another one than what is selected: the selection stays.
              "select.node relu\nview.hide_node conv2d\nwait idle\nexpect state.selection.node == \"relu\"\n"
              "view.unhide_all\nselect.module conv\nview.hide_node\nwait idle\nexpect state.selection.node == \"batch_norm\"\n"));
}

TEST_CASE("the neighbour of what is hidden comes into view where it was not") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/tests/data/programs/shared_module.pt2"}, 1200, 600);
  REQUIRE(d.run("wait idle\nview.actual_size\nselect.node tanh\nwait idle\nkey Alt+2\nkey H\nwait idle\n"));
  const std::string now = d.state()["selection"]["node"];
  CHECK(now != "tanh");
  CHECK(d.run("expect graph/node/" + now + " exists\n"));
}

TEST_CASE("searches that were gone to are remembered, the last 20") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nkey Ctrl+F\nwait idle\ntype relu\nkey Enter\nwait idle\nkey Ctrl+A\ntype op:aten.conv*\nwait idle\nkey Enter\nwait idle\nkey Ctrl+A\ntype bn\nwait idle\n"));
  CHECK(d.run("key Up\nwait idle\nexpect search/input text \"op:aten.conv*\"\nkey Up\nwait idle\nexpect search/input text \"relu\"\nkey Up\nwait idle\nexpect state.search.query == \"relu\"\n"
              "key Down\nwait idle\nexpect search/input text \"op:aten.conv*\"\nkey Down\nwait idle\nexpect search/input text \"\"\n"));
  for (int i = 0; i < 25; ++i) REQUIRE(d.run("search.query n" + std::to_string(i) + "\nsearch.next\n"));
  CHECK(d.app.workspace().ui.searches.size() == 20);
  CHECK(d.app.workspace().ui.searches.back() == "n24");
}

TEST_CASE("an input whose producer is hidden is marked with its name") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.actual_size\nwait idle\nview.hide_node conv2d\nwait idle\nselect.node batch_norm\nwait idle\n"
              "expect graph/hidden_input/batch_norm text \"conv2d\"\nview.unhide_all\nwait idle\nexpect graph/hidden_input/batch_norm absent\n"));
}

TEST_CASE("a path typed where entries are found leads into the folder or opens the file") {
  Driver d;
  CHECK(d.run("wait idle\nfile.open\nwait idle\nwait 3\ntype " + std::string(PT2_SOURCE_DIR) + "/assets\nkey Enter\nwait idle\nwait 3\n"
              "expect picker/filter text \"\"\nexpect picker/path text \"" + std::string(PT2_SOURCE_DIR) + "/assets\"\n"
              // The keyboard is still there.
              "type samples/conv_bn_relu.pt2\nkey Enter\nwait idle\nexpect state.dialog == null\nexpect graph/node/relu exists\n"));
}

TEST_CASE("notes about a file are counted in the status bar") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\n"));
  pt2::Finding note;
  note.severity = pt2::Severity::Note;
  d.app.workspace().active()->problems = {note, note};
  CHECK(d.run("wait 3\nexpect status/problems text \"2 notes\"\nclick status/problems\nwait idle\nexpect state.panes has \"problems\"\n"));
}

TEST_CASE("a click on an argument or a line takes the name that it is about") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nclick graph/node/conv2d\nwait idle\n"
              "click node/arg/bias\nexpect state.selection.node == \"p_conv_bias\"\n"
              "click graph/node/conv2d\nwait idle\nclick node/arg/weight\nexpect state.selection.node == \"p_conv_weight\"\n"
              "view.text\nwait idle\nclick text/line/3\nexpect state.selection.node == \"batch_norm\"\n"
              "view.text_form readable\nwait idle\nclick text/line/6\nexpect state.selection.node == \"batch_norm\"\n"));
}

TEST_CASE("the unlifted form's nodes are found and selected by the names of that form") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/tests/data/programs/symbolic.pt2"});
  REQUIRE(d.run("wait idle\nview.unlifted on\nwait idle\nsearch.open _guards\nwait idle\nexpect state.search.count == 1\nsearch.next\nwait idle\n"));
  CHECK(d.state()["selection"]["unlifted"] == "_guards_fn");
  CHECK(d.run("select.clear\nselect.node _guards_fn\nwait idle\nexpect state.selection.unlifted == \"_guards_fn\"\nexpect graph/node/_guards_fn exists\n"
              "select.clear\nkey Ctrl+P\nwait 3\ntype _guards\nwait idle\nexpect palette/row/0 text \"_guards_fn\"\nkey Enter\nwait idle\nexpect state.selection.unlifted == \"_guards_fn\"\n"
              "view.unlifted off\nwait idle\nexpect state.search.count == 0\n"));
}

TEST_CASE("a get_attr of the unlifted form goes by its own name everywhere") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.unlifted on\nwait idle\nsearch.open get_attr\nwait idle\nexpect state.search.count == 7\n"
              "search.query \"get_attr conv.weight\"\nwait idle\nexpect state.search.count == 1\nsearch.query p_conv_weight\nwait idle\nexpect state.search.count == 1\nsearch.close\n"
              "go.node get_attr conv.weight\nwait idle\nexpect state.selection.node == \"p_conv_weight\"\n"
              "expect node/title text \"conv_weight\"\nexpect status/selection text \"get_attr conv.weight\"\nexpect toolbar/breadcrumb/1 text \"get_attr conv.weight\"\n"
              "select.node conv_bias\nwait idle\nexpect state.selection.node == \"p_conv_bias\"\n"
              "select.node conv2d\nwait idle\nexpect node/arg/weight text \"conv_weight\"\nclick node/arg/weight\nexpect state.selection.node == \"p_conv_weight\"\n"
              "go.palette conv_weight\nwait idle\nexpect palette/row/0 text \"conv_weight\"\nkey Escape\ngo.palette p_conv_weight\nwait idle\nexpect palette/row/0 text \"p_conv_weight\"\nkey Escape\n"
              "key Ctrl+P\nwait 3\ntype bn.weight\nwait idle\nexpect palette/row/0 text \"get_attr bn.weight\"\nkey Enter\nwait idle\nexpect state.selection.node == \"p_bn_weight\"\n"));
}

TEST_CASE("a parameter that is selected in a list is shown where it is read") {
  Driver d({kSample}, 1000, 600);
  REQUIRE(d.run("wait idle\nview.fold_all\nwait idle\nclick left/tab/signature\nwait idle\nview.zoom_out\nview.zoom_out\nview.zoom_out\nview.zoom_out\nview.zoom_out\nwait idle\nexpect graph/chip/conv2d/p_conv_weight absent\n"));
  const double before = zoom(d);
  CHECK(d.run("click signature/input/p_conv_weight\nwait idle\nexpect state.selection.value == \"p_conv_weight\"\nexpect graph/chip/conv2d/p_conv_weight exists\n"));
  CHECK(zoom(d) > before);
}

TEST_CASE("a file of tensors opens on its tensors, which the palette finds") {
  const pt2::test::Scratch scratch;
  pt2::TensorFile file;
  file.tensors.emplace_back("conv2d", pt2::test::floats({2, 3}, {1, 2, 3, 4, 5, 6}));
  file.tensors.emplace_back("relu", pt2::test::floats({4}, {1, 2, 3, 4}));
  REQUIRE(pt2::write_tensor_file(scratch.path("values.safetensors"), file));
  Driver d({scratch.path("values.safetensors")}, 1000, 650);
  CHECK(d.run("wait idle\nexpect state.panes has \"tensor\"\nexpect tensor/file/conv2d exists\nexpect document/tensors text \"Tensor pane.\"\n"
              "key Ctrl+P\nwait 3\ntype conv\nwait idle\nexpect palette/row/0 text \"conv2d\"\nkey Enter\nwait idle\nexpect state.tensor.value == \"conv2d\"\n"
              "tensor.show nothing\nexpect state.toast has \"no tensor\"\n"));
}

TEST_CASE("beside the text a picture that was shown whole is whole again, in the unlifted form, too") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.unlifted on\nwait idle\nwait 30\nexpect graph/node/bn_num_batches_tracked exists\n"));
  CHECK(d.run("view.both\nwait idle\nwait 5\nexpect graph/node/bn_num_batches_tracked exists\nexpect graph/node/conv_weight exists\nexpect graph/node/output exists\n"));
}

TEST_CASE("a filter opens what leads to a match and nothing else") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/tests/data/programs/shared_module.pt2"});
  CHECK(d.run("wait idle\nright_click modules/block\nwait idle\nclick modules/menu/identical\nwait idle\nexpect modules/block exists\nexpect modules/arrow/block absent\n"
              "expect modules/arrow/tail text \"open\"\n"));
}

TEST_CASE("wait idle waits for what the search says of a query that finds nothing") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nkey Ctrl+F\nwait idle\ntype nan:true\nwait idle\nexpect search/count text \"run the program\"\n"));
}

TEST_CASE("a breakpoint has one sign in the text, also below the comments of its node") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.text_form readable\ndebug.toggle_breakpoint relu\nwait idle\n"));
  int signs = 0;
  for (const auto& item : d.app.probe().items()) signs += item.name.starts_with("text/gutter/") && item.text.find("●") != std::string::npos;
  CHECK(signs == 1);
}

TEST_CASE("with large text the breadcrumb still says what is selected, and an argument that has no room in a line is cut") {
  Driver d({kSample}, 1280, 800);
  REQUIRE(d.run("wait idle\nclick graph/node/batch_norm\nwait idle\nexpect toolbar/breadcrumb/0 text \"forward\"\n"));
  d.resize(1440, 900);
  std::string larger;
  for (int i = 0; i < 8; ++i) larger += "view.larger\nwait 3\n";
  REQUIRE(d.run(larger + "wait idle\nexpect toolbar/breadcrumb/2 text \"batch_norm\"\nexpect state.scale == 2.0\n"));
  d.resize(1280, 800);
  REQUIRE(d.run("wait idle\nwait 5\nexpect node/arg/running_var text \"b_bn_running_var\"\n"));
  const auto* item = d.app.probe().find("node/arg/running_var");
  REQUIRE(item);
  CHECK(item->max.x <= 1280);
}

TEST_CASE("in a small window with large text the search field gives its room to the breadcrumb, which says all of the path") {
  Driver d({kSample}, 1280, 720);
  REQUIRE(d.run("wait idle\nselect.node batch_norm\nwait idle\nexpect toolbar/breadcrumb/0 text \"forward\"\n"));
  const auto width = [&d](const char* name) { return d.app.probe().find(name)->max.x - d.app.probe().find(name)->min.x; };
  const float before = width("toolbar/search");
  std::string larger;
  for (int i = 0; i < 8; ++i) larger += "view.larger\nwait 3\n";
  REQUIRE(d.run(larger + "wait idle\nexpect state.scale == 2.0\nexpect toolbar/breadcrumb/2 text \"batch_norm\"\n"));
  CHECK(width("toolbar/breadcrumb/2") > 120);
  CHECK(d.app.probe().find("toolbar/breadcrumb/2")->max.x <= d.app.probe().find("toolbar/search")->min.x);
  CHECK(width("toolbar/search") < before);
  CHECK(d.run("hover toolbar/breadcrumb/0\nwait 30\nexpect tooltip text \"forward › bn › batch_norm\"\n"));
}

TEST_CASE("what nothing leads to is told so, and the graph is not dimmed") {
  Driver d({PT2_TEST_DATA "/programs/nan_sources.pt2"});
  CHECK(d.run("wait idle\nview.upstream y\nexpect state.toast == \"Nothing comes before \\\"y\\\"\"\nexpect state.graph.highlight == null\n"
              "view.downstream output\nexpect state.toast == \"Nothing comes after \\\"output\\\"\"\nexpect state.graph.highlight == null\n"
              "debug.start\nwait idle\nclick inputs/run\nwait idle\ndebug.edit_input y inf\nwait idle\ndebug.show_producer y\nwait idle\n"
              "expect state.selection.node == \"y\"\nexpect state.toast has \"No operator makes \\\"y\\\"\"\nexpect state.graph.highlight == null\n"));
}
