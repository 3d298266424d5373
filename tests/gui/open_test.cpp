// What becomes of a file in the window: a document or an error page, whatever the bytes; a banner when it changes; its unlifted form.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;

namespace {

const std::string kData = PT2_TEST_DATA;

std::string probe_text(const nlohmann::json& state, const std::string& name) {
  for (const auto& probe : state["probes"])
    if (probe["name"] == name) return probe["text"];
  return "";
}

}  // namespace

TEST_CASE("damaged and hostile files give a document or a page that says what is wrong") {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kData + "/hostile")) {
    if (entry.path().extension() == ".tsv") continue;
    CAPTURE(entry.path().filename().string());
    ++files;
    Driver d({entry.path()});
    REQUIRE(d.run("wait idle\n"));
    const auto state = d.state();
    REQUIRE(state["documents"].size() == 1);
    const std::string found = state["documents"][0]["state"];
    if (found == "failed") {
      CHECK(probe_text(state, "error/title") == "Cannot open " + entry.path().filename().string());
      CHECK(probe_text(state, "error/message").size() > 10);
      CHECK(d.run("expect error/retry exists\nexpect error/copy exists\nclick error/close\nwait idle\nexpect welcome/open exists\n"));
    } else {
      CHECK(found == "ready");
      if (!state["documents"][0]["program"].is_null()) CHECK(d.run("view.text\nwait idle\nview.graph\nwait idle\nview.fit\nwait idle\n"));
    }
  }
  CHECK(files > 40);
}

TEST_CASE("programs of every release are shown") {
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kData + "/releases")) {
    if (entry.path().extension() != ".pt2") continue;
    CAPTURE(entry.path().string());
    ++files;
    Driver d({entry.path()});
    CHECK(d.run("wait idle\nexpect state.documents[0].state == \"ready\"\nexpect graph/node/output exists\n"));
  }
  CHECK(files > 10);
}

TEST_CASE("a file that is cut while it is open: a banner says so, and a reload says what is wrong") {
  const pt2::test::Scratch scratch;
  const std::string path = scratch.path("m.pt2");
  std::filesystem::copy_file(std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2", path);
  Driver d({path});
  REQUIRE(d.run("wait idle\nexpect document/changed absent\n"));
  REQUIRE(truncate(path.c_str(), 5000) == 0);
  for (int i = 0; i < 70; ++i) d.frame();  // a second goes by
  REQUIRE(d.run("view.fit\nwait idle\nexpect document/changed text \"was cut short on disk: 5,000 of\"\n"));
  CHECK(d.state()["documents"][0]["changed"].get<std::string>().find("was cut short") == 0);
  CHECK(d.run("expect graph/node/conv2d exists\n"
              "click document/reload\n"
              "wait idle\n"
              "expect state.documents[0].state == \"failed\"\n"
              "expect error/message text \"cut off\"\n"));
}

TEST_CASE("the unlifted form: get_attr, guards and copies in graph and text, one selection in both") {
  Driver d({kData + "/programs/custom_op.pt2"});
  REQUIRE(d.run("wait idle\nview.both\nwait idle\nview.unlifted\nwait idle\nexpect state.graph.unlifted == true\n"));
  auto state = d.state();
  std::string text;
  size_t copies = 0;
  for (const auto& probe : state["probes"]) {
    const std::string name = probe["name"];
    if (name.starts_with("text/line/")) text += probe["text"].get<std::string>() + "\n";
    copies += name.starts_with("graph/node/copy__default");
  }
  std::string printed = "graph():\n";
  {
    std::ifstream in(kData + "/programs/custom_op.module.txt");
    printed.assign(std::istreambuf_iterator<char>(in), {});
  }
  CHECK(text.substr(0, printed.size()) == printed);
  CHECK(copies > 0);
  CHECK(d.run("click graph/node/copy__default\n"
              "wait idle\n"
              "expect state.selection.unlifted == \"copy__default\"\n"
              "expect node/arg/self text \"y\"\n"
              "click graph/node/_guards_fn\n"
              "wait idle\n"
              "expect state.selection.unlifted == \"_guards_fn\"\n"
              "expect state.selection.node == null\n"
              "expect node/title text \"_guards_fn\"\n"
              "expect node/guard/0 exists\n"
              "view.unlifted\n"
              "wait idle\n"
              "expect state.selection.unlifted == null\n"
              "expect graph/node/_guards_fn absent\n"
              "expect text/line/1 text \"def forward\"\n"));
}

TEST_CASE("the unlifted form names nodes of the program: a run and its marks go on") {
  Driver d({std::string(PT2_SOURCE_DIR) + "/assets/samples/conv_bn_relu.pt2"});
  CHECK(d.run("wait idle\nview.unlifted on\nwait idle\n"
              "expect graph/node/conv_weight text \"get_attr conv.weight\"\n"
              "click graph/node/conv_weight\n"
              "expect state.selection.value == \"p_conv_weight\"\n"
              "click graph/node/batch_norm\n"
              "expect state.selection.node == \"batch_norm\"\n"
              "view.text\nwait idle\n"
              "click text/line/11\n"
              "expect state.selection.node == \"conv2d\"\n"
              "debug.toggle_breakpoint batch_norm\n"
              "view.graph\nwait idle\n"
              "key Up\n"
              "view.unlifted off\nwait idle\n"
              "expect graph/chip/conv2d/p_conv_weight exists\n"
              "expect state.breakpoints[0].node == \"batch_norm\"\n"));
}

TEST_CASE("what the rules of the Export IR say stands in the Problems pane, each once") {
  Driver d({kData + "/programs/conv_bn_train.pt2"});
  REQUIRE(d.run("wait idle\n"));
  const auto problems = d.state()["problems"];
  REQUIRE(problems.size() == 2);
  CHECK(problems[0]["rule"] == "signature.in-place");
  CHECK(problems[1]["rule"] == "trap.training");
  CHECK(problems[1]["severity"] == "warning");
}
