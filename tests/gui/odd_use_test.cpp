// What random use (tests/hardening/monkey.cpp) once made the program fall over.
#include <filesystem>
#include <fstream>

#include "imgui_internal.h"
#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

constexpr const char* kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";

}  // namespace

TEST_CASE("panes stay whole while the file is read again") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nview.layout_debug\ndebug.toggle_breakpoint relu\nsearch.open conv\nview.pane breakpoints\nwait idle"));
  for (const char* pane : {"breakpoints", "watch", "timeline", "tensor", "node", "problems", "signature", "modules", "compare", "log"}) {
    CAPTURE(std::string(pane));
    REQUIRE(d.run(std::string("view.pane ") + pane + "\nwait idle"));
    REQUIRE(d.app.run_command("file.reload"));
    CHECK_FALSE(d.app.run_command("problem.next"));  // there are none until it is read
    for (int i = 0; i < 3; ++i) d.frame();
    REQUIRE(d.run("wait idle\nexpect state.documents[0].state == \"ready\""));
  }
  CHECK(d.run("expect state.search.count >= 1"));  // looked up anew
}

TEST_CASE("a smaller program takes the place of the one that was marked") {
  const pt2::test::Scratch scratch;
  const std::string path = scratch.path("m.pt2"), table = scratch.path("values.csv");
  std::filesystem::copy_file(PT2_TEST_DATA "/programs/lists.pt2", path);
  Driver d({path});
  REQUIRE(d.run("wait idle\nselect.node output\nmark.note last\nmark.bookmark 1\nview.pane marks\nwait idle"));
  std::ofstream(table) << "node,cost\noutput,1\n";
  REQUIRE(d.app.run_command("view.data_file " + table));
  REQUIRE(d.run("wait idle"));
  std::filesystem::copy_file(kSample, path, std::filesystem::copy_options::overwrite_existing);
  REQUIRE(d.app.run_command("file.reload"));
  for (int i = 0; i < 3; ++i) d.frame();
  CHECK(d.run("wait idle\nview.pane marks\nkey I\nwait idle\nexpect state.documents[0].state == \"ready\"\nexpect marks/row/0 absent"));
}

TEST_CASE("a smaller program takes the place of one that is compared") {
  const pt2::test::Scratch scratch;
  const std::string path = scratch.path("m.pt2"), loop = PT2_TEST_DATA "/programs/while_loop.pt2";
  std::filesystem::copy_file(loop, path);
  Driver d({path, loop});
  REQUIRE(d.run("wait idle\nview.both\nview.pane compare\ncompare.run\nwait idle"));
  for (const char* pane : {"compare", "node", "text", "tensor", "modules"}) {
    CAPTURE(std::string(pane));
    std::filesystem::copy_file(loop, path, std::filesystem::copy_options::overwrite_existing);
    REQUIRE(d.run("file.reload\nwait idle\nselect.node output\ncompare.step\nwait idle\nview.pane " + std::string(pane) + "\nwait idle"));
    std::filesystem::copy_file(kSample, path, std::filesystem::copy_options::overwrite_existing);
    REQUIRE(d.app.run_command("file.reload"));
    while (!d.app.jobs().idle()) d.frame(), (void)d.state();
    REQUIRE(d.run("wait idle\nexpect state.documents[0].state == \"ready\""));
  }
}

TEST_CASE("the unlifted form folds as it was opened") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nview.unlifted on\nwait idle\nview.unfold_all\nwait idle\nview.initial_folds\nwait idle"));
}

TEST_CASE("two programs of which one shows its unlifted form are compared, folded and walked through") {
  Driver d({kSample, PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2"});
  CHECK(d.run("wait idle\nview.unlifted on\nwait idle\n"
              "compare.only_differences\nwait idle\ncompare.only_differences\nwait idle\n"
              "compare.next\nwait idle\ncompare.next\nwait idle\ncompare.previous\nwait idle"));
}

TEST_CASE("a dialog that comes while the palette is open takes its place, and the palette none of a dialog's") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ngo.commands\nexpect palette/input exists\nfile.settings\nwait 5\nexpect state.dialog == \"settings\"\n"
              "go.commands\nwait 5\nexpect palette/input absent\nexpect state.dialog == \"settings\"\nkey Escape\nexpect state.dialog == null\n"
              "debug.reference\ngo.commands\nwait 5\nexpect state.dialog == \"path\""));
}

TEST_CASE("a tensor's first slice may be no slice") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.value p_conv_weight\nview.pane tensor\ntensor.tab grid\ntensor.slice log\nwait idle\n"
              "expect tensor/slice/problem exists\nexpect tensor/index/0 exists\ntensor.slice 0\nwait idle\nexpect tensor/slice/problem absent"));
}

