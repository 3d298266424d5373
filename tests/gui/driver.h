#pragma once
// The real window without a window: the whole interface, ImGui and all, with scripts as input and the state dump as eyes. No GL, no
// display, milliseconds a test.
#include <doctest/doctest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "app/application.h"
#include "app/script.h"

namespace pt2::gui {

class Driver {
 public:
  explicit Driver(std::vector<std::string> files = {}, float width = 1440, float height = 900) : Driver(options(std::move(files)), width, height) {}
  Driver(app::ApplicationOptions options, float width, float height) : app(std::move(options)), width_(width), height_(height) {}

  // What suits a test: nothing of the user's settings is read or written, and every item has a name.
  static app::ApplicationOptions options(std::vector<std::string> files) {
    app::ApplicationOptions o;
    o.files = std::move(files);
    o.keep_settings = false;
    o.probes = o.reduced_motion = true;
    o.scale = 1;
    return o;
  }

  // Runs script lines to their end; false after a failed expectation, and where two items on screen had one name in any frame.
  bool run(const std::string& lines) {
    app::Script script(app, "test", lines, [](const std::string&) { return std::string("there is no picture here"); });
    script.output = [this](const std::string& text) { dumps.push_back(text); };
    script.patience = 20;
    while (!script.finished()) {
      script.advance();
      if (script.finished()) break;
      if (!app.jobs().idle()) app.jobs().wait(0.02);
      frame();
    }
    for (const std::string& name : duplicates) std::fprintf(stderr, "two items on screen are called %s\n", name.c_str());
    return script.status() == 0 && duplicates.empty();
  }
  void frame() {
    views::FrameInput input;
    input.width = width_, input.height = height_;
    input.time = time_ += 1.0 / 60;
    input.events = app.input.take_frame();
    app.frame(std::move(input));
    duplicates.insert(duplicates.end(), app.probe().duplicates().begin(), app.probe().duplicates().end());
  }
  void resize(float width, float height) { width_ = width, height_ = height; }
  nlohmann::json state() { return nlohmann::json::parse(app.dump_state()); }

  app::Application app;
  std::vector<std::string> dumps, duplicates;

 private:
  float width_, height_;
  double time_ = 0;
};

}  // namespace pt2::gui
