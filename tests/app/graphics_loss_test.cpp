// A graphics driver that is reset, and one that has no room.
#include <doctest/doctest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "app/offscreen_gl.h"
#include "imgui.h"
#include "tests/support/scratch.h"

using namespace pt2;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("after a reset of the driver the window is drawn as before, and what was set up is kept") {
  const test::Scratch scratch;
  const std::string a = scratch.path("a.png"), b = scratch.path("b.png"), session = scratch.path("s.json");
  std::ofstream(scratch.path("story.steps")) << "wait idle\ndebug.toggle_breakpoint relu\nwait idle\nscreenshot " << a
                                             << "\nlose_graphics\nwait idle\nexpect state.toast has \"driver was reset\"\nexpect state.breakpoints[0].node == \"relu\"\n"
                                             << "wait 400\nwait idle\nexpect state.toast == null\nscreenshot " << b << "\n";
  const std::string command = "'" PT2_BINARY "' '" PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2' --offscreen --session '" + session + "' --script '" + scratch.path("story.steps") + "' >/dev/null 2>&1";
  const int status = std::system(command.c_str());
  REQUIRE(WIFEXITED(status));
  if (WEXITSTATUS(status) == 6 || text_of(a).empty()) {
    MESSAGE("skipped: no OpenGL without a display on this machine");
    return;
  }
  CHECK(WEXITSTATUS(status) == 0);
  CHECK(text_of(a) == text_of(b));
  CHECK(text_of(session).find("relu") != std::string::npos);
}

TEST_CASE("a picture that the device has no room for is none, and the next one is drawn; again after a loss") {
  ImGuiContext* imgui = ImGui::CreateContext();
  {
    app::OffscreenGl gl(64, 64);
    gl.start();
    for (int life = 0; life < 2 && gl.backend(); ++life) {
      CHECK_FALSE(gl.backend()->lost());
      const std::vector<uint32_t> pixels(1 << 20, 0xFFFFFFFF);
      CHECK_FALSE(gl.backend()->images.texture("wide", 1 << 20, 1, pixels));
      CHECK(gl.backend()->images.texture("small", 64, 64, pixels));
      gl.backend()->lose();
      CHECK(gl.backend()->lost());
      gl.start();
    }
  }
  ImGui::DestroyContext(imgui);
}
