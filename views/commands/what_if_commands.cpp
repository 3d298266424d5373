// Edits and what they change, the reference, and where a NaN comes from.
#include <algorithm>

#include "core/base/display.h"
#include "interp/value_names.h"
#include "views/commands/command_registry.h"
#include "views/commands/debug_arguments.h"
#include "views/workspace/index_text.h"

namespace pt2::views {

namespace {

// Where an index begins: at "NODE[0, 3] rest" and "NODE [0, 3] = rest", but not where the rest is a list of its own.
size_t index_begin(std::string_view text, size_t name_end) {
  const size_t begin = text.find_first_not_of(' ', name_end);
  if (begin == text.npos || text[begin] != '[') return text.npos;
  const size_t close = text.find(']', begin), after = close == text.npos ? close : text.find_first_not_of(' ', close + 1);
  return begin == name_end || (after != text.npos && text[after] == '=') ? begin : text.npos;
}

// "NODE rest", "NODE[0, 3] rest": a node, maybe in one call of its sub-graph, and what follows; none: there is no such node, which is said.
struct NodeText { NodeRef node; std::string call, index, rest; };
std::optional<NodeText> node_and_text(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  size_t end = std::min(text.find_first_of(" ["), text.size());
  NodeText result;
  if (auto named = interp::find_named_node(*c.document->program(), std::string_view(text).substr(0, end))) {
    result.node = named->node;
    result.call = std::move(named->call);
  } else {
    c.workspace.toast("The program has no node \"" + display(text.substr(0, end)) + "\"", LogLevel::Warning);
    return std::nullopt;
  }
  if (const size_t index = index_begin(text, end); index != text.npos) {
    const size_t close = text.find(']', index);
    if (close == text.npos) {
      c.workspace.toast("The index has no end: " + display(text.substr(index)), LogLevel::Warning);
      return std::nullopt;
    }
    result.index = text.substr(index, close + 1 - index);
    end = close + 1;
  }
  const size_t begin = text.find_first_not_of(' ', end);
  if (begin != text.npos) result.rest = text.substr(begin);
  if (result.rest.starts_with("= ")) result.rest.erase(0, 2);
  return result;
}

void edit_input(CommandContext& c, const CommandArgument& a) {
  const auto [name, value] = name_and_value(a);
  const NodeRef node = find_node(*c.document->program(), name);
  if (!node.node || c.document->program()->node(node).kind != NodeKind::Placeholder) return c.workspace.toast("The program has no input \"" + display(name) + "\"", LogLevel::Warning);
  debugger(c).edit_input(name, value);
}

void edit_value(CommandContext& c, const CommandArgument& a) {
  if (const auto to = node_and_text(c, a)) debugger(c).edit_value(to->node, to->index, to->rest, to->call);
}

void edit_argument(CommandContext& c, const CommandArgument& a) {
  const auto to = node_and_text(c, a);
  if (!to) return;
  const auto [argument, value] = name_and_value(CommandArgument(to->rest));
  debugger(c).edit_argument(to->node, argument, value, to->call);
}

void clear_edits(CommandContext& c, const CommandArgument& a) {
  if (text_argument(a).empty()) return debugger(c).clear_edits();
  const auto of = node_and_text(c, a);
  if (!of) return;
  const size_t before = debugger(c).edit_texts().size();
  if (of->call.empty()) debugger(c).clear_edits_of(of->node);
  else debugger(c).clear_edit(of->node, of->call);
  if (debugger(c).edit_texts().size() == before) c.workspace.toast("There is no edit of \"" + display(interp::name_in_call(*c.document->program(), of->node, of->call)) + "\"");
}

// The values of the Inputs dialog, tried beside the run as it was.
void try_inputs(CommandContext& c, const CommandArgument&) {
  DebugSession& s = *c.document->debug;
  const auto& before = debugger(c).request().texts;
  c.workspace.ui.dialog.clear();
  for (const auto& [name, text] : s.request.texts)
    if (std::find(before.begin(), before.end(), std::pair(name, text)) == before.end()) debugger(c).edit_input(name, text);
}

void ask_value(CommandContext& c, const CommandArgument& a) {
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  if (!node.node) return;
  c.document->selection.select(c.document->program()->node(node).kind == NodeKind::Placeholder ? Selection::of_value(node) : Selection::of_node(node), c.origin);
  c.document->debug->edit_wanted = node;
  ++c.document->debug->edit_requests;
  c.workspace.ui.right = true;
  c.workspace.ui.shown_pane = "node";
}

void load_reference(CommandContext& c, const CommandArgument& a) {
  const std::string path = text_argument(a);
  if (!path.empty()) return c.document->debug->load_reference(path == "none" ? "" : path);
  c.workspace.ui.path = {"debug.reference", "Compare with a reference", "", false, true};
  c.workspace.ui.dialog = "path";
}

void reference_of_run(CommandContext& c, const CommandArgument&) { c.document->debug->use_reference(debugger(c).recorded(), "an earlier run"); }

// Of the node given, else of the element marked in the Tensor pane that has the keyboard, else of the selected node, else of the stop, else of
// the run's first.
void show_producer(CommandContext& c, const CommandArgument& a) {
  if (!node_argument(a).node && c.workspace.ui.focused_pane == "tensor") return c.workspace.ask_tensor_pane("show_producer");
  const NodeRef node = node_argument(a).node ? node_argument(a) : c.document->selection.current().shown();
  DebugSession& s = *c.document->debug;
  const interp::NonfiniteSlice* slice = debugger(c).slice();
  if (slice && !node.node) return s.show_origin();
  const auto at = node.node ? debugger(c).shown(node) : s.first_nonfinite();
  if (slice && slice->path.back().at == at) return s.show_origin();
  if (!at && !node.node) return c.workspace.toast("No value of the run holds NaN or Inf");
  if (!at) return c.workspace.toast("\"" + display(node_path(*c.document->program(), node)) + "\" has no value yet: run the program first");
  s.find_origin(*at);
}

// "NODE[0, 3]": of that element.
void show_producer_of(CommandContext& c, const CommandArgument& a) {
  const auto of = node_and_text(c, a);
  if (!of) return;
  const auto at = debugger(c).shown(of->node);
  if (!at) return c.workspace.toast("It has no value yet: run the program first");
  std::optional<Shape> index;
  if (!of->index.empty() && !(index = integers(of->index))) return c.workspace.toast("Write NODE[0, 3]", LogLevel::Warning);
  c.document->debug->find_origin(*at, std::move(index));
}

constexpr Command kCommands[] = {
    {.id = "debug.edit", .title = "Edit value…", .menu = "Run", .help = "What if this value were another?", .argument = ArgumentKind::Node, .availability = needs_pause, .run = ask_value, .group = "edit"},
    {.id = "debug.edit_input", .title = "Edit an input", .menu = "", .help = "NAME VALUE or NAME FILE: replays beside the original; without a value takes it back", .argument = ArgumentKind::Text, .availability = needs_pause, .run = edit_input},
    {.id = "debug.edit_value", .title = "Edit a value", .menu = "", .help = "NODE EXPRESSION, NODE FILE or NODE[0, 3] VALUE: replays beside the original; in a sub-graph in each call, with GRAPH@2/NODE in that one", .argument = ArgumentKind::Text, .availability = needs_pause, .run = edit_value},
    {.id = "debug.edit_argument", .title = "Edit a constant argument", .menu = "", .help = "NODE ARGUMENT VALUE: replays beside the original", .argument = ArgumentKind::Text, .availability = needs_pause, .run = edit_argument},
    {.id = "debug.try_inputs", .title = "Try the chosen inputs", .menu = "", .help = "Replays with them beside the original", .availability = needs_run, .run = try_inputs},
    {.id = "debug.clear_edits", .title = "Take back edits", .menu = "Run", .help = "Back to the original run; with a node all of its own, with GRAPH@2/NODE those of that call", .argument = ArgumentKind::Text, .availability = needs_pause, .run = clear_edits, .group = "edit"},
    {.id = "debug.reference", .title = "Compare with a reference…", .menu = "Run", .help = "A .safetensors, .npz or .pt file or a folder of .npy with values by node name; \"none\" ends it", .argument = ArgumentKind::Path, .availability = needs_program, .run = load_reference, .group = "reference"},
    {.id = "debug.reference_run", .title = "Use this run as reference", .menu = "Run", .help = "Later runs are held against it", .availability = needs_run, .run = reference_of_run, .group = "reference"},
    {.id = "debug.show_producer", .title = "Show where a NaN comes from", .menu = "Run", .help = "The way back from the selected value's NaN or Inf to the node that made it; of the marked element where the Tensor pane has the keyboard; without a selection from the run's first", .argument = ArgumentKind::Node, .availability = needs_run, .run = show_producer, .group = "origin"},
    {.id = "debug.show_producer_of", .title = "Show where an element comes from", .menu = "", .help = "NODE[0, 3]: the way back from that NaN or Inf", .argument = ArgumentKind::Text, .availability = needs_run, .run = show_producer_of},
};

}  // namespace

std::span<const Command> what_if_commands() { return kCommands; }

}  // namespace pt2::views
