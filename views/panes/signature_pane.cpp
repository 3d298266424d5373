// The signature of a program: its inputs, outputs and the ranges of its symbols, with the facts of the file above them.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "core/archive/archive.h"
#include "core/base/display.h"
#include "core/base/text.h"
#include "core/graph/caller_paths.h"
#include "core/text/bound_text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/section.h"
#include "views/widgets/text_field.h"
#include "views/widgets/text_table.h"
#include "views/workspace/identity.h"
#include "views/workspace/labels.h"
#include "views/workspace/search.h"
#include "views/workspace/symbol_origin.h"

namespace pt2::views {
namespace {

const char* short_kind(InputKind kind) {
  switch (kind) {
    case InputKind::UserInput: return "user";
    case InputKind::Parameter: return "param";
    case InputKind::Buffer: return "buffer";
    case InputKind::TensorConstant: return "const";
    case InputKind::CustomObj: return "obj";
    case InputKind::Token: return "token";
  }
  return "";
}

const char* short_kind(OutputKind kind) {
  switch (kind) {
    case OutputKind::UserOutput: return "user";
    case OutputKind::LossOutput: return "loss";
    case OutputKind::BufferMutation: return "→ buffer";  // what it gets as its new value
    case OutputKind::ParameterMutation: return "→ param";
    case OutputKind::GradientToParameter: return "grad of param";
    case OutputKind::GradientToUserInput: return "grad of input";
    case OutputKind::UserInputMutation: return "→ input";
    case OutputKind::Token: return "token";
  }
  return "";
}

std::string bound_text(const std::optional<double>& bound, bool is_float, const char* unbounded) {
  if (!bound || std::isinf(*bound)) return unbounded;
  return is_float ? number_label(*bound, 17) : std::to_string(whole_bound(*bound));
}

// The columns of a table that hold anything in some row, and which of all they are.
struct FilledColumns {
  std::vector<TextTable::Column> columns;
  std::vector<int> places;

  void choose(const std::vector<TextTable::Column>& all, const TextTable::Rows& rows) {
    *this = {};
    for (int c = 0; c < int(all.size()); ++c) {
      bool filled = c == 0;
      for (size_t row = 0; row < rows.count && !filled; ++row) filled = !rows.text(row, c).empty();
      if (!filled) continue;
      columns.push_back(all[size_t(c)]);
      places.push_back(c);
    }
  }
  // Rows that know all columns, for a table of these.
  TextTable::Rows of(TextTable::Rows rows) const {
    rows.text = [text = std::move(rows.text), this](size_t row, int column) { return text(row, places[size_t(column)]); };
    if (rows.color) rows.color = [color = std::move(rows.color), this](size_t row, int column) { return color(row, places[size_t(column)]); };
    return rows;
  }
};

class SignaturePane : public Pane {
 public:
  void draw(PaneContext& context) override;

 private:
  struct SymbolRow { std::string symbol, min, max, origin, value, ok; NodeRef input; };

  void prepare(const Document& document);
  bool section(PaneContext& context, const char* name, const std::string& count, bool open_at_first = true);
  void facts(PaneContext& context);
  void inputs(PaneContext& context, float height);
  void outputs(PaneContext& context, float height);
  void symbols(PaneContext& context, float height);

