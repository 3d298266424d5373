#pragma once
// The table of subcommands. To add one: its declare function here, a row in subcommands.cpp, a file beside this one.
#include <span>

#include "app/cli/cli.h"

namespace pt2::app {

std::span<const Subcommand> subcommands();

std::function<int()> declare_info(CLI::App& app);
std::function<int()> declare_verify(CLI::App& app);
std::function<int()> declare_compare(CLI::App& app);
std::function<int()> declare_render(CLI::App& app);
std::function<int()> declare_report(CLI::App& app);
std::function<int()> declare_bundle(CLI::App& app);
std::function<int()> declare_tensor(CLI::App& app);
std::function<int()> declare_limits(CLI::App& app);
std::function<int()> declare_layout(CLI::App& app);
std::function<int()> declare_run(CLI::App& app);
std::function<int()> declare_ops(CLI::App& app);
std::function<int()> declare_print(CLI::App& app);
std::function<int()> declare_completion(CLI::App& app);
std::function<int()> declare_manual(CLI::App& app);

}  // namespace pt2::app
