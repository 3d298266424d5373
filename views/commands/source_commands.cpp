// The Python source behind nodes: the user's editor, and where files of the exporting machine are here.
#include "core/graph/shown_frame.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/workspace/editor.h"

namespace pt2::views {

namespace {

// Without an argument (`FILE:LINE`, as it is on this machine): the innermost line of the selected node.
void edit(CommandContext& c, const CommandArgument& a) {
  std::string file = text_argument(a);
  int64_t line = 1;
  if (const size_t colon = file.rfind(':'); colon != file.npos) {
    line = std::max<int64_t>(1, std::atoll(file.c_str() + colon + 1));
    file.resize(colon);
  }
  if (file.empty()) {
    const NodeRef node = c.document ? c.document->selection.current().shown() : NodeRef();
    const auto frames = node.node ? parse_stack_trace(c.document->program()->node(node).meta->stack_trace) : std::vector<SourceFrame>();
    const SourceFrame* frame = shown_frame(frames);
    if (!frame) return c.workspace.toast(node.node ? "The file has no source line for this node" : "Select a node first", LogLevel::Warning);
    file = local_source_path(std::string(frame->file), c.workspace.ui.source_roots);
    line = frame->line;
  }
  c.workspace.jobs().submit(
      "editor", "Opening the editor", [setting = c.workspace.ui.editor, file, line](Job&) { return open_in_editor(setting, file, line); },
      [&workspace = c.workspace](const Result<void>& opened) {
        if (!opened) workspace.toast(opened.error().message + ". " + opened.error().advice, LogLevel::Warning);
      });
}

// PREFIX=FOLDER: files below the one are below the other here.
void add_root(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  if (text.find('=') == text.npos) return c.workspace.toast("A source root is PREFIX=FOLDER", LogLevel::Warning);
  std::string& roots = c.workspace.ui.source_roots;
  roots = text + (roots.empty() ? "" : ";" + roots);
}

constexpr Command kCommands[] = {
    {.id = "source.edit", .title = "Open in editor", .menu = "Go", .default_shortcut = "Ctrl+E", .help = "The source line of the selection in your editor (Settings, $VISUAL, $EDITOR)", .argument = ArgumentKind::Text, .availability = needs_program, .run = edit, .group = "source"},
    {.id = "source.add_root", .title = "Add a source root", .menu = "", .help = "PREFIX=FOLDER: where files of the exporting machine are here", .argument = ArgumentKind::Text, .run = add_root},
};

}  // namespace

std::span<const Command> source_commands() { return kCommands; }

}  // namespace pt2::views
