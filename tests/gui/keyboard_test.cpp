// By keyboard: an open menu has it alone and is that of the row or node it was opened for; F8, Home and End; what cannot apply is grey.
#include <cmath>
#include <vector>

#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/", kPrograms = std::string(PT2_SOURCE_DIR) + "/tests/data/programs/";
const std::string kSample = kSamples + "conv_bn_relu.pt2";

}  // namespace

TEST_CASE("keys in an open menu do nothing behind it") {
  Driver d({kSample});
  // The second entry toggles a breakpoint: where the menu was opened, whatever the arrows would do in the graph.
  REQUIRE(d.run("wait idle\nselect.node conv2d\nwait idle\nkey Alt+2\nwait idle\nkey Shift+F10\nwait idle\nkey Down\nwait idle\n"
                "expect state.selection.node == \"conv2d\"\nkey Enter\nwait idle\nexpect state.selection.node == \"conv2d\"\n"));
  CHECK(d.run("expect state.breakpoints[0].where has \"conv2d\"\n"));
  // What is selected meanwhile changes nothing.
  CHECK(d.run("key Shift+F10\nwait idle\nselect.node relu\nwait idle\nclick graph/menu/debug.toggle_breakpoint\nwait idle\nexpect state.selection.node == \"conv2d\"\n"));
  CHECK(d.state()["breakpoints"].empty());
  // Letters, arrows and chords in a menu of the bar and in a drop-down list.
  CHECK(d.run("click menu/view\nwait idle\nkey H\nkey U\nkey Up\nkey Ctrl+P\nkey F9\nwait idle\n"
              "expect state.selection.node == \"conv2d\"\nexpect palette/input absent\nexpect graph/hidden absent\n"
              "key Escape\nwait idle\nexpect state.selection.node == \"conv2d\"\n"
              "click graph/overlay\nwait idle\nkey Down\nkey Down\nwait idle\nexpect state.selection.node == \"conv2d\"\nkey Escape\nwait idle\n"
              "view.both\nwait idle\nclick text/line/2\nwait idle\nkey Shift+F10\nwait idle\nkey Down\nwait idle\nexpect state.selection.node == \"conv2d\"\nkey Enter\nwait idle\n"
              "expect state.breakpoints[0].where has \"conv2d\"\nview.graph\nwait idle\n"
              // Closed, the keys are the graph's again.
              "key Alt+2\nkey Down\nwait idle\nexpect state.selection.node == \"batch_norm\"\n"));
}

TEST_CASE("the menu bar by keyboard: a key opens it, arrows walk over menus and entries, and what had the keyboard gets it back") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nselect.node conv2d\nwait idle\nkey Alt+2\nwait idle\nkey Alt+7\nwait idle\nexpect menu/file/open exists\n"));
  CHECK(d.run("key Right\nwait idle\nexpect menu/file/open absent\nexpect menu/edit/copy exists\nkey Right\nwait idle\nexpect menu/view/left exists\nkey Down\nkey Enter\nwait idle\n"));
  CHECK_FALSE(d.app.workspace().ui.right);  // the second entry
  CHECK(d.run("key Alt+7\nwait idle\nkey Escape\nwait idle\nexpect menu/file/open absent\nkey Down\nwait idle\nexpect state.selection.node == \"batch_norm\"\n"));
}

TEST_CASE("the graph's menu opens beside what is selected") {
  Driver d({kSample}, 1440, 1400);
  REQUIRE(d.run("wait idle\nhover left/tab/modules\nselect.node relu\nwait idle\nkey Alt+2\nkey Shift+F10\nwait idle\nexpect graph/menu/debug.run_to exists\n"));
  const auto* box = d.app.probe().find("graph/node/relu");
  const auto* entry = d.app.probe().find("graph/menu/debug.run_to");
  REQUIRE((box && entry));
  CHECK(std::abs(entry->min.x - box->max.x) < 40);
  CHECK(std::abs(entry->min.y - box->min.y) < 80);
}

TEST_CASE("a list's menu by keyboard is that of the row with the cursor") {
  Driver d({kPrograms + "shared_module.pt2"});
  // The cursor goes on from block, which stays selected, to the row after it.
  CHECK(d.run("wait idle\nclick modules/block\nwait idle\nkey Down\nwait idle\nkey Shift+F10\nwait idle\nkey Down\nwait idle\nkey Enter\nwait idle\n"
              "expect state.graph.root == \"block.linear\"\n"));
}

