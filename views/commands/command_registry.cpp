#include "views/commands/command_registry.h"

#include <algorithm>

#include "core/graph/targets.h"

namespace pt2::views {

namespace {

// These take what only the unlifted form has as well.
bool selects(const Command& command) { return command.id == "select.node" || command.id == "go.node"; }
// What is done to a node by these is done to a module as well.
bool takes_modules(const Command& command) { return command.id == "view.hide_node" || command.id == "view.isolate"; }

// What a script or the palette wrote, as the command wants it.
Result<CommandArgument> resolve(const Command& command, const CommandArgument& argument, const Document* document) {
  auto* text = std::get_if<std::string>(&argument);
  if (!text || text->empty()) return argument;
  const Program* program = document ? document->program() : nullptr;
  switch (command.argument) {
    case ArgumentKind::Node:
    case ArgumentKind::Value: {
      if (!program) return Error{ErrorKind::Failed, "no program is open", {}, {}};
      NodeRef node = find_node(*program, *text);
      if (const ModuleId module = !node.node && takes_modules(command) ? program->modules.find(*text) : ModuleId()) return CommandArgument(module);
      if (const SearchHit here = !node.node && selects(command) ? find_in_form(*document, *text) : SearchHit(); here.unlifted) return CommandArgument(Selection::of_unlifted(here.unlifted));
      else if (here.node.node) node = here.node;
      if (!node.node) node = find_target(*program, *text);
      if (!node.node) return Error{ErrorKind::Failed, "the program has no node \"" + *text + "\"", {}, {}};
      return CommandArgument(node);
    }
    case ArgumentKind::Module: {
      if (!program) return Error{ErrorKind::Failed, "no program is open", {}, {}};
      ModuleId module = program->modules.find(*text);
      if (!module) return Error{ErrorKind::Failed, "the program has no module \"" + *text + "\"", {}, {}};
      return CommandArgument(module);
    }
    default: return argument;
  }
}

// Frames pass between what was drawn and what it does: the document may be closed by then, its program read anew.
bool still_there(const CommandArgument& argument, const Document* document) {
  const Program* program = document ? document->program() : nullptr;
  const auto node = [&](NodeRef n) { return !n.node || (program && program->graphs.contains(n.graph) && program->graphs[n.graph].nodes().contains(n.node)); };
  const auto module = [&](ModuleId m) { return !m || (program && program->modules.modules.contains(m)); };
  if (auto* n = std::get_if<NodeRef>(&argument)) return node(*n);
  if (auto* m = std::get_if<ModuleId>(&argument)) return module(*m);
  if (auto* scope = std::get_if<ScopeId>(&argument)) return document && document->scopes() && document->scopes()->scopes().contains(*scope);
  auto* s = std::get_if<Selection>(&argument);
  return !s || (node(s->node) && node(s->value) && node(s->edge.from) && node(s->edge.to) && module(s->module) && std::all_of(s->others.begin(), s->others.end(), node));
}

bool has_argument(const CommandArgument& argument) {
  if (auto* text = std::get_if<std::string>(&argument)) return !text->empty();
  return !std::holds_alternative<std::monostate>(argument);
}

// What a pressed chord gives the command of a shortcut: nothing but the digit where that is "Ctrl+1…9"; none: it is another chord.
std::optional<std::string> argument_of(std::string_view shortcut, std::string_view chord) {
  constexpr std::string_view kDigits = "1…9";
  if (shortcut == chord) return std::string();
  if (!shortcut.ends_with(kDigits) || chord.empty() || chord.back() < '1' || chord.back() > '9') return std::nullopt;
  if (shortcut.substr(0, shortcut.size() - kDigits.size()) != chord.substr(0, chord.size() - 1)) return std::nullopt;
  return std::string(1, chord.back());
}

}  // namespace

CommandRegistry::CommandRegistry() {
  for (auto rows : {file_commands(), bundle_commands(), save_commands(), navigate_commands(), view_commands(), graph_commands(), overlay_commands(), place_commands(), debug_commands(), input_commands(), what_if_commands(), tensor_commands(), compare_commands(), source_commands(), settings_commands(), help_commands()}) add(rows);
}

const Command* CommandRegistry::find(std::string_view id) const {
  auto it = std::find_if(commands_.begin(), commands_.end(), [&](const Command& c) { return c.id == id; });
  return it == commands_.end() ? nullptr : &*it;
}

std::string CommandRegistry::shortcut(const Command& command) const {
  for (const auto& [id, chord] : keys)
    if (id == command.id) return chord;
  return std::string(command.default_shortcut.substr(0, command.default_shortcut.find(' ')));
}

CommandRegistry::Shortcut CommandRegistry::by_shortcut(const Workspace& workspace, std::string_view chord) const {
  for (const auto& [id, own] : keys)
    if (const auto argument = argument_of(own, chord)) return {find(id), *argument};
  Shortcut found;
  for (const Command& command : commands_) {
    if (std::any_of(keys.begin(), keys.end(), [&](const auto& key) { return key.first == command.id; })) continue;
    // Several default chords are separated by blanks.
    std::string_view rest = command.default_shortcut;
    while (!rest.empty()) {
      const std::string_view one = rest.substr(0, rest.find(' '));
      const auto argument = argument_of(one, chord);
      if (argument && (!found.command || !command.availability || command.availability(workspace).enabled())) found = {&command, *argument};
      rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    }
  }
  return found;
}

Result<void> CommandRegistry::run(Workspace& workspace, const CommandCall& call) const {
  const Command* command = find(call.id);
  if (!command) return Error{ErrorKind::Failed, "there is no command \"" + call.id + "\"", {}, {}};
  const Error gone{ErrorKind::Failed, std::string(command->title) + ": what it was meant for is not there any more", {}, {}};
  if (call.document && !workspace.document(call.document)) return gone;
  if (call.document) workspace.activate(call.document);
  Document* document = workspace.active();
  if (!still_there(call.argument, document)) return gone;
  const auto availability = has_argument(call.argument) && command->availability_with_argument ? command->availability_with_argument : command->availability;
  if (availability) {
    if (Availability a = availability(workspace); !a.enabled()) return Error{ErrorKind::Failed, std::string(command->title) + ": " + a.reason, {}, {}};
  }
  auto argument = resolve(*command, call.argument, document);
  if (!argument) return argument.error();
  CommandContext context{workspace, document, call.origin};
  command->run(context, *argument);
  return {};
}

NodeRef node_argument(const CommandArgument& argument) {
  auto* node = std::get_if<NodeRef>(&argument);
  return node ? *node : NodeRef();
}

std::string text_argument(const CommandArgument& argument) {
  auto* text = std::get_if<std::string>(&argument);
  return text ? *text : std::string();
}

}  // namespace pt2::views
