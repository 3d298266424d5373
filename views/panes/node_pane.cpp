// Everything about the selected node: its call argument by argument, what it gives, where it comes from, who reads it.
#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/caller_paths.h"
#include "core/graph/op_schema.h"
#include "core/graph/results.h"
#include "core/parameters.h"
#include "views/compat.h"
#include "views/panes/edit_section.h"
#include "views/panes/node_compare.h"
#include "views/panes/node_background.h"
#include "views/panes/node_notes.h"
#include "views/panes/node_run.h"
#include "views/panes/panes.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/links.h"
#include "views/widgets/row_cursor.h"
#include "views/widgets/section.h"
#include "views/widgets/wrapped_text.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/labels.h"
#include "views/workspace/meta_text.h"
#include "views/workspace/op_family.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {
namespace {

class NodePane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap save() const override;
  void restore(const StringMap& saved) override;

 private:
  bool section(const PaneContext& context, const char* title, bool open_at_first = true);
  void node(PaneContext& context, NodeRef ref);
  void module(PaneContext& context, ModuleId id);
  void unlifted(PaneContext& context, const UnliftedForm& form, NodeId id);
  void title(PaneContext& context, NodeRef ref);
  void call(PaneContext& context, NodeRef ref);
  void output(PaneContext& context, NodeRef ref);
  void results(PaneContext& context, NodeRef ref);
  void signature(PaneContext& context, NodeRef ref);
  const std::vector<NodeId>& tied_inputs(PaneContext& context, NodeId input);
  void tied(PaneContext& context, NodeId input);
  void module_stack(PaneContext& context, const Node& node);
  void users(PaneContext& context, NodeRef ref);
  void run(PaneContext& context, NodeRef ref);
  void argument_row(PaneContext& context, NodeRef ref, const std::string& name, const std::vector<LabelPiece>& pieces, const std::string& type, bool is_default);
  void fact(PaneContext& context, const char* name, const std::string& value);

  std::map<std::string, bool> open_;  // sections, by title
  EditSection edit_;
  NodeRunSection run_;
  uint64_t seen_edit_ = 0;
  std::pair<NodeRef, size_t> seen_edits_;  // the node shown last, and how many edits there were
  std::pair<std::shared_ptr<const Program>, std::vector<std::string>> returned_;  // how a caller reaches what each output spec returns
  std::pair<std::shared_ptr<const Program>, NodeId> tied_of_;
  std::vector<NodeId> tied_;  // the inputs that are the same tensor as that one
  std::pair<std::shared_ptr<const Program>, ModuleId> counted_;  // whose parameters were counted last
  ParameterCount parameters_;
};

std::vector<LabelPiece> names_of_users(const Graph& graph, std::span<const NodeId> users) {
  std::vector<LabelPiece> pieces;
  constexpr size_t kMost = 500;
  for (size_t i = 0; i < std::min(users.size(), kMost); ++i) {
    if (i) pieces.push_back({", ", {}});
    pieces.push_back({display_cut(graph.node(users[i]).name, 120), users[i]});
  }
  if (users.size() > kMost) pieces.push_back({" … and " + with_commas(uint64_t(users.size() - kMost)) + " more", {}});
  return pieces;
}

// What a placeholder of the signature stands for: "head.weight".
std::string target_name(const Program& program, NodeId input) {
  const auto& inputs = program.signature.inputs;
  const auto spec = std::find_if(inputs.begin(), inputs.end(), [&](const InputSpec& s) { return s.node == input; });
  return spec == inputs.end() ? std::string() : display_cut(spec->target, 120);
}

// A two-column table: names to the left, as wide as they need.
bool begin_facts(const char* id) {
  if (!ImGui::BeginTable(id, 2, ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_NoPadOuterX)) return false;
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthFixed);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  return true;
}

const interp::ArgumentEdit* argument_edit(const PaneContext& context, NodeRef node, const std::string& name) {
  const DebugSession* debug = context.document->debug.get();
  if (!debug) return nullptr;
  const auto& edits = debug->debugger()->edits().arguments;
  const auto it = std::find_if(edits.begin(), edits.end(), [&](const interp::ArgumentEdit& e) { return e.node == node && e.argument == name; });
  return it == edits.end() ? nullptr : &*it;
}