TEST_CASE("F8 goes on from the problem that was clicked") {
  Driver d({kPrograms + "conv_bn_train.pt2"});
  REQUIRE(d.run("wait idle\nview.pane problems\nwait idle\n"));
  const auto& problems = d.app.workspace().active()->problems;
  std::vector<size_t> of_nodes;
  for (size_t i = 0; i < problems.size(); ++i)
    if (problems[i].node.node) of_nodes.push_back(i);
  REQUIRE(of_nodes.size() >= 2);
  const size_t last = of_nodes.back();
  CHECK(d.run("click problems/row/" + std::to_string(last) + "\nwait idle\nkey F8\nwait idle\n"));
  CHECK(d.app.workspace().active()->problem == of_nodes.front());
  CHECK(d.run("click problems/row/" + std::to_string(last) + "\nwait idle\nkey Shift+F8\nwait idle\n"));
  CHECK(d.app.workspace().active()->problem == of_nodes[of_nodes.size() - 2]);
  CHECK(d.run("problem.go 99\nwait idle\nexpect state.toast has \"There are problems 0 to\"\n"));
}

TEST_CASE("Shift with arrows extends the selection step by step, and the arrow alone goes on from there") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nselect.node x\nkey Alt+2\nwait idle\n"));
  CHECK(d.run("key Shift+Down\nwait idle\nexpect state.selection.nodes == [\"x\",\"conv2d\"]\nkey Shift+Down\nkey Shift+Down\nwait idle\nexpect state.selection.nodes == [\"x\",\"conv2d\",\"batch_norm\",\"relu\"]\n"
              "key Shift+Up\nwait idle\nexpect state.selection.nodes == [\"x\",\"conv2d\",\"batch_norm\",\"relu\"]\nkey Down\nwait idle\nexpect state.selection.nodes == [\"relu\"]\n"));
  // A folded module cannot be one of several things: it is passed over.
  CHECK(d.run("view.fold_module bn\nselect.node conv2d\nwait idle\nkey Shift+Down\nwait idle\nexpect state.selection.nodes == [\"conv2d\",\"relu\"]\n"));
}

TEST_CASE("plus and minus zoom wherever their keys are, and one press counts once") {
  Driver d({kSample});
  auto zoom = [&] { return d.state()["graph"]["zoom"].get<double>(); };
  REQUIRE(d.run("wait idle\nclick graph/node/relu\nkey 1\nwait idle\nkey =\nwait idle\n"));
  const double once = zoom();
  CHECK(once > 1);
  CHECK(d.run("key 1\nwait idle\nkey +\nwait idle\n"));
  CHECK(zoom() == doctest::Approx(once));
  // As a keyboard has it: the key, and what it types.
  for (const auto& [key, character] : {std::pair{"Shift+=", '+'}, {"=", '='}, {"=", '+'}}) {
    REQUIRE(d.run("key 1\nwait idle\n"));
    pt2::views::InputEvent pressed{pt2::views::InputEvent::Type::Key}, typed{pt2::views::InputEvent::Type::Char};
    pressed.chord = *pt2::views::parse_chord(key), pressed.down = true;
    typed.character = uint32_t(character);
    d.app.input.push(pressed);
    d.app.input.push(typed);
    REQUIRE(d.run("wait idle\n"));
    CHECK(zoom() == doctest::Approx(once));
  }
  CHECK(d.run("key 1\nwait idle\nkey -\nwait idle\n"));
  CHECK(zoom() < 1);
}

TEST_CASE("Home and End lead to the program's own first input and output, past its sub-graphs") {
  Driver d({kPrograms + "while_loop.pt2"});
  REQUIRE(d.run("wait idle\nview.unfold_all\nwait idle\nkey Alt+2\nkey Home\nwait idle\n"));
  const auto& program = *d.app.workspace().active()->program();
  auto selected = [&] { return d.app.workspace().active()->selection.current().shown(); };
  CHECK(selected().graph == program.root());
  CHECK(program.node(selected()).kind == pt2::NodeKind::Placeholder);
  CHECK(d.run("key End\nwait idle\n"));
  CHECK(selected().graph == program.root());
  CHECK(program.node(selected()).kind == pt2::NodeKind::Output);
}

