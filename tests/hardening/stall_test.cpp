// A disk that takes its time: the window goes on, says what it waits for, and gives up when it is told to. Five seconds, scaled down.
#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "tests/gui/driver.h"
#include "tests/hardening/faults.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace std::chrono_literals;

namespace {

using Clock = std::chrono::steady_clock;
constexpr const char* kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";
constexpr int kStallMs = 400;
#ifdef PT2_SANITIZED
constexpr double kFrameMs = 300;
#else
constexpr double kFrameMs = 100;
#endif

struct Stalling {
  explicit Stalling(faults::Call call) { faults::arm({call, 1, faults::kStall, true, kStallMs}); }
  ~Stalling() { faults::disarm(); }
};

double ms_since(Clock::time_point begin) { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool shown(gui::Driver& d, const std::string& probe) { return d.app.probe().find(probe) != nullptr; }

// The longest frame while `more` says so; the window may do something in each.
template <class More>
double longest_frame(gui::Driver& d, More more) {
  double longest = 0;
  while (more()) {
    const auto begin = Clock::now();
    d.frame();
    longest = std::max(longest, ms_since(begin));
    std::this_thread::sleep_for(4ms);
  }
  return longest;
}
auto for_ms(double ms) {
  return [begin = Clock::now(), ms] { return ms_since(begin) < ms; };
}

double ms_of_command(gui::Driver& d, const std::string& command) {
  const auto begin = Clock::now();
  CHECK(d.app.run_command(command));
  d.frame();
  return ms_since(begin);
}

}  // namespace

TEST_CASE("stalls: what is set up is kept while the window goes on, whichever call takes its time") {
  for (const faults::Call call : {faults::Call::Open, faults::Call::Write, faults::Call::Sync, faults::Call::Rename, faults::Call::Link, faults::Call::AnyFile}) {
    CAPTURE(int(call));
    const test::Scratch scratch;
    const std::string path = scratch.path("s.json");
    {
      auto options = gui::Driver::options({kSample});
      options.session = path;
      gui::Driver d(options, 1440, 900);
      REQUIRE(d.run("wait idle\nwatch.add 1\nwait idle"));
      const Stalling stalling(call);
      CHECK(ms_of_command(d, "debug.toggle_breakpoint relu") < kFrameMs);
      CHECK(ms_of_command(d, "watch.add 7") < kFrameMs);
      CHECK(longest_frame(d, for_ms(kStallMs * 3.0)) < kFrameMs);  // with the flush
      CHECK(ms_of_command(d, "file.close") < kFrameMs);
      CHECK(longest_frame(d, for_ms(kStallMs * 2.0)) < kFrameMs);
    }
    CHECK(text_of(path).find("relu") != std::string::npos);
    CHECK(text_of(path).find("\"7\"") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(path + ".lock"));
  }
}

TEST_CASE("stalls: a session that is read slowly comes later, and what was set up meanwhile stays") {
  const test::Scratch scratch;
  auto options = gui::Driver::options({kSample});
  options.session = scratch.path("s.json");
  {
    gui::Driver d(options, 1440, 900);
    REQUIRE(d.run("wait idle\nwatch.add relu.max()\nwait idle"));
  }
  options.files.clear();
  {
    gui::Driver d(options, 1440, 900);
    REQUIRE(d.run("wait idle"));
    // The program's own reads are passed over: only the session's lock stalls.
    REQUIRE(d.app.run_command(std::string("file.open ") + kSample));
    const auto loaded = [&] { return d.app.workspace().active() && d.app.workspace().active()->program(); };
    longest_frame(d, [&] {
      if (loaded()) return false;
      faults::disarm();
      faults::arm({faults::Call::Open, 2, faults::kStall, true, kStallMs});
      return true;
    });
    CHECK(d.state()["watches"].empty());
    d.frame();
    CHECK(shown(d, "status/job"));
    CHECK_FALSE(shown(d, "status/job/cancel"));
    CHECK(ms_of_command(d, "watch.add 7") < kFrameMs);
    CHECK(longest_frame(d, [&] { return !d.app.jobs().idle(); }) < kFrameMs);
    faults::disarm();
    CHECK(d.state()["watches"].size() == 2);
  }
  CHECK(text_of(options.session).find("relu.max()") != std::string::npos);
  CHECK(text_of(options.session).find("\"7\"") != std::string::npos);
}

TEST_CASE("stalls: a program that is read slowly shows that it is, and is given up at once") {
  gui::Driver d;
  REQUIRE(d.run("wait idle"));
  const Stalling stalling(faults::Call::Read);
  CHECK(ms_of_command(d, std::string("file.open ") + kSample) < kFrameMs);
  CHECK(longest_frame(d, for_ms(kStallMs * 1.5)) < kFrameMs);
  CHECK(d.state()["documents"][0]["state"] == "loading");
  CHECK(shown(d, "loading/cancel"));
  const auto begin = Clock::now();
  REQUIRE(d.app.run_command("file.close"));
  longest_frame(d, [&] { return !d.app.workspace().documents().empty(); });
  CHECK(ms_since(begin) < kFrameMs);
  // The one that is opened next is not kept waiting by it.
  faults::disarm();
  CHECK(d.run(std::string("file.open ") + kSample + "\nwait idle\nexpect state.documents[0].state == \"ready\""));
}

TEST_CASE("stalls: a run whose weights are read slowly stops at once") {
  const test::Scratch scratch;
  gui::Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  const Stalling stalling(faults::Call::Read);
  REQUIRE(d.app.run_command("debug.begin"));
  CHECK(longest_frame(d, for_ms(kStallMs)) < kFrameMs);
  CHECK(d.state()["run_state"] == "running");
  CHECK(ms_of_command(d, "debug.stop") < kFrameMs);
  CHECK(d.state()["run_state"] != "running");
}

TEST_CASE("stalls: the file dialog lists a folder that answers slowly while the window goes on, and says so") {
  const test::Scratch scratch;
  std::filesystem::copy_file(kSample, scratch.path("a.pt2"));
  std::filesystem::create_directory(scratch.path("inside"));
  gui::Driver d({kSample});
  REQUIRE(d.run("wait idle"));
  {
    const Stalling stalling(faults::Call::Stat);
    CHECK(ms_of_command(d, "file.open") < kFrameMs);
    CHECK(longest_frame(d, for_ms(kStallMs * 0.9)) < kFrameMs);
    CHECK(shown(d, "picker/reading"));
    CHECK_FALSE(shown(d, "picker/row/0"));
  }
  REQUIRE(d.run("wait idle\nexpect picker/reading absent\nexpect picker/row/0 exists\nclick picker/path\nkey Ctrl+A\ntype " + scratch.folder.string()));
  // A path that is typed may be a folder or a file: that is looked up no less patiently.
  {
    const Stalling stalling(faults::Call::Stat);
    const auto begin = Clock::now();
    REQUIRE(d.run("key Enter"));
    CHECK(ms_since(begin) < kStallMs);
    CHECK(longest_frame(d, for_ms(kStallMs * 0.9)) < kFrameMs);
    CHECK(shown(d, "picker/reading"));
  }
  REQUIRE(d.run("wait idle\nexpect picker/row/0 text \"inside\"\nexpect picker/row/1 text \"a.pt2\"\nclick picker/path\nkey Ctrl+A\ntype " + scratch.path("a.pt2")));
  {
    const Stalling stalling(faults::Call::Stat);
    REQUIRE(d.run("key Enter"));
    CHECK(longest_frame(d, for_ms(kStallMs * 3.0)) < kFrameMs);
  }
  CHECK(d.run("wait idle\nexpect picker/path absent\nexpect state.documents[1].state == \"ready\""));
}

TEST_CASE("stalls: a file dialog that is closed while it reads does nothing later") {
  gui::Driver d({kSample});
  REQUIRE(d.run("wait idle\nfile.open\nwait idle\nclick picker/path\nkey Ctrl+A\ntype /nowhere/a.pt2"));
  const Stalling stalling(faults::Call::Stat);
  REQUIRE(d.run("key Enter\nkey Escape"));
  longest_frame(d, for_ms(kStallMs * 2.0));
  CHECK_FALSE(shown(d, "picker/path"));
  CHECK(d.state()["documents"].size() == 1);
}

TEST_CASE("stalls: recent files that answer slowly keep nobody waiting; those that are gone are known later") {
  const test::Scratch scratch;
  for (const char* home : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"}) ::setenv(home, scratch.folder.c_str(), 1);
  std::filesystem::create_directory(scratch.path("pt2scope"));
  std::ofstream(scratch.path("pt2scope/recent.json")) << R"({"files": [{"path": ")" << kSample << R"("}, {"path": "/nowhere/a.pt2"}, {"path": "/nowhere/b.pt2"}, {"path": "/nowhere/c.pt2"}]})";
  {
    auto options = gui::Driver::options({});
    options.keep_settings = true;
    const Stalling stalling(faults::Call::Stat);
    const auto begin = Clock::now();
    gui::Driver d(options, 1440, 900);
    d.frame();
    CHECK(ms_since(begin) < kStallMs * 3);  // fonts and the program's own settings; four files would take longer
    const auto& recent = d.app.workspace().recent;
    REQUIRE(recent.size() == 4);
    CHECK(longest_frame(d, [&] { return !d.app.jobs().idle(); }) < kFrameMs);
    CHECK_FALSE(recent[0].missing);
    CHECK(recent[3].missing);
  }
  for (const char* home : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"}) ::unsetenv(home);
}
