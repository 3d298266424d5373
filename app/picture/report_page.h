#pragma once
// A report: one self-contained HTML page about a program, to attach to an issue.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/picture/html_page.h"
#include "core/layout/layout_engine.h"
#include "core/load.h"
#include "interp/compare_report.h"

namespace pt2::app {

struct ReportSubject {
  std::string path, title;
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
};

// The second program of a comparison, and the boxes it marks on both sides.
struct ReportOther {
  ReportSubject subject;
  std::map<NodeRef, std::string> left_marks, right_marks;
};

struct ReportContent {
  ReportSubject subject;
  PictureStyle style;                 // with the nodes a run found NaN or Inf in
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> node_facts;  // as Page has them
  std::vector<PageSection> sections;  // what follows the summary and the findings
  std::optional<ReportOther> other = {};

  // Adds the section and the pictures of a comparison with `right`.
  void compare_with(ReportSubject right, const interp::ComparisonView& view);
};

// `progress`: how much is drawn, and what is drawn now. Fails when stopped or when nothing can be laid out.
Result<std::string> report_page(ReportContent content, LayoutEngine& engine, std::stop_token stop = {}, const std::function<void(float, std::string)>& progress = {});

}  // namespace pt2::app