TEST_CASE("in a narrow pane the modules keep their names and lose their counts") {
  Driver d({kSample}, 900, 640);
  CHECK(d.run("wait idle\nexpect modules/columns text \"3\"\n"));
  for (int i = 0; i < 4; ++i) REQUIRE(d.run("view.larger\nwait idle\n"));
  CHECK(d.run("wait idle\nexpect modules/columns text \"1\"\nexpect modules/bn exists\n"));
}

TEST_CASE("a module is hidden and isolated with all that is in it") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.module bn\nwait idle\nview.hide_node\nwait idle\nexpect graph/node/batch_norm absent\nexpect graph/node/conv2d exists\nexpect graph/node/relu exists\n"
              "view.unhide_all\nview.fold_module bn\nwait idle\nexpect graph/module/bn exists\nview.hide_node bn\nwait idle\nexpect graph/module/bn absent\n"
              "view.unhide_all\nview.fold_module bn\nselect.node batch_norm\nview.hide_node\nwait idle\nexpect state.toast has \"which is folded\"\nview.unfold_module bn\n"
              "view.unhide_all\nview.isolate relu\nwait idle\nexpect graph/node/conv2d absent\n"
              "view.unhide_all\nselect.module conv\nview.isolate\nwait idle\nexpect graph/node/conv2d exists\nexpect graph/node/relu absent\n"));
}

TEST_CASE("entries of View that cannot apply are grey") {
  Driver d({kSample});
  auto enabled = [&](const char* entry) {
    const auto* item = d.app.probe().find(std::string("menu/view/") + entry);
    REQUIRE(item);
    return item->enabled;
  };
  REQUIRE(d.run("wait idle\nclick menu/view\nwait idle\n"));
  for (const char* entry : {"hide_node", "open_module", "leave_module", "unhide_all", "isolate", "fold_module"}) CHECK_FALSE_MESSAGE(enabled(entry), entry);
  REQUIRE(d.run("key Escape\nwait idle\nselect.module bn\nview.hide_node relu\nwait idle\nclick menu/view\nwait idle\n"));
  for (const char* entry : {"hide_node", "open_module", "unhide_all", "isolate", "fold_module"}) CHECK_MESSAGE(enabled(entry), entry);
  CHECK(d.run("key Escape\nwait idle\nview.open_module\nwait idle\nclick menu/view\nwait idle\n"));
  CHECK(enabled("leave_module"));
  CHECK_FALSE(enabled("open_module"));
}

TEST_CASE("a picture saved under a name without an ending is an .svg; what cannot be written is asked for again") {
  const pt2::test::Scratch scratch;
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nfile.save_picture\nwait idle\nclick picker/path\nkey Ctrl+A\ntype " + scratch.path("typed") + "\nkey Enter\nwait idle\nexpect state.toast has \"typed.svg\"\n"));
  CHECK(d.run("file.save_picture\nwait idle\nclick picker/path\nkey Ctrl+A\ntype " + scratch.path("typed.jpg") + "\nkey Enter\nwait idle\n"
              "expect state.toast has \"Use a name that ends in\"\nexpect picker/name text \"typed.jpg\"\nkey Escape\nwait idle\nexpect picker/name absent\n"
              // A script is not asked.
              "file.save_picture " + scratch.path("typed.jpg") + "\nwait idle\nexpect picker/name absent\n"));
}

TEST_CASE("undo in a field goes back to no text of another thing that the field was for before") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2"});
  const std::string field = "wait idle\nclick node/edit/value\n", other = "wait idle\nclick node/title\nwait idle\n";
  REQUIRE(d.run("wait idle\nkey F5\nwait idle\nclick inputs/run\nwait idle\nselect.node relu\ndebug.edit relu\n" + field + "type " + std::string(70, '7') + "\n" + other + "debug.edit_value conv2d conv2d * 0.5\n" + other +
                "select.node conv2d\n" + field + "key Ctrl+Z\nkey Ctrl+Z\nwait idle\n"));
  CHECK(d.run("expect node/edit/value text \"conv2d * 0.5\"\n"));
  CHECK(d.run("key End\ntype 1\nwait idle\nkey Ctrl+Z\nwait idle\nexpect node/edit/value text \"conv2d * 0.5\"\n"));  // what was typed since is undone
}
