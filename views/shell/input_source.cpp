#include "views/shell/input_source.h"

#include "interp/fill_input.h"
#include "interp/input_recipe.h"
#include "interp/program_inputs.h"

namespace pt2::views {

namespace {

using interp::InputRecipe;

struct Choice { const char *name, *label; std::string_view text; };
constexpr Choice kChoices[] = {
    {"sample", "Sample of the file", interp::kSampleText},
    {"normal", "Random: normal", "normal(0, 1)"},
    {"uniform", "Random: uniform", "uniform(0, 1)"},
    {"randint", "Random: integers", "randint(0, 10)"},
    {"bernoulli", "Random: Bernoulli", "bernoulli(0.5)"},
    {"0", "Constant: 0", "0"},
    {"1", "Constant: 1", "1"},
    {"arange", "Constant: 0, 1, 2 …", "arange()"},
};

// A word for the text chosen; no look at the disk.
std::string source_of(const Program& program, const InputSpec& spec, const std::string& text) {
  const ValueMeta& declared = program.root_graph().node(spec.node).val;
  const TensorMeta* meta = tensor_meta(declared);
  if (text == interp::kSampleText) return "sample";
  if (!meta) return interp::parse_number_input(declared, nullptr, text) ? "given" : "file";
  const auto recipe = interp::parse_recipe(meta->dtype, text);
  return !recipe ? "file" : recipe->random() ? "random" : "constant";
}

bool possible(const Choice& choice, const Program& program, const InputSpec& spec, const InputDefaults& defaults) {
  if (choice.text == interp::kSampleText) return defaults.has_samples;
  const ValueMeta& declared = program.root_graph().node(spec.node).val;
  const TensorMeta* meta = tensor_meta(declared);
  const std::string text(choice.text);
  return meta ? interp::parse_recipe(meta->dtype, text).has_value() : interp::parse_number_input(declared, nullptr, text).has_value();
}

}  // namespace

void draw_input_source(ShellContext& c, const Document& document, const InputSpec& spec, const std::string& given, bool from_bundle, const InputDefaults& defaults) {
  const Program& program = *document.program();
  const std::string name(program.root_graph().node(spec.node).name), probe = "inputs/" + name + "/source";
  const std::string source = spec.constant ? "constant" : !given.empty() ? source_of(program, spec, given) : from_bundle ? "given" : defaults.samples ? "sample" : "filled";
  if (spec.constant) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(source.c_str());
    c.probe.item(probe, source);
    return;
  }
  ImGui::SetNextItemWidth(-1);
  const bool open = ImGui::BeginCombo("##source", source.c_str(), ImGuiComboFlags_HeightLargest);
  c.probe.item(probe, source);
  if (!open) return;
  const auto item = [&](const char* choice, const char* label, bool chosen) {
    const bool pressed = ImGui::Selectable(label, chosen);
    c.probe.item(probe + "/" + choice, label);
    return pressed;
  };
  const auto set = [&](std::string_view text) { c.commands.push("debug.set_input", name + "=" + std::string(text), document.id); };
  if (item("default", "As chosen above", given.empty())) set("");
  for (const Choice& choice : kChoices)
    if (possible(choice, program, spec, defaults) && item(choice.name, choice.label, given == choice.text)) set(choice.text);
  if (item("file", "File…", source == "file")) c.commands.push("debug.input_file", name, document.id);
  ImGui::EndCombo();
}

}  // namespace pt2::views
