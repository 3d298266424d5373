// What is saved to show to others: the graph as a picture, and a report of the program.
#include <filesystem>
#include <optional>

#include "core/base/display.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/workspace/save_requests.h"

namespace pt2::views {

namespace {

void ask_for_path(CommandContext& c, const char* command, const char* title, const std::string& ending) {
  c.workspace.ui.path = {command, title, std::filesystem::path(c.document->path).stem().string() + ending, true};
  c.workspace.ui.dialog = "path";
}

// `write`: Result<void>(Job&). What was chosen in the dialog and cannot be written is asked for again, unless another dialog is open by then.
template <class Write>
void submit(CommandContext& c, const std::string& path, Write write) {
  std::optional<PathRequest> again;
  if (c.origin == kFromPathDialog) again = c.workspace.ui.path;
  c.workspace.jobs().submit("save " + path, "Saving " + path, std::move(write), [&workspace = c.workspace, path, again = std::move(again)](Result<void> done) {
    if (done) return workspace.toast("Saved " + display(path));
    const Error& error = done.error();
    workspace.toast(display(path) + ": " + display(error.message) + (error.advice.empty() ? "" : ". " + error.advice), LogLevel::Error);
    if (!again || !workspace.ui.dialog.empty() || workspace.ui.palette) return;
    workspace.ui.path = *again;
    workspace.ui.path.name = std::filesystem::path(path).filename().string();
    workspace.ui.dialog = "path";
  });
}

void save_picture(CommandContext& c, const CommandArgument& argument) {
  const std::string path = text_argument(argument);
  if (path.empty()) return ask_for_path(c, "file.save_picture", "Save the graph (.svg, .png, .pdf, .dot, .html)", ".svg");
  submit(c, path, [write = c.workspace.write_picture, request = picture_request(c.workspace, *c.document), path](Job& job) { return write(request, path, job); });
}

void save_report(CommandContext& c, const CommandArgument& argument) {
  const std::string path = text_argument(argument);
  if (path.empty()) return ask_for_path(c, "file.save_report", "Save the report (.html)", "_report.html");
  submit(c, path, [write = c.workspace.write_report, request = report_request(c.workspace, *c.document), path](Job& job) { return write(request, path, job); });
}

Availability can_save_picture(const Workspace& workspace) {
  if (Availability a = needs_program(workspace); !a.enabled()) return a;
  return {workspace.write_picture ? "" : "nothing is drawn to files here"};
}

// A report of a comparison that is not complete yet would leave out what was asked for.
Availability can_save_report(const Workspace& workspace) {
  if (Availability a = needs_program(workspace); !a.enabled()) return a;
  if (!workspace.write_report) return {"nothing is drawn to files here"};
  const Comparison& comparison = workspace.comparison;
  if (!comparison.active() || (workspace.active_id() != comparison.left && workspace.active_id() != comparison.right)) return {};
  if (!comparison.result) return {"the programs are still being compared"};
  return {comparison.asked && !comparison.result->outcome ? "both programs still run" : ""};
}

constexpr Command kCommands[] = {
    {.id = "file.save_picture", .title = "Save graph picture…", .menu = "File", .help = "What the graph pane shows as .svg, .png, .pdf, .dot or .html", .argument = ArgumentKind::Path, .availability = can_save_picture, .run = save_picture, .group = "document"},
    {.id = "file.save_report", .title = "Save report…", .menu = "File", .help = "One HTML page to share: graph, findings, the run, the comparison", .argument = ArgumentKind::Path, .availability = can_save_report, .run = save_report, .group = "document"},
};

}  // namespace

std::span<const Command> save_commands() { return kCommands; }

}  // namespace pt2::views
