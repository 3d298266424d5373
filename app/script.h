#pragma once
// Window scripts: one command a line, the ids of menu and palette, and what a person does with mouse and keys. Input goes through the
// window's own queue, frame by frame, so a script sees what a user sees.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/application.h"

namespace pt2::app {

class Script {
 public:
  // `take_screenshot(path)` writes the picture of the last frame; an error text or nothing.
  Script(Application& application, std::string name, const std::string& text, std::function<std::string(const std::string&)> take_screenshot);

  // Called before each frame: feeds input and looks at what the last frame shows.
  void advance();
  bool finished() const { return finished_; }
  // Exit status once finished: 1 after a failed expectation.
  int status() const { return status_; }
  // Where `dump state` goes; stdout by default.
  std::function<void(const std::string&)> output;
  // What `lose_graphics` does: as if the driver had been reset.
  std::function<void()> lose_graphics = [] {};
  // What a command refuses, and what fails in its job, ends the script too, unless the next check is of `state.toast`.
  bool ends_at_failures = false;
  // Seconds of ImGui time a script waits for a state to settle before it gives up.
  double patience = 300;

 private:
  // A piece of a line; true once it is done. Called once a frame.
  using Step = std::function<bool()>;
  void start_line();
  void fail(const std::string& message);
  void pause_between_clicks();
  void click(const std::string& probe, int button, int times);
  void move_to(const std::string& probe);
  void press_key(const std::string& chord);
  void frames(int count);
  const views::ProbeItem* need(const std::string& probe);
  bool expect(const std::string& rest);
  bool stopped_by_failure(const std::string& line);

  Application& app_;
  std::string name_;
  std::vector<std::string> lines_;
  size_t line_ = 0;
  std::vector<Step> steps_;
  size_t step_ = 0;
  std::function<std::string(const std::string&)> take_screenshot_;
  float x_ = 0, y_ = 0;
  int idle_frames_ = 0;
  double last_click_ = -1;
  std::optional<size_t> failures_;  // said before the command that was run last; none: input came after it
  size_t command_line_ = 0;         // of that command
  bool finished_ = false;
  int status_ = 0;
  int warm_up_ = 3;
};

}  // namespace pt2::app
