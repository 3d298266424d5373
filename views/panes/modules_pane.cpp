// The tree of module calls with counts. A click selects the module, the graph shows where it is.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "core/parameters.h"
#include "core/text/print_table.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/cell_text.h"
#include "views/widgets/copy_menu.h"
#include "views/widgets/draw.h"
#include "views/widgets/menu_key.h"
#include "views/widgets/row_cursor.h"
#include "views/widgets/row_menu.h"
#include "views/widgets/tab_stops.h"
#include "views/widgets/table_heads.h"
#include "views/widgets/text_field.h"
#include "views/workspace/labels.h"
#include "views/workspace/module_structure.h"

namespace pt2::views {
namespace {

constexpr float kNameWidth = 100, kOpsWidth = 30, kParamsWidth = 44;  // of the names at least
constexpr std::string_view kLike = "like:";  // before a path in the filter: what is built like that module

class ModulesPane : public Pane {
 public:
  void draw(PaneContext& context) override;

 private:
  struct Row { ModuleId module; int depth; GraphId graph; bool leads = false; };  // a graph: a sub-graph that an operator of the module runs; leads: what follows is inside
  void prepare(const Document& document);
  void arrange();
  void reveal(ModuleId module);
  void row(PaneContext& context, const Row& row);
  void subgraph_row(PaneContext& context, const Row& row);
  void name_cell(PaneContext& context, const Row& row, ImVec2 start, const std::string& name, const std::string& type, bool accent);
  void number_cell(const Theme& theme, int column, uint64_t value);
  int columns_in(const Theme& theme, float width) const;
  std::string hidden_numbers(const Row& row) const;
  bool has_inside(ModuleId module) const { return !program_->modules.modules[module].children.empty() || !subgraphs_of_[module.index].empty(); }
  void menu(PaneContext& context, ModuleId module);

