// The same frames without any display. GL is made only when a picture is wanted; a script that asks for none runs the whole interface without it.
#include <cstdio>

#include "app/cli/cli.h"
#include "app/offscreen_gl.h"
#include "app/script.h"
#include "app/window.h"

namespace pt2::app {

namespace {

constexpr double kFrame = 1.0 / 60;

}  // namespace

int run_offscreen(const WindowOptions& options) {
  std::string text;
  if (options.script.empty()) text = "wait idle";
  else if (!read_script(options, text)) return kCannotOpen;
  WindowOptions own = options;
  own.application.probes = own.application.reduced_motion = true;
  own.application.keep_settings = false;
  if (!own.application.scale) own.application.scale = 1;
  Application application(own.application);
  OffscreenGl gl(options.width, options.height);
  auto screenshot = [&](const std::string& path) { return gl.draw_and_write(path); };
  if (!options.screenshot.empty() || text.find("screenshot") != std::string::npos) gl.start();
  application.images = gl.backend() ? &gl.backend()->images : nullptr;
  Script script(application, options.script.empty() ? "offscreen" : options.script, text, screenshot);
  script.ends_at_failures = true;
  script.lose_graphics = [&] {
    if (gl.backend()) gl.backend()->lose();
  };
  double time = 0;
  while (!application.quit()) {
    script.advance();
    if (script.finished()) break;
    // Nothing to draw: wait for the worker instead of spinning.
    if (!application.wants_frame() || !application.jobs().idle()) application.jobs().wait(0.02);
    application.update_theme();
    if (gl.backend() && gl.backend()->lost()) {
      gl.start();
      application.images = gl.backend() ? &gl.backend()->images : nullptr;
      application.graphics_lost();
    }
    if (gl.backend()) gl.backend()->prepare(application.fonts_revision());
    views::FrameInput input;
    input.width = float(options.width), input.height = float(options.height);
    input.time = time += kFrame;
    input.delta = kFrame;
    input.events = application.input.take_frame();
    application.frame(std::move(input));
  }
  int status = script.status();
  if (!options.screenshot.empty()) {
    if (const std::string problem = screenshot(options.screenshot); !problem.empty()) {
      std::fprintf(stderr, "error: %s\n", problem.c_str());
      status = kAnswerIsNo;
    }
  }
  return status;
}

}  // namespace pt2::app