std::string joined(const std::vector<LabelPiece>& pieces) {
  std::string text;
  for (const LabelPiece& piece : pieces) text += piece.text;
  return text;
}

// Names as the graph and the text have them: in the unlifted form those of that form.
std::vector<LabelPiece> as_shown(const PaneContext& context, GraphId graph, std::vector<LabelPiece> pieces) {
  const UnliftedForm* form = context.document->unlifted();
  for (LabelPiece& piece : pieces)
    if (const NodeRef here = form && piece.node ? form->here({graph, piece.node}) : NodeRef(); here.node) piece.text = display(form->program->node(here).name);
  return pieces;
}

void NodePane::fact(PaneContext& context, const char* name, const std::string& value) {
  if (value.empty()) return;
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 low = ImGui::GetCursorScreenPos();
  ImGui::TextColored(context.theme.color4(Role::Text2), "%s", name);
  ImGui::TableNextColumn();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  ImGui::PushTextWrapPos(0);
  wrapped_text(value);
  ImGui::PopTextWrapPos();
  ImGui::PushID(name);
  copy_menu("##copy", value, low, {right, ImGui::GetItemRectMax().y});
  ImGui::PopID();
}

// Whether a section is open is kept by its title, across nodes and restarts. A count may stand before "###".
bool NodePane::section(const PaneContext& context, const char* title, bool open_at_first) {
  const std::string_view label = title;
  const size_t id = label.find("###");
  const std::string name(id == label.npos ? label : label.substr(id + 3));
  bool& open = open_.try_emplace(name, open_at_first).first->second;
  ImGui::SetNextItemOpen(open);
  open = section_header(context.theme, title);
  offer_row(context, false);
  context.probe.item("node/section/" + name, name);
  return open;
}

void NodePane::title(PaneContext& context, NodeRef ref) {
  const Node& node = context.document->program()->node(ref);
  const Theme& theme = context.theme;
  const OpFamily family = node.kind == NodeKind::CallFunction ? op_family(node.target) : OpFamily::InputOutput;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetTextLineHeight() + theme.px(4), width = theme.px(40);
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + height}, theme.family(family), theme.px(4));
  const std::string code(family_code(family));
  const float code_width = ImGui::CalcTextSize(code.c_str()).x;
  ImGui::GetWindowDrawList()->AddText({at.x + (width - code_width) / 2, at.y + theme.px(2)}, theme.family_text(), code.c_str());
  ImGui::Dummy({width, height});
  ImGui::SameLine();
  compat::push_font(theme.fonts.heading);
  // In the unlifted form what is a parameter of the program is the get_attr that its text shows.
  const UnliftedForm* form = context.document->unlifted();
  const NodeRef here = form ? form->here(ref) : NodeRef();
  const Node& shown = here.node ? form->program->node(here) : node;
  const std::string name = display_cut(shown.name, 200);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(name.c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  context.probe.item("node/title", name);
  copy_menu("##copy name", std::string(shown.name));
  const std::string target = node.kind == NodeKind::CallFunction ? display(short_target(node.target)) : shown.kind == NodeKind::Placeholder ? "placeholder" : shown.kind == NodeKind::GetAttr ? "get_attr " + display(shown.target) : "output";
  ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Role::Text2));
  ImGui::PushTextWrapPos(0);
  wrapped_text(target);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  copy_menu("##copy target", std::string(shown.target));
}

void NodePane::argument_row(PaneContext& context, NodeRef ref, const std::string& name, const std::vector<LabelPiece>& pieces, const std::string& type, bool is_default) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  const ImVec2 top = ImGui::GetCursorScreenPos();
  ImGui::PushID(name.c_str());
  ImGui::TextColored(context.theme.color4(Role::Text2), "%s", name.c_str());
  if (!type.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", type.c_str());
  ImGui::TableNextColumn();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  const Rect first_name = draw_pieces(context, ref.graph, pieces, "node", is_default);
  copy_menu("##copy", joined(pieces), top, {right, std::max(ImGui::GetItemRectMax().y, top.y + 1)});
  // The place of the name, so that a click follows it.
  if (first_name.empty()) context.probe.add("node/arg/", name, top, {right, std::max(ImGui::GetItemRectMax().y, top.y + 1)}, joined(pieces));
  else context.probe.add("node/arg/", name, {first_name.x, first_name.y}, {first_name.right(), first_name.bottom()}, joined(pieces));
  ImGui::PopID();
}

