#include "app/picture/report_page.h"

#include <algorithm>

#include "app/cli/problems.h"
#include "app/picture/comparison_page.h"
#include "core/base/text.h"
#include "interp/execution_plan.h"
#include "views/workspace/labels.h"
#include "views/workspace/problems.h"
#include "views/workspace/program_facts.h"

namespace pt2::app {

using namespace views;

namespace {

constexpr size_t kMostViews = 400;       // modules with a picture of their own
constexpr size_t kMostBoxes = 30'000;    // of all pictures: the page stays one that a browser opens at once

// ---- The pictures: the program as the window opens it, and the inside of each module.

class Pictures {
 public:
  Pictures(std::shared_ptr<const Program> program, const PictureStyle& style, LayoutEngine& engine, std::stop_token stop, const std::function<void(float, std::string)>& progress)
      : program_(std::move(program)), tree_(std::make_shared<const ScopeTree>(*program_)), style_(style), engine_(engine), stop_(std::move(stop)), progress_(progress) {}

  // A note on what was left out, where something was.
  Result<std::string> draw(const std::string& title, std::vector<PageView>& views) {
    if (auto done = add("", title, initial_view(*program_, *tree_), views); !done) return done.error();
    size_t left_out = 0, seen = 0;
    for (const Scope& scope : tree_->scopes()) {
      ++seen;
      if (scope.kind != ScopeKind::Module || scope.part != 1 || scope.graph != program_->root() || scope.items.size() < 2) continue;
      const std::string path(program_->modules.modules[scope.module].path);
      if (std::any_of(views.begin(), views.end(), [&](const PageView& view) { return view.module == path; })) continue;
      if (views.size() >= kMostViews || boxes_ >= kMostBoxes) {
        ++left_out;
        continue;
      }
      if (progress_) progress_(float(seen) / float(tree_->scopes().size()), path);
      GraphView view = initial_view(*program_, *tree_);
      view.root = scope.module;
      expand_levels(view, *tree_, 0);
      if (auto done = add(path, path, view, views); !done) return done.error();
    }
    return left_out == 0 ? std::string() : with_commas(uint64_t{left_out}) + " modules have no picture of their own here, to keep the page small; `pt2scope render --module PATH` draws them.";
  }

 private:
  Result<void> add(std::string module, std::string title, const GraphView& view, std::vector<PageView>& views) {
    GraphScene scene = make_scene(program_, tree_, view, measure_);
    Result<Layout> layout = engine_.layout(layout_request(scene, measure_), stop_);
    if (!layout) return layout.error();
    const auto painter = make_svg_painter({layout->bounds.w, layout->bounds.h}, 1, measure_);
    draw_picture(*painter, scene, *layout, style_, measure_);
    boxes_ += scene.boxes.size();
    views.push_back({std::move(module), std::move(title), std::move(scene), painter->finish()});
    return {};
  }

  std::shared_ptr<const Program> program_;
  std::shared_ptr<const ScopeTree> tree_;
  const PictureStyle& style_;
  LayoutEngine& engine_;
  std::stop_token stop_;
  const std::function<void(float, std::string)>& progress_;
  MeasureText measure_ = default_measure();
  size_t boxes_ = 0;
};

// ---- The tables.

PageSection summary(const ReportSubject& subject, const std::string& note) {
  const Program& program = *subject.program;
  PageSection section{"Summary", note, program_facts(subject.path, *subject.file, program), {"operator", "calls"}, {}};
  std::map<std::string, size_t> ops;
  for (const Graph& graph : program.graphs)
    for (const Node& node : graph.nodes())
      if (node.kind == NodeKind::CallFunction) ++ops[interp::shown_target(node)];
  std::vector<std::pair<std::string, size_t>> order(ops.begin(), ops.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (const auto& [op, calls] : order) section.rows.push_back({{op, with_commas(uint64_t{calls})}, ""});
  return section;
}

// Two sentences: messages are written without a full stop, advice with one.
std::string with_advice(const Finding& finding) { return finding.advice.empty() ? finding.message : finding.message + ". " + finding.advice; }

PageSection findings(const ReportSubject& subject) {
  const std::vector<Finding> all = verify_findings(*subject.file);
  PageSection section{"Findings " + std::to_string(all.size()), all.empty() ? "Nothing is wrong or odd by the rules of the Export IR." : "", {}, {"severity", "rule", "message", "where"}, {}};
  for (const Finding& finding : all) {
    if (section.rows.size() == kMostRows) break;
    const std::string node = finding.node.graph && subject.file->programs.size() == 1 ? qualified_name(*subject.program, finding.node) : "";
    section.rows.push_back({{views::severity_text(finding.severity), finding.rule, with_advice(finding), finding.where}, node});
  }
  return section;
}

}  // namespace

void ReportContent::compare_with(ReportSubject right, const interp::ComparisonView& view) {
  sections.push_back(comparison_section(view));
  other = ReportOther{std::move(right), comparison_marks(view, true), comparison_marks(view, false)};
}

Result<std::string> report_page(ReportContent content, LayoutEngine& engine, std::stop_token stop, const std::function<void(float, std::string)>& progress) {
  const ReportSubject& subject = content.subject;
  Page page;
  page.title = subject.title;
  page.node_facts = std::move(content.node_facts);
  const auto note = Pictures(subject.program, content.style, engine, stop, progress).draw(subject.title, page.views);
  if (!note) return note.error();
  if (content.other) {
    const ReportOther& other = *content.other;
    for (PageView& view : page.views) view.marks = other.left_marks;
    std::vector<PageView> views;
    const PictureStyle style{content.style.theme, {}, {}, {}};
    if (const auto drawn = Pictures(other.subject.program, style, engine, stop, progress).draw(other.subject.title, views); !drawn) return drawn.error();
    for (PageView& view : views) {
      view.other = true;
      view.marks = other.right_marks;
      page.views.push_back(std::move(view));
    }
  }
  page.sections = std::move(content.sections);
  page.sections.insert(page.sections.begin(), {summary(subject, *note), findings(subject)});
  if (stop.stop_requested()) return Error{ErrorKind::Stopped, "stopped", "", ""};
  return html_page(page, content.style);
}

}  // namespace pt2::app
