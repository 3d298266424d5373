#include "app/cli/window_command.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "app/window.h"
#include "core/layout/layout_engine.h"

namespace pt2::app {

namespace {

constexpr int kSmallest = 320, kLargest = 16384;

std::string parse_size(const std::string& text, int& width, int& height) {
  const size_t x = text.find('x');
  auto number = [](std::string_view digits, int& value) {
    auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size() && value >= kSmallest && value <= kLargest;
  };
  if (x != std::string::npos && number(std::string_view(text).substr(0, x), width) && number(std::string_view(text).substr(x + 1), height)) return {};
  return "\"" + text + "\" is not WIDTHxHEIGHT with sizes from " + std::to_string(kSmallest) + " to " + std::to_string(kLargest);
}

}  // namespace

std::function<int()> declare_window(CLI::App& app) {
  struct Given {
    WindowOptions window;
    std::string theme, size;
    float scale = 0;
  };
  auto given = std::make_shared<Given>();
  ApplicationOptions& application = given->window.application;
  const char* group = "Window options";
  app.add_option("FILE", application.files, "One .pt2 file (FILE#NAME: one program of several), or two to compare")->expected(0, 2)->option_text(" ");
  app.add_option("--script", given->window.script, "Run a script of window commands (- reads it from standard input)")->type_name("STEPS")->group(group);
  app.add_option("--screenshot", given->window.screenshot, "Write the window's picture when the script ends, and quit")->type_name("OUT.png")->group(group);
  app.add_option("--size", given->size, "Size of the window, for example 1440x900")->type_name("WxH")->group(group)->check([given](const std::string& text) {
    given->window.sized = true;
    return parse_size(text, given->window.width, given->window.height);
  });
  app.add_option("--theme", given->theme, "dark or light")->check(CLI::IsMember({"dark", "light"}))->type_name("NAME")->group(group);
  app.add_option("--layout", application.layout, "browse, debug or compare")->check(CLI::IsMember({"browse", "debug", "compare"}))->type_name("NAME")->group(group);
  app.add_option("--select", application.select, "Select a node once the file is open")->type_name("NODE")->group(group);
  app.add_option("--break", application.breakpoints, "Set a breakpoint at a node (repeatable)")->type_name("NODE")->group(group)->expected(1)->take_all();
  app.add_option("--inputs", application.inputs, "Tensor file with values of user inputs by placeholder name")->type_name("TENSORS")->group(group);
  app.add_option("--reference", application.reference, "Tensor file with values by node name: a run marks what differs from them")->type_name("TENSORS")->group(group);
  app.add_option("--scale", given->scale, "Scale of everything, instead of the display's")->check(CLI::Range(0.5, 4.0))->type_name("FACTOR")->group(group);
  app.add_option("--session", application.session, "Keep breakpoints, watches and inputs in this file")->type_name("FILE")->group(group);
  app.add_flag("--offscreen", given->window.offscreen, "Needs no display: run the script (and take the picture) without a window")->group(group);
  return [given] {
    ApplicationOptions& options = given->window.application;
    if (!given->theme.empty()) options.theme = given->theme == "dark" ? views::ThemeName::Dark : views::ThemeName::Light;
    if (given->scale > 0) options.scale = given->scale;
    options.layout_program = own_program_path();
    options.probes = !given->window.script.empty();
    return given->window.offscreen ? run_offscreen(given->window) : run_window(given->window);
  };
}

}  // namespace pt2::app