void NodePane::call(PaneContext& context, NodeRef ref) {
  const Program& program = *context.document->program();
  const Graph& graph = program.graphs[ref.graph];
  const Node& node = graph.node(ref.node);
  if (node.inputs.empty() && node.kind != NodeKind::CallFunction) return;
  if (!section(context, "Call") || !begin_facts("##call")) return;
  const OpSchema* schema = node.kind == NodeKind::CallFunction ? find_op_schema(node.target) : nullptr;
  std::vector<uint8_t> shown(node.inputs.size());
  // With an edit what it uses instead, and what the file says.
  auto row = [&](const std::string& name, const std::vector<LabelPiece>& pieces, const std::string& type, bool is_default) {
    const interp::ArgumentEdit* edit = argument_edit(context, ref, name);
    if (!edit) return argument_row(context, ref, name, pieces, type, is_default);
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.color(Role::Mutated));
    argument_row(context, ref, name, {{display_cut(edit->text, 200) + "  (What if; was " + joined(pieces) + ")", {}}}, type, false);
    ImGui::PopStyleColor();
  };
  if (schema)
    for (const SchemaParameter& parameter : schema->parameters) {
      auto it = std::find_if(node.inputs.begin(), node.inputs.end(), [&](const NodeArgument& a) { return a.name == parameter.name; });
      if (it != node.inputs.end()) {
        shown[size_t(it - node.inputs.begin())] = 1;
        row(parameter.name, as_shown(context, ref.graph, argument_pieces(graph, it->value)), parameter.type.text, false);
      } else if (parameter.has_default()) {
        row(parameter.name, argument_pieces(graph, parameter.default_value), parameter.type.text + ", default", true);
      }
    }
  for (size_t i = 0; i < node.inputs.size(); ++i)
    if (!shown[i]) row(node.inputs[i].name.empty() ? std::to_string(i) : display(node.inputs[i].name), as_shown(context, ref.graph, argument_pieces(graph, node.inputs[i].value)), "", false);
  ImGui::EndTable();
}

void NodePane::output(PaneContext& context, NodeRef ref) {
  const Node& node = context.document->program()->node(ref);
  if (std::holds_alternative<std::monostate>(node.val) && !node.result_count) return;
  if (!section(context, "Output") || !begin_facts("##output")) return;
  if (const TensorMeta* meta = tensor_meta(node.val)) {
    fact(context, "dtype", std::string(dtype_name(meta->dtype)));
    const std::string hints = hints_text(meta->sizes);
    fact(context, "Shape", sizes_text(meta->sizes) + (hints.empty() ? "" : "   " + hints));
    fact(context, "Strides", sizes_text(meta->strides));
    if (meta->storage_offset.is_symbolic() || meta->storage_offset.value) fact(context, "Storage offset", display(meta->storage_offset.text()));
    fact(context, "Memory", memory_format_text(*meta));
    if (const auto bytes = byte_count(*meta)) fact(context, "Bytes", bytes_text(*bytes) + (any_symbolic(*meta) ? " for the example sizes" : ""));
    fact(context, "Device", display(device_text(meta->device)));
    fact(context, "Layout", std::string(layout_name(meta->layout)));
    fact(context, "requires_grad", meta->requires_grad ? "yes" : "no");
  } else if (const SymMeta* sym = sym_meta(node.val)) {
    fact(context, "Type", sym->kind == SymKind::Int ? "SymInt" : sym->kind == SymKind::Float ? "SymFloat" : "SymBool");
    const Graph& graph = context.document->program()->graphs[ref.graph];
    fact(context, "Value", sym->expr ? display(sym->expr->text) : argument_label(graph, sym->constant));
    if (!sym->hint.is_none()) fact(context, "Example", argument_label(graph, sym->hint));
  } else if (const std::string type = type_label(node.val); !type.empty()) {
    fact(context, "Value", type);
  }
  if (node.result_count) results(context, ref);
  ImGui::EndTable();
}

// What each getitem takes of a value of several; those that nothing takes have no type in the file.
void NodePane::results(PaneContext& context, NodeRef ref) {
  const Node& node = context.document->program()->node(ref);
  const Graph& graph = context.document->program()->graphs[ref.graph];
  fact(context, "Results", std::to_string(node.result_count));
  for (const auto& [index, item] : taken_results(graph, ref.node)) {
    const std::string type = type_label(graph.node(item).val);
    fact(context, ("  [" + std::to_string(index) + "]").c_str(), type);
    context.probe.item("node/result/" + std::to_string(index), type);
  }
}

