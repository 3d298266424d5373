#include "views/shell/inputs_dialog.h"

#include <algorithm>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/text/bound_text.h"
#include "interp/shape_forecast.h"
#include "interp/solve_symbols.h"
#include "views/compat.h"
#include "views/shell/input_source.h"
#include "views/widgets/cell_text.h"
#include "views/widgets/check_box.h"
#include "views/widgets/table_heads.h"
#include "views/widgets/text_field.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/identity.h"

namespace pt2::views {

namespace {

std::string range_text(const Range& range) {
  return bound_text(range.min, false, "−∞") + " … " + bound_text(range.max, false, "∞");
}

// What the whole program takes: the file's samples or random numbers.
void draw_defaults(ShellContext& c, const Document& document, const DebugSession& debug, bool has_samples) {
  const interp::InputRequest& request = debug.request;
  const bool samples = request.use_sample_inputs && has_samples;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Inputs");
  ImGui::SameLine();
  ImGui::BeginDisabled(!has_samples);
  if (radio_button("sample inputs of the file", samples)) c.commands.push("debug.use_samples", std::string("on"), document.id);
  ImGui::EndDisabled();
  c.probe.item("inputs/samples", samples ? "on" : "off", has_samples);
  ImGui::SameLine();
  if (radio_button("random, seed", !samples)) c.commands.push("debug.use_samples", std::string("off"), document.id);
  c.probe.item("inputs/random", samples ? "off" : "on");
  ImGui::SameLine();
  std::string seed = std::to_string(request.seed.value_or(0));
  ImGui::SetNextItemWidth(c.px(90));
  if (input_text("##seed", seed, "0", ImGuiInputTextFlags_CharsDecimal)) c.commands.push("debug.seed", seed, document.id);
  c.probe.item("inputs/seed", seed);
  if (!request.tensors_path.empty()) {
    const std::string file = "Values by input name from " + request.tensors_path;
    ImGui::TextUnformatted(display_cut(file, 200).c_str());
    c.probe.item("inputs/file", file);
    ImGui::SameLine();
    if (ImGui::SmallButton("None##file")) c.commands.push("debug.inputs_file", std::string("none"), document.id);
    c.probe.item("inputs/file/none", "None");
  }
  if (has_samples && !samples && !request.symbols.empty()) {
    const char* why = "Sizes were chosen below, so inputs are filled: the samples have sizes of their own.";
    ImGui::TextColored(c.theme.color4(Role::Text2), "%s", why);
    c.probe.item("inputs/why_random", why);
  }
}

// What can be typed for it.
const char* value_hint(const InputSpec& spec, const Program& program) {
  const ValueMeta& declared = program.root_graph().node(spec.node).val;
  return tensor_meta(declared) ? "a number, normal(0, 1), or a tensor file" : "a number, true, none, or a file of one number";
}

void draw_input(ShellContext& c, const Document& document, const DebugSession& debug, const InputSpec& spec, const InputDefaults& defaults) {
  const Program& program = *document.program();
  const std::string name(program.root_graph().node(spec.node).name);
  std::string given;
  for (const auto& [key, value] : debug.request.texts)
    if (key == name) given = value;
  ImGui::TableNextRow(0, c.px(26));
  ImGui::PushID(int(spec.node.index));
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(display_cut(name, 80).c_str());
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(c.theme.color4(Role::Text2), "%s", display_cut(interp::declared_text(spec, program), 120).c_str());
  ImGui::TableNextColumn();
  draw_input_source(c, document, spec, given, debug.request.tensors && debug.request.tensors->find(name), defaults);
  ImGui::TableNextColumn();
  ImGui::SetNextItemWidth(-1);
  ImGui::BeginDisabled(spec.constant.has_value());
  if (input_text("##value", given, value_hint(spec, program))) c.commands.push("debug.set_input", name + "=" + given, document.id);
  if (!spec.constant) ui::tooltip(c, "A number for each element, a .npy, .npz, .safetensors or .pt file (FILE#KEY: that tensor of it), normal(mean, std), uniform(from, to), randint(low, high), bernoulli(p), arange() or sample");
  ImGui::EndDisabled();
  c.probe.item("inputs/" + name + "/value", given);
  ImGui::PopID();
}

void draw_symbols(ShellContext& c, const Document& document, const DebugSession& debug) {
  const Program& program = *document.program();
  const std::set<std::string> known = interp::input_symbols(program);
  if (known.empty()) return;
  ImGui::Spacing();
  ImGui::TextColored(c.theme.color4(Role::Text2), "Sizes of filled inputs");
  for (const auto& [symbol, range] : program.range_constraints) {
    const std::string name(symbol);
    if (!known.contains(name) || range.is_float) continue;  // expressions follow from symbols, results from a run
    auto it = debug.request.symbols.find(name);
    std::string value = it == debug.request.symbols.end() ? "" : std::to_string(it->second);
    ImGui::PushID(name.c_str());
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(display_cut(name, 40).c_str());
    ImGui::SameLine(c.px(90));
    ImGui::SetNextItemWidth(c.px(90));
    if (input_text("##symbol", value, "as exported", ImGuiInputTextFlags_CharsDecimal)) c.commands.push("debug.set_symbol", name + "=" + value, document.id);
    c.probe.item("inputs/symbol/" + name, value);
    ImGui::SameLine();
    ImGui::TextColored(c.theme.color4(Role::Text2), "%s", range_text(range).c_str());
    ImGui::PopID();
  }
}

// What the chosen sizes make of every value, and what they break; worked out anew when they change.
void draw_forecast(ShellContext& c, const Document& document, const DebugSession& debug) {
  if (debug.request.symbols.empty()) return;
  std::string key = "forecast:" + std::to_string(identity_of(document.shared_program()));
  for (const auto& [symbol, size] : debug.request.symbols) key += ":" + symbol + "=" + std::to_string(size);
  for (const auto& [name, text] : debug.request.texts) key += ":" + name + "=" + text;
  const auto forecast = c.derived.get<interp::ShapeForecast>(key, "Working out shapes", [program = std::get<Loaded>(document.state).program, symbols = debug.request.symbols, texts = debug.request.texts](Job&) {
    return interp::forecast_shapes(*program, symbols, texts);
  });
  if (!forecast) return ImGui::TextDisabled("Working out shapes…");
  for (size_t i = 0; i < forecast->violations.size(); ++i) {
    if (debug.problem.starts_with(forecast->violations[i])) continue;  // said already
    ImGui::TextColored(c.theme.color4(Role::Warning), "%s", display_cut(forecast->violations[i], 300).c_str());
    c.probe.item("inputs/violation/" + std::to_string(i), forecast->violations[i]);
  }
  std::string total = "Inputs " + bytes_text(forecast->input_bytes) + ", all values " + bytes_text(forecast->value_bytes);
  if (forecast->unknown) total += ", " + with_commas(uint64_t(forecast->unknown)) + " values of a size only a run can tell";
  ImGui::TextUnformatted(total.c_str());
  c.probe.item("inputs/forecast", total);
  if (!begin_list("forecast", 3, kTableLook | ImGuiTableFlags_ScrollY, ImVec2(0, c.px(180)))) return;
  ImGui::TableSetupScrollFreeze(0, 1);
  ImGui::TableSetupColumn("Value", ImGuiTableColumnFlags_WidthStretch, 1);
  ImGui::TableSetupColumn("Shape", ImGuiTableColumnFlags_WidthStretch, 1.5f);
  ImGui::TableSetupColumn("Bytes", ImGuiTableColumnFlags_WidthFixed, c.px(100));
  table_heads();
  ImGuiListClipper clipper;
  clipper.Begin(int(forecast->nodes.size()));
  while (clipper.Step())
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const interp::NodeForecast& node = forecast->nodes[size_t(i)];
      const std::string name = node_path(*document.program(), node.node);
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      cell_text(c.theme, display_cut(name, 200));
      ImGui::TableNextColumn();
      const std::string shape = interp::forecast_text(node);
      cell_text(c.theme, shape, c.theme.color(node.symbolic ? Role::Text : Role::Text2));
      c.probe.item("inputs/forecast/" + name, shape);
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(node.bytes ? bytes_text(*node.bytes).c_str() : "?");
    }
  ImGui::EndTable();
}

// Values to hold the run against.
void draw_reference(ShellContext& c, const Document& document, const DebugSession& debug) {
  ImGui::Spacing();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Reference");
  ImGui::SameLine(c.px(90));
  if (ImGui::Button("Choose…")) c.commands.push("debug.reference", {}, document.id);
  c.probe.item("inputs/reference/choose", "Choose…");
  ImGui::SameLine();
  if (!debug.reference_name.empty()) {
    if (ImGui::Button("None")) c.commands.push("debug.reference", std::string("none"), document.id);
    c.probe.item("inputs/reference/none", "None");
    ImGui::SameLine();
  }
  const std::string text = debug.reading_reference ? "reading…"
                           : debug.reference_name.empty() ? "none: a .safetensors, .npz or .pt file or a folder of .npy, by node name"
                                                          : debug.reference_name + ": " + with_commas(uint64_t(debug.reference_matches)) + " values of this program";
  ImGui::TextColored(c.theme.color4(debug.reference_name.empty() ? Role::Text2 : Role::Text), "%s", display_cut(text, 200).c_str());
  c.probe.item("inputs/reference", text);
  if (!debug.reference_problem.empty()) ImGui::TextColored(c.theme.color4(Role::Breakpoint), "%s", display_cut(debug.reference_problem, 300).c_str());
}

// What was chosen, to a file and back.
void draw_sets(ShellContext& c, const Document& document) {
  if (ImGui::Button("Save set…")) c.commands.push("debug.save_inputs", {}, document.id);
  ui::tooltip(c, "Sources, seed, symbols and reference as a JSON file, which --inputs takes as well");
  c.probe.item("inputs/save", "Save set…");
  ImGui::SameLine();
  if (ImGui::Button("Load set…")) c.commands.push("debug.load_inputs", {}, document.id);
  c.probe.item("inputs/load", "Load set…");
}

}  // namespace

