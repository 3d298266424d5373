// Findings about the file and its programs, and later of runs: what is wrong, where, what to do.
#include <algorithm>
#include <optional>

#include "core/base/display.h"
#include "views/compat.h"
#include "views/panes/panes.h"
#include "views/widgets/text_table.h"
#include "views/workspace/problems.h"
#include "views/workspace/labels.h"

namespace pt2::views {
namespace {

const char* severity_text(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return "";
}

class ProblemsPane : public Pane {
 public:
  void draw(PaneContext& context) override {
    const Document* document = context.document;
    if (!document || document->problems.empty()) {
      ImGui::TextDisabled(document ? "No problems" : "No file is open");
      return;
    }
    if (shown_ != document->id || count_ != document->problems.size()) {
      shown_ = document->id;
      count_ = document->problems.size();
      ++revision_;
    }
    const auto& problems = document->problems;
    compat::push_font(context.theme.fonts.table);
    table_.filter_box(context, "Filter problems");
    static const std::vector<TextTable::Column> columns = {{"Severity", 64}, {"Rule", 180, false, true}, {"Message", 520}, {"Node", 120}, {"Where", 320}, {"What to do", 400}};
    TextTable::Rows rows;
    rows.count = problems.size();
    rows.revision = revision_;
    rows.text = [&](size_t row, int column) -> std::string {
      const Finding& f = problems[row];
      switch (column) {
        case 0: return severity_text(f.severity);
        case 1: return f.rule;
        case 2: return display(f.message);
        case 3: return f.node.node && document->program() ? display(node_path(*document->program(), f.node)) : "";
        case 4: return display(f.where);
        default: return display(f.advice);
      }
    };
    const std::optional<size_t> current = current_problem(*document);
    rows.selected = [&](size_t row) { return row == current; };
    if (walked_ != document->problem) {
      walked_ = document->problem;
      table_.reveal_selected();
    }
    rows.probe = [](size_t row) { return "problems/row/" + std::to_string(row); };
    rows.color = [&](size_t row, int column) -> ImU32 {
      if (column != 0) return 0;
      return problems[row].severity == Severity::Error ? context.theme.color(Role::Breakpoint) : problems[row].severity == Severity::Warning ? context.theme.color(Role::Warning) : 0;
    };
    const auto events = table_.draw(context, "##problems", columns, rows);
    if (events.clicked != TextTable::Events::kNone) context.push("problem.go", std::to_string(events.clicked), "problems");
    ImGui::PopFont();
  }

 private:
  TextTable table_;
  DocumentId shown_;
  size_t count_ = 0;
  std::optional<size_t> walked_;
  uint64_t revision_ = 0;
};

}  // namespace

std::unique_ptr<Pane> make_problems_pane() { return std::make_unique<ProblemsPane>(); }

int problem_count(const Workspace& workspace) {
  const Document* document = workspace.active();
  if (!document) return 0;
  return int(std::count_if(document->problems.begin(), document->problems.end(), [](const Finding& f) { return f.severity != Severity::Note; }));
}

}  // namespace pt2::views
