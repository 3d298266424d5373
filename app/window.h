#pragma once
// The two ways to show the application: a GLFW window, and frames without any display.
#include <string>

#include "app/application.h"

namespace pt2::app {

struct WindowOptions {
  ApplicationOptions application;
  int width = 1440, height = 900;
  bool sized = false;           // --size was given
  std::string script;           // a file; "-": standard input
  std::string screenshot;       // written when the script ends (or the first picture is complete), then quit
  bool offscreen = false;
};

// Both return the exit status.
int run_window(const WindowOptions& options);
int run_offscreen(const WindowOptions& options);

// Reads the script of `options`; prints the problem and returns false when it cannot be read.
bool read_script(const WindowOptions& options, std::string& text);

}  // namespace pt2::app
