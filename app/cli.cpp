#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>

#include "app/cli/cli.h"
#include "app/cli/subcommands.h"
#include "core/base/display.h"

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

}  // namespace

int report(const std::string& file, const Error& error) {
  std::string line = "error: " + display(file) + ": ";
  if (!error.where.empty()) line += display_cut(error.where, 500) + ": ";
  line += display_cut(error.message, 1000);
  if (!error.advice.empty()) line += "\n  " + display_cut(error.advice, 1000);
  std::fprintf(stderr, "%s\n", line.c_str());
  return exit_status(error.kind);
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"Visualizer and step-through debugger for PyTorch Export IR (.pt2)", "pt2scope"};
  app.set_version_flag("--version", std::string("pt2scope ") + PT2_VERSION);
  std::function<int()> chosen;
  for (const Subcommand& subcommand : subcommands()) {
    CLI::App* sub = app.add_subcommand(subcommand.name, subcommand.summary);
    auto run = subcommand.declare(*sub);
    sub->callback([&chosen, run] { chosen = run; });
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int status = app.exit(e);
    return status == 0 ? kDone : kUsage;
  }
  return chosen ? chosen() : kUsage;
}

}  // namespace pt2::app
