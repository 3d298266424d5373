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