void NodePane::signature(PaneContext& context, NodeRef ref) {
  const Program& program = *context.document->program();
  if (ref.graph != program.root()) return;
  if (returned_.first != context.document->shared_program()) returned_ = {context.document->shared_program(), shown_output_paths(program)};
  const auto& specs = program.signature.outputs;
  const bool is_output = program.node(ref).kind == NodeKind::Output;
  std::vector<const InputSpec*> inputs;
  std::vector<size_t> outputs;  // of the output node those that a caller reaches by more than their place
  for (const InputSpec& spec : program.signature.inputs)
    if (spec.node == ref.node) inputs.push_back(&spec);
  for (size_t i = 0; i < specs.size(); ++i)
    if (auto* node = specs[i].value.as<NodeId>(); is_output ? !returned_.second[i].empty() : node && *node == ref.node) outputs.push_back(i);
  if (inputs.empty() && outputs.empty()) return;
  if (!section(context, "Signature") || !begin_facts("##signature")) return;
  for (const InputSpec* spec : inputs) {
    fact(context, "Input", std::string(kind_name(spec->kind)));
    fact(context, "Target", display(spec->target));
    if (spec->persistent) fact(context, "Persistent", *spec->persistent ? "yes" : "no");
    if (spec->constant) fact(context, "Constant", argument_label(program.root_graph(), *spec->constant));
    tied(context, ref.node);
  }
  for (const size_t i : outputs) {
    const std::string path = display(returned_.second[i]);
    if (is_output) fact(context, path.c_str(), argument_label(program.root_graph(), specs[i].value));
    else fact(context, "Output", std::string(kind_name(specs[i].kind)) + (specs[i].target.empty() ? "" : " of " + display(specs[i].target)) + (path.empty() ? "" : " " + path));
    context.probe.item("node/returned/" + std::to_string(i), path);
  }
  ImGui::EndTable();
}

const std::vector<NodeId>& NodePane::tied_inputs(PaneContext& context, NodeId input) {
  const Program& program = *context.document->program();
  if (const std::pair which{context.document->shared_program(), input}; std::exchange(tied_of_, which) != which)
    tied_ = tied_with(program, context.document->file()->archive->tensors(program.name), input);
  return tied_;
}

// A tensor of several names: the others, of which one may be what operators read.
void NodePane::tied(PaneContext& context, NodeId input) {
  const Program& program = *context.document->program();
  std::vector<LabelPiece> pieces;
  for (NodeId other : tied_inputs(context, input)) {
    if (!pieces.empty()) pieces.push_back({", ", {}});
    pieces.push_back({target_name(program, other), other});
  }
  if (pieces.empty()) return;
  argument_row(context, {program.root(), input}, "Tied", pieces, "The same tensor under another name", false);
}

void NodePane::module_stack(PaneContext& context, const Node& node) {
  const auto& modules = context.document->program()->modules.modules;
  if (!modules.contains(node.module) || !modules[node.module].parent) return;
  if (!section(context, "Module")) return;
  std::vector<ModuleId> chain;
  for (ModuleId m = node.module; m && modules[m].parent; m = modules[m].parent) chain.push_back(m);
  for (size_t i = chain.size(); i-- > 0;) {
    const Module& module = modules[chain[i]];
    ImGui::PushID(int(i));
    ImGui::Indent(float(chain.size() - 1 - i) * context.theme.px(12) + 0.001f);
    if (link(context, display_cut(module.path, 120))) context.push("select.module", chain[i], "node");
    copy_menu("##copy", std::string(module.path));
    ImGui::SameLine();
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", display(class_label(module.type)).c_str());
    copy_menu("##copy type", std::string(module.type));
    ImGui::Unindent(float(chain.size() - 1 - i) * context.theme.px(12) + 0.001f);
    ImGui::PopID();
  }
}

