// Sessions as a window keeps them: journal, restore, and what is said when they cannot be kept.
#include <fstream>
#include <iterator>

#include "tests/gui/driver.h"
#include "tests/support/scratch.h"

using pt2::gui::Driver;
using pt2::test::Scratch;

namespace {

constexpr const char* kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";
constexpr const char* kDecomposed = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2";

pt2::app::ApplicationOptions with_session(const std::string& path, const char* file = kSample) {
  auto options = Driver::options({file});
  options.session = path;
  return options;
}

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("sessions: each action is in the journal at once, and everything comes back") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run("wait idle"));
    CHECK_FALSE(std::filesystem::exists(path + ".journal"));  // nobody set anything up
    REQUIRE(d.run("debug.toggle_breakpoint relu\n"
                  "breakpoint.add op=aten.batch_norm* if nan\n"
                  "watch.add relu.max()\n"
                  "wait idle"));
    CHECK(text_of(path + ".journal").find("relu.max()") != std::string::npos);
    // As a killed program leaves it.
    std::filesystem::copy_file(path + ".journal", scratch.path("killed.json.journal"));
  }
  CHECK_FALSE(std::filesystem::exists(path + ".journal"));
  for (const std::string& found : {path, scratch.path("killed.json")}) {
    Driver d(with_session(found), 1440, 900);
    CHECK(d.run("wait idle\n"
                "expect state.breakpoints[0].node == \"relu\"\n"
                "expect state.breakpoints[1].condition == \"NaN\"\n"
                "expect state.watches[0].expression == \"relu.max()\"\n"
                "expect state.toast == null"));
  }
  // In another program what has no place waits, and comes back with it.
  {
    Driver d(with_session(path, kDecomposed), 1440, 900);
    CHECK(d.run("wait idle\nwatch.add 1\nwait idle"));
  }
  Driver d(with_session(path), 1440, 900);
  CHECK(d.run("wait idle\nexpect state.breakpoints[0].node == \"relu\"\nexpect state.watches[1].expression == \"1\""));
}

TEST_CASE("sessions: places that were told to be ignored are kept") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run("wait idle\n"
                  "debug.use_samples on\n"
                  "breakpoint.add op=aten.*\n"
                  "debug.begin\nwait idle\n"
                  "debug.ignore_here\nwait idle"));
  }
  const auto json = nlohmann::json::parse(text_of(path));
  REQUIRE(json["breakpoints"][0].contains("ignored"));
  const std::string ignored = json["breakpoints"][0]["ignored"][0];
  Driver d(with_session(path), 1440, 900);
  REQUIRE(d.run("wait idle\ndebug.begin\nwait idle"));
  CHECK(d.state()["cursor"] != ignored);
}

TEST_CASE("sessions: what cannot be kept is said, stays said, can be saved elsewhere, and closing asks") {
  const Scratch scratch;
  std::ofstream(scratch.path("file")) << "no folder";
  Driver d(with_session(scratch.path("file/s.json")), 1440, 900);
  REQUIRE(d.run("wait idle\n"
                "expect status/session absent\n"
                "debug.toggle_breakpoint relu\n"
                "wait idle\n"
                "expect state.toast has \"not kept\"\n"
                "expect status/session text \"Session not kept\"\n"
                "file.close\n"
                "expect state.dialog == \"unsaved\"\n"
                "click unsaved/cancel\n"
                "expect state.dialog == null\n"
                "file.quit\n"
                "expect state.dialog == \"unsaved\"\n"
                "click unsaved/save_as\n"
                "expect state.dialog == \"path\"\n"
                "key Escape\n"
                "click status/session\n"
                "expect state.dialog == \"path\"\n"
                "key Escape\n"));
  CHECK_FALSE(d.app.quit());
  CHECK(d.run("session.save_as " + scratch.path("file/t.json") + "\nwait idle\nexpect status/session exists"));  // not there either
  CHECK(d.run("session.save_as " + scratch.path("elsewhere.json") + "\nwait idle\nexpect status/session absent"));
  CHECK(text_of(scratch.path("elsewhere.json")).find("relu") != std::string::npos);
  CHECK(d.run("watch.add 7\nwait idle"));
  CHECK(d.run("file.close\nexpect state.documents == []\nwait idle"));
  CHECK(text_of(scratch.path("elsewhere.json")).find("\"7\"") != std::string::npos);
}

TEST_CASE("sessions: closing anyway gives up what is in memory") {
  const Scratch scratch;
  std::ofstream(scratch.path("file")) << "no folder";
  Driver d(with_session(scratch.path("file/s.json")), 1440, 900);
  CHECK(d.run("wait idle\n"
              "debug.toggle_breakpoint relu\n"
              "wait idle\n"
              "file.close\n"
              "click unsaved/anyway\n"
              "expect state.documents == []\n"
              "expect state.dialog == null"));
  CHECK_FALSE(d.app.quit());
}

TEST_CASE("sessions: a damaged one is restored with one notice, and the program opens") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  for (const char* watch : {"1", "2"}) {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run(std::string("wait idle\nwatch.add ") + watch + "\nwait idle"));
  }
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  Driver d(with_session(path), 1440, 900);
  CHECK(d.run("wait idle\n"
              "expect state.watches[0].expression == \"1\"\n"
              "expect state.toast has \"damaged\"\n"
              "expect status/session absent"));
}

