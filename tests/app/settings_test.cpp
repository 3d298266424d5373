// What is kept between runs of the window.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "app/settings.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::app;

namespace {

// Settings live where these variables say, for as long as the test lasts.
struct Home {
  test::Scratch scratch;
  Home() {
    ::setenv("XDG_CONFIG_HOME", scratch.path("config").c_str(), 1);
    ::setenv("XDG_STATE_HOME", scratch.path("state").c_str(), 1);
  }
  ~Home() {
    ::unsetenv("XDG_CONFIG_HOME");
    ::unsetenv("XDG_STATE_HOME");
  }
  std::string settings() const { return scratch.path("config") + "/pt2scope/settings.json"; }
};

struct Start {
  JobQueue jobs{1};
  views::Workspace workspace{jobs};
  views::ShellLayout layout = views::ShellLayout::standard();
  views::CommandRegistry registry;
  Settings settings;
  std::vector<std::string> notes;

  Start() {
    settings.load(workspace, layout, registry, notes);
    settings.begin(workspace);
  }
  void save() {
    DiskQueue disk(jobs);
    settings.save(workspace, layout, disk, [this](std::string note) { notes.push_back(std::move(note)); });
    disk.finish();
    jobs.deliver();
  }
};

}  // namespace

TEST_CASE("the tour comes by itself at the first start only") {
  const Home home;
  {
    Start first;
    CHECK(first.workspace.ui.tour == 1);
    first.workspace.ui.tour = 0;
    first.workspace.ui.tour_seen = true;
    first.save();
  }
  CHECK(Start().workspace.ui.tour == 0);
  // Whoever has settings of a version without it knows the program.
  std::ofstream(home.settings()) << R"({"theme": "light"})";
  CHECK(Start().workspace.ui.tour == 0);
}

TEST_CASE("preferences are kept, and what is none of their values is passed over") {
  const Home home;
  {
    Start start;
    const std::pair<const char*, const char*> values[] = {{"direction", "LR"}, {"parameters", "nodes"}, {"getitem", "true"}, {"text_form", "readable"}, {"max_boxes", "500"}, {"value_memory", "64"},
                                                          {"threads", "2"}, {"rtol", "0.001"}, {"recent_files", "5"}, {"restore_documents", "true"}};
    for (const auto& one : values) CHECK_MESSAGE(views::find_preference(one.first)->set(start.workspace.ui.preferences, one.second), one.first);
    start.workspace.ui.reduced_motion = true;
    start.save();
  }
  {
    Start start;
    const views::Preferences& kept = start.workspace.ui.preferences;
    CHECK(kept.direction == Direction::LeftRight);
    CHECK(kept.parameters == views::ParameterMode::Nodes);
    CHECK(kept.getitem);
    CHECK(kept.text_form == views::TextForm::Readable);
    CHECK(kept.max_boxes == 500);
    CHECK(kept.value_megabytes == 64);
    CHECK(kept.threads == 2);
    CHECK(kept.rtol == 0.001);
    CHECK(kept.atol == std::nullopt);
    CHECK(kept.recent_files == 5);
    CHECK(kept.restore_documents);
    CHECK(start.workspace.ui.reduced_motion);
  }
  std::ofstream(home.settings()) << R"({"preferences": {"max_boxes": -1, "direction": 7, "getitem": "maybe", "unknown": 1, "threads": 3}})";
  Start start;
  CHECK(start.workspace.ui.preferences.max_boxes == 3000);
  CHECK(start.workspace.ui.preferences.threads == 3);
  start.save();
  std::ifstream in(home.settings());
  CHECK(std::string(std::istreambuf_iterator<char>(in), {}).find("\"unknown\": 1") != std::string::npos);
}

TEST_CASE("a pane that was closed stays closed") {
  const Home home;
  {
    Start start;
    start.layout.closed = {"watch"};
    start.layout.complete();
    start.save();
  }
  const Start start;
  CHECK(start.layout.closed == std::vector<std::string>{"watch"});
  const auto& bottom = start.layout.bottom.panes;
  CHECK(std::find(bottom.begin(), bottom.end(), "watch") == bottom.end());
  CHECK(std::find(bottom.begin(), bottom.end(), "log") != bottom.end());
}

TEST_CASE("documents that were open are opened again where that is wanted") {
  const Home home;
  const std::string sample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";
  {
    Start start;
    start.workspace.open(sample);
    start.save();
  }
  CHECK(Start().workspace.ui.last_documents.empty());
  {
    Start start;
    start.workspace.ui.preferences.restore_documents = true;
    start.workspace.open(sample);
    start.save();
  }
  CHECK(Start().workspace.ui.last_documents == std::vector<std::string>{sample});
}
