// A bundle to hand on: the program, chosen weights, breakpoints, notes, view and recorded values in one .pt2.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/bundle.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/commands/words.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

void dialog(CommandContext& c, const CommandArgument&) { c.workspace.ui.dialog = "bundle"; }

// "all", "none", or names with blanks between.
BundleRequest request_of(const Workspace& workspace, const Document& document, const std::string& out) {
  BundleRequest request;
  request.source = document.path;
  request.out = out;
  std::istringstream names(workspace.ui.bundle_weights);
  for (std::string name; names >> name;) request.names.push_back(name);
  const bool all = request.names == std::vector<std::string>{"all"};
  const bool none = request.names.empty() || request.names == std::vector<std::string>{"none"};
  request.weights = all ? BundleRequest::Weights::All : none ? BundleRequest::Weights::None : BundleRequest::Weights::Named;
  if (workspace.describe) workspace.describe(document, request);
  const interp::Debugger* debugger = document.debug->debugger();
  if (workspace.ui.bundle_values && !debugger->trace().steps().empty()) request.values = debugger->recorded();
  return request;
}

void write(CommandContext& c, const CommandArgument& a) {
  Workspace& workspace = c.workspace;
  const std::string out = text_argument(a);
  workspace.ui.dialog.clear();
  if (out.empty()) {
    workspace.ui.path = {"bundle.write", "Save the bundle (.pt2)", std::filesystem::path(c.document->path).stem().string() + "_bundle.pt2", true};
    workspace.ui.dialog = "path";
    return;
  }
  workspace.jobs().submit(
      "bundle", "Writing " + out, [request = request_of(workspace, *c.document, out)](Job&) { return write_bundle(request); },
      [&workspace, out](Result<BundleReport> report) {
        if (!report) return workspace.toast(display(out) + ": " + report.error().message + (report.error().advice.empty() ? "" : ". " + report.error().advice), LogLevel::Error);
        const size_t left = report->left_out.size();
        workspace.toast(display(out) + ": " + bytes_text(report->bytes) + ", " + std::to_string(report->kept) + (report->kept == 1 ? " weight" : " weights") + (left ? ", " + std::to_string(left) + " left out" : ""));
      });
}

void weights(CommandContext& c, const CommandArgument& a) { c.workspace.ui.bundle_weights = text_argument(a); }
void values(CommandContext& c, const CommandArgument& a) {
  if (const auto on = switch_argument(c, a, c.workspace.ui.bundle_values)) c.workspace.ui.bundle_values = *on;
}

constexpr Command kCommands[] = {
    {.id = "file.bundle", .title = "Save as bundle…", .menu = "File", .help = "Program, weights, breakpoints, notes, view and values in one .pt2 to hand on", .availability = needs_program, .run = dialog, .group = "document"},
    {.id = "bundle.write", .title = "Write the bundle…", .menu = "", .help = "", .argument = ArgumentKind::Path, .availability = needs_program, .run = write},
    {.id = "bundle.weights", .title = "Weights of the bundle", .menu = "", .help = "all, none, or names with blanks between", .argument = ArgumentKind::Text, .run = weights},
    {.id = "bundle.values", .title = "Values in the bundle", .menu = "", .help = "on or off", .argument = ArgumentKind::Text, .run = values},
};

}  // namespace

std::span<const Command> bundle_commands() { return kCommands; }

}  // namespace pt2::views
