// The Tensor pane: which value, how it is looked at, what it is held against, where it is written. The pane owns that state; commands ask.
#include <algorithm>
#include <string>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/load.h"
#include "views/commands/availability.h"
#include "views/commands/command_registry.h"
#include "views/commands/words.h"

namespace pt2::views {

namespace {

// Brings the pane to front: what is asked for can be seen.
void ask(CommandContext& c, std::string verb, std::string argument) {
  c.workspace.ui.shown_pane = "tensor";
  c.workspace.ask_tensor_pane(std::move(verb), std::move(argument));
}

void tab(CommandContext& c, const CommandArgument& a) {
  if (const std::string word = text_argument(a); one_of(c, word, {"grid", "image", "histogram", "diff", "text"})) ask(c, "tab", word);
}
// Of a file that holds tensors and no program; of a program values are selected.
void show(CommandContext& c, const CommandArgument& a) {
  const std::string name = text_argument(a);
  const auto tensors = c.document->file()->archive->tensors("");
  if (std::any_of(tensors.begin(), tensors.end(), [&](const TensorInfo& tensor) { return tensor.name == name; })) return ask(c, "show", name);
  c.workspace.toast("The file has no tensor \"" + display(name) + "\"", LogLevel::Warning);
}
Availability needs_tensors(const Workspace& w) {
  if (Availability a = needs_document(w); !a.enabled()) return a;
  return {w.active()->loaded() && !w.active()->program() ? "" : "no file of tensors is shown"};
}
void lock(CommandContext& c, const CommandArgument&) { ask(c, "lock", {}); }
void unlock(CommandContext& c, const CommandArgument& a) { ask(c, "unlock", text_argument(a)); }
void page(CommandContext& c, const CommandArgument& a) { ask(c, "page", text_argument(a)); }
void slice(CommandContext& c, const CommandArgument& a) { ask(c, "slice", text_argument(a)); }
void dims(CommandContext& c, const CommandArgument& a) { ask(c, "dims", text_argument(a)); }
void format(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a), word = text.substr(0, text.find(' '));
  if (one_of(c, word, {"auto", "fixed", "sci", "exact", "hex", "bits", "ulp"})) ask(c, "format", text);
}
void heat(CommandContext& c, const CommandArgument& a) {
  const std::string word = text_argument(a);
  if (word.empty() || one_of(c, word, {"on", "off"})) ask(c, "heat", word);
}
void go_to(CommandContext& c, const CommandArgument& a) { ask(c, text_argument(a).empty() ? "ask_index" : "go_to", text_argument(a)); }
void jump(CommandContext& c, const CommandArgument& a) {
  if (const std::string word = text_argument(a); one_of(c, word, {"min", "max", "nan", "inf", "error"})) ask(c, "jump", word);
}
void copy(CommandContext& c, const CommandArgument& a) {
  const std::string word = text_argument(a).empty() ? "torch" : text_argument(a);
  if (one_of(c, word, {"tsv", "list", "torch", "value"})) ask(c, "copy", word);
}
void keep(CommandContext& c, const CommandArgument&) { ask(c, "keep", {}); }
void compare_with(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a), word = text.substr(0, text.find(' '));
  if (text.empty()) return ask(c, "tab", "diff");
  if (!one_of(c, word, {"none", "reference", "step", "value", "other", "original", "kept", "file"})) return;
  if (text == "file") {
    c.workspace.ui.path = {"tensor.compare_with_file", "Compare with a tensor file", "", false};
    c.workspace.ui.dialog = "path";
    return;
  }
  ask(c, "compare_with", text);
}
void compare_with_file(CommandContext& c, const CommandArgument& a) { ask(c, "compare_with", "file " + text_argument(a)); }
void tolerance(CommandContext& c, const CommandArgument& a) { ask(c, "tolerance", text_argument(a)); }
void diff_part(CommandContext& c, const CommandArgument& a) {
  if (const std::string word = text_argument(a); one_of(c, word, {"worst", "histogram", "grid", "image"})) ask(c, "diff", word);
}
void histogram(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a), word = text.substr(0, text.find(' '));
  if (one_of(c, word, {"log", "symlog", "trim"})) ask(c, "histogram", text);
}
void image(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a), word = text.substr(0, text.find(' '));
  if (one_of(c, word, {"single", "rgb", "tiles", "batch", "nhwc", "palette", "range", "fit", "auto", "percentiles", "symmetric"})) ask(c, "image", text);
}

// A path that ends in a kind of file that can be written; without one the picker asks, and the pane says the name it begins with.
void write(CommandContext& c, const CommandArgument& a, const char* verb) {
  if (const std::string path = text_argument(a); !path.empty()) return ask(c, verb, path);
  ask(c, "ask_path", verb);
}
void save(CommandContext& c, const CommandArgument& a) { write(c, a, "export"); }
void save_slice(CommandContext& c, const CommandArgument& a) { write(c, a, "export_slice"); }
void save_image(CommandContext& c, const CommandArgument& a) { write(c, a, "export_image"); }
// What the pane pushes back: the picker with a name for the file, "export relu.npy"; nothing where it shows no value.
void pick_path(CommandContext& c, const CommandArgument& a) {
  const std::string text = text_argument(a);
  if (text.empty()) return c.workspace.toast("There is nothing to export: select a node, an edge or a parameter's chip", LogLevel::Warning);
  const size_t space = text.find(' ');
  if (space == std::string::npos) return;
  const std::string verb = text.substr(0, space);
  c.workspace.ui.path = {"tensor." + verb, verb == "export_image" ? "Save the image" : "Save the value (.npy, .safetensors, .npz)", text.substr(space + 1), true};
  c.workspace.ui.dialog = "path";
}

