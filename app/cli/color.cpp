#include "app/cli/color.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <vector>

namespace pt2::app {

namespace {

// The eight colours of every terminal, which its user has chosen.
constexpr std::string_view kCodes[] = {"1;31", "33", "36", "32", "32", "31", "33", "2"};

const std::vector<std::string> kModes = {"auto", "always", "never"};

bool wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return !(no_color && *no_color) && !(terminal && std::string_view(terminal) == "dumb") && ::isatty(STDOUT_FILENO);
}

}  // namespace

void add_color_option(CLI::App& app, std::string& mode) {
  mode = "auto";
  app.add_option("--color", mode, "Colour: auto (on a terminal, unless NO_COLOR is set), always or never")->check(CLI::IsMember(kModes))->capture_default_str();
}

void accept_color_option(CLI::App& app) {
  if (app.get_option_no_throw("--color")) return;
  app.add_option_function<std::string>("--color", [](const std::string&) {}, "auto, always or never; there is no colour here")->check(CLI::IsMember(kModes));
}

Colors::Colors(std::string_view mode) : on_(mode == "always" || (mode != "never" && wanted())) {}

std::string Colors::operator()(Tone tone, std::string_view text) const {
  if (!on_ || text.empty()) return std::string(text);
  return "\x1b[" + std::string(kCodes[size_t(tone)]) + "m" + std::string(text) + "\x1b[0m";
}

}  // namespace pt2::app
