// Tab and Shift+Tab within dialogs and panes.
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

const std::string kSample = std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2";

// Whether ImGui's cursor is on the item, and seen; in a field it is the caret.
bool on_item(Driver& d, const std::string& name) {
  const ImGuiContext& imgui = *ImGui::GetCurrentContext();
  const auto* item = d.app.probe().find(name);
  if (!item || !imgui.NavWindow || !(ImGui::IsAnyItemFocused() || imgui.ActiveId)) return false;
  const ImVec2 at = ImGui::WindowRectRelToAbs(imgui.NavWindow, imgui.NavWindow->NavRectRel[0]).GetCenter();
  return at.x >= item->min.x && at.x <= item->max.x && at.y >= item->min.y && at.y <= item->max.y;
}

void check_way(Driver& d, const std::vector<std::string>& items, const std::string& key) {
  for (const std::string& item : items) {
    REQUIRE(d.run("key " + key + "\nwait idle\n"));
    CHECK_MESSAGE(on_item(d, item), item);
  }
}

}  // namespace

TEST_CASE("Tab leads through the settings, and Space and Enter press what it is on") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nfile.settings\nwait idle\n"));
  check_way(d, {"settings/dark", "settings/light", "settings/smaller", "settings/larger", "settings/motion", "settings/patterns"}, "Tab");
  CHECK(d.run("key Space\nwait idle\nexpect settings/patterns text \"on\"\nkey Enter\nwait idle\nexpect settings/patterns text \"off\"\n"));
  check_way(d, {"settings/motion", "settings/larger"}, "Shift+Tab");
  CHECK(d.run("key Enter\nwait idle\nexpect settings/font text \"110 %\"\nview.normal_size\nwait idle\n"));
  // A field that is left keeps what was typed; the next one takes what is typed then.
  CHECK(d.run("click settings/max_boxes\nkey Ctrl+A\ntype 500\nkey Tab\nwait idle\nexpect settings/max_boxes text \"500\"\nkey Ctrl+A\ntype 700\nkey Shift+Tab\nwait idle\nexpect settings/value_memory text \"700\"\n"));
  // Round the end.
  CHECK(d.run("click settings/find\nkey Shift+Tab\nkey Shift+Tab\nwait idle\n"));
  CHECK(on_item(d, "settings/reset"));
}

TEST_CASE("Tab leads through the inputs: past the seed to the values and the buttons") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\ndebug.inputs\nwait idle\nclick inputs/seed\nkey Ctrl+A\ntype 7\nwait idle\n"));
  check_way(d, {"inputs/x/source", "inputs/x/value"}, "Tab");
  CHECK(d.run("expect inputs/seed text \"7\"\ntype 2\nwait idle\nexpect inputs/x/value text \"2\"\n"));
  check_way(d, {"inputs/x/source", "inputs/seed"}, "Shift+Tab");
  REQUIRE(d.run("key Tab\nkey Tab\nkey Tab\nwait idle\n"));
  CHECK(on_item(d, "inputs/reference/choose"));
  check_way(d, {"inputs/save", "inputs/load", "inputs/cancel", "inputs/run"}, "Tab");
  CHECK(d.run("key Enter\nwait idle\nexpect state.run_state == \"finished\"\n"));
}

TEST_CASE("Tab leads through what a pane holds, and not into another one") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nselect.node conv2d\ndebug.toggle_breakpoint relu\nview.pane breakpoints\nwait idle\nclick breakpoints/add\nwait idle\nkey Tab\nwait idle\n"));
  CHECK(on_item(d, "breakpoints/rule/0/enabled"));
  CHECK(d.run("expect focus/bottom exists\nexpect breakpoints/rule/0/enabled text \"off\"\nkey Space\nwait idle\nexpect breakpoints/rule/0/enabled text \"on\"\nkey Shift+Tab\nwait idle\ntype conv2d\nkey Enter\nwait idle\nexpect state.breakpoints[1].node == \"conv2d\"\n"));
  // A field over a list, then the list itself, in which arrows walk.
  REQUIRE(d.run("view.pane modules\nwait idle\nclick left/tab/modules\nkey Tab\nwait idle\nkey Tab\nwait idle\n"));
  CHECK(on_item(d, "modules/(root)"));
  CHECK(d.run("key Down\nkey Down\nkey Enter\nwait idle\nexpect state.selection.module == \"bn\"\nkey Shift+Tab\nwait idle\ntype re\nwait idle\nexpect modules/bn absent\n"));
  // Node: a section's head folds it, whatever the graph would do with the key.
  REQUIRE(d.run("select.node conv2d\nview.pane node\nwait idle\nclick node/title\nkey Tab\nwait idle\n"));
  CHECK(on_item(d, "node/section/Call"));
  CHECK(d.run("key Enter\nwait idle\nexpect node/arg/stride absent\nkey Enter\nwait idle\nexpect node/arg/stride exists\nkey Tab\nkey Enter\nwait idle\nexpect state.selection.node == \"x\"\n"));
  // Tensor: its buttons; Enter is theirs.
  REQUIRE(d.run("key F5\nwait idle\nclick inputs/run\nwait idle\nselect.node relu\nview.pane tensor\nwait idle\nclick tensor/title\nkey Tab\nwait idle\n"));
  CHECK(on_item(d, "tensor/lock"));
  CHECK(d.run("key Enter\nwait idle\nexpect tensor/page/1 exists\n"));
}

TEST_CASE("Tab ends no typing where nothing follows: in the palette") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ngo.palette\nwait idle\ntype re\nkey Tab\nwait idle\ntype lu\nwait idle\nexpect palette/input text \"relu\"\n"));
}
