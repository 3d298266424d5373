// Menus: of rows by keyboard in every list, of tabs; and facts that are copied.
#include <algorithm>
#include <string>

#include "imgui_internal.h"
#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

const std::string kSamples = std::string(PT2_SOURCE_DIR) + "/assets/samples/";
const std::string kSample = kSamples + "conv_bn_relu.pt2", kOther = kSamples + "conv_bn_relu_decomposed.pt2";

bool menu_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

// Clicks the item, asks for its menu by keyboard, and closes it.
void check_menu_after_click(Driver& d, const std::string& item) {
  for (const char* key : {"Shift+F10", "Menu"}) {
    REQUIRE_MESSAGE(d.run("click " + item + "\nwait idle\nkey " + key + "\nwait idle\n"), item);
    CHECK_MESSAGE(menu_open(), (item + " by " + key));
    REQUIRE(d.run("key Escape\nwait idle\n"));
    REQUIRE_FALSE_MESSAGE(menu_open(), item);
  }
}

// What "Copy" in the menu of a right click on it takes.
std::string copied(Driver& d, const std::string& item) {
  ImGui::SetClipboardText("");
  REQUIRE_MESSAGE(d.run("right_click " + item + "\nwait idle\n"), item);
  CHECK_MESSAGE(menu_open(), item);
  REQUIRE(d.run("key Down\nwait idle\nkey Enter\nwait idle\n"));
  return ImGui::GetClipboardText();
}

std::string text_of(Driver& d, const std::string& item) {
  const auto* found = d.app.probe().find(item);
  REQUIRE_MESSAGE(found, item);
  return found->text;
}

const std::string kRun = "key F5\nwait idle\nclick inputs/run\nwait idle\n";

}  // namespace

TEST_CASE("the menu key opens the menu of the row that was clicked, in every list") {
  Driver d({kSample}, 1440, 1100);
  REQUIRE(d.run("wait idle\nselect.node conv2d\nmark.note looked at\nwatch.add relu\ndebug.toggle_breakpoint relu\n" + kRun));
  for (const auto& [pane, row] : {std::pair{"log", "log/row/0"}, {"problems", "problems/row/0"}, {"watch", "watch/row/0"}, {"breakpoints", "breakpoints/row/0"}, {"timeline", "timeline/step/0"},
                                  {"marks", "marks/row/0"}, {"modules", "modules/bn"}, {"signature", "signature/input/x"}, {"signature", "signature/output/relu"}, {"source", "source/line/13"}}) {
    REQUIRE(d.run(std::string("view.pane ") + pane + "\nwait idle\n"));
    check_menu_after_click(d, row);
  }
  REQUIRE(d.run("select.node conv2d\nview.pane tensor\nwait idle\nview.text\nwait idle\n"));
  check_menu_after_click(d, "tensor/cell/1/1");
  check_menu_after_click(d, "text/line/2");
}

TEST_CASE("the menu key after a click in one list of a pane is not that of another list's selected row") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/tests/data/programs/symbolic.pt2"}, 1440, 1100);
  REQUIRE(d.run("wait idle\nview.pane signature\nwait idle\n"));
  const auto& items = d.app.probe().items();
  const auto symbol = std::find_if(items.begin(), items.end(), [](const auto& item) { return item.name.starts_with("signature/symbol/"); });
  REQUIRE(symbol != items.end());
  const std::string name = symbol->name, first_word = symbol->text.substr(0, symbol->text.find(' '));
  ImGui::SetClipboardText("");
  REQUIRE(d.run("click " + name + "\nwait idle\nkey Shift+F10\nwait idle\nkey Enter\nwait idle\n"));
  CHECK(std::string(ImGui::GetClipboardText()).substr(0, first_word.size()) == first_word);
}

TEST_CASE("the rows of a comparison have their menu by keyboard after a click") {
  Driver d({kSample, kOther}, 1440, 1100);
  REQUIRE(d.run("wait idle\nview.layout_compare\nwait idle\nview.pane compare\nwait idle\n"));
  check_menu_after_click(d, "compare/row/1");
}

TEST_CASE("facts are copied by a right click") {
  Driver d({kSample}, 1440, 1400);
  REQUIRE(d.run("wait idle\nselect.node conv2d\n" + kRun + "select.node conv2d\nview.pane node\nwait idle\n"));
  CHECK(copied(d, "node/arg/stride") == "[1, 1]");
  CHECK(copied(d, "node/title") == "conv2d");
  CHECK(copied(d, "status/selection") == text_of(d, "status/selection"));
  REQUIRE(d.run("view.pane tensor\nwait idle\n"));
  for (const char* fact : {"tensor/title", "tensor/type", "tensor/origin", "tensor/stats/min", "tensor/stats/zeros"}) CHECK_MESSAGE(copied(d, fact) == text_of(d, fact), fact);
  REQUIRE(d.run("view.pane source\nwait idle\nright_click source/line/13\nwait idle\nclick source/menu/copy\nwait idle\n"));
  const std::string line = text_of(d, "source/line/13");
  CHECK_FALSE(line.empty());
  CHECK(ImGui::GetClipboardText() == line.substr(line.find_first_not_of(' ')));
  REQUIRE(d.run("view.pane signature\nwait idle\nclick signature/section/Program\nwait idle\n"));
  CHECK(copied(d, "signature/fact/Dialect") == text_of(d, "signature/fact/Dialect"));
}

TEST_CASE("a pane is closed in its tab's menu, and comes back when it is asked for") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.pane log\nwait idle\nright_click bottom/tab/watch\nwait idle\nclick tab/menu/close\nwait idle\nexpect bottom/tab/watch absent\nexpect bottom/tab/log exists\n"));
  CHECK(d.app.shell().layout.closed == std::vector<std::string>{"watch"});
  CHECK(d.run("right_click bottom/tab/log\nwait idle\nclick tab/menu/show/watch\nwait idle\nexpect bottom/tab/watch exists\nexpect state.panes has \"watch\"\n"));
  CHECK(d.run("right_click bottom/tab/watch\nwait idle\nclick tab/menu/close\nwait idle\nview.pane watch\nwait idle\nexpect state.panes has \"watch\"\n"
              "right_click bottom/tab/watch\nwait idle\nclick tab/menu/close\nwait idle\nview.reset_layout\nview.pane log\nwait idle\nexpect bottom/tab/watch exists\n"));
  // All of an area.
  CHECK(d.run("right_click left/tab/modules\nwait idle\nclick tab/menu/close\nwait idle\nright_click left/tab/signature\nwait idle\nclick tab/menu/close\nwait idle\n"
              "right_click left/tab/marks\nwait idle\nclick tab/menu/close\nwait idle\nexpect left/tab/marks absent\nview.pane modules\nwait idle\nexpect left/tab/modules exists\n"));
}

TEST_CASE("the menu of a document's tab is that of its document") {
  Driver d({kSample, kOther});
  REQUIRE(d.run("wait idle\nclick centre/tab/0\nwait idle\nright_click centre/tab/1\nwait idle\nexpect state.selection.document == \"conv_bn_relu_decomposed.pt2\"\n"
                "click centre/menu/view.both\nwait idle\nexpect state.panes has \"text\"\nexpect state.panes has \"graph\"\n"
                "right_click centre/tab/1\nwait idle\nclick centre/menu/copy_path\nwait idle\n"));
  CHECK(ImGui::GetClipboardText() == kOther);
  CHECK(d.run("right_click centre/tab/1\nwait idle\nclick centre/menu/file.close\nwait idle\nexpect centre/tab/1 absent\nexpect centre/tab/0 text \"conv_bn_relu.pt2\"\n"));
}
