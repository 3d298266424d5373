#include <algorithm>
#include <filesystem>

#include "core/base/display.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"

namespace pt2::views {

namespace {

void open(CommandContext& c, const CommandArgument& argument) {
  const std::string path = text_argument(argument);
  if (path.empty()) c.workspace.ui.dialog = "open";
  else c.workspace.open(path);
}

void open_compare(CommandContext& c, const CommandArgument& argument) {
  const std::string path = text_argument(argument);
  if (path.empty()) {
    c.workspace.ui.dialog = "open_compare";
    return;
  }
  const DocumentId left = c.workspace.active_id();
  c.workspace.compare(left, c.workspace.open(path));
  c.workspace.ui.shown_pane = "compare";
}

void open_sample(CommandContext& c, const CommandArgument&) {
  if (!c.workspace.sample) return;
  if (auto path = c.workspace.sample()) c.workspace.open(*path);
  else c.workspace.toast(path.error().message, LogLevel::Error);
}
void open_two(CommandContext& c, const CommandArgument&) {
  c.workspace.ui.dialog = "open";
  c.workspace.toast("Open the first program; then File, Open to compare for the second");
}
void forget_recent(CommandContext& c, const CommandArgument& argument) {
  const std::string path = text_argument(argument);
  std::erase_if(c.workspace.recent, [&](const RecentFile& file) { return path.empty() || file.path == path; });
}
// The program of that name in the file that is shown, in a tab of its own; without a name the next one.
void other_program(CommandContext& c, const CommandArgument& argument) {
  const auto& programs = c.document->file()->programs;
  const std::string wanted = text_argument(argument);
  auto found = std::find_if(programs.begin(), programs.end(), [&](const auto& program) { return wanted.empty() ? program.get() == c.document->program() : program->name == wanted; });
  if (found == programs.end()) return c.workspace.toast("The file has no program called \"" + display(wanted) + "\"", LogLevel::Warning);
  if (wanted.empty() && ++found == programs.end()) found = programs.begin();
  for (const auto& open : c.workspace.documents())
    if (open->path == c.document->path && open->program() && open->program()->name == (*found)->name) return c.workspace.activate(open->id);
  c.workspace.open(c.document->path + "#" + (*found)->name);
}
Availability needs_programs(const Workspace& w) {
  if (Availability a = needs_program(w); !a.enabled()) return a;
  return {w.active()->file()->programs.size() > 1 ? "" : "the file holds one program"};
}
void reload(CommandContext& c, const CommandArgument&) { c.workspace.reload(c.document->id); }
// What is only in memory would be lost.
bool asks_first(CommandContext& c, const Document& document, std::string_view command) {
  if (document.session_problem.empty()) return false;
  c.workspace.activate(document.id);
  c.workspace.ui.unsaved_command = command;
  c.workspace.ui.dialog = "unsaved";
  return true;
}
void close_anyway(CommandContext& c, const CommandArgument&) {
  c.workspace.ui.dialog.clear();
  c.workspace.close(c.document->id);
}
void close(CommandContext& c, const CommandArgument&) {
  if (!asks_first(c, *c.document, "file.close")) c.workspace.close(c.document->id);
}
void save_session(CommandContext& c, const CommandArgument& argument) {
  const std::string path = text_argument(argument);
  if (path.empty()) {
    c.workspace.ui.path = {"session.save_as", "Save session as", std::filesystem::path(c.document->path).stem().string() + ".session.json", true};
    c.workspace.ui.dialog = "path";
    return;
  }
  if (!c.workspace.save_session) return c.workspace.toast("sessions are not kept here", LogLevel::Error);
  c.workspace.save_session(*c.document, path, [&workspace = c.workspace, path](Result<void> saved) {
    if (saved) workspace.toast("The session is kept in " + path + " from now on; open it with --session");
    else workspace.toast(saved.error().message, LogLevel::Error);
  });
}
void recent(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "recent"; }
void settings(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "settings"; }
void quit_anyway(CommandContext& c, const CommandArgument&) { c.workspace.ui.quit = true; }
void quit(CommandContext& c, const CommandArgument&) {
  for (const auto& document : c.workspace.documents())
    if (asks_first(c, *document, "file.quit")) return;
  c.workspace.ui.quit = true;
}

constexpr Command kCommands[] = {
    {.id = "file.open", .title = "Open…", .menu = "File", .default_shortcut = "Ctrl+O", .help = "Open a .pt2 file in a new tab", .argument = ArgumentKind::Path, .run = open, .group = "open"},
    {.id = "file.open_compare", .title = "Open to compare…", .menu = "File", .default_shortcut = "Ctrl+Shift+O", .help = "Open a second program beside this one", .argument = ArgumentKind::Path, .availability = needs_document, .run = open_compare, .group = "open"},
    {.id = "file.open_sample", .title = "Open the sample", .menu = "File", .default_shortcut = "", .help = "ConvBnReLU, bundled, with inputs", .run = open_sample, .group = "open"},
    {.id = "file.open_two", .title = "Open two to compare…", .menu = "", .help = "", .run = open_two},
    {.id = "file.forget_recent", .title = "Forget a recent file", .menu = "", .help = "Without a path: all of them", .argument = ArgumentKind::Text, .run = forget_recent},
    {.id = "file.recent", .title = "Recent files…", .menu = "File", .default_shortcut = "Ctrl+R", .help = "Files opened before", .run = recent, .group = "open"},
    {.id = "file.program", .title = "Next program of the file", .menu = "File", .help = "Of a file with several; or the one of that name", .argument = ArgumentKind::Text, .availability = needs_programs, .run = other_program, .group = "document"},
    {.id = "file.reload", .title = "Reload", .menu = "File", .default_shortcut = "", .help = "Read the file again", .availability = needs_document, .run = reload, .group = "document"},
    {.id = "file.close", .title = "Close", .menu = "File", .default_shortcut = "Ctrl+W", .help = "Close the document", .availability = needs_document, .run = close, .group = "document"},
    {.id = "file.close_anyway", .title = "Close, whatever is lost", .menu = "", .help = "Close the document although its session is only in memory", .availability = needs_document, .run = close_anyway},
    {.id = "session.save_as", .title = "Save session as…", .menu = "File", .help = "Keep breakpoints, watches and inputs in a file of your choice", .argument = ArgumentKind::Path, .availability = needs_program, .run = save_session, .group = "document"},
    {.id = "file.settings", .title = "Settings…", .menu = "File", .default_shortcut = "Ctrl+,", .help = "Appearance, graph, runs, source, files", .run = settings, .group = "settings"},
    {.id = "file.quit", .title = "Quit", .menu = "File", .default_shortcut = "Ctrl+Q", .help = "Leave pt2scope", .run = quit, .group = "quit"},
    {.id = "file.quit_anyway", .title = "Quit, whatever is lost", .menu = "", .help = "Leave although a session is only in memory", .run = quit_anyway},
};

}  // namespace

std::span<const Command> file_commands() { return kCommands; }

}  // namespace pt2::views
