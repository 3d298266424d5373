// `--session`, by the program itself: what one window set up, the next one finds.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace {

struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("pt2scope_session_" + std::to_string(::getpid()));
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
};

// The exit status of a window script on the bundled sample.
int run_script(const Folder& folder, const std::string& steps, const std::string& session) {
  const auto script = folder.path / "story.steps";
  std::ofstream(script) << steps;
  const std::string command = "XDG_STATE_HOME='" + (folder.path / "state").string() + "' '" PT2_BINARY "' '" PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2' --offscreen --script '" +
                              script.string() + "' --session '" + (folder.path / session).string() + "' >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("a session file keeps breakpoints, and another one does not know them") {
  const Folder folder;
  const int made = run_script(folder, "wait idle\ndebug.toggle_breakpoint relu\nwait idle\n", "a.json");
  if (made == 6) {
    MESSAGE("skipped: no OpenGL without a display on this machine");
    return;
  }
  REQUIRE(made == 0);
  CHECK(std::filesystem::exists(folder.path / "a.json"));
  const std::string expects = "wait idle\nexpect state.breakpoints[0].node == \"relu\"\n";
  CHECK(run_script(folder, expects, "a.json") == 0);
  CHECK(run_script(folder, expects, "b.json") == 1);
}

TEST_CASE("bookmarks and notes are kept with the session, those of unknown nodes too") {
  const Folder folder;
  std::ofstream(folder.path / "a.json") << R"({"version": 1, "marks": [{"node": "gone", "note": "kept"}, {"node": "conv2d", "key": 2}]})";
  const int made = run_script(folder, "wait idle\nexpect state.marks[0].key == 2\nselect.module bn\nmark.note twice\nwait idle\n", "a.json");
  if (made == 6) {
    MESSAGE("skipped: no OpenGL without a display on this machine");
    return;
  }
  REQUIRE(made == 0);
  CHECK(run_script(folder, "wait idle\nexpect state.marks[1].module == \"bn\"\nexpect state.marks[1].note == \"twice\"\n", "a.json") == 0);
  std::ifstream in(folder.path / "a.json");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  CHECK(text.find("\"gone\"") != text.npos);
  // A mark alone is reason enough for a file.
  REQUIRE(run_script(folder, "wait idle\nselect.node relu\nmark.bookmark 5\nwait idle\n", "c.json") == 0);
  CHECK(run_script(folder, "wait idle\nexpect state.marks[0].key == 5\n", "c.json") == 0);
}

TEST_CASE("a session keeps the file of --inputs by its full path, and a bundle with values needs no such file") {
  const Folder folder;
  const auto script = folder.path / "story.steps";
  const auto run = [&](const std::string& file, const std::string& steps, const std::string& options) {
    std::ofstream(script) << steps;
    const std::string command = "cd '" + folder.path.string() + "' && XDG_STATE_HOME='" + (folder.path / "state").string() + "' '" PT2_BINARY "' '" + file + "' --offscreen --script '" + script.string() + "' " + options + " >/dev/null 2>&1";
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  };
  const std::string sample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2", begin = "wait idle\ndebug.start\nwait idle\n";
  const int made = run(sample, "wait idle\ndebug.set_input x=0.5\n" + begin + "click inputs/run\nwait idle\nselect.value x\nview.pane tensor\nwait idle\ntensor.export x.npy\nwait idle\n", "");
  if (made == 6) {
    MESSAGE("skipped: no OpenGL without a display on this machine");
    return;
  }
  REQUIRE(made == 0);
  REQUIRE(std::filesystem::exists(folder.path / "x.npy"));
  REQUIRE(run(sample, begin + "click inputs/run\nwait idle\nbundle.values on\nbundle.write handed.pt2\nwait idle\n", "--inputs x.npy --session a.json") == 0);
  const std::string full = (folder.path / "x.npy").string();
  CHECK(run(sample, begin + "expect inputs/file text \"" + full + "\"\nclick inputs/file/none\nwait idle\nexpect inputs/file absent\n", "--session a.json") == 0);
  REQUIRE(run(sample, "wait idle\ndebug.set_input x=x.npy\nwait idle\n", "--session b.json") == 0);
  CHECK(run(sample, begin + "expect inputs/x/value text \"" + full + "\"\n", "--session b.json") == 0);
  std::filesystem::remove(folder.path / "x.npy");
  CHECK(run("handed.pt2", begin + "expect inputs/file absent\nexpect inputs/x/source text \"given\"\nclick inputs/run\nwait idle\nselect.value x\nview.pane tensor\nwait idle\nexpect state.tensor.stats.max == 0.5\n", "") == 0);
}