void draw_inputs_dialog(ShellContext& c) {
  const Document* document = c.workspace.active();
  if (!document || !document->program() || !document->debug) return c.workspace.ui.dialog.clear();
  const DebugSession& debug = *document->debug;
  const Program& program = *document->program();
  if (!ui::begin_dialog(c, "inputs", "Inputs", ImVec2(780, 520))) return;
  auto samples = c.derived.get<std::string>("samples:" + std::to_string(identity_of(document->file()->archive)), "Reading sample inputs", [archive = document->file()->archive, model = program.name](Job&) -> std::string {
    auto read = archive->sample_inputs(model);
    if (!read) return "unreadable";
    return std::holds_alternative<PickleNone>(read->value) ? "none" : "in the file";
  });
  const bool has_samples = samples && *samples == "in the file";
  draw_defaults(c, *document, debug, has_samples);
  const float buttons = ImGui::GetFrameHeight() + c.px(16);
  if (compat::begin_child("inputs body", ImVec2(0, -buttons))) {
    if (ImGui::BeginTable("inputs", 4, kTableLook)) {
      ImGui::TableSetupColumn("Input", ImGuiTableColumnFlags_WidthStretch, 1);
      ImGui::TableSetupColumn("Declared", ImGuiTableColumnFlags_WidthStretch, 1.2f);
      ImGui::TableSetupColumn("Source", ImGuiTableColumnFlags_WidthFixed, c.px(110));
      ImGui::TableSetupColumn("Value or file instead", ImGuiTableColumnFlags_WidthStretch, 2);
      table_heads();
      for (const InputSpec& spec : program.signature.inputs)
        if (spec.kind == InputKind::UserInput && spec.node) draw_input(c, *document, debug, spec, {debug.request.use_sample_inputs && has_samples, has_samples});
      ImGui::EndTable();
    }
    if (!debug.problem.empty()) {
      ImGui::Spacing();
      ImGui::PushTextWrapPos(0);
      ImGui::PushStyleColor(ImGuiCol_Text, c.theme.color(Role::Breakpoint));
      wrapped_text(display_lines(debug.problem));
      ImGui::PopStyleColor();
      ImGui::PopTextWrapPos();
      c.probe.item("inputs/problem", debug.problem);
    }
    bool cast = debug.request.cast;
    if (cast || (!debug.problem.empty() && debug.problem_of_dtype)) {
      if (check_box("Cast inputs of another dtype to the declared one", &cast)) c.commands.push("debug.cast_inputs", std::string(cast ? "on" : "off"), document->id);
      c.probe.item("inputs/cast", cast ? "on" : "off");
    }
    bool ignore = debug.request.ignore_ranges;
    if (ignore || (!debug.problem.empty() && debug.problem_of_ranges)) {
      if (check_box("Run although a range or guard does not hold", &ignore)) c.commands.push("debug.ignore_ranges", std::string(ignore ? "on" : "off"), document->id);
      c.probe.item("inputs/ignore_ranges", ignore ? "on" : "off");
    }
    draw_symbols(c, *document, debug);
    draw_forecast(c, *document, debug);
    draw_reference(c, *document, debug);
    const size_t unsupported = debug.debugger()->plan().unsupported.size();
    if (unsupported) {
      ImGui::Spacing();
      ImGui::TextColored(c.theme.color4(Role::Warning), "%s of %s nodes have no implementation here; %s more wait for them. The others run.", with_commas(uint64_t(unsupported)).c_str(),
                         with_commas(uint64_t(debug.debugger()->plan().node_count)).c_str(), with_commas(uint64_t(debug.debugger()->plan().blocked.size())).c_str());
    }
  }
  ImGui::EndChild();
  draw_sets(c, *document);
  ImGui::SameLine();
  const float width = c.px(96);
  const bool ran = !debug.debugger()->trace().steps().empty() && debug.debugger()->state() != interp::RunState::Running;
  ImGui::SetCursorPosX(ImGui::GetWindowWidth() - (ran ? 3 : 2) * width - c.px(ran ? 32 : 24));
  if (ran) {
    if (ImGui::Button("What if", ImVec2(width, 0))) c.commands.push("debug.try_inputs", {}, document->id);
    ui::tooltip(c, "Replays with the values given here beside the run as it was");
    c.probe.item("inputs/what_if", "What if");
    ImGui::SameLine();
  }
  if (ImGui::Button("Cancel", ImVec2(width, 0))) c.workspace.ui.dialog.clear();
  c.probe.item("inputs/cancel", "Cancel");
  ImGui::SameLine();
  ImGui::PushStyleColor(ImGuiCol_Button, c.theme.color(Role::SelectionRow));
  if (ImGui::Button("Run", ImVec2(width, 0)) || (!ImGui::GetIO().WantTextInput && !ImGui::IsAnyItemFocused() && c.input.pressed(Key::Enter))) c.commands.push("debug.begin", {}, document->id);
  ImGui::PopStyleColor();
  c.probe.item("inputs/run", "Run");
  ui::end_dialog(c);
}

}  // namespace pt2::views
