#pragma once
// The product without a window: one file per subcommand of the command line, one row each in the table of cli.cpp.
#include <functional>
#include <string>

#include "core/base/result.h"

namespace CLI { class App; }

namespace pt2::app {

enum ExitStatus { kDone = 0, kAnswerIsNo = 1, kUsage = 2, kCannotOpen = 3, kLimitHit = 4, kStopped = 5, kNoDisplay = 6, kInternalError = 70 };

// A subcommand declares its options on `app` and, when chosen, `run` gives the exit status.
struct Subcommand {
  const char* name;
  const char* summary;
  // Returns the function to run; it owns the parsed options.
  std::function<int()> (*declare)(CLI::App& app);
};

// argv → subcommand or window; returns the exit status.
int run_command_line(int argc, char** argv);

// Prints `error: file: where: message\n  advice` on stderr and gives the exit status of its kind.
int report(const std::string& file, const Error& error);

}  // namespace pt2::app