  std::shared_ptr<const Program> program_;
  std::vector<uint8_t> open_;             // by module: children are shown
  std::vector<uint32_t> parameters_;      // by module: parameters below it
  std::vector<std::vector<GraphId>> subgraphs_of_, subgraphs_in_;  // by module; by graph
  std::vector<Row> rows_;                 // what is shown
  ParameterCount all_parameters_;
  std::string filter_;
  int columns_ = 3;                       // as many as leave the names their room
  bool dirty_ = true, scroll_to_selection_ = false, menu_wanted_ = false;
  uint64_t seen_selection_ = 0;
};

// The operator that runs a sub-graph: the first reader of the get_attr that names it.
NodeRef runs(const Program& program, GraphId graph) {
  const Graph& inside = program.graphs[graph];
  const auto users = program.graphs[inside.parent].users(inside.parent_node);
  return {inside.parent, users.empty() ? inside.parent_node : users[0]};
}

uint64_t operators_of(const Graph& graph) {
  return uint64_t(std::count_if(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) { return node.kind == NodeKind::CallFunction; }));
}

void ModulesPane::prepare(const Document& document) {
  const auto& program = std::get<Loaded>(document.state).program;
  if (program_ == program) return;
  program_ = program;
  const auto& modules = program->modules.modules;
  open_.assign(modules.size(), 0);
  parameters_.assign(modules.size(), 0);
  all_parameters_ = count_parameters(*program, document.file()->archive->tensors(program->name));
  dirty_ = true;
  subgraphs_of_.assign(modules.size(), {});
  subgraphs_in_.assign(program->graphs.size(), {});
  for (size_t g = 0; g < program->graphs.size(); ++g) {
    const Graph& graph = program->graphs[GraphId(g)];
    if (!graph.parent || !graph.parent_node) continue;
    const ModuleId module = program->node(runs(*program, GraphId(g))).module;
    if (graph.parent != program->root() || modules.empty()) subgraphs_in_[graph.parent.index].emplace_back(g);
    else subgraphs_of_[(modules.contains(module) ? module : program->modules.root()).index].emplace_back(g);
  }
  // Small trees are open; of large ones the first level.
  for (size_t i = 0; i < modules.size(); ++i) open_[i] = !modules[ModuleId(i)].parent || modules.size() <= 60;
  // A parameter belongs to the module its name begins with; its readers' modules count it.
  std::unordered_map<std::string_view, ModuleId> by_path;
  for (size_t i = 0; i < modules.size(); ++i) by_path.emplace(modules[ModuleId(i)].path, ModuleId(i));
  for (const InputSpec& spec : program->signature.inputs) {
    if (spec.kind != InputKind::Parameter) continue;
    std::string_view path = spec.target;
    ModuleId owner;
    while (!owner && !path.empty()) {
      const size_t dot = path.rfind('.');
      path = dot == path.npos ? std::string_view() : path.substr(0, dot);
      if (auto it = by_path.find(path); it != by_path.end()) owner = it->second;
    }
    for (ModuleId m = owner; m; m = modules[m].parent) ++parameters_[m.index];
  }
}

void ModulesPane::arrange() {
  dirty_ = false;
  rows_.clear();
  const auto& modules = program_->modules.modules;
  std::vector<uint8_t> kept;  // with a filter: what matches, and what leads to it
  if (!filter_.empty()) {
    kept.assign(modules.size(), 0);
    const std::string wanted = fold_case(filter_);
    const ModuleId like = filter_.starts_with(kLike) ? program_->modules.find(filter_.substr(kLike.size())) : ModuleId();
    std::vector<uint8_t> same(like ? modules.size() : 0);
    if (like)
      for (ModuleId one : identical_modules(*program_, like)) same[one.index] = 1;
    for (size_t i = modules.size(); i-- > 0;) {
      const Module& m = modules[ModuleId(i)];
      if (like ? !same[i] : fold_case(m.path).find(wanted) == std::string::npos && fold_case(m.type).find(wanted) == std::string::npos) continue;
      for (ModuleId up = ModuleId(i); up && !kept[up.index]; up = modules[up].parent) kept[up.index] = 1;
    }
  }
  std::vector<Row> pending;
  auto add_graphs = [&](ModuleId module, const std::vector<GraphId>& graphs, int depth) {
    for (size_t i = graphs.size(); i-- > 0;) pending.push_back({module, depth, graphs[i]});
  };
  if (modules.empty()) add_graphs({}, subgraphs_in_[program_->root().index], 0);
  else pending.push_back({program_->modules.root(), 0, {}});
  while (!pending.empty()) {
    const Row at = pending.back();
    pending.pop_back();
    if (at.graph) {
      rows_.push_back(at);
      add_graphs(at.module, subgraphs_in_[at.graph.index], at.depth + 1);
      continue;
    }
    if (!kept.empty() && !kept[at.module.index]) continue;
    rows_.push_back(at);
    if (!open_[at.module.index] && kept.empty()) continue;
    add_graphs(at.module, subgraphs_of_[at.module.index], at.depth + 1);
    const auto& children = modules[at.module].children;
    for (size_t i = children.size(); i-- > 0;) pending.push_back({children[i], at.depth + 1, {}});
  }
  for (size_t i = 0; i + 1 < rows_.size(); ++i) rows_[i].leads = rows_[i + 1].depth > rows_[i].depth;
}

void ModulesPane::reveal(ModuleId module) {
  const auto& modules = program_->modules.modules;
  for (ModuleId m = modules[module].parent; m; m = modules[m].parent)
    if (!open_[m.index]) open_[m.index] = 1, dirty_ = true;
  scroll_to_selection_ = true;
}

void ModulesPane::menu(PaneContext& context, ModuleId module) {
  if (!ImGui::BeginPopupContextItem("##menu")) return;
  const Module& m = program_->modules.modules[module];
  if (ImGui::MenuItem("Expand or fold in the graph")) context.push("view.toggle_module", module, "modules");
  if (ImGui::MenuItem("Show alone")) context.push("view.open_module", module, "modules");
  if (ImGui::MenuItem("Isolate with neighbours", nullptr, false, bool(m.parent))) context.push("view.isolate", module, "modules");
  context.probe.item("modules/menu/isolate", "Isolate with neighbours");
  if (ImGui::MenuItem("Break on enter", nullptr, false, !m.path.empty())) context.push("breakpoint.add", "module=" + m.path, "modules");
  if (ImGui::MenuItem("Break on exit", nullptr, false, !m.path.empty())) context.push("breakpoint.add", "exit=" + m.path, "modules");
  if (ImGui::MenuItem("Find its nodes", nullptr, false, !m.path.empty())) context.push("search.open", "mod:" + m.path, "modules");
  if (ImGui::MenuItem("Find the same type", nullptr, false, !m.type.empty())) filter_ = std::string(class_label(m.type)), dirty_ = true;
  if (ImGui::MenuItem("Find identical", nullptr, false, !m.path.empty())) filter_ = std::string(kLike) + m.path, dirty_ = true;
  context.probe.item("modules/menu/identical", "Find identical");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Modules of this type with the same operators, constants and modules inside and parameters of the same shapes");
  ImGui::Separator();
  if (ImGui::MenuItem("Copy path")) ImGui::SetClipboardText(m.path.c_str());
  if (ImGui::MenuItem("Copy type")) ImGui::SetClipboardText(std::string(m.type).c_str());
  ImGui::EndPopup();
}

void ModulesPane::row(PaneContext& context, const Row& row) {
  const Theme& theme = context.theme;
  const Module& module = program_->modules.modules[row.module];
  const Selection& selection = context.document->selection.current();
  // The module of a selected node is marked too, more quietly.
  const NodeRef node = selection.shown();
  const bool holds_node = !selection.module && node.node && node.graph == program_->root() && program_->node(node).module == row.module;
  ImGui::TableNextRow(0, theme.px(22));
  ImGui::TableSetColumnIndex(0);
  ImGui::PushID(int(row.module.index));
  const ImVec2 start = ImGui::GetCursorPos();
  if (ImGui::Selectable("##row", selection.module == row.module, ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick,
                        {0, theme.px(22) - 2 * ImGui::GetStyle().CellPadding.y})) {
    const float x = ImGui::GetIO().MousePos.x - ImGui::GetItemRectMin().x;
    const bool on_arrow = !row_has_cursor(context) && x < float(row.depth) * theme.px(14) + theme.px(18);
    if ((on_arrow || ImGui::IsMouseDoubleClicked(0)) && has_inside(row.module)) open_[row.module.index] ^= 1, dirty_ = true;
    if (!on_arrow) context.push("select.module", row.module, "modules");
  }
  offer_row(context, selection.module == row.module || holds_node);
  tab_stops::add_row();
  if (row_has_cursor(context) && has_inside(row.module))
    for (const bool open : {false, true})
      if (context.input.pressed(open ? Key::Right : Key::Left)) dirty_ |= std::exchange(open_[row.module.index], uint8_t(open)) != uint8_t(open);
  const std::string name = module.parent ? display_cut(module.name, 120) : "(root)";
  const std::string type = display(class_label(module.type));
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  if (ImGui::IsItemHovered() && (!module.type.empty() || columns_ < 3))
    ImGui::SetTooltip("%s\n%s%s", module.parent ? display_cut(module.path, 200).c_str() : "(root)", display(module.type).c_str(), hidden_numbers(row).c_str());
  if (menu_wanted_ && menu_of_row(context, selection.module == row.module)) {
    open_menu_below_item("##menu");
    menu_wanted_ = false;
  }
  menu(context, row.module);
  if (context.probe.on()) {
    // A row is more than the column that clips now.
    const ImVec2 window_min = ImGui::GetWindowPos(), window_size = ImGui::GetWindowSize();
    ImGui::PushClipRect({window_min.x, window_min.y + theme.px(22)}, {window_min.x + window_size.x, window_min.y + window_size.y}, false);
    context.probe.add("modules/", module.parent ? module.path : "(root)", low, high, name + "  " + type + "  " + std::to_string(module.node_count));
    ImGui::PopClipRect();
  }

  // With a filter only what leads to a match is open.
  if (filter_.empty() ? has_inside(row.module) : row.leads) {
    const float h = ImGui::GetTextLineHeight(), s = h * 0.22f;
    const ImVec2 c{low.x + float(row.depth) * theme.px(14) + theme.px(8), (low.y + high.y) / 2};
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool open = filter_.empty() ? open_[row.module.index] : row.leads;
    context.probe.add("modules/arrow/", module.parent ? module.path : "(root)", {c.x - s, c.y - s}, {c.x + s, c.y + s}, open ? "open" : "closed");
    if (open) list->AddTriangleFilled({c.x - s, c.y - s * 0.7f}, {c.x + s, c.y - s * 0.7f}, {c.x, c.y + s}, theme.color(Role::Text2));
    else list->AddTriangleFilled({c.x - s * 0.7f, c.y - s}, {c.x + s, c.y}, {c.x - s * 0.7f, c.y + s}, theme.color(Role::Text2));
  }
  name_cell(context, row, start, name, type, holds_node);
  number_cell(theme, 1, module.node_count);
  number_cell(theme, 2, parameters_[row.module.index]);
  ImGui::PopID();
}

void ModulesPane::name_cell(PaneContext& context, const Row& row, ImVec2 start, const std::string& name, const std::string& type, bool accent) {
  const Theme& theme = context.theme;
  ImGui::SetCursorPos({start.x + float(row.depth) * theme.px(14) + theme.px(18), start.y + theme.px(1)});
  const SizedFont font{ImGui::GetFont(), ImGui::GetFontSize()};
  const std::string shown_name = draw::elided(font, name, ImGui::GetContentRegionAvail().x);
  if (accent) ImGui::PushStyleColor(ImGuiCol_Text, theme.color(Role::Accent));
  ImGui::TextUnformatted(shown_name.c_str());
  if (accent) ImGui::PopStyleColor();
  ImGui::SameLine(0, theme.px(8));
  const std::string shown_type = draw::elided(font, type, ImGui::GetContentRegionAvail().x);
  ImGui::TextColored(theme.color4(Role::Text2), "%s", shown_type.c_str());
}

// What the columns would say that have no room.
std::string ModulesPane::hidden_numbers(const Row& row) const {
  std::string text;
  if (columns_ < 2) text += "\nOps " + with_commas(uint64_t(program_->modules.modules[row.module].node_count));
  if (columns_ < 3) text += "\nParams " + with_commas(uint64_t(parameters_[row.module.index]));
  return text;
}

void ModulesPane::number_cell(const Theme& theme, int column, uint64_t value) {
  if (column >= columns_) return;
  ImGui::TableSetColumnIndex(column);
  if (value) cell_text(theme, with_commas(value), 0, CellAlign::Right);
}

// In a narrow pane names keep their room: first the parameters go, then the operators.
int ModulesPane::columns_in(const Theme& theme, float width) const {
  const float cell = 2 * ImGui::GetStyle().CellPadding.x;
  const float left = width - theme.px(kNameWidth) - ImGui::GetStyle().ScrollbarSize - theme.px(kOpsWidth) - 2 * cell;
  return left < 0 ? 1 : left < theme.px(kParamsWidth) + cell ? 2 : 3;
}

// A sub-graph stands under the module of the operator that runs it, or under the sub-graph that this is in; a click goes to its first operator.
void ModulesPane::subgraph_row(PaneContext& context, const Row& row) {
  const Theme& theme = context.theme;
  const Graph& graph = program_->graphs[row.graph];
  const NodeRef shown = context.document->selection.current().shown();
  const bool inside = shown.node && shown.graph == row.graph;
  ImGui::TableNextRow(0, theme.px(22));
  ImGui::TableSetColumnIndex(0);
  ImGui::PushID("sub-graph");
  ImGui::PushID(int(row.graph.index));
  const ImVec2 start = ImGui::GetCursorPos();
  const bool clicked = ImGui::Selectable("##row", false, ImGuiSelectableFlags_SpanAllColumns, {0, theme.px(22) - 2 * ImGui::GetStyle().CellPadding.y});
  offer_row(context, inside);
  tab_stops::add_row();
  if (clicked && !graph.nodes().empty()) {
    const auto first = std::find_if(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) { return node.kind == NodeKind::CallFunction; });
    context.push("go.node", NodeRef{row.graph, NodeId(first == graph.nodes().end() ? 0 : size_t(first - graph.nodes().begin()))}, "modules");
  }
  const std::string name = display_cut(graph.name, 120), type = "sub-graph of " + display_cut(program_->node(runs(*program_, row.graph)).name, 60);
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("%s", type.c_str());
  context.probe.item("modules/subgraph/" + graph_path(*program_, row.graph), name + "  " + type);
  name_cell(context, row, start, name, type, inside);
  number_cell(theme, 1, operators_of(graph));
  ImGui::PopID();
  ImGui::PopID();
}

