#include "tests/gui/driver.h"

#include <set>

#include "imgui_internal.h"

using pt2::gui::Driver;

namespace {
const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2";
const std::string kDecomposed = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu_decomposed.pt2";
}

TEST_CASE("a program opens with its graph, modules and signature, and no name on screen is used twice") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "expect graph/node/conv2d exists\n"
              "expect graph/node/x text \"x\"\n"
              "expect state.documents[0].state == \"ready\"\n"
              "expect state.run_state == \"not_started\"\n"
              "expect state.selection.node == null\n"));
  CHECK(d.state()["steps"] == 3);
  CHECK(d.duplicates.empty());
}

TEST_CASE("a click selects in every pane, history goes back and forward, Escape clears") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/conv2d\n"
              "expect state.selection.node == \"conv2d\"\n"
              "expect node/arg/stride exists\n"
              "click graph/node/relu\n"
              "key Alt+Left\n"
              "expect state.selection.node == \"conv2d\"\n"
              "key Alt+Right\n"
              "expect state.selection.node == \"relu\"\n"
              "key Escape\n"
              "expect state.selection.node == null\n"));
}

TEST_CASE("every command has an id of its own") {
  Driver d;
  std::set<std::string_view> ids;
  for (const auto& command : d.app.registry().commands()) CHECK_MESSAGE(ids.insert(command.id).second, command.id);
}

TEST_CASE("menus, shortcuts and the palette reach the same commands") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click menu/view\n"
              "click menu/view/theme\n"
              "expect state.theme == \"light\"\n"
              "key Ctrl+Shift+D\n"
              "expect state.theme == \"dark\"\n"
              "key Ctrl+Shift+P\n"
              "type toggle theme\n"
              "expect palette/input text \"toggle theme\"\n"
              "key Enter\n"
              "expect palette/input absent\n"
              "expect state.theme == \"light\"\n"));
}

TEST_CASE("the first step goes no further than the first operator once the inputs are chosen") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "key F10\n"
              "click inputs/run\n"
              "wait idle\n"
              "expect state.cursor == \"conv2d\"\n"
              "expect state.executed == 0\n"));
}

TEST_CASE("the selection goes with the steps until something is selected") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "key F10\n"
              "click inputs/run\n"
              "wait idle\n"
              "expect state.selection.node == null\n"
              "key F10\n"
              "wait idle\n"
              "expect state.selection.node == \"conv2d\"\n"
              "key F10\n"
              "wait idle\n"
              "expect state.selection.node == \"batch_norm\"\n"
              "click graph/node/conv2d\n"
              "key F10\n"
              "wait idle\n"
              "expect state.selection.node == \"conv2d\"\n"));
}

TEST_CASE("a first run to a node stops before it") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click graph/node/relu\n"
              "key Ctrl+F10\n"
              "click inputs/run\n"
              "wait idle\n"
              "expect state.cursor == \"relu\"\n"
              "expect state.executed == 2\n"));
}

TEST_CASE("a step is found by its number, and a menu at the lower edge stays in the window") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "key Ctrl+G\n"
              "type 3\n"
              "expect palette/input text \":3\"\n"
              "key Enter\n"
              "expect state.selection.node == \"relu\"\n"
              "right_click graph/node/output\n"
              "wait idle\n"));
  d.frame();
  const auto& menus = ImGui::GetCurrentContext()->OpenPopupStack;
  REQUIRE(menus.Size == 1);
  const ImGuiWindow& menu = *menus[0].Window;
  CHECK(menu.Size.y > 150);
  CHECK(menu.Pos.y + menu.Size.y <= 900);
}

TEST_CASE("the search field finds by field and Enter and F3 walk over the hits") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "key Ctrl+F\n"
              "type op:relu\n"
              "wait idle\n"
              "expect state.search.count == 1\n"
              "key Enter\n"
              "expect state.selection.node == \"relu\"\n"
              "key Escape\n"
              "expect search/input absent\n"));
}

