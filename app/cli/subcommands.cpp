#include "app/cli/subcommands.h"

namespace pt2::app {

namespace {

constexpr Subcommand kSubcommands[] = {
    {"info", "What a file holds: programs, counts, inputs and outputs, symbols, warnings", declare_info},
    {"verify", "What a program does not hold to, and traps that bite in practice", declare_verify},
    {"compare", "What became what between two programs, and where their numbers part", declare_compare},
    {"render", "The graph as a picture: .svg, .png, .pdf, .dot or .html", declare_render},
    {"report", "One HTML page to share: graph, findings, statistics of a run, a comparison", declare_report},
    {"bundle", "A program to hand on, with chosen weights, breakpoints, notes and recorded values in one .pt2", declare_bundle},
    {"tensor", "The tensors of a file; one of them with statistics and values, cut or written", declare_tensor},
    {"limits", "The named limits of what a file or a run may ask for", declare_limits},
    {"layout", "", declare_layout},
    {"run", "Execute a program on the CPU and report node by node", declare_run},
    {"ops", "The operators this build can run, or those a program needs", declare_ops},
    {"print", "The text PyTorch prints for a program", declare_print},
    {"completion", "The completion script of a shell", declare_completion},
    {"manual", "The manual page, for man -l", declare_manual},
};

}  // namespace

std::span<const Subcommand> subcommands() { return kSubcommands; }

}  // namespace pt2::app