void ModulesPane::draw(PaneContext& context) {
  if (!context.document || !context.document->program()) {
    ImGui::TextDisabled("No program is open");
    return;
  }
  prepare(*context.document);
  const Theme& theme = context.theme;
  compat::push_font(theme.fonts.table);
  ImGui::SetNextItemWidth(-1);
  if (input_text("##filter", filter_, "Filter modules, like:PATH")) dirty_ = true;
  if (all_parameters_.tensors) {
    ImGui::PushTextWrapPos(0);
    ImGui::TextDisabled("%s", parameter_text(all_parameters_).c_str());
    ImGui::PopTextWrapPos();
    copied_probe(context, "modules/parameters", parameter_text(all_parameters_));
    if (ImGui::IsItemHovered()) ImGui::SetTooltip("Of the program; tied parameters' elements count once");
  }
  const SelectionHistory& selection = context.document->selection;
  if (seen_selection_ != selection.revision()) {
    seen_selection_ = selection.revision();
    const NodeRef node = selection.current().shown();
    if (selection.origin() != "modules") {
      if (selection.current().module) reveal(selection.current().module);
      else if (node.node && node.graph == program_->root() && program_->modules.modules.contains(program_->node(node).module)) reveal(program_->node(node).module);
    }
  }
  if (dirty_) arrange();
  if (rows_.size() <= 1 && filter_.empty()) ImGui::TextDisabled("The file has no module hierarchy");
  if (rows_.empty()) ImGui::TextDisabled("No module matches");
  columns_ = columns_in(theme, ImGui::GetContentRegionAvail().x);
  if (!rows_.empty() && begin_list(("##modules" + std::to_string(columns_)).c_str(), columns_, kTableLook | ImGuiTableFlags_ScrollY)) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableSetupColumn("Module", ImGuiTableColumnFlags_WidthStretch);
    if (columns_ > 1) ImGui::TableSetupColumn("Ops", ImGuiTableColumnFlags_WidthFixed, theme.px(kOpsWidth));
    if (columns_ > 2) ImGui::TableSetupColumn("Params", ImGuiTableColumnFlags_WidthFixed, theme.px(kParamsWidth));
    table_heads();
    context.probe.add("modules/columns", ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), std::to_string(columns_));
    const float row_height = theme.px(22);
    menu_wanted_ = menu_key(context);
    if (std::exchange(scroll_to_selection_, false)) {
      const NodeRef node = selection.current().shown();
      const ModuleId wanted = selection.current().module ? selection.current().module : node.node ? program_->node(node).module : ModuleId();
      auto it = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.module == wanted && !r.graph; });
      if (it != rows_.end()) {
        const float y = row_height * float(it - rows_.begin()), top = ImGui::GetScrollY(), view = ImGui::GetWindowHeight() - 2 * row_height;
        if (y < top || y > top + view) ImGui::SetScrollY(std::max(0.0f, y - view / 2));
      }
    }
    ImGuiListClipper clipper;
    clipper.Begin(int(rows_.size()), row_height);
    while (clipper.Step())
      for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) rows_[size_t(i)].graph ? subgraph_row(context, rows_[size_t(i)]) : row(context, rows_[size_t(i)]);
    ImGui::EndTable();
  }
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_modules_pane() { return std::make_unique<ModulesPane>(); }

}  // namespace pt2::views
