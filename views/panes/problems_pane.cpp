// Findings about the file and its programs, and later of runs: what is wrong, where, what to do. In one list, or by severity or rule.
#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <utility>

#include "core/base/display.h"
#include "core/base/text.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/row_cursor.h"
#include "views/widgets/section.h"
#include "views/widgets/text_table.h"
#include "views/workspace/labels.h"
#include "views/workspace/problems.h"

namespace pt2::views {
namespace {

enum class Grouping : uint8_t { None, Severity, Rule };
constexpr std::array<const char*, 3> kGroupings = {"One list", "By severity", "By rule"};

const std::vector<TextTable::Column>& columns() {
  static const std::vector<TextTable::Column> all = {{"Severity", 64}, {"Rule", 180, false, true}, {"Message", 520}, {"Node", 120}, {"Where", 320}, {"What to do", 400}};
  return all;
}

class ProblemsPane : public Pane {
 public:
  void draw(PaneContext& context) override;
  StringMap save() const override { return {{"grouping", std::to_string(int(grouping_))}}; }
  void restore(const StringMap& saved) override;

 private:
  // A list of its own; ungrouped there is one, without a name.
  struct Group {
    std::string name;
    std::vector<size_t> problems;
    TextTable table;
  };
  void arrange(const Document& document);
  void bar(PaneContext& context);
  void list(PaneContext& context, Group& group, float height);
  void groups(PaneContext& context, bool reveal);

  Grouping grouping_ = Grouping::None, arranged_ = Grouping::None;
  std::vector<Group> groups_;
  TextTable filter_;  // has the filter of all
  std::shared_ptr<const Program> program_;
  DocumentId shown_;
  std::vector<Finding> listed_;
  std::optional<size_t> walked_;
  uint64_t revision_ = 0;
};

void ProblemsPane::restore(const StringMap& saved) {
  const auto it = saved.find("grouping");
  if (it != saved.end() && it->second.size() == 1 && it->second[0] >= '0' && it->second[0] < char('0' + kGroupings.size())) grouping_ = Grouping(it->second[0] - '0');
}

void ProblemsPane::arrange(const Document& document) {
  const auto& problems = document.problems;
  const auto same = [](const Finding& a, const Finding& b) { return a.rule == b.rule && a.node == b.node && a.message == b.message; };
  const bool same_list = std::equal(problems.begin(), problems.end(), listed_.begin(), listed_.end(), same);  // there may be others, as many as before
  if (program_ == document.shared_program() && shown_ == document.id && same_list && arranged_ == grouping_ && !groups_.empty()) return;
  program_ = document.shared_program();
  shown_ = document.id;
  listed_ = problems;
  arranged_ = grouping_;
  ++revision_;
  groups_.clear();
  std::vector<size_t> order(problems.size());
  std::iota(order.begin(), order.end(), size_t{0});
  if (grouping_ == Grouping::Severity) std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return problems[a].severity < problems[b].severity; });
  for (const size_t i : order) {
    const std::string name = grouping_ == Grouping::None ? std::string() : grouping_ == Grouping::Rule ? problems[i].rule : severity_text(problems[i].severity);
    auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.name == name; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{name, {}, {}});
    group->problems.push_back(i);
  }
}

void ProblemsPane::bar(PaneContext& context) {
  ImGui::SetNextItemWidth(context.theme.px(110));
  const bool open = ImGui::BeginCombo("##grouping", kGroupings[size_t(grouping_)]);
  context.probe.item("problems/grouping", kGroupings[size_t(grouping_)]);
  if (open) {
    for (size_t i = 0; i < kGroupings.size(); ++i) {
      if (ImGui::Selectable(kGroupings[i], Grouping(i) == grouping_)) grouping_ = Grouping(i);
      context.probe.item("problems/grouping/" + std::to_string(i), kGroupings[i]);
    }
    ImGui::EndCombo();
  }
  ImGui::SameLine();
  if (ImGui::Button("Explain")) context.push("problem.explain", {}, "problems");
  context.probe.item("problems/explain", "Explain");
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("What the rule of the marked problem means");
  ImGui::SameLine();
  if (ImGui::Button("Copy all ▾")) ImGui::OpenPopup("##copy all");
  context.probe.item("problems/copy", "Copy all");
  if (ImGui::BeginPopup("##copy all")) {
    for (const auto& [title, form] : {std::pair{"As text", "text"}, {"As JSON", "json"}}) {
      if (ImGui::MenuItem(title)) context.push("problem.copy", std::string(form), "problems");
      context.probe.item(std::string("problems/copy/") + form, title);
    }
    ImGui::EndPopup();
  }
  ImGui::SameLine();
  filter_.filter_box(context, "Filter problems");
}

