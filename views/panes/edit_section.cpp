#include "views/panes/edit_section.h"

#include <algorithm>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/op_schema.h"
#include "core/graph/results.h"
#include "interp/edited_value.h"
#include "interp/value_names.h"
#include "interp/watch_expression.h"
#include "views/compat.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/text_field.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"

namespace pt2::views {

namespace {

std::string change_text(const interp::ValueDifference& change) {
  if (!change.comparable) return change.reason;
  return number_label(change.max_abs, 6) + " at most, " + with_commas(uint64_t(change.different)) + " of " + with_commas(uint64_t(change.elements)) + " elements";
}

}  // namespace

// Enter applies; an empty text takes the edit back.
void EditSection::field(PaneContext& context, const char* label, const std::string& name, const std::string& hint, const std::string& edited, const std::string& command,
                        const std::string& part) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(context.theme.color4(Role::Text2), "%s", label);
  ImGui::TableNextColumn();
  ImGui::PushID(name.c_str());
  auto [it, added] = typed_.try_emplace(name, Typed{edited, edited});
  std::string& text = it->second.text;
  if (std::exchange(it->second.of, edited) != edited) text = edited;  // edited or taken back elsewhere
  ImGui::SetNextItemWidth(-1);
  if (!edited.empty()) ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(Role::Mutated));
  if (input_text("##field", text, hint.c_str(), ImGuiInputTextFlags_EnterReturnsTrue)) context.push(command.substr(0, command.find(' ')), command.substr(command.find(' ') + 1) + (text.empty() ? part : " " + text), "node");
  if (!edited.empty()) ImGui::PopStyleColor();
  context.probe.item("node/edit/" + name, text.empty() ? hint : text);
  ImGui::PopID();
}

void EditSection::draw(PaneContext& context, NodeRef ref, bool focus) {
  const DebugSession& session = *context.document->debug;
  const interp::Debugger& debugger = *session.debugger();
  const Program& program = *context.document->program();
  const Graph& graph = program.graphs[ref.graph];
  const Node& node = graph.node(ref.node);
  const interp::Edits& edits = debugger.edits();
  if (ref != node_) typed_.clear();
  node_ = ref;
  if (!ImGui::BeginTable("##edit", 2, ImGuiTableFlags_SizingFixedFit)) return;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed, context.theme.px(100));
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  const auto at = debugger.shown(ref);
  const auto values = interp::value_edits_of(edits, ref, at ? std::optional<std::string_view>(debugger.trace().frames()[at->frame].path) : std::nullopt);
  if (focus) ImGui::SetKeyboardFocusHere();
  const std::string edit_value = "debug.edit_value " + interp::name_in_call(program, ref, values.empty() ? "" : values[0]->call);
  const char* hint = "relu * 2, 0, or a file";
  if (values.empty() && gives_a_value(graph, ref.node)) field(context, "Value", "value", hint, "", edit_value);
  // Elements that were edited one by one: each has a line.
  for (size_t i = 0; i < values.size(); ++i)
    field(context, i ? "" : "Value", i ? "value/" + std::to_string(i) : "value", hint, values[i]->shown(), edit_value, values[i]->index);
  // Constant arguments, as the schema lists them.
  if (node.kind == NodeKind::CallFunction) {
    const OpSchema* schema = find_op_schema(node.target);
    auto argument = [&](const std::string& name, const Argument& shown) {
      bool constant = true;
      for_each_node(shown, [&](NodeId) { constant = false; });
      if (!constant || name.empty()) return;
      auto edit = std::find_if(edits.arguments.begin(), edits.arguments.end(), [&](const interp::ArgumentEdit& e) { return e.node == ref && e.argument == name; });
      const bool edited = edit != edits.arguments.end();
      const std::string edited_node = interp::name_in_call(program, ref, edited ? edit->call : "");
      field(context, name.c_str(), "argument/" + name, argument_label(graph, shown), edited ? edit->text : "", "debug.edit_argument " + edited_node + " " + name);
    };
    for (size_t i = 0; schema && i < schema->parameters.size(); ++i) {
      const SchemaParameter& parameter = schema->parameters[i];
      auto given = std::find_if(node.inputs.begin(), node.inputs.end(), [&](const NodeArgument& a) { return a.name == parameter.name; });
      if (given != node.inputs.end()) argument(parameter.name, given->value);
      else if (parameter.has_default() && parameter.type.base != SchemaBase::Tensor) argument(parameter.name, parameter.default_value);
    }
  }
  const interp::ValueDifference* change = at ? debugger.change(*at) : nullptr;
  if (change) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(context.theme.color4(Role::Text2), "Changed");
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(0);
    ImGui::TextColored(context.theme.color4(Role::Mutated), "%s", display(change_text(*change)).c_str());
    ImGui::PopTextWrapPos();
    copied_probe(context, "node/edit/change", change_text(*change));
    if (auto original = debugger.original_value(*at)) {
      const std::string key = "original:" + std::to_string(context.document->id.index) + ":" + std::to_string(debugger.run_number()) + ":" + std::to_string(at->frame.index) + ":" + std::to_string(at->node.index);
      const auto text = context.derived.get<std::string>(key, "Looking at the original", [original = std::move(*original)](Job&) { return interp::summary(original); });
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::TextColored(context.theme.color4(Role::Text2), "Was");
      ImGui::TableNextColumn();
      ImGui::TextUnformatted(text ? display_cut(*text, 200).c_str() : "…");
      if (text) copied_probe(context, "node/edit/original", *text);
    }
  }
  ImGui::EndTable();
  if (edits.touches(ref, program)) {
    if (ImGui::Button("Take back")) context.push("debug.clear_edits", interp::name_in_call(program, ref, ""), "node");
    context.probe.item("node/edit/clear", "Take back");
  }
}

}  // namespace pt2::views
