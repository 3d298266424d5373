// What someone meets who looks at a program for the first time: menus, keys, words.
#include "tests/gui/driver.h"
#include "views/shell/key_sheet.h"

using pt2::gui::Driver;

namespace {

constexpr const char *kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2", *kTwo = PT2_TEST_DATA "/programs/two_programs.pt2", *kLists = PT2_TEST_DATA "/programs/lists.pt2";

// Its upper edge on screen; 0 where it is not.
float top_of(Driver& d, const std::string& name) {
  const pt2::views::ProbeItem* item = d.app.probe().find(name);
  return item ? item->min.y : 0;
}

}  // namespace

TEST_CASE("Escape that closes a menu leaves the selection alone") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nclick graph/node/conv2d\nwait idle"));
  for (const char* open : {"click menu/view\nwait idle\nexpect menu/view/theme exists\n", "right_click graph/node/conv2d\nwait idle\n", "click left/tab/modules\nright_click modules/bn\nwait idle\nexpect modules/menu/identical exists\n"}) {
    CAPTURE(std::string(open));
    REQUIRE(d.run(open));
    const auto selected = d.state()["selection"];
    CHECK(d.run("key Escape\nwait idle\nexpect menu/view/theme absent\nexpect modules/menu/identical absent"));
    CHECK(d.state()["selection"] == selected);
  }
  CHECK(d.run("key Escape\nwait idle\nexpect state.selection.node == null"));
}

TEST_CASE("Escape closes the tour, and the selection stays") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.node relu\nhelp.tour\nwait idle\nexpect tour/title exists\nkey Escape\nwait idle\nexpect tour/title absent\nexpect state.selection.node == \"relu\""));
}

TEST_CASE("the key sheet lists every shortcut there is, and the keys of menus do what they say") {
  Driver d({kSample});
  const auto& registry = d.app.registry();
  const auto sheet = pt2::views::key_sheet(registry);
  auto listed = [&](const std::string& chord) {
    for (const auto& section : sheet)
      for (const auto& row : section.rows)
        if ((", " + row.first + ", ").find(", " + chord + ", ") != std::string::npos) return true;
    return false;
  };
  for (const auto& command : registry.commands())
    for (std::string_view rest = command.default_shortcut; !rest.empty();) {
      const std::string one(rest.substr(0, rest.find(' ')));
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
      CHECK_MESSAGE(listed(one), one);
    }
  for (const char* key : {"Shift+U", "Shift+D", "/", "?", "[", "]", "S", "=", "Ctrl+Enter", "Ctrl+I", "Ctrl+click a name"}) CHECK_MESSAGE(listed(key), key);
  for (const auto& [command, key] : {std::pair{"view.fit", "F"}, {"view.fit_selection", "Z"}, {"view.upstream", "U"}, {"view.downstream", "D"}, {"view.parameters", "P"}, {"view.direction", "L"},
                                    {"view.hide_node", "H"}, {"view.unhide_all", "Shift+H"}, {"view.leave_module", "Backspace"}, {"view.actual_size", "1"}, {"compare.sync", "S"}, {"compare.link", "="}}) {
    const std::string name(command);  // clang 14 captures no structured binding
    CAPTURE(name);
    CHECK(pt2::views::menu_keys(registry, *registry.find(command)) == key);
  }
  CHECK(pt2::views::menu_keys(registry, *registry.find("debug.step_over")) == "F10");
}

TEST_CASE("menus: what belongs together stands together, and Quit is last") {
  Driver d({kSample}, 1440, 1400);
  REQUIRE(d.run("wait idle\nselect.node relu\nclick menu/file\nwait idle"));
  for (const char* entry : {"menu/file/open", "menu/file/settings", "menu/file/tensor.export_image"}) {
    CAPTURE(std::string(entry));
    CHECK(top_of(d, entry) > 0);
    CHECK(top_of(d, entry) < top_of(d, "menu/file/quit"));
  }
  REQUIRE(d.run("key Escape\nwait idle\nclick menu/view\nwait idle"));
  const float highlight = top_of(d, "menu/view/both_ways"), path = top_of(d, "menu/view/path"), camera = top_of(d, "menu/view/fit");
  CHECK(highlight > 0);
  CHECK(highlight < path);
  CHECK(path < camera);
}

TEST_CASE("a search that only a run can answer says so, and what is wrong with a query stands in the bar") {
  Driver d({PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_nan.pt2"});
  CHECK(d.run("wait idle\nsearch.open nan:true\nwait idle\nexpect search/count text \"run the program first\"\n"
              "search.open time:>1ms\nwait idle\nexpect search/count text \"run the program first\"\n"
              "search.open shape:[\nwait idle\nexpect search/count text \"bracket\"\n"
              "search.open bogus:x\nwait idle\nexpect search/count text \"there is no field\"\n"
              "search.open nan:true\ndebug.begin\nwait idle\ndebug.run_without_stopping\nwait idle\n"
              "search.open nan:true\nwait idle\nexpect search/count text \"2 hits\""));
}

TEST_CASE("an operator chosen in the palette is gone to") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ngo.palette #relu\nwait 5\nkey Enter\nwait idle\nexpect state.selection.node == \"relu\"\nexpect state.search.count == 1"));
}

TEST_CASE("signature: what a caller gives comes first, columns without anything are away") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nclick left/tab/signature\nwait idle"));
  const float x = top_of(d, "signature/input/x"), weight = top_of(d, "signature/input/p_conv_weight");
  const pt2::views::ProbeItem* output = d.app.probe().find("signature/output/relu");
  REQUIRE(output);
  CHECK(output->text == "relu  user  f32[1,16,32,32]");  // outputs have no targets here
  CHECK(x > 0);
  CHECK(x < weight);
  CHECK(d.run("expect signature/input/x text \"x  user\"\n"
              "expect signature/input/p_conv_weight text \"conv.weight\"\n"
              "click signature/filter\ntype conv.weight\nwait idle\nexpect outputs/none exists\nexpect signature/input/p_conv_weight exists"));
}

TEST_CASE("a file with two programs says which is shown, and leads to the other") {
  Driver d({kTwo});
  CHECK(d.run("wait idle\nexpect centre/tab/0 text \"two_programs.pt2#first\"\nexpect status/program text \"first, 1 of 2 programs\"\n"
              "click status/program\nwait idle\nclick status/program/second\nwait idle\n"
              "expect status/program text \"second, 2 of 2 programs\"\nexpect centre/tab/1 text \"two_programs.pt2#second\"\n"
              "file.program\nwait idle\nexpect status/program text \"first, 1 of 2\"\nexpect centre/tab/2 absent"));
}

TEST_CASE("a file with one program has no other") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nexpect status/program absent"));
  CHECK_FALSE(d.app.run_command("file.program").has_value());
}

TEST_CASE("export without a value says so") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ntensor.export_image\nwait idle\nexpect toast/0 exists\nexpect state.dialog == null"));
}

TEST_CASE("node: the results of an operator that gives several are listed with their types") {
  Driver d({kLists});
  CHECK(d.run("wait idle\nselect.node topk\nview.pane node\nwait idle\nexpect node/result/0 text \"f32\"\nexpect node/result/1 text \"i64\""));
}

TEST_CASE("modules and status: elements are counted, the root has a name") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nclick left/tab/modules\nwait idle\nexpect modules/parameters text \"4 parameters, 480 elements\"\n"
              "click modules/(root)\nwait idle\nexpect status/selection text \"module (root)\""));
}