TEST_CASE("letters typed into a field are no shortcuts") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nkey Ctrl+F\nkey /\ntype ?\nexpect state.dialog == null\nexpect state.search.open == true\n"));
}

TEST_CASE("a splitter moves by what the pointer moves and a double click brings the default back") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\n"));
  const float before = d.app.shell().layout.left.size;
  REQUIRE(d.run("drag split/left 60 0\n"));
  CHECK(d.app.shell().layout.left.size == before + 60);
  REQUIRE(d.run("double_click split/left\n"));
  CHECK(d.app.shell().layout.left.size == before);
}

TEST_CASE("tabs move to another area and back by Reset layout") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "click left/tab/signature\n"
              "expect state.panes has \"signature\"\n"
              "view.reset_layout\n"
              "expect left/tab/modules exists\n"
              "key Ctrl+B\n"
              "expect left/tab/modules absent\n"));
}

TEST_CASE("a file that cannot be opened says what, where and what to do, and leaves the window alive") {
  Driver d({"/nonexistent/nothing.pt2"});
  CHECK(d.run("wait idle\n"
              "expect state.documents[0].state == \"failed\"\n"
              "expect error/title text \"nothing.pt2\"\n"
              "expect error/message exists\n"
              "click error/close\n"
              "expect welcome/open exists\n"));
}

TEST_CASE("without a document the welcome screen opens the sample") {
  Driver d;
  CHECK(d.run("wait idle\nexpect welcome/sample exists\nclick welcome/sample\nwait idle\nexpect graph/node/conv2d exists\n"));
}

TEST_CASE("two documents stand side by side and close one by one") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "expect graph.a/node/conv2d exists\n"
              "expect graph.b/node/convolution exists\n"
              "click graph.b/node/convolution\n"
              "key Ctrl+W\n"
              "expect graph.b/node/convolution absent\n"));
  CHECK(d.state()["documents"].size() == 1);
}

TEST_CASE("in a comparison a node selects its counterpart, and rows and F8 walk over the groups") {
  Driver d({kSample, kDecomposed});
  CHECK(d.run("wait idle\n"
              "expect compare/row/0 exists\n"
              "expect state.compare.added == 0\n"
              "expect state.compare.removed == 0\n"
              "click graph.a/node/conv2d\n"
              "wait idle\n"
              "expect state.compare.selected.right == [\"convolution\"]\n"
              "click graph.b/node/relu\n"
              "wait idle\n"
              "expect state.compare.selected.left == [\"relu\"]\n"
              "key F8\n"
              "wait idle\n"
              "expect state.compare.selected.left != [\"relu\"]\n"
              "click compare/row/0\n"
              "wait idle\n"
              "expect state.compare.selected.left == [\"conv2d\"]\n"));
}

TEST_CASE("dialogs open by key, close by Escape, and the window is usable afterwards") {
  Driver d({kSample});
  CHECK(d.run("wait idle\n"
              "key F1\n"
              "expect help/title exists\n"
              "key Escape\n"
              "wait idle\n"
              "expect help/title absent\n"
              "key Ctrl+O\n"
              "wait idle\n"
              "expect picker/filter exists\n"
              "key Escape\n"
              "click graph/node/conv2d\n"
              "expect state.selection.node == \"conv2d\"\n"));
}

TEST_CASE("a command that cannot run says why") {
  Driver d;
  REQUIRE(d.run("wait idle\n"));
  auto result = d.app.run_command("view.fit");
  REQUIRE(!result);
  CHECK(result.error().message == "Fit all: no program is open");
}

TEST_CASE("the smallest window and the largest text still draw every screen") {
  Driver d({kSample}, 960, 600);
  CHECK(d.run("wait idle\nview.larger\nview.larger\nview.larger\nview.larger\nview.larger\nwait idle\nexpect state.scale == 2.0\nkey F1\nkey Escape\nfile.settings\nkey Escape\nhelp.legend\nkey Escape\nhelp.about\nkey Escape\n"));
}
