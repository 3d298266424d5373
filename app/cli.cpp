#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <vector>

#include "app/cli/cli.h"
#include "app/cli/color.h"
#include "app/cli/subcommands.h"
#include "app/cli/window_command.h"
#include "app/crash_log.h"
#include "app/settings.h"
#include "core/base/display.h"
#include "core/base/nearest.h"

namespace pt2::app {

namespace {

int exit_status(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::CannotOpen: return kCannotOpen;
    case ErrorKind::Limit: return kLimitHit;
    case ErrorKind::Stopped: return kStopped;
    case ErrorKind::Failed: return kAnswerIsNo;
  }
  return kInternalError;
}

// The subcommand whose arguments were wrong, or the program itself.
const CLI::App& innermost(const CLI::App& app) {
  const auto parsed = app.get_subcommands();
  return parsed.empty() ? app : innermost(*parsed.back());
}

int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const CLI::App& at = innermost(app);
  const std::string command = &at == &app ? app.get_name() : app.get_name() + " " + at.get_name();
  std::fprintf(stderr, "%s: %s\n", command.c_str(), display_cut(error.what(), 500).c_str());
  std::vector<std::string> options;
  for (const CLI::Option* option : at.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--") break;
    const std::string name = argument.substr(0, argument.find('='));
    if (!name.starts_with("--") || std::count(options.begin(), options.end(), name)) continue;
    if (const std::string meant = nearest(name, options); !meant.empty()) std::fprintf(stderr, "Did you mean %s?\n", meant.c_str());
    break;
  }
  std::fprintf(stderr, "Try '%s --help'.\n", command.c_str());
  return kUsage;
}

// A first operand that is no file and nearly a subcommand was a slip of the fingers.
bool misspelt_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  const std::string word = argv[1];
  if (word.find_first_of("./#") != std::string::npos) return false;
  if (std::FILE* file = std::fopen(word.c_str(), "rb")) {
    std::fclose(file);
    return false;
  }
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_name() == word) return false;
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  }
  std::fprintf(stderr, "pt2scope: there is no subcommand and no file \"%s\".\n", display_cut(word, 200).c_str());
  if (const std::string meant = nearest(word, names); !meant.empty()) std::fprintf(stderr, "Did you mean %s?\n", meant.c_str());
  std::fprintf(stderr, "Try 'pt2scope --help'.\n");
  return true;
}

}  // namespace

int report(const std::string& file, const Error& error) {
  std::string line = "error: " + display(file) + ": ";
  if (!error.where.empty() && error.where != file) line += display_cut(error.where, 500) + ": ";
  line += display_cut(error.message, 1000);
  if (!error.advice.empty()) line += "\n  " + display_cut(error.advice, 1000);
  std::fprintf(stderr, "%s\n", line.c_str());
  return exit_status(error.kind);
}

namespace {

void add_common_flags(CLI::App& app) {
  app.set_version_flag("-v,--version", std::string("pt2scope ") + PT2_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
}

int parse_and_run(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_DFL);  // `pt2scope print … | head` ends quietly
  const std::string state = state_folder();
  install_crash_log(state.empty() ? state : state + "/crash.log");
  CLI::App app{"Visualizer and step-through debugger for PyTorch Export IR (.pt2).\nWithout a subcommand it opens the window: pt2scope [OPTIONS] [FILE [FILE2]]", "pt2scope"};
  add_common_flags(app);
  std::function<int()> chosen = declare_window(app);
  app.footer("Examples: pt2scope model.pt2\n          pt2scope exported.pt2 decomposed.pt2\n          pt2scope info model.pt2");
  for (const Subcommand& subcommand : subcommands()) {
    CLI::App* sub = app.add_subcommand(subcommand.name, subcommand.summary);
    add_common_flags(*sub);
    auto run = subcommand.declare(*sub);
    accept_color_option(*sub);
    sub->callback([&chosen, run] { chosen = run; });
  }
  if (misspelt_subcommand(app, argc, argv)) return kUsage;
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return usage_error(app, e, argc, argv);
  }
  return chosen();
}

}  // namespace

int run_command_line(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("error: there is not enough memory.\n  Close something, or use a larger machine.\n", stderr);
    return kLimitHit;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "pt2scope: internal error: %s\n", e.what());
    return kInternalError;
  }
}

}  // namespace pt2::app