void NodePane::users(PaneContext& context, NodeRef ref) {
  const Program& program = *context.document->program();
  const Graph& graph = program.graphs[ref.graph];
  if (graph.node(ref.node).kind == NodeKind::Output) return;
  const auto users = graph.users(ref.node);
  const std::string title = "Users " + with_commas(uint64_t(users.size())) + "###Users";
  if (!section(context, title.c_str())) return;
  std::vector<LabelPiece> pieces = names_of_users(graph, users);
  if (users.empty()) pieces.push_back({"No node reads it", {}});
  // A tied tensor may be read under another of its names.
  if (ref.graph == program.root() && graph.node(ref.node).kind == NodeKind::Placeholder)
    for (NodeId other : tied_inputs(context, ref.node))
      if (const std::vector<LabelPiece> readers = names_of_users(graph, graph.users(other)); !readers.empty()) {
        pieces.push_back({"; as " + target_name(program, other) + ": ", {}});
        pieces.insert(pieces.end(), readers.begin(), readers.end());
      }
  pieces = as_shown(context, ref.graph, std::move(pieces));
  const ImVec2 low = ImGui::GetCursorScreenPos();
  const float right = low.x + ImGui::GetContentRegionAvail().x;
  draw_pieces(context, ref.graph, pieces, "node");
  context.probe.add("node/users", low, {right, ImGui::GetItemRectMax().y}, joined(pieces));
  copy_menu("##copy users", joined(pieces), low, {right, ImGui::GetItemRectMax().y});
}

void NodePane::run(PaneContext& context, NodeRef ref) {
  if (!run_.prepare(context, ref) || !section(context, "Run") || !begin_facts("##run")) return;
  for (const NodeRunSection::Fact& one : run_.facts()) {
    fact(context, one.label, one.text);
    if (!one.text.empty()) context.probe.item(std::string("node/run/") + one.name, one.text);
  }
  ImGui::EndTable();
}

void NodePane::node(PaneContext& context, NodeRef ref) {
  const Node& node = context.document->program()->node(ref);
  title(context, ref);
  // Asked for by a command: once.
  const DebugSession* debug = context.document->debug.get();
  const bool focus = debug && debug->edit_wanted == ref && std::exchange(seen_edit_, debug->edit_requests) != debug->edit_requests;
  // An edit of what is shown opens its section, once.
  const size_t edits = debug ? debug->debugger()->edits().size() : 0;
  const bool edited = std::exchange(seen_edits_, {ref, edits}) != std::pair(ref, edits) && edits && debug->debugger()->edits().touches(ref, *context.document->program());
  if (focus || edited) open_["What if"] = true;
  draw_mark(context, context.document->selection.current());
  draw_node_data(context, ref);
  draw_node_comparison(context, ref);
  call(context, ref);
  output(context, ref);
  signature(context, ref);
  const bool has_value = node.kind == NodeKind::CallFunction || (node.kind == NodeKind::Placeholder && ref.graph == context.document->program()->root());
  if (debug && has_value && section(context, "What if", false)) edit_.draw(context, ref, focus);
  run(context, ref);
  users(context, ref);
  module_stack(context, node);
  if (const auto frames = parse_stack_trace(node.meta->stack_trace); !frames.empty() && section(context, "Source")) draw_source(context, frames);
  if (node.kind == NodeKind::CallFunction && section(context, "Op")) draw_schema(context, node.target);
  if (const MetaEntries entries = meta_entries(*node.meta); !entries.empty() && section(context, "Meta", false)) draw_meta(context, entries);
}