// What the pane pushes back where it could not do what was asked.
void failed(CommandContext& c, const CommandArgument& a) { c.workspace.toast(text_argument(a), LogLevel::Error); }

constexpr Command kCommands[] = {
    {.id = "tensor.tab", .title = "Show value as…", .menu = "", .help = "grid, image, histogram, diff, text", .argument = ArgumentKind::Text, .availability = needs_document, .run = tab},
    {.id = "tensor.show", .title = "Show a tensor of the file", .menu = "", .help = "Of a file that holds tensors and no program, by name", .argument = ArgumentKind::Text, .availability = needs_tensors, .run = show},
    {.id = "tensor.lock", .title = "Lock value", .menu = "View", .help = "A tab of the Tensor pane that stays on the value shown", .availability = needs_document, .run = lock, .group = "highlight"},
    {.id = "tensor.unlock", .title = "Close locked value", .menu = "", .help = "By its number, from 1; without one the tab shown", .argument = ArgumentKind::Text, .availability = needs_document, .run = unlock},
    {.id = "tensor.page", .title = "Show locked value", .menu = "", .help = "0 for the tab that follows the selection, else the locked tab's number", .argument = ArgumentKind::Text, .availability = needs_document, .run = page},
    {.id = "tensor.slice", .title = "Slice value…", .menu = "", .help = "As Python writes it: 0, ..., ::2", .argument = ArgumentKind::Text, .availability = needs_document, .run = slice},
    {.id = "tensor.dims", .title = "Choose rows and columns…", .menu = "", .help = "The dimensions drawn as rows and columns: 1 2", .argument = ArgumentKind::Text, .availability = needs_document, .run = dims},
    {.id = "tensor.format", .title = "Format numbers…", .menu = "", .help = "auto, fixed, sci, exact, hex, bits or ulp, then the digits: fixed 3", .argument = ArgumentKind::Text, .availability = needs_document, .run = format},
    {.id = "tensor.heat", .title = "Heat background", .menu = "", .help = "on or off", .argument = ArgumentKind::Text, .availability = needs_document, .run = heat},
    {.id = "tensor.go_to", .title = "Go to element…", .menu = "", .help = "An index: 0, 3, -1", .argument = ArgumentKind::Text, .availability = needs_document, .run = go_to},
    {.id = "tensor.jump", .title = "Jump to an element", .menu = "", .help = "min, max, nan or inf (the next one) or error (the largest)", .argument = ArgumentKind::Text, .availability = needs_document, .run = jump},
    {.id = "tensor.copy", .title = "Copy value", .menu = "Edit", .help = "As tsv, list, torch (Python text of a tensor) or value (the marked element)", .argument = ArgumentKind::Text, .availability = needs_document, .run = copy, .group = "copy"},
    {.id = "tensor.keep", .title = "Keep value to compare with", .menu = "", .help = "Later values can be held against it, also those of another run", .availability = needs_document, .run = keep},
    {.id = "tensor.compare_with", .title = "Compare value with…", .menu = "Compare", .help = "reference, step N (of all values of the run, inputs and sub-graphs too), value NAME, other, original, kept, file PATH or none", .argument = ArgumentKind::Text, .availability = needs_document, .run = compare_with, .group = "tensor"},
    {.id = "tensor.compare_with_file", .title = "Compare value with a file…", .menu = "", .help = "A tensor file, PATH or PATH#KEY", .argument = ArgumentKind::Path, .availability = needs_document, .run = compare_with_file},
    {.id = "tensor.tolerance", .title = "Set the tolerance of the comparison…", .menu = "", .help = "RTOL ATOL; empty: by dtype", .argument = ArgumentKind::Text, .availability = needs_document, .run = tolerance},
    {.id = "tensor.diff", .title = "Show difference as…", .menu = "", .help = "worst, histogram, grid or image", .argument = ArgumentKind::Text, .availability = needs_document, .run = diff_part},
    {.id = "tensor.histogram", .title = "Scale histogram…", .menu = "", .help = "log (counts), symlog (values) or trim (outliers apart), then on or off", .argument = ArgumentKind::Text, .availability = needs_document, .run = histogram},
    {.id = "tensor.image", .title = "Draw image as…", .menu = "", .help = "single C, rgb R G B, tiles, batch N, nhwc on, palette gray|viridis|diverging, range LOW HIGH, fit, auto on, percentiles, symmetric", .argument = ArgumentKind::Text, .availability = needs_document, .run = image},
    {.id = "tensor.export", .title = "Export value…", .menu = "File", .help = "The whole value as .npy, .safetensors or .npz", .argument = ArgumentKind::Path, .availability = needs_document, .run = save, .group = "tensor"},
    {.id = "tensor.export_slice", .title = "Export slice…", .menu = "", .help = "What the slice leaves, as .npy, .safetensors or .npz", .argument = ArgumentKind::Path, .availability = needs_document, .run = save_slice},
    {.id = "tensor.export_image", .title = "Export tensor image…", .menu = "File", .help = "The picture of the Image tab as .png", .argument = ArgumentKind::Path, .availability = needs_document, .run = save_image, .group = "tensor"},
    {.id = "tensor.failed", .title = "Say what failed", .menu = "", .help = "Any text, as a message of the window", .argument = ArgumentKind::Text, .run = failed},
    {.id = "tensor.pick_path", .title = "Ask where to", .menu = "", .help = "export, export_slice or export_image, then the name proposed", .argument = ArgumentKind::Text, .availability = needs_document, .run = pick_path},
};

}  // namespace

std::span<const Command> tensor_commands() { return kCommands; }

}  // namespace pt2::views
