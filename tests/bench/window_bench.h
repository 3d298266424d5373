#pragma once
// What the benchmarks of the window share: times of the thread that draws, without a graphics device.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "tests/gui/driver.h"

namespace pt2::bench {

using Clock = std::chrono::steady_clock;

inline double ms_since(Clock::time_point begin) { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }

inline double resident_mib() {
  std::ifstream in("/proc/self/statm");
  double all = 0, resident = 0;
  in >> all >> resident;
  return resident * 4096 / 1048576;
}

inline double at(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[std::min(values.size() - 1, size_t(part * double(values.size())))];
}

inline void say(const char* what, const std::vector<double>& ms) {
  std::printf("%-46s n %zu  median %.2f ms  95 %% %.2f ms  max %.2f ms\n", what, ms.size(), at(ms, 0.5), at(ms, 0.95), at(ms, 1));
}

// Draws until nothing is left to do; the longest frame.
inline double settle(gui::Driver& d) {
  double longest = 0;
  do {
    if (!d.app.jobs().idle()) d.app.jobs().wait(0.005);
    const auto begin = Clock::now();
    d.frame();
    longest = std::max(longest, ms_since(begin));
  } while (!d.app.idle());
  return longest;
}

// Runs script lines that name no probe and notes what each frame took: without the list of probes, as in a window nobody scripts.
inline std::vector<double> frames_of(gui::Driver& d, const std::string& lines) {
  std::vector<double> frames;
  d.app.probe().set_on(false);
  app::Script script(d.app, "bench", lines, [](const std::string&) { return std::string("there is no picture here"); });
  while (!script.finished()) {
    script.advance();
    if (script.finished()) break;
    if (!d.app.jobs().idle()) d.app.jobs().wait(0.005);
    const auto begin = Clock::now();
    d.frame();
    frames.push_back(ms_since(begin));
  }
  d.app.probe().set_on(true);
  return frames;
}

}  // namespace pt2::bench