void NodePane::module(PaneContext& context, ModuleId id) {
  const Program& program = *context.document->program();
  const auto& modules = program.modules.modules;
  if (!modules.contains(id)) return;
  const Module& module = modules[id];
  compat::push_font(context.theme.fonts.heading);
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(module.parent ? display_cut(module.path, 200).c_str() : "Root module");
  ImGui::PopTextWrapPos();
  ImGui::PopFont();
  copied_probe(context, "node/title", std::string(module.path));
  draw_mark(context, Selection::of_module(id));
  if (begin_facts("##module")) {
    fact(context, "Type", display(module.type));
    fact(context, "Ops", with_commas(uint64_t(module.node_count)));
    if (const std::pair which{context.document->shared_program(), id}; which != counted_) {
      counted_ = which;
      parameters_ = count_parameters(program, context.document->file()->archive->tensors(program.name), module.parent ? module.path.substr(0, module.path.find('@')) + "." : "");
    }
    if (parameters_.tensors) fact(context, "Parameters", with_commas(uint64_t(parameters_.tensors)) + " with " + with_commas(parameters_.elements) + " elements");
    ImGui::EndTable();
  }
  if (!module.children.empty() && section(context, "Modules inside"))
    for (ModuleId child : module.children) {
      ImGui::PushID(int(child.index));
      if (link(context, display_cut(modules[child].name, 120))) context.push("select.module", child, "node");
      ImGui::SameLine();
      ImGui::TextColored(context.theme.color4(Role::Text2), "%s", display(class_label(modules[child].type)).c_str());
      ImGui::PopID();
    }
  if (!module.nodes.empty() && section(context, "Nodes")) {
    std::vector<LabelPiece> pieces;
    constexpr size_t kMost = 300;
    for (size_t i = 0; i < std::min(module.nodes.size(), kMost); ++i) {
      if (i) pieces.push_back({", ", {}});
      pieces.push_back({display_cut(program.root_graph().node(module.nodes[i]).name, 120), module.nodes[i]});
    }
    if (module.nodes.size() > kMost) pieces.push_back({" … and " + with_commas(uint64_t(module.nodes.size() - kMost)) + " more", {}});
    draw_pieces(context, program.root(), pieces, "node");
  }
}

// The call of the guards, or a copy that writes a mutation back: nodes that the program itself does not have.
void NodePane::unlifted(PaneContext& context, const UnliftedForm& form, NodeId id) {
  const Graph& graph = form.program->root_graph();
  const Node& node = graph.node(id);
  const bool guards = id == form.guards_call;
  compat::push_font(context.theme.fonts.heading);
  ImGui::TextUnformatted(display_cut(node.name, 200).c_str());
  ImGui::PopFont();
  copied_probe(context, "node/title", std::string(node.name));
  ImGui::PushTextWrapPos(0);
  ImGui::TextColored(context.theme.color4(Role::Text2), "%s", display_cut(short_target(node.target), 400).c_str());
  ImGui::TextColored(context.theme.color4(Role::Text2), "%s",
                     guards ? "Only in the unlifted form: checks what the export assumed of the inputs" : "Only in the unlifted form: writes a mutation back");
  ImGui::PopTextWrapPos();
  if (section(context, "Call") && begin_facts("##call")) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      std::vector<LabelPiece> pieces = argument_pieces(graph, node.inputs[i].value);
      for (LabelPiece& piece : pieces)
        if (piece.node) piece.node = form.source[piece.node.index];
      argument_row(context, {form.program->root(), id}, node.inputs[i].name.empty() ? std::to_string(i) : display(node.inputs[i].name), pieces, "", false);
    }
    ImGui::EndTable();
  }
  if (!guards || !section(context, ("Guards " + with_commas(uint64_t(form.guards.size())) + "###Guards").c_str())) return;
  for (size_t i = 0; i < form.guards.size(); ++i) {
    const Guard& guard = form.guards[i];
    ImGui::PushID(int(i));
    const std::string text = display_cut(guard.text, 400);
    if (!guard.input) ImGui::TextUnformatted(text.c_str());
    else if (link(context, text)) context.push("select.node", NodeRef{form.program->root(), guard.input}, "node");
    context.probe.item("node/guard/" + std::to_string(i), text);
    copy_menu("##copy", guard.text);
    ImGui::PopID();
  }
}

void NodePane::draw(PaneContext& context) {
  if (!context.document || !context.document->program()) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  const Selection& selection = context.document->selection.current();
  compat::push_font(context.theme.fonts.table);
  if (const NodeRef ref = selection.shown(); ref.node) node(context, ref);
  else if (const UnliftedForm* form = context.document->unlifted(); form && selection.unlifted) unlifted(context, *form, selection.unlifted);
  else if (selection.module) module(context, selection.module);
  else ImGui::TextDisabled("Select a node in the graph or in the text");
  ImGui::PopFont();
}

StringMap NodePane::save() const {
  StringMap saved;
  for (const auto& [title, open] : open_) saved[title] = open ? "1" : "0";
  return saved;
}

void NodePane::restore(const StringMap& saved) {
  for (const auto& [title, open] : saved) open_[title] = open == "1";
}

}  // namespace

std::unique_ptr<Pane> make_node_pane() { return std::make_unique<NodePane>(); }

}  // namespace pt2::views
