// What a run is given: the values of inputs, one by one or as a set that is kept in a file.
#include <charconv>
#include <filesystem>

#include "core/base/display.h"
#include "core/base/file_writer.h"
#include "interp/input_set.h"
#include "views/commands/command_registry.h"
#include "views/commands/debug_arguments.h"
#include "views/commands/words.h"
#include "views/workspace/debug_session.h"

namespace pt2::views {

namespace {

void set_input(CommandContext& c, const CommandArgument& a) {
  const auto [name, value] = name_and_value(a);
  if (!interp::find_input(*c.document->program(), name)) return c.workspace.toast("The program has no input \"" + display(name) + "\"", LogLevel::Warning);
  auto& texts = c.document->debug->request.texts;
  std::erase_if(texts, [&name = name](const auto& t) { return t.first == name; });
  if (!value.empty()) texts.emplace_back(name, value);
}
// Samples have the sizes they have: a chosen size is for inputs that are filled.
void set_symbol(CommandContext& c, const CommandArgument& a) {
  const auto [name, value] = name_and_value(a);
  auto& symbols = c.document->debug->request.symbols;
  symbols.erase(name);
  if (!value.empty()) c.document->debug->request.use_sample_inputs = false;
  int64_t number = 0;
  if (auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number); error == std::errc{} && end == value.data() + value.size()) symbols[name] = number;
}
void set_seed(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  uint64_t seed = 0;
  std::from_chars(text.data(), text.data() + text.size(), seed);
  c.document->debug->request.seed = seed;
  c.document->debug->debugger()->options.seed = seed;
}
void set_inputs_file(CommandContext& c, const CommandArgument& a) {
  const std::string path = text_argument(a);
  c.document->debug->request.tensors_path = path == "none" ? std::string() : path;
}
void use_samples(CommandContext& c, const CommandArgument& a) {
  bool& now = c.document->debug->request.use_sample_inputs;
  now = switch_argument(c, a, now).value_or(now);
}
void ignore_ranges(CommandContext& c, const CommandArgument& a) {
  bool& now = c.document->debug->request.ignore_ranges;
  now = switch_argument(c, a, now).value_or(now);
}
void cast_inputs(CommandContext& c, const CommandArgument& a) {
  bool& now = c.document->debug->request.cast;
  now = switch_argument(c, a, now).value_or(now);
}

// A file for one input, chosen in the dialog of paths.
void choose_input_file(CommandContext& c, const CommandArgument& a) {
  const std::string name = text_argument(a);
  if (!interp::find_input(*c.document->program(), name)) return c.workspace.toast("The program has no input \"" + display(name) + "\"", LogLevel::Warning);
  c.workspace.ui.path = {"debug.set_input", "A tensor file for " + display_cut(name, 60) + " (.npy, .npz, .safetensors, .pt)", "", false, false, name + "=", c.workspace.ui.dialog};
  c.workspace.ui.dialog = "path";
}

// ---- Sets in files ----------------------------------------------------------------------------------------------------------------------

void ask_for_set(CommandContext& c, const char* command, const char* title, bool save) {
  const std::string name = save ? std::filesystem::path(c.document->path).stem().string() + "_inputs.json" : "";
  c.workspace.ui.path = {command, title, name, save, false, "", c.workspace.ui.dialog};
  c.workspace.ui.dialog = "path";
}

void say_problem(Workspace& workspace, const std::string& path, const Error& error) {
  workspace.toast(display(path) + ": " + display(error.message) + (error.advice.empty() ? "" : ". " + display(error.advice)), LogLevel::Error);
}

void save_inputs(CommandContext& c, const CommandArgument& a) {
  const std::string path = text_argument(a);
  if (path.empty()) return ask_for_set(c, "debug.save_inputs", "Save these inputs (.json)", true);
  const DebugSession& session = *c.document->debug;
  interp::InputSet set{session.request, session.reference_name, {}};
  if (set.request.tensors) c.workspace.toast("Inputs that came with the bundle are no files and are left out of the set", LogLevel::Warning);
  c.workspace.jobs().submit(
      "save inputs", "Saving " + path, [set = std::move(set), path](Job&) { return write_file(path, interp::input_set_text(set, path)); },
      [&workspace = c.workspace, path](Result<void> done) {
        if (done) workspace.toast("Saved " + display(path));
        else say_problem(workspace, path, done.error());
      });
}

// All that was chosen before is let go of, for the set to mean the same wherever it is loaded.
void take_set(Workspace& workspace, Document& document, const std::string& path, interp::InputSet set) {
  DebugSession& session = *document.debug;
  session.request = std::move(set.request);
  session.problem.clear();
  if (session.request.seed) session.debugger()->options.seed = *session.request.seed;
  if (!set.reference.empty()) session.load_reference(set.reference);
  workspace.toast("Inputs of " + display(path) + (set.warnings.empty() ? "" : ": " + display(set.warnings[0])), set.warnings.empty() ? LogLevel::Info : LogLevel::Warning);
}

void load_inputs(CommandContext& c, const CommandArgument& a) {
  const std::string path = text_argument(a);
  if (path.empty()) return ask_for_set(c, "debug.load_inputs", "Load inputs (.json)", false);
  c.workspace.jobs().submit(
      "load inputs", "Reading " + path, [path, program = c.document->shared_program()](Job&) { return interp::read_input_set(path, *program); },
      [&workspace = c.workspace, id = c.document->id, path](Result<interp::InputSet> set) {
        Document* document = workspace.document(id);
        if (!document || !document->debug) return;  // closed meanwhile
        if (set) take_set(workspace, *document, path, std::move(*set));
        else say_problem(workspace, path, set.error());
      });
}

constexpr Command kCommands[] = {
    {.id = "debug.set_input", .title = "Set an input", .menu = "", .help = "NAME=VALUE or NAME=FILE", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_input},
    {.id = "debug.set_symbol", .title = "Set a symbol's size", .menu = "", .help = "s0=4", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_symbol},
    {.id = "debug.inputs_file", .title = "Take inputs from a file", .menu = "", .help = "A file with a value for each input by its name; \"none\" ends it", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_inputs_file},
    {.id = "debug.seed", .title = "Set the seed", .menu = "", .help = "Of filled inputs and of random operators", .argument = ArgumentKind::Text, .availability = needs_program, .run = set_seed},
    {.id = "debug.use_samples", .title = "Use sample inputs", .menu = "", .help = "on or off", .argument = ArgumentKind::Text, .availability = needs_program, .run = use_samples},
    {.id = "debug.ignore_ranges", .title = "Ignore ranges and guards", .menu = "", .help = "on or off", .argument = ArgumentKind::Text, .availability = needs_program, .run = ignore_ranges},
    {.id = "debug.input_file", .title = "Choose a file for an input", .menu = "", .help = "NAME: asks for the file", .argument = ArgumentKind::Text, .availability = needs_program, .run = choose_input_file},
    {.id = "debug.cast_inputs", .title = "Cast inputs of another dtype", .menu = "", .help = "on or off", .argument = ArgumentKind::Text, .availability = needs_program, .run = cast_inputs},
    {.id = "debug.save_inputs", .title = "Save the chosen inputs…", .menu = "Run", .help = "Sources, seed, symbols and reference as a JSON file, which Load inputs and --inputs take", .argument = ArgumentKind::Path, .availability = needs_program, .run = save_inputs, .group = "inputs"},
    {.id = "debug.load_inputs", .title = "Load inputs…", .menu = "Run", .help = "A set that Save the chosen inputs wrote", .argument = ArgumentKind::Path, .availability = needs_pause, .run = load_inputs, .group = "inputs"},
};

}  // namespace

std::span<const Command> input_commands() { return kCommands; }

}  // namespace pt2::views
