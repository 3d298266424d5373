// Places one comes back to: bookmarks, notes, problems.
#include <algorithm>
#include <charconv>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/commands/words.h"
#include "views/workspace/comparison_problems.h"
#include "views/workspace/problems.h"

namespace pt2::views {

namespace {

Availability needs_markable(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  const Selection& selection = w.active()->selection.current();
  return {selection.module || selection.shown().node ? "" : "no node or module is selected"};
}
Availability needs_mark(const Workspace& w) {
  if (Availability a = needs_markable(w); !a.enabled()) return a;
  return {w.active()->marks.find(w.active()->selection.current()) ? "" : "the selection has no bookmark and no note"};
}
Availability needs_problems(const Workspace& w) {
  if (Availability a = needs_document(w); !a.enabled()) return a;
  return {w.active()->problems.empty() ? "there are no problems" : ""};
}

int key_of(const std::string& text) { return text.size() == 1 && text[0] >= '1' && text[0] <= '9' ? text[0] - '0' : 0; }

// Without a number: the first free one, or the bookmark goes.
void set_bookmark(CommandContext& c, const CommandArgument& a) {
  Marks& marks = c.document->marks;
  const Selection& selection = c.document->selection.current();
  const std::string text = text_argument(a);
  const Mark* old = marks.find(selection);
  if (text.empty() && old && old->key) {
    const bool noted = !old->note.empty();
    marks.at(selection)->key = 0;
    if (!noted) marks.remove(selection);
    return;
  }
  const int key = text.empty() ? marks.free_key() : key_of(text);
  if (!key) return c.workspace.toast(text.empty() ? "All nine bookmarks are set; Ctrl+Shift and a digit moves one" : "A bookmark is one of 1 to 9", LogLevel::Warning);
  marks.set_key(selection, key);
}

// Without a number: the pane that lists them.
void go_to_bookmark(CommandContext& c, const CommandArgument& a) {
  if (text_argument(a).empty()) return void(c.workspace.ui.shown_pane = "marks");
  const Mark* mark = c.document->marks.find_key(key_of(text_argument(a)));
  if (!mark) return c.workspace.toast("There is no bookmark " + display(text_argument(a)) + "; Ctrl+Shift and the digit sets it", LogLevel::Warning);
  go_to(*c.document, mark->selection());
}

// Without a text the dialog asks for it.
void note(CommandContext& c, const CommandArgument& a) {
  if (!std::holds_alternative<std::string>(a)) return void(c.workspace.ui.dialog = "note");
  Marks& marks = c.document->marks;
  const Selection& selection = c.document->selection.current();
  Mark* mark = marks.at(selection);
  mark->note = text_argument(a);
  if (mark->note.empty() && !mark->key) marks.remove(selection);
}

void remove_mark(CommandContext& c, const CommandArgument&) { c.document->marks.remove(c.document->selection.current()); }

// F2: a watch where watches have the keyboard, else the note of the selection, which is also its bookmark's name.
void rename(CommandContext& c, const CommandArgument&) {
  if (c.workspace.ui.focused_pane == "watch") ++c.workspace.ui.edit_watch;
  else c.workspace.ui.dialog = "note";
}
Availability can_rename(const Workspace& w) { return w.ui.focused_pane == "watch" ? needs_program(w) : needs_markable(w); }

// In the order of the pane; those about no node are passed over where others are about one.
void walk_problems(CommandContext& c, int way) {
  Document& document = *c.document;
  const auto& problems = document.problems;
  c.workspace.ui.shown_pane = "problems";
  size_t at = current_problem(document).value_or(way > 0 ? problems.size() - 1 : 0);
  const bool any_node = std::any_of(problems.begin(), problems.end(), [](const Finding& f) { return bool(f.node.node); });
  do at = (at + problems.size() + size_t(way)) % problems.size();
  while (any_node && !problems[at].node.node);
  stand_on_problem(document, at);
}
// False, with a message, where there is no such problem.
bool stand_on_numbered(CommandContext& c, const std::string& text) {
  const size_t count = c.document->problems.size();
  size_t at = count;
  std::from_chars(text.data(), text.data() + text.size(), at);
  if (at < count) return go_to_problem(c.workspace, *c.document, at, c.origin), true;
  return c.workspace.toast("There are problems 0 to " + std::to_string(count - 1), LogLevel::Warning), false;
}
void go_to_numbered(CommandContext& c, const CommandArgument& a) { stand_on_numbered(c, text_argument(a)); }
// The list of rules, where that of the marked problem is lit.
void explain_problem(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  if (!text.empty() && !stand_on_numbered(c, text)) return;
  if (!current_problem(*c.document)) stand_on_problem(*c.document, 0, c.origin);
  c.workspace.ui.dialog = "rules";
}
void copy_problems(CommandContext& c, const CommandArgument& a) {
  const std::string form = text_argument(a).empty() ? "text" : text_argument(a);
  if (!one_of(c, form, {"text", "json"})) return;
  c.workspace.ui.clipboard = form == "json" ? problems_json(*c.document) : problems_text(*c.document);
  c.workspace.toast("Copied " + with_commas(uint64_t(c.document->problems.size())) + (c.document->problems.size() == 1 ? " problem" : " problems"));
}
void next_problem(CommandContext& c, const CommandArgument&) { walk_problems(c, +1); }
void previous_problem(CommandContext& c, const CommandArgument&) { walk_problems(c, -1); }

constexpr Command kCommands[] = {
    {.id = "edit.rename", .title = "Edit note, bookmark or watch", .menu = "Edit", .default_shortcut = "F2", .help = "The note of the selection, which names its bookmark; in Watch the expression", .availability = can_rename, .run = rename, .group = "marks"},
    {.id = "mark.note", .title = "Note…", .menu = "Edit", .help = "A note on the selected node or module, kept with the session", .argument = ArgumentKind::Text, .availability = needs_markable, .run = note, .group = "marks"},
    {.id = "mark.bookmark", .title = "Bookmark", .menu = "Edit", .default_shortcut = "Ctrl+Shift+1…9", .help = "Sets bookmark 1 to 9 on the selection; without a number the first free one, or takes it away", .argument = ArgumentKind::Text, .availability = needs_markable, .run = set_bookmark, .group = "marks"},
    {.id = "mark.remove", .title = "Remove bookmark and note", .menu = "Edit", .help = "", .availability = needs_mark, .run = remove_mark, .group = "marks"},
    {.id = "go.bookmark", .title = "Go to bookmark…", .menu = "Go", .default_shortcut = "Ctrl+1…9", .help = "1 to 9; without a number the pane of bookmarks and notes", .argument = ArgumentKind::Text, .availability = needs_program, .run = go_to_bookmark, .group = "problems"},
    {.id = "problem.go", .title = "Go to problem", .menu = "", .help = "By its place in the list, from 0; F8 goes on from there", .argument = ArgumentKind::Text, .availability = needs_problems, .run = go_to_numbered},
    {.id = "problem.explain", .title = "Explain problem", .menu = "Go", .help = "What the rule of a problem means: by its place in the list, from 0; without one the marked problem", .argument = ArgumentKind::Text, .availability = needs_problems, .run = explain_problem, .group = "problems"},
    {.id = "problem.copy", .title = "Copy all problems", .menu = "Edit", .help = "As text, or as json", .argument = ArgumentKind::Text, .availability = needs_problems, .run = copy_problems, .group = "marks"},
    {.id = "problem.next", .title = "Next problem", .menu = "Go", .default_shortcut = "F8", .help = "In a comparison F8 goes to the next difference", .availability = needs_problems, .run = next_problem, .group = "problems"},
    {.id = "problem.previous", .title = "Previous problem", .menu = "Go", .default_shortcut = "Shift+F8", .help = "", .availability = needs_problems, .run = previous_problem, .group = "problems"},
};

}  // namespace

std::span<const Command> place_commands() { return kCommands; }

}  // namespace pt2::views
