#pragma once
// What the window saves of a program: the graph as the pane shows it, and the report. For jobs: nothing here belongs to the UI thread.
#include <string>

#include "core/base/jobs.h"
#include "core/base/result.h"

namespace pt2::views {
struct PictureRequest;
struct ReportRequest;
}

namespace pt2::app {

// Each writes the whole file or, when it fails or is stopped, nothing.
Result<void> save_picture(const views::PictureRequest& request, const std::string& path, Job& job);
// A page goes under no other name, not over a program by mistake.
Result<void> check_report_name(const std::string& path);
Result<void> save_report(const views::ReportRequest& request, const std::string& path, Job& job);

}  // namespace pt2::app
