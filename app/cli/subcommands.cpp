#include "app/cli/subcommands.h"

namespace pt2::app {

namespace {

constexpr Subcommand kSubcommands[] = {
    {"info", "What a file holds: programs, counts, inputs and outputs, symbols, warnings", declare_info},
    {"compare", "What became what between two programs, and where their numbers part", declare_compare},
    {"render", "The graph as a picture: .svg, .png, .pdf, .dot or .html", declare_render},
    {"layout", "", declare_layout},
    {"run", "Execute a program on the CPU and report node by node", declare_run},
    {"ops", "The operators this build can run, or those a program needs", declare_ops},
};

}  // namespace

std::span<const Subcommand> subcommands() { return kSubcommands; }

}  // namespace pt2::app
