// Preferences: one by one, by name, and all of them back.
#include "core/base/display.h"
#include "views/commands/command_registry.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

// What is chosen for all files holds at once for those that are open.
void apply(CommandContext& c) {
  for (const auto& document : c.workspace.documents())
    if (document->debug) prepare_runs(c.workspace.ui.preferences, *document->debug);
}

// How graphs are shown; each may be turned by itself later, so that only what is set now changes.
void apply_to_graphs(CommandContext& c, std::string_view name) {
  const Preferences& wanted = c.workspace.ui.preferences;
  for (const auto& document : c.workspace.documents()) {
    if (name == "direction") document->graph.direction = wanted.direction;
    if (name == "parameters") document->graph.parameters = wanted.parameters;
    if (name == "getitem") document->graph.show_getitem = wanted.getitem;
  }
}

// NAME VALUE
void set(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a), name = text.substr(0, text.find(' ')), value = text.size() > name.size() ? text.substr(name.size() + 1) : "";
  const PreferenceRow* row = find_preference(name);
  if (!row) return c.workspace.toast("There is no preference \"" + display(name) + "\"", LogLevel::Warning);
  if (!row->set(c.workspace.ui.preferences, value)) return c.workspace.toast(name + " is " + std::string(row->values) + ", not \"" + display(value) + "\"", LogLevel::Warning);
  apply(c);
  apply_to_graphs(c, name);
}

void reset(CommandContext& c, const CommandArgument&) {
  const Interface fresh;
  Interface& ui = c.workspace.ui;
  ui.preferences = fresh.preferences;
  ui.theme = fresh.theme;
  ui.font_percent = fresh.font_percent;
  ui.wheel_scrolls = fresh.wheel_scrolls;
  ui.reduced_motion = fresh.reduced_motion;
  ui.editor.clear();
  ui.source_roots.clear();
  apply(c);
  for (const PreferenceRow& row : preference_rows()) apply_to_graphs(c, row.name);
}

constexpr Command kCommands[] = {
    {.id = "settings.set", .title = "Set a preference", .menu = "", .help = "patterns, direction, parameters, getitem, text_form, max_boxes, value_memory, threads, rtol, atol, recent_files or restore_documents, then its value; switches take on and off", .argument = ArgumentKind::Text, .run = set},
    {.id = "settings.reset", .title = "All settings as they were at first", .menu = "", .help = "", .run = reset},
};

}  // namespace

std::span<const Command> settings_commands() { return kCommands; }

}  // namespace pt2::views
