#include "views/commands/command_registry.h"

namespace pt2::views {

namespace {

void keyboard(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "help"; }
void legend(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "legend"; }
void about(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "about"; }

constexpr Command kCommands[] = {
    {.id = "help.keyboard", .title = "Keyboard", .menu = "Help", .default_shortcut = "F1", .help = "All shortcuts", .run = keyboard},
    {.id = "help.legend", .title = "Legend", .menu = "Help", .help = "Colours, codes and signs of the graph", .run = legend},
    {.id = "help.about", .title = "About pt2scope", .menu = "Help", .help = "Version, libraries, renderer", .run = about},
};

}  // namespace

std::span<const Command> help_commands() { return kCommands; }

}  // namespace pt2::views
