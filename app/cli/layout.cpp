// `layout` (hidden): the child process that runs Graphviz for the window and for `render`.
#include <CLI/CLI.hpp>

#include "app/cli/subcommands.h"
#include "core/layout/layout_process.h"

namespace pt2::app {

std::function<int()> declare_layout(CLI::App& app) {
  app.group("");
  return [] { return run_layout_child(); };
}

}  // namespace pt2::app
