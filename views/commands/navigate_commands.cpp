// Selection, history, search, palette.
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/commands/words.h"
#include "views/workspace/comparison.h"

namespace pt2::views {

namespace {

// What is selected already is chosen like anything else.
void select(CommandContext& c, const Selection& selection) {
  const bool again = selection == c.document->selection.current();
  c.document->selection.select(selection, c.origin);
  if (again) pick(c.workspace.comparison, *c.document);
}

// A node of the program, or one that only the unlifted form has.
Selection node_selection(const CommandArgument& a) {
  auto* selection = std::get_if<Selection>(&a);
  return selection ? *selection : Selection::of_node(node_argument(a));
}
void select_node(CommandContext& c, const CommandArgument& a) { select(c, node_selection(a)); }
// Selects a node wherever it is: what hides it unfolds, and the graph comes near enough to read it.
void go_to_node(CommandContext& c, const CommandArgument& a) {
  if (const Selection selection = node_selection(a); !selection.empty()) go_to(*c.document, selection, c.origin);
}
void go_to_value(CommandContext& c, const CommandArgument& a) {
  if (node_argument(a).node) go_to(*c.document, Selection::of_value(node_argument(a)), c.origin);
}
void go_to_module(CommandContext& c, const CommandArgument& a) {
  if (auto* module = std::get_if<ModuleId>(&a)) go_to(*c.document, Selection::of_module(*module), c.origin);
}
void select_value(CommandContext& c, const CommandArgument& a) { select(c, Selection::of_value(node_argument(a))); }
void select_module(CommandContext& c, const CommandArgument& a) {
  if (auto* module = std::get_if<ModuleId>(&a)) select(c, Selection::of_module(*module));
}
// A whole selection (edges, several nodes), as a pane made it.
void select_set(CommandContext& c, const CommandArgument& a) {
  if (auto* selection = std::get_if<Selection>(&a)) select(c, *selection);
}
// In a comparison the other side is searched along: its hits are marked too.
void search_other_side(CommandContext& c) {
  const Comparison& pair = c.workspace.comparison;
  if (c.document->id != pair.left && c.document->id != pair.right) return;
  Document* other = c.workspace.document(c.document->id == pair.left ? pair.right : pair.left);
  if (!other || !other->program()) return;
  other->search.open = c.document->search.open;
  other->search.filter = c.document->search.filter;
  other->search.match_case = c.document->search.match_case;
  if (other->search.open) run_search(*other, c.document->search.query);
}
void search_for(CommandContext& c, const std::string& query) {
  run_search(*c.document, query);
  search_other_side(c);
}

// What was gone to the hits of, or left.
void remember_search(CommandContext& c) {
  constexpr size_t kKept = 20;
  auto& searches = c.workspace.ui.searches;
  const std::string& query = c.document->search.query;
  if (query.empty() || !c.document->search.error.empty()) return;
  std::erase(searches, query);
  searches.push_back(query);
  if (searches.size() > kKept) searches.erase(searches.begin());
}
// From the query there is; one that is not among them stands behind the last.
void earlier_search(CommandContext& c, const CommandArgument&) {
  const auto& searches = c.workspace.ui.searches;
  const auto at = std::find(searches.begin(), searches.end(), c.document->search.query);
  if (at != searches.begin()) search_for(c, std::string(*(at - 1)));
}
void later_search(CommandContext& c, const CommandArgument&) {
  const auto& searches = c.workspace.ui.searches;
  const auto at = std::find(searches.begin(), searches.end(), c.document->search.query);
  if (at != searches.end()) search_for(c, at + 1 == searches.end() ? std::string() : std::string(*(at + 1)));
}

void find(CommandContext& c, const CommandArgument& a) {
  c.document->search.open = c.document->search.focus = true;
  if (const std::string query = text_argument(a); !query.empty()) search_for(c, query);
  else search_other_side(c);
}
void close_search(CommandContext& c, const CommandArgument&) {
  remember_search(c);
  c.document->search.open = false;
  search_other_side(c);
}

// Escape: first the highlight goes, then the search, then the selection.
void clear(CommandContext& c, const CommandArgument&) {
  if (c.document->highlight.kind != Highlight::Kind::None) c.document->highlight = {};
  else if (c.document->search.open) close_search(c, {});
  else select(c, {});
}
void back(CommandContext& c, const CommandArgument&) { c.document->selection.back(); }
void forward(CommandContext& c, const CommandArgument&) { c.document->selection.forward(); }

Availability can_go_back(const Workspace& w) {
  if (Availability a = needs_document(w); !a.enabled()) return a;
  return {w.active()->selection.can_go_back() ? "" : "nothing was selected before"};
}
Availability can_go_forward(const Workspace& w) {
  if (Availability a = needs_document(w); !a.enabled()) return a;
  return {w.active()->selection.can_go_forward() ? "" : "this is the newest selection"};
}

void set_query(CommandContext& c, const CommandArgument& a) { search_for(c, text_argument(a)); }
void find_next(CommandContext& c, const CommandArgument&) {
  remember_search(c);
  step_search(*c.document, +1);
}
void find_previous(CommandContext& c, const CommandArgument&) {
  remember_search(c);
  step_search(*c.document, -1);
}
void filter(CommandContext& c, const CommandArgument&) { 
  c.document->search.filter = !c.document->search.filter;
  search_other_side(c);
}
void match_case(CommandContext& c, const CommandArgument&) {
  c.document->search.match_case = !c.document->search.match_case;
  search_for(c, c.document->search.query);
}

void palette(CommandContext& c, const CommandArgument& a) {
  c.workspace.ui.palette = true;
  c.workspace.ui.palette_start = text_argument(a);
}
void palette_commands(CommandContext& c, const CommandArgument&) {
  c.workspace.ui.palette = true;
  c.workspace.ui.palette_start = ">";
}
// In the Tensor pane the place is an element.
void go_to_step(CommandContext& c, const CommandArgument&) {
  if (c.workspace.ui.focused_pane == "tensor") return c.workspace.ask_tensor_pane("ask_index");
  c.workspace.ui.palette = true;
  c.workspace.ui.palette_start = ":";
}

Availability needs_steps_or_elements(const Workspace& workspace) { return workspace.ui.focused_pane == "tensor" ? needs_document(workspace) : needs_program(workspace); }

void next_document(CommandContext& c, const CommandArgument&) {
  const auto& documents = c.workspace.documents();
  for (size_t i = 0; i < documents.size(); ++i)
    if (documents[i]->id == c.workspace.active_id()) return c.workspace.activate(documents[(i + 1) % documents.size()]->id);
}

void copy(CommandContext& c, const CommandArgument& a) {
  if (const std::string text = text_argument(a); !text.empty()) {
    c.workspace.ui.clipboard = text;
    return;
  }
  if (!c.document || !c.document->program()) return;
  const Program& program = *c.document->program();
  const Selection& selection = c.document->selection.current();
  if (selection.module) c.workspace.ui.clipboard = program.modules.modules[selection.module].path;
  else if (selection.shown().node) c.workspace.ui.clipboard = std::string(program.node(selection.shown()).name);
}

void focus(CommandContext& c, const CommandArgument& a) {
  const std::string area = text_argument(a);
  if (one_of(c, area, {"left", "centre", "right", "bottom", "toolbar", "status", "menu", "next"})) c.workspace.ui.focus = area;
}
void focus_left(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "left"; }
void focus_centre(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "centre.next"; }
void focus_right(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "right"; }
void focus_bottom(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "bottom"; }
void focus_toolbar(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "toolbar"; }
void focus_status(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "status"; }
void focus_menu(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "menu"; }
void focus_next(CommandContext& c, const CommandArgument&) { c.workspace.ui.focus = "next"; }

constexpr Command kCommands[] = {
    {.id = "edit.copy", .title = "Copy", .menu = "Edit", .default_shortcut = "Ctrl+C", .help = "Copy the name of the selection", .argument = ArgumentKind::Text, .run = copy, .group = "copy"},
    {.id = "search.open", .title = "Find…", .menu = "Edit", .default_shortcut = "Ctrl+F", .help = "Search nodes: text, op:, mod:, dt:, shape:, file:, user:, const:, nan:true (inf:true for infinities), time:>1ms, /regular expression/", .argument = ArgumentKind::Text, .availability = needs_program, .run = find, .group = "find"},
    {.id = "search.next", .title = "Find next", .menu = "Edit", .default_shortcut = "F3", .help = "Select the next hit", .availability = needs_program, .run = find_next, .group = "find"},
    {.id = "search.previous", .title = "Find previous", .menu = "Edit", .default_shortcut = "Shift+F3", .help = "Select the previous hit", .availability = needs_program, .run = find_previous, .group = "find"},
    {.id = "search.query", .title = "Set the search text", .menu = "", .help = "As Find takes it; empty: none", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_query},
    {.id = "search.earlier", .title = "Earlier search", .menu = "", .help = "One of the last 20 that were gone to; Up in the field", .availability = needs_program, .run = earlier_search},
    {.id = "search.later", .title = "Later search", .menu = "", .help = "Back from there; Down in the field", .availability = needs_program, .run = later_search},
    {.id = "search.close", .title = "Close search", .menu = "", .help = "", .availability = needs_program, .run = close_search},
    {.id = "search.filter", .title = "Dim what is no hit", .menu = "Edit", .help = "While searching, dim all other nodes", .availability = needs_program, .run = filter, .group = "find"},
    {.id = "search.match_case", .title = "Match case", .menu = "Edit", .help = "Tell A from a while searching", .availability = needs_program, .run = match_case, .group = "find"},
    {.id = "select.clear", .title = "Clear highlight, search or selection", .menu = "Edit", .default_shortcut = "Escape", .help = "", .availability = needs_document, .run = clear, .group = "select"},
    {.id = "select.node", .title = "Select node", .menu = "", .help = "Select a node by name", .argument = ArgumentKind::Node, .availability = needs_program, .run = select_node},
    {.id = "select.value", .title = "Select value", .menu = "", .help = "Select a parameter, buffer or other value", .argument = ArgumentKind::Value, .availability = needs_program, .run = select_value},
    {.id = "select.module", .title = "Select module", .menu = "", .help = "Select a module by path", .argument = ArgumentKind::Module, .availability = needs_program, .run = select_module},
    {.id = "select.set", .title = "Select", .menu = "", .help = "", .availability = needs_program, .run = select_set},
    {.id = "go.palette", .title = "Go to anything…", .menu = "Go", .default_shortcut = "Ctrl+P", .help = "Nodes, operators, modules, commands by name", .argument = ArgumentKind::Text, .run = palette, .group = "palette"},
    {.id = "go.commands", .title = "Command palette…", .menu = "Go", .default_shortcut = "Ctrl+Shift+P", .help = "Every command by name", .run = palette_commands, .group = "palette"},
    {.id = "go.step", .title = "Go to step or element…", .menu = "Go", .default_shortcut = "Ctrl+G", .help = "Select a node by its place in the execution order; in the Tensor pane an element by its index", .availability = needs_steps_or_elements, .run = go_to_step, .group = "palette"},
    {.id = "go.node", .title = "Go to node", .menu = "", .help = "Select a node and unfold what hides it", .argument = ArgumentKind::Node, .availability = needs_program, .run = go_to_node},
    {.id = "go.value", .title = "Go to value", .menu = "", .help = "Select a parameter, buffer or other value, unfold what hides its first reader, and come near enough to read it", .argument = ArgumentKind::Value, .availability = needs_program, .run = go_to_value},
    {.id = "go.module", .title = "Go to module", .menu = "", .help = "Select a module and unfold what hides it", .argument = ArgumentKind::Module, .availability = needs_program, .run = go_to_module},
    {.id = "go.back", .title = "Back", .menu = "Go", .default_shortcut = "Alt+Left", .help = "The selection before", .availability = can_go_back, .run = back, .group = "history"},
    {.id = "go.forward", .title = "Forward", .menu = "Go", .default_shortcut = "Alt+Right", .help = "The selection after", .availability = can_go_forward, .run = forward, .group = "history"},
    {.id = "go.document", .title = "Show document", .menu = "", .help = "", .run = [](CommandContext&, const CommandArgument&) {}},
    {.id = "go.next_document", .title = "Next document", .menu = "Go", .default_shortcut = "Ctrl+Tab", .help = "", .availability = needs_document, .run = next_document, .group = "document"},
    {.id = "focus.area", .title = "Focus an area", .menu = "", .help = "left, centre, right, bottom, toolbar, status", .argument = ArgumentKind::Text, .run = focus},
    {.id = "focus.left", .title = "Focus left", .menu = "Go", .default_shortcut = "Alt+1", .help = "", .run = focus_left, .group = "focus"},
    {.id = "focus.centre", .title = "Focus centre", .menu = "Go", .default_shortcut = "Alt+2", .help = "", .run = focus_centre, .group = "focus"},
    {.id = "focus.right", .title = "Focus right", .menu = "Go", .default_shortcut = "Alt+3", .help = "", .run = focus_right, .group = "focus"},
    {.id = "focus.bottom", .title = "Focus bottom", .menu = "Go", .default_shortcut = "Alt+4", .help = "", .run = focus_bottom, .group = "focus"},
    {.id = "focus.toolbar", .title = "Focus toolbar", .menu = "Go", .default_shortcut = "Alt+5", .help = "Left and Right walk, Enter presses, Esc leaves", .run = focus_toolbar, .group = "focus"},
    {.id = "focus.status", .title = "Focus status bar", .menu = "Go", .default_shortcut = "Alt+6", .help = "Left and Right walk, Enter presses, Esc leaves", .run = focus_status, .group = "focus"},
    {.id = "focus.menu", .title = "Focus menu bar", .menu = "Go", .default_shortcut = "Alt+7", .help = "Arrows walk, Enter presses, Esc leaves", .run = focus_menu, .group = "focus"},
    {.id = "focus.next", .title = "Focus next area", .menu = "Go", .default_shortcut = "Ctrl+`", .help = "", .run = focus_next, .group = "focus"},
};

}  // namespace

std::span<const Command> navigate_commands() { return kCommands; }

}  // namespace pt2::views