TEST_CASE("what a value is to be compared with may be a word and blanks") {
  Driver d({kSample});
  CHECK(d.run("wait idle\nselect.value p_conv_weight\nview.pane tensor\nwait idle"));
  for (const char* text : {"value ", "step  ", " ", "file"}) {
    static_cast<void>(d.app.run_command(std::string("tensor.compare_with ") + text));
    REQUIRE(d.run("wait idle"));
    CHECK(d.state()["tensor"]["compare"] == "none");
  }
}

TEST_CASE("Escape comes right after a popup was asked for, and before it is there") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  ImGui::GetCurrentContext()->OpenPopupStack.push_back(ImGuiPopupData());
  CHECK(d.run("key Escape\nwait idle\nexpect state.dialog == null"));
  CHECK(ImGui::GetCurrentContext()->OpenPopupStack.empty());
}

TEST_CASE("what was found in a program that is closed is not gone to in another") {
  Driver d({kSample, PT2_TEST_DATA "/programs/lists.pt2"});
  REQUIRE(d.run("wait idle\ngo.palette\nwait 3\ntype output\nwait 3"));
  REQUIRE(d.run("file.close\nwait idle\nexpect palette/row/0 exists\nkey Enter\nwait idle\nexpect state.selection.node == \"output\""));
  // Ids that belonged to another program, and a document that is gone.
  const pt2::views::CommandRegistry registry;
  auto does = [&](const char* id, pt2::views::CommandArgument argument, pt2::views::DocumentId document = {}) {
    return registry.run(d.app.workspace(), {id, std::move(argument), document, ""}).has_value();
  };
  CHECK_FALSE(does("go.node", pt2::NodeRef{pt2::GraphId(0), pt2::NodeId(100'000)}));
  CHECK_FALSE(does("select.set", pt2::views::Selection::of_module(pt2::ModuleId(100'000))));
  CHECK_FALSE(does("view.toggle_scope", pt2::views::ScopeId(100'000)));
  CHECK_FALSE(does("go.node", pt2::NodeRef{pt2::GraphId(0), pt2::NodeId(1)}, pt2::views::DocumentId(77)));
  CHECK(does("go.node", pt2::NodeRef{pt2::GraphId(0), pt2::NodeId(1)}));
}

TEST_CASE("windows too narrow for their tabs and bars are drawn") {
  Driver d({kSample, PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2"});
  REQUIRE(d.run("wait idle\nview.layout_debug\nwait idle"));
  for (const float scale : {1.0f, 2.5f}) {
    d.app.set_display_scale(scale);
    for (float width = 60; width < 500; width += 3) {
      d.resize(width * scale, width < 200 ? 80 : 1157);
      d.frame();
    }
  }
  d.app.set_display_scale(1);
  d.resize(1440, 900);
  CHECK(d.run("wait idle"));
}

// Dear ImGui ends the program where a button has the name of a field that a click made active.
TEST_CASE("a condition that is being typed gives way to that of another breakpoint") {
  Driver d({kSample});
  CHECK(d.run("wait idle\ndebug.use_samples on\ndebug.begin\nwait idle\nbreakpoint.add conv2d\nbreakpoint.add relu\nview.pane breakpoints\nwait idle\n"
              "help.keyboard\nwait idle\ndebug.edit_condition conv2d\nwait 3\nkey Escape\nwait idle\n"
              "click breakpoints/row/0/condition\nwait 2\n"
              "debug.edit_condition relu\nwait idle\nexpect breakpoints/row/0 exists\n"));
}

TEST_CASE("the graph says nothing of a program that is not there any more") {
  const pt2::test::Scratch scratch;
  const std::string path = scratch.path("m.pt2");
  std::filesystem::copy_file(PT2_TEST_DATA "/programs/lists.pt2", path);
  Driver d({path});
  REQUIRE(d.run("wait idle\nhover graph/node/output\nwait idle\nexpect state.graph.hover == \"output\"\nview.text\nwait idle"));
  std::filesystem::copy_file(kSample, path, std::filesystem::copy_options::overwrite_existing);
  REQUIRE(d.run("file.reload\nwait idle\nexpect graph/node/conv2d absent\nexpect state.graph.hover == null\nexpect state.graph.visible == 0"));
  CHECK(d.run("view.graph\nwait idle\nexpect graph/node/conv2d exists\nexpect state.graph.visible >= 3"));
}

TEST_CASE("the selection before is one of the same file") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\nfile.open " PT2_TEST_DATA "/programs/lists.pt2\nwait idle\nclick centre/tab/0\nwait idle\nselect.node batch_norm\nwait idle\nselect.node relu\nwait idle\nclick centre/tab/1\nwait idle"));
  CHECK(d.run("click graph/node/output\nwait idle\nkey Shift+U\nwait idle\nexpect state.selection.node == \"output\"\nexpect state.graph.highlight == null\nexpect state.toast == null"));
}
