#include "app/picture/saved_page.h"

#include "app/picture/comparison_page.h"
#include "app/picture/picture_file.h"
#include "app/picture/report_page.h"
#include "app/picture/run_table.h"
#include "core/base/file_writer.h"
#include "core/base/text.h"
#include "views/workspace/graph_picture.h"
#include "views/workspace/labels.h"
#include "views/workspace/save_requests.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::app {

using namespace views;

namespace {

Error stopped() { return {ErrorKind::Stopped, "stopped", "", ""}; }

Result<void> write_unless_stopped(const std::string& path, const Result<std::string>& bytes, Job& job) {
  if (!bytes) return bytes.error();
  if (job.stopped()) return stopped();
  job.progress(-1, "writing");
  return write_file(path, *bytes);
}

PageSection run_section(RunTable table, const RecordedRun& run) {
  std::vector<std::pair<std::string, std::string>> facts;
  if (run.executed < run.total && !run.stop_reason.empty()) facts.emplace_back("stopped", run.stop_reason);
  return std::move(table).section("Ran " + with_commas(uint64_t{run.executed}) + " of " + with_commas(uint64_t{run.total}) + " operators in " + duration_label(run.trace->total_us()) + ".", std::move(facts));
}

Result<void> add_run(const RecordedRun& run, const Program& program, ReportContent& content, Job& job) {
  RunTable table(program);
  const auto& steps = run.trace->steps();
  for (size_t i = 0; i < steps.size() && !table.full(); ++i) {
    if (job.stopped()) return stopped();
    if (i % 64 == 0) job.progress(float(i) / float(steps.size()), "the run");
    const interp::FrameTrace& frame = run.trace->frames()[steps[i].at.frame];
    const NodeRef node{frame.graph, steps[i].at.node};
    table.add(frame.path, node, steps[i].run, run.trace->value(steps[i].at));
    if (const auto it = run.differences.find(steps[i].at); it != run.differences.end()) table.add_difference(qualified_name(program, node), it->second);
  }
  content.style.nonfinite = std::move(table.nonfinite);
  content.node_facts = std::move(table.node_facts);
  content.sections.push_back(run_section(std::move(table), run));
  return {};
}

interp::ComparisonView view_of(const ComparisonResult& compared, const std::string& left, const std::string& right) {
  return {*compared.left, *compared.right, left, right, *compared.diff, compared.numbers(), compared.weights.get(), std::nullopt};
}

// What the comparison says of the nodes that are shown.
std::map<NodeRef, std::string> shown_marks(const PictureRequest& request) {
  if (!request.comparison || (request.left ? request.comparison->left : request.comparison->right) != request.program) return {};  // of what the file held before
  std::map<NodeRef, std::string> shown;
  for (const auto& [node, mark] : comparison_marks(view_of(*request.comparison, {}, {}), request.left))
    if (const NodeRef here = request.form ? request.form->here(node) : node; here.node) shown.emplace(here, mark);
  return shown;
}

}  // namespace

Result<void> save_picture(const PictureRequest& request, const std::string& path, Job& job) {
  const auto format = picture_format_of(path);
  if (!format) return format.error();
  job.progress(-1, "laying out");
  const auto picture = make_picture(request.program, request.scopes, request.view, *request.engine, size_t(-1), job.stop(), request.form);
  if (!picture) return picture.error();
  if (job.stopped()) return stopped();
  job.progress(-1, "drawing");
  PictureStyle style{request.theme, {}, {}, request.nonfinite, shown_marks(request)};
  color_by(style, request.overlay, (*picture)->scene);
  style.overlay.set_range(request.overlay_range);
  return write_unless_stopped(path, picture_bytes(*format, request.title, (*picture)->scene, (*picture)->layout, style), job);
}

Result<void> check_report_name(const std::string& path) {
  if (path.ends_with(".html") || path.ends_with(".htm")) return {};
  return Error{ErrorKind::Failed, "a report is an HTML page", "", "Use a name that ends in .html."};
}

Result<void> save_report(const ReportRequest& request, const std::string& path, Job& job) {
  if (auto named = check_report_name(path); !named) return named;
  ReportContent content{{request.path, request.title, request.file, request.program}, {request.theme, {}, {}, {}}, {}, {}};
  if (request.run)
    if (auto done = add_run(*request.run, *request.program, content, job); !done) return done;
  if (const ComparisonResult* compared = request.comparison.get())
    content.compare_with({"", request.other_title, compared->right_file, compared->right},
                         view_of(*compared, request.title, request.other_title));
  const auto progress = [&job](float part, const std::string& what) { job.progress(part, what); };
  return write_unless_stopped(path, report_page(std::move(content), *request.engine, job.stop(), progress), job);
}

}  // namespace pt2::app
