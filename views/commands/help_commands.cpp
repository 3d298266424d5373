#include <algorithm>

#include "views/commands/command_registry.h"
#include "views/workspace/program_facts.h"

namespace pt2::views {

namespace {

void keyboard(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "help"; }
void legend(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "legend"; }
void rules(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "rules"; }
void copy_facts(CommandContext& c, const CommandArgument&) {
  c.workspace.ui.clipboard = facts_text(c.workspace);
  c.workspace.toast("Copied: version, graphics, system and what the open files hold");
}
// "next", "back", "skip"; without one from its beginning.
void tour(CommandContext& c, const CommandArgument& a) {
  Interface& ui = c.workspace.ui;
  const std::string text = text_argument(a);
  if (text == "next") ui.tour = ui.tour < kTourCards ? ui.tour + 1 : 0;
  else if (text == "back") ui.tour = std::max(1, ui.tour - 1);
  else ui.tour = text == "skip" ? 0 : 1;
  ui.tour_seen = true;
}
void about(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "about"; }

constexpr Command kCommands[] = {
    {.id = "help.keyboard", .title = "Keyboard", .menu = "Help", .default_shortcut = "F1", .help = "All shortcuts", .run = keyboard},
    {.id = "help.legend", .title = "Legend", .menu = "Help", .help = "Colours, codes and signs of the graph", .run = legend},
    {.id = "help.rules", .title = "Rules of problems", .menu = "Help", .help = "What each rule that Problems names means", .run = rules},
    {.id = "help.copy_facts", .title = "Copy facts for a report", .menu = "Help", .help = "Version, graphics, system and what the open files hold, as text", .run = copy_facts},
    {.id = "help.tour", .title = "Tour", .menu = "Help", .help = "Four cards: select, step, inspect, compare; next, back, skip", .argument = ArgumentKind::Text, .run = tour},
    {.id = "help.about", .title = "About pt2scope", .menu = "Help", .help = "Version, libraries, renderer", .run = about},
};

}  // namespace

std::span<const Command> help_commands() { return kCommands; }

}  // namespace pt2::views