TEST_CASE("sessions: edits come back, those that need values once a run has them; what is none here is dropped and the log says so") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run("wait idle\n"
                  "debug.use_samples on\n"
                  "debug.begin\nwait idle\n"
                  "debug.run_without_stopping\nwait idle\n"
                  "debug.edit_value relu relu * 2\nwait idle\n"
                  "debug.edit_value b_bn_running_var [3] = 1.0\nwait idle\n"
                  "debug.edit_argument batch_norm eps 0.5\nwait idle\n"
                  "debug.edit_input x 1\nwait idle\n"));
    CHECK(text_of(path + ".journal").find("relu * 2") != std::string::npos);
  }
  const std::string written = nlohmann::json::parse(text_of(path))["edits"].dump();
  {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run("wait idle\n"
                  "expect state.edits[0].node == \"x\"\n"
                  "expect state.edits[1].kind == \"argument\"\n"
                  "expect state.edits[2].text == \"relu * 2\"\n"
                  "expect state.edits[2].waiting == true\n"
                  "expect state.edits[3].text == \"[3] = 1.0\"\n"
                  "expect state.toast == null\n"
                  "expect graph/banner/edits text \"4 edits, used by the next run; 2 of them take effect once their nodes have run\"\n"
                  "debug.begin\nwait idle\n"
                  "debug.run_without_stopping\nwait idle"));
    const auto listed = d.state()["edits"];  // of a state that is gone after the line
    for (const auto& edit : listed) CHECK_FALSE(edit.contains("waiting"));
    CHECK(d.state()["edits"].size() == 4);
  }
  CHECK(nlohmann::json::parse(text_of(path))["edits"].size() == 4);
  std::ofstream(path) << R"({"edits": [{"node": "gone", "text": "0"}, {"node": "relu", "text": "relu + * 2"}, {"node": "relu", "argument": "self", "text": "1"}, {"input": "x", "text": "many"},
                                       {"node": "relu", "text": ""}, {"text": "5"}, 7, {"node": "batch_norm", "argument": "eps", "text": "0.5"}]})";
  Driver d(with_session(path), 1440, 900);
  REQUIRE(d.run("wait idle\nexpect state.edits[0].node == \"batch_norm\"\nexpect state.documents[0].state == \"ready\""));
  const auto told = [&] {
    size_t count = 0;
    for (const auto& entry : d.app.workspace().messages()) count += entry.text.find("An edit of the session was dropped") != std::string::npos;
    return count;
  };
  CHECK(told() == 5);
  CHECK(d.state()["edits"].size() == 2);
  // Only the run's values can tell what is wrong with the last one.
  REQUIRE(d.run("debug.begin\nwait idle\ndebug.run_without_stopping\nwait idle"));
  CHECK(told() == 6);
  CHECK(d.state()["edits"].size() == 1);
}

TEST_CASE("sessions: an edit and a breakpoint of one call of a loop come back as such") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  const char* program = PT2_TEST_DATA "/programs/loop_to_nan.pt2";
  {
    Driver d(with_session(path, program), 1440, 900);
    REQUIRE(d.run("wait idle\ndebug.begin\nwait idle\ndebug.edit_value while_loop_body_graph_0@5/sub sub.clamp(0)\nbreakpoint.add while_loop_body_graph_0@3/sqrt\nwait idle\n"));
  }
  Driver d(with_session(path, program), 1440, 900);
  CHECK(d.run("wait idle\n"
              "expect state.edits[0].node == \"while_loop_body_graph_0@5/sub\"\n"
              "expect state.breakpoints[0].where == \"while_loop_body_graph_0@3/sqrt\"\n"));
}

TEST_CASE("sessions: a note waits where another operator has its name, and is not put on that") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run("wait idle\ngo.node relu\nmark.note gate\nwait idle\n"));
  }
  {
    Driver d(with_session(path), 1440, 900);
    REQUIRE(d.run("wait idle\nexpect state.marks[0].node == \"relu\"\nexpect state.marks[0].note == \"gate\"\n"));
  }
  std::ofstream(path) << R"({"program": {}, "marks": [{"node": "relu", "note": "gate", "traits": {"target": "torch.ops.aten.mul.Tensor"}}]})";
  Driver d(with_session(path), 1440, 900);
  REQUIRE(d.run("wait idle\n"));
  CHECK(d.state()["marks"].empty());
  CHECK_MESSAGE(std::string(d.state()["toast"]).find("the note on relu: no certain place") != std::string::npos, d.state()["toast"].dump());
  // What waits is among the marks, and is no way to a node.
  CHECK(d.run("select.node conv2d\nview.pane marks\nwait idle\nexpect marks/row/0 text \"gate (waits for relu of torch.ops.aten.mul.Tensor)\"\n"
              "double_click marks/row/0\nwait idle\nexpect state.selection.node == \"conv2d\"\nexpect state.dialog == null\n"));
  REQUIRE(d.run("go.node conv2d\nmark.note first\nwait idle\n"));
  CHECK(text_of(path + ".journal").find("aten.mul.Tensor") != std::string::npos);
}

TEST_CASE("sessions: of a damaged one without backup or journal nothing is said to be restored") {
  const Scratch scratch;
  const std::string path = scratch.path("s.json");
  std::ofstream(path) << "{\"format\": 2, \"marks\": [{";
  Driver d(with_session(path), 1440, 900);
  REQUIRE(d.run("wait idle\n"));
  CHECK_MESSAGE(std::string(d.state()["toast"]).find("There is nothing of before to restore") != std::string::npos, d.state()["toast"].dump());
}
