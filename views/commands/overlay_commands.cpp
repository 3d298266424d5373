// What the graph's boxes are coloured by: facts of the program, of a run, or of a table that some other tool wrote.
#include <algorithm>
#include <charconv>

#include "core/base/display.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"

namespace pt2::views {

namespace {

// Without a name: the next one there is.
void color_by(CommandContext& c, const CommandArgument& a) {
  Document& document = *c.document;
  const std::string name = text_argument(a);
  auto kind = name.empty() ? std::optional(OverlayKind((int(document.overlay) + 1) % kOverlayKinds)) : overlay_from_name(name);
  if (!kind) return c.workspace.toast("There is nothing called \"" + display(name) + "\" to colour by", LogLevel::Warning);
  if (kind == OverlayKind::Data && !document.data) {
    if (!name.empty()) return c.workspace.toast("Take values from a file first (View, Values from a file)", LogLevel::Warning);
    kind = OverlayKind::Family;
  }
  document.overlay_range.reset();
  document.overlay = *kind;
}

// "all", or the values at the ends of the scale.
void color_range(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  if (text.empty() || text == "all") return c.document->overlay_range.reset();
  double ends[2] = {0, 0};
  const char *at = text.data(), *end = at + text.size();
  for (double& value : ends) {
    while (at != end && *at == ' ') ++at;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) return c.workspace.toast("Write two numbers, or all", LogLevel::Warning);
    at = next;
  }
  c.document->overlay_range = std::minmax(ends[0], ends[1]);
}

void show_column(Workspace& workspace, Document& document, const std::string& name) {
  const auto column = name.empty() ? std::optional<size_t>(0) : document.data->column(name);
  if (!column) return workspace.toast(display(document.data->file) + " has no column \"" + display(name) + "\"", LogLevel::Warning);
  document.data_column = *column;
  document.overlay = OverlayKind::Data;
  document.overlay_range.reset();
}

void data_file(CommandContext& c, const CommandArgument& a) {
  Workspace& workspace = c.workspace;
  const std::string argument = text_argument(a);
  if (argument.empty()) {
    workspace.ui.path = {"view.data_file", "Values of nodes from a table (.csv, .json)", "", false, false};
    workspace.ui.dialog = "path";
    return;
  }
  const auto [path, column] = split_column(argument);
  workspace.jobs().submit(
      "node data:" + std::to_string(c.document->id.index), "Reading " + path,
      [program = std::get<Loaded>(c.document->state).program, path = path](Job&) { return read_node_data(*program, path); },
      [&workspace, id = c.document->id, path = path, column = column](Result<NodeData> data) {
        Document* document = workspace.document(id);
        if (!document || !document->program()) return;
        if (!data) {
          const Error& error = data.error();
          return workspace.toast(display(path) + ": " + (error.where.empty() ? "" : error.where + ": ") + error.message + (error.advice.empty() ? "" : ". " + error.advice), LogLevel::Error);
        }
        const bool all_known = data->unknown.empty();
        workspace.toast(data->summary(), all_known ? LogLevel::Info : LogLevel::Warning);
        document->data = std::make_shared<const NodeData>(std::move(*data));
        show_column(workspace, *document, column);
      });
}

void data_column(CommandContext& c, const CommandArgument& a) { show_column(c.workspace, *c.document, text_argument(a)); }

void forget_data(CommandContext& c, const CommandArgument&) {
  c.document->data.reset();
  if (c.document->overlay == OverlayKind::Data) c.document->overlay = OverlayKind::Family;
}

Availability needs_data(const Workspace& workspace) {
  if (Availability a = needs_program(workspace); !a.enabled()) return a;
  return {workspace.active()->data ? "" : "no values were taken from a file"};
}

constexpr Command kCommands[] = {
    {.id = "view.color_by", .title = "Colour by…", .menu = "View", .help = "family, dtype, device, bytes, flops, quantization, executed, time, max_abs, nonfinite, mismatch, saturation, data", .argument = ArgumentKind::Text, .availability = needs_program, .run = color_by, .group = "graph"},
    {.id = "view.color_range", .title = "Range of colours…", .menu = "", .help = "The values at the ends of the colour scale: LOW HIGH, or all", .argument = ArgumentKind::Text, .availability = needs_program, .run = color_range},
    {.id = "view.data_file", .title = "Values from a file…", .menu = "View", .help = "A .csv or .json with a value for each node: colours, Node pane, cards; FILE:COLUMN", .argument = ArgumentKind::Path, .availability = needs_program, .run = data_file, .group = "graph"},
    {.id = "view.data_column", .title = "Colour by a column of the file", .menu = "", .help = "By its name", .argument = ArgumentKind::Text, .availability = needs_data, .run = data_column},
    {.id = "view.forget_data", .title = "Forget values from a file", .menu = "View", .help = "", .availability = needs_data, .run = forget_data, .group = "graph"},
};

}  // namespace

std::span<const Command> overlay_commands() { return kCommands; }

}  // namespace pt2::views