  TextTable inputs_, outputs_, symbols_;
  FilledColumns input_columns_, output_columns_;
  uint64_t inputs_chosen_ = 0, outputs_chosen_ = 0;  // the revision that they were chosen for
  std::vector<std::string> input_paths_, output_paths_;  // as a caller reaches them
  std::vector<size_t> input_order_;                  // what a caller gives first, then what the file holds
  std::string filter_;
  // Worked out once a program.
  std::shared_ptr<const Program> program_;
  uint64_t revision_ = 0, seen_selection_ = 0;
  std::map<std::string, std::string, std::less<>> mutated_;  // target → how
  std::vector<SymbolRow> symbol_rows_;
  std::string symbol_;  // the one pressed last: several may come from one input
  std::vector<std::string> output_probes_;
  std::vector<std::pair<std::string, std::string>> facts_;
};

void SignaturePane::prepare(const Document& document) {
  const auto& loaded = std::get<Loaded>(document.state);
  if (program_ == loaded.program) return;
  program_ = loaded.program;
  ++revision_;
  mutated_.clear();
  symbol_rows_.clear();
  output_probes_.clear();
  facts_.clear();
  const Program& program = *program_;
  input_paths_ = shown_input_paths(program);
  output_paths_ = shown_output_paths(program);
  input_order_.resize(program.signature.inputs.size());
  std::iota(input_order_.begin(), input_order_.end(), size_t(0));
  std::stable_partition(input_order_.begin(), input_order_.end(), [&](size_t i) { return program.signature.inputs[i].kind == InputKind::UserInput; });
  std::set<std::string> names;
  for (size_t i = 0; i < program.signature.outputs.size(); ++i) {
    const OutputSpec& spec = program.signature.outputs[i];
    if (spec.kind == OutputKind::BufferMutation || spec.kind == OutputKind::ParameterMutation || spec.kind == OutputKind::UserInputMutation)
      mutated_[std::string(spec.target)] = spec.kind == OutputKind::UserInputMutation ? "input" : "yes";
    auto* node = spec.value.as<NodeId>();
    std::string name = node ? std::string(program.root_graph().node(*node).name) : "output" + std::to_string(i);
    if (!names.insert(name).second) name += "#" + std::to_string(i);
    output_probes_.push_back(name);
  }
  for (const auto& [symbol, range] : program.range_constraints) {
    const SymbolOrigin origin = symbol_origin(program, symbol);
    SymbolRow row{display(symbol), bound_text(range.min, range.is_float, "−∞"), bound_text(range.max, range.is_float, "∞"), origin.place, "", "", {program.root(), origin.node}};
    if (origin.hint) {
      row.value = std::to_string(*origin.hint);
      const double v = double(*origin.hint);
      row.ok = (!range.min || v >= *range.min) && (!range.max || v <= *range.max) ? "✓" : "✗";
    }
    symbol_rows_.push_back(std::move(row));
  }
  auto fact = [&](const char* name, std::string value) {
    if (!value.empty()) facts_.emplace_back(name, std::move(value));
  };
  fact("Program", display(program.name));
  fact("Dialect", display(program.dialect));
  fact("Schema", std::to_string(program.schema_version.major) + "." + std::to_string(program.schema_version.minor));
  fact("Torch", program.torch_version.empty() ? "not in the file" : display(program.torch_version));
  std::string opsets;
  for (const auto& [name, version] : program.opset_versions) opsets += (opsets.empty() ? "" : ", ") + display(name) + " " + std::to_string(version);
  fact("Opsets", opsets);
  std::string verifiers;
  for (std::string_view verifier : program.verifiers) verifiers += (verifiers.empty() ? "" : ", ") + display(verifier);
  fact("Verifiers", verifiers);
  if (loaded.file) fact("File", std::string(container_name(loaded.file->archive->container())));
}

bool SignaturePane::section(PaneContext& context, const char* name, const std::string& count, bool open_at_first) {
  const bool open = section_header(context.theme, (name + count + "###" + name).c_str(), open_at_first);
  context.probe.item(std::string("signature/section/") + name, name + count);
  return open;
}

void SignaturePane::facts(PaneContext& context) {
  if (!ImGui::BeginTable("##facts", 2, ImGuiTableFlags_SizingFixedFit)) return;
  auto row = [&](const char* name, const std::string& value) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    ImGui::TextColored(context.theme.color4(Role::Text2), "%s", name);
    ImGui::TableNextColumn();
    ImGui::TextUnformatted(value.c_str());
    copied_probe(context, std::string("signature/fact/") + name, value);
  };
  for (const auto& [name, value] : facts_) row(name.c_str(), value);
  if (auto* file = context.document->file()) {
    auto samples = context.derived.get<std::string>("samples:" + std::to_string(identity_of(file->archive)), "Reading sample inputs",
                                                    [archive = file->archive, model = program_->name](Job&) -> std::string {
                                                      auto samples = archive->sample_inputs(model);
                                                      if (!samples) return "unreadable";
                                                      return std::holds_alternative<PickleNone>(samples->value) ? "none" : "in the file";
                                                    });
    row("Sample inputs", samples ? *samples : "…");
  }
  ImGui::EndTable();
}

void SignaturePane::inputs(PaneContext& context, float height) {
  const Program& program = *program_;
  const Graph& graph = program.root_graph();
  const Selection& selection = context.document->selection.current();
  auto spec = [&](size_t row) -> const InputSpec& { return program.signature.inputs[input_order_[row]]; };
  auto name = [&](size_t row) { return spec(row).node ? graph.node(spec(row).node).name : spec(row).name; };
  auto mutation = [&](size_t row) {
    auto it = mutated_.find(spec(row).kind == InputKind::UserInput ? spec(row).name : spec(row).target);
    return it == mutated_.end() ? std::string() : it->second;
  };
  // Name, kind and type are seen at the pane's usual width; the target, which a parameter's name repeats, follows.
  static const std::vector<TextTable::Column> columns = {{"Input", 80}, {"Kind", 36}, {"Type", 96, false, true}, {"Path", 110}, {"Target", 110}, {"Persistent", 68}, {"Mutated", 56}};
  TextTable::Rows rows;
  rows.count = program.signature.inputs.size();
  rows.revision = revision_;
  rows.text = [&](size_t row, int column) -> std::string {
    const ValueMeta none, &val = spec(row).node ? graph.node(spec(row).node).val : none;
    switch (column) {
      case 0: return display(name(row));
      case 1: return short_kind(spec(row).kind);
      case 2: return type_label(val);
      case 3: return display(input_paths_[input_order_[row]]);
      case 4: return display(spec(row).target);
      case 5: return spec(row).persistent ? (*spec(row).persistent ? "yes" : "no") : "";
      default: return mutation(row);
    }
  };
  rows.selected = [&](size_t row) {
    const NodeRef ref{program.root(), spec(row).node};
    return ref.node && (selection.value == ref || selection.node == ref);
  };
  rows.probe = [&](size_t row) { return "signature/input/" + std::string(name(row)); };
  rows.color = [&](size_t row, int column) -> ImU32 {
    return column == 6 && !mutation(row).empty() ? context.theme.color(Role::Mutated) : column == 1 || column == 4 ? context.theme.color(Role::Text2) : 0;
  };
  if (inputs_chosen_ != revision_) {
    inputs_chosen_ = revision_;
    input_columns_.choose(columns, rows);
  }
  const auto events = inputs_.draw(context, "##inputs", input_columns_.columns, input_columns_.of(rows), height);
  if (events.clicked == TextTable::Events::kNone || !spec(events.clicked).node) return;
  const NodeRef ref{program.root(), spec(events.clicked).node};
  context.push(spec(events.clicked).kind == InputKind::UserInput ? "go.node" : "go.value", ref, "signature");
  if (events.double_clicked != TextTable::Events::kNone) context.push("view.pane", std::string("tensor"), "signature");
}

void SignaturePane::outputs(PaneContext& context, float height) {
  const Program& program = *program_;
  const Graph& graph = program.root_graph();
  const Selection& selection = context.document->selection.current();
  auto spec = [&](size_t row) -> const OutputSpec& { return program.signature.outputs[row]; };
  static const std::vector<TextTable::Column> columns = {{"Output", 66}, {"Path", 84}, {"Kind", 48}, {"Type", 96, false, true}, {"Target", 110}};
  TextTable::Rows rows;
  rows.count = program.signature.outputs.size();
  rows.revision = revision_;
  rows.text = [&](size_t row, int column) -> std::string {
    auto* node = spec(row).value.as<NodeId>();
    const ValueMeta none, &val = node ? graph.node(*node).val : none;
    switch (column) {
      case 0: return node ? display(graph.node(*node).name) : argument_label(graph, spec(row).value);
      case 1: return display(output_paths_[row]);
      case 2: return short_kind(spec(row).kind);
      case 3: return type_label(val);
      default: return display(spec(row).target);
    }
  };
  rows.selected = [&](size_t row) {
    auto* node = spec(row).value.as<NodeId>();
    return node && selection.shown() == NodeRef{program.root(), *node};
  };
  rows.probe = [&](size_t row) { return "signature/output/" + output_probes_[row]; };
  rows.color = [&](size_t row, int column) -> ImU32 {
    if (column == 2 && spec(row).kind != OutputKind::UserOutput && spec(row).kind != OutputKind::LossOutput) return context.theme.color(Role::Mutated);
    return column == 2 || column == 4 ? context.theme.color(Role::Text2) : 0;
  };
  if (outputs_chosen_ != revision_) {
    outputs_chosen_ = revision_;
    output_columns_.choose(columns, rows);
  }
  const auto events = outputs_.draw(context, "##outputs", output_columns_.columns, output_columns_.of(rows), height);
  if (events.clicked == TextTable::Events::kNone) return;
  if (auto* node = spec(events.clicked).value.as<NodeId>()) context.push("go.node", NodeRef{program.root(), *node}, "signature");
}

void SignaturePane::symbols(PaneContext& context, float height) {
  float origin_w = 80;  // as wide as the longest place
  for (const SymbolRow& symbol : symbol_rows_) origin_w = std::max(origin_w, std::min(320.0f, ImGui::CalcTextSize(symbol.origin.c_str()).x / context.theme.scale + 12));
  const std::vector<TextTable::Column> columns = {{"Symbol", 54, false, true}, {"Min", 40, true}, {"Max", 40, true}, {"From", origin_w}, {"Example", 58, true}, {"In range", 56}};
  TextTable::Rows rows;
  rows.count = symbol_rows_.size();
  rows.revision = revision_;
  rows.text = [&](size_t row, int column) {
    const SymbolRow& s = symbol_rows_[row];
    const std::string* cells[] = {&s.symbol, &s.min, &s.max, &s.origin, &s.value, &s.ok};
    return *cells[column];
  };
  rows.probe = [&](size_t row) { return "signature/symbol/" + symbol_rows_[row].symbol; };
  rows.color = [&](size_t row, int column) -> ImU32 {
    return column == 5 ? context.theme.color(symbol_rows_[row].ok == "✓" ? Role::Executed : Role::Breakpoint) : 0;
  };
  const Selection& selection = context.document->selection.current();
  rows.selected = [&](size_t row) { return symbol_rows_[row].symbol == symbol_ && selection.shown().node && selection.shown() == symbol_rows_[row].input; };
  const auto events = symbols_.draw(context, "##symbols", columns, rows, height);
  if (events.clicked == TextTable::Events::kNone) return;
  const SymbolRow& clicked = symbol_rows_[events.clicked];
  symbol_ = clicked.symbol;
  if (clicked.input.node) context.push("go.node", clicked.input, "signature");
  if (events.double_clicked != TextTable::Events::kNone) context.push("search.open", search_for_size(clicked.symbol), "signature");
}

void SignaturePane::draw(PaneContext& context) {
  if (!context.document || !context.document->program()) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  prepare(*context.document);
  const Theme& theme = context.theme;
  compat::push_font(theme.fonts.table);
  if (seen_selection_ != context.document->selection.revision()) {
    seen_selection_ = context.document->selection.revision();
    if (context.document->selection.origin() != "signature") {
      inputs_.reveal_selected();
      outputs_.reveal_selected();
    }
  }
  ImGui::SetNextItemWidth(-1);
  if (input_text("##filter", filter_, "Filter inputs, outputs, symbols")) inputs_.filter = outputs_.filter = symbols_.filter = filter_;
  context.probe.item("signature/filter", filter_);
  if (section(context, "Program", "", false)) facts(context);

  // Sections share what is left by the number of their rows; none is smaller than a few lines.
  const float row = theme.px(22), header = ImGui::GetFrameHeightWithSpacing();
  const size_t counts[] = {program_->signature.inputs.size(), program_->signature.outputs.size(), symbol_rows_.size()};
  const float room = ImGui::GetContentRegionAvail().y - 3 * header - theme.px(8);
  auto wanted = [&](size_t count) { return float(count + 1) * row + ImGui::GetStyle().ScrollbarSize + 4; };
  auto height = [&](int section) {
    float others = 0;
    for (int i = 0; i < 3; ++i)
      if (i != section) others += counts[i] ? std::min(wanted(counts[i]), std::max(room / 3, 4 * row)) : 0;
    return std::min(wanted(counts[section]), std::max(room - others, 4 * row));
  };
  auto counted = [&](const char* name, size_t count) { return section(context, name, " " + with_commas(uint64_t(count))); };
  if (counted("Inputs", counts[0]) && counts[0]) inputs(context, height(0));
  if (counted("Outputs", counts[1]) && counts[1]) outputs(context, height(1));
  if (counted("Range constraints", counts[2])) {
    if (counts[2]) symbols(context, height(2));
    else ImGui::TextDisabled("All sizes are fixed");
  }
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_signature_pane() { return std::make_unique<SignaturePane>(); }

}  // namespace pt2::views
