// What is opened and closed again leaves nothing behind.
#include <malloc.h>
#include <unistd.h>

#include <fstream>

#include "imgui_internal.h"
#include "tests/gui/driver.h"

using pt2::gui::Driver;

namespace {

constexpr const char* kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";
constexpr const char* kFiles[] = {kSample, PT2_SOURCE_DIR "/assets/samples/conv_bn_relu_decomposed.pt2", PT2_TEST_DATA "/programs/while_loop.pt2"};

double resident_mib() {
  ::malloc_trim(0);
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * double(::sysconf(_SC_PAGESIZE)) / 1048576;
}

// Opens and closes, now before anything was read, now after so many frames.
void open_and_cancel(Driver& d, int times) {
  for (int i = 0; i < times; ++i) {
    REQUIRE(d.app.run_command(std::string("file.open ") + kFiles[size_t(i) % std::size(kFiles)]));
    for (int frame = 0; frame < i % 7; ++frame) d.frame();
    REQUIRE(d.app.run_command("file.close"));
    d.frame();
  }
  REQUIRE(d.run("wait idle"));
}

void check_returned(double before, double after) {
  INFO("resident memory: ", before, " MiB before, ", after, " MiB after");
#if defined(PT2_SANITIZED)
  WARN(after < before * 1.1);  // sanitizers keep what was freed for a while
#else
  CHECK(after < before * 1.1);
#endif
}

}  // namespace

TEST_CASE("200 opens and cancels: memory comes back") {
  Driver d;
  open_and_cancel(d, 30);
  const double before = resident_mib();
  open_and_cancel(d, 200);
  CHECK(d.state()["documents"].empty());
  check_returned(before, resident_mib());
}

// Dear ImGui keeps every window it ever had.
TEST_CASE("documents opened after others were closed take their places") {
  Driver d;
  const auto open_all = [&] {
    for (const char* file : kFiles) REQUIRE(d.run(std::string("file.open ") + file + "\nwait idle\nview.both\nwait idle"));
    for (size_t i = 0; i < std::size(kFiles); ++i) REQUIRE(d.run("file.close\nwait idle"));
  };
  open_all();
  const int windows = ImGui::GetCurrentContext()->Windows.Size;
  for (int i = 0; i < 5; ++i) open_all();
  CHECK(ImGui::GetCurrentContext()->Windows.Size == windows);
}

TEST_CASE("a program opened where a scrolled one was begins at its first line") {
  const std::string open = std::string("file.open ") + kFiles[1] + "\nview.text_form readable\nwait idle\n";
  Driver d(std::vector<std::string>(), 900, 300);
  REQUIRE(d.run(open + "expect text/line/1 exists\nselect.node output\nwait idle\nexpect text/line/1 absent\nfile.close\nwait idle\n"));
  CHECK(d.run(open + "expect text/line/1 exists\n"));
}

TEST_CASE("1,000 steps forth and back: memory comes back") {
  Driver d({kSample});
  REQUIRE(d.run("wait idle\ndebug.use_samples on\ndebug.begin\nwait idle\ndebug.restart\nwait idle"));
  const auto walk = [&](int times) {
    for (int i = 0; i < times; ++i) {
      REQUIRE(d.app.run_command(i % 4 < 2 ? "debug.step_into" : "debug.step_back"));
      do d.app.jobs().wait(0.001), d.frame();
      while (!d.app.jobs().idle());
    }
  };
  walk(100);
  const double before = resident_mib();
  walk(1000);
  check_returned(before, resident_mib());
}
