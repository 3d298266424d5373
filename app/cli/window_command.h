#pragma once
// The command without a subcommand: `pt2scope [FILE [FILE2]]` opens the window.
#include <functional>

namespace CLI { class App; }

namespace pt2::app {

// Declares files and window options on the program itself; the returned function opens the window and gives the exit status.
std::function<int()> declare_window(CLI::App& app);

}  // namespace pt2::app