void ProblemsPane::list(PaneContext& context, Group& group, float height) {
  const Document& document = *context.document;
  const auto& problems = document.problems;
  const std::vector<size_t>& which = group.problems;
  const std::optional<size_t> current = current_problem(document);
  TextTable::Rows rows;
  rows.count = which.size();
  rows.revision = revision_;
  rows.text = [&](size_t row, int column) -> std::string {
    const Finding& f = problems[which[row]];
    switch (column) {
      case 0: return severity_text(f.severity);
      case 1: return f.rule;
      case 2: return display(f.message);
      case 3: return f.node.node && document.program() ? display(node_path(*document.program(), f.node)) : "";
      case 4: return display(f.where);
      default: return display(f.advice);
    }
  };
  rows.selected = [&](size_t row) { return which[row] == current; };
  rows.probe = [&](size_t row) { return "problems/row/" + std::to_string(which[row]); };
  rows.color = [&](size_t row, int column) -> ImU32 {
    const Severity severity = problems[which[row]].severity;
    if (column != 0 || severity == Severity::Note) return 0;
    return context.theme.color(severity == Severity::Error ? Role::Breakpoint : Role::Warning);
  };
  rows.menu = [&](size_t row) {
    if (ImGui::MenuItem("Explain")) context.push("problem.explain", std::to_string(which[row]), "problems");
    context.probe.item("problems/menu/explain", "Explain");
  };
  group.table.filter = filter_.filter;
  const auto events = group.table.draw(context, "##problems", columns(), rows, height);
  if (events.clicked != TextTable::Events::kNone) context.push("problem.go", std::to_string(which[events.clicked]), "problems");
}

void ProblemsPane::groups(PaneContext& context, bool reveal) {
  const std::optional<size_t> current = current_problem(*context.document);
  compat::begin_child("##groups", ImVec2(0, 0));
  for (Group& group : groups_) {
    const bool wanted = reveal && current && std::find(group.problems.begin(), group.problems.end(), *current) != group.problems.end();
    if (wanted) ImGui::SetNextItemOpen(true);
    const bool open = section_header(context.theme, (group.name + "  " + with_commas(uint64_t(group.problems.size())) + "###" + group.name).c_str());
    offer_row(context, false);
    context.probe.item("problems/group/" + group.name, with_commas(uint64_t(group.problems.size())));
    if (wanted) ImGui::SetScrollHereY(0);
    if (!open) continue;
    ImGui::PushID(group.name.c_str());
    list(context, group, 0);
    ImGui::PopID();
  }
  ImGui::EndChild();
}

void ProblemsPane::draw(PaneContext& context) {
  const Document* document = context.document;
  if (!document || document->problems.empty()) {
    ImGui::TextDisabled(document ? "No problems" : "No file is open");
    return;
  }
  compat::push_font(context.theme.fonts.table);
  bar(context);
  arrange(*document);
  const bool reveal = std::exchange(walked_, document->problem) != document->problem;
  if (grouping_ != Grouping::None) {
    groups(context, reveal);
  } else {
    if (reveal) groups_.front().table.reveal_selected();
    list(context, groups_.front(), -1);
  }
  ImGui::PopFont();
}

}  // namespace

std::unique_ptr<Pane> make_problems_pane() { return std::make_unique<ProblemsPane>(); }

int problem_count(const Workspace& workspace) {
  const Document* document = workspace.active();
  if (!document) return 0;
  return int(std::count_if(document->problems.begin(), document->problems.end(), [](const Finding& f) { return f.severity != Severity::Note; }));
}

}  // namespace pt2::views
