#pragma once
// What goes into a picture or a report that the window saves, as values and immutable data that a job can take along.
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "core/layout/layout_engine.h"
#include "interp/execution_trace.h"
#include "views/workspace/comparison.h"

namespace pt2::views {

inline constexpr std::string_view kFromPathDialog = "path dialog";  // the origin of a command whose path was chosen there

// What the graph pane shows of a document.
struct PictureRequest {
  std::string title;
  ThemeName theme = ThemeName::Dark;
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ScopeTree> scopes;
  std::shared_ptr<const UnliftedForm> form;  // shown in place of the program; null: the program itself
  GraphView view;
  Overlay overlay;
  std::optional<std::pair<double, double>> overlay_range;
  std::set<NodeRef> nonfinite;
  std::shared_ptr<LayoutEngine> engine;
  std::shared_ptr<const ComparisonResult> comparison;  // null: it is not compared
  bool left = false;                                   // of the comparison
};
PictureRequest picture_request(const Workspace& workspace, const Document& document);

// A run as it was recorded.
struct RecordedRun {
  size_t executed = 0, total = 0;  // operators of the root graph
  std::string stop_reason;
  std::shared_ptr<const interp::ExecutionTrace> trace;
  std::map<interp::TraceRef, interp::ValueDifference> differences;  // where a value differs from the reference
};

struct ReportRequest {
  std::string path, title;
  ThemeName theme = ThemeName::Dark;
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
  std::optional<RecordedRun> run;
  std::shared_ptr<const ComparisonResult> comparison;  // null: of one program alone
  std::string other_title;                             // of the program it is compared with
  std::shared_ptr<LayoutEngine> engine;
};
// Of the document; where it is compared, of the comparison, whose left program the report is about.
ReportRequest report_request(const Workspace& workspace, const Document& document);

}  // namespace pt2::views
