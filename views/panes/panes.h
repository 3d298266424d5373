#pragma once
// Makers of all panes, for the rows of pane_registry.cpp.
#include <memory>

#include "views/shell/pane.h"

namespace pt2::views {

std::unique_ptr<Pane> make_graph_pane();
std::unique_ptr<Pane> make_text_pane();
std::unique_ptr<Pane> make_modules_pane();
std::unique_ptr<Pane> make_signature_pane();
std::unique_ptr<Pane> make_node_pane();
std::unique_ptr<Pane> make_source_pane();
std::unique_ptr<Pane> make_tensor_pane();
std::unique_ptr<Pane> make_problems_pane();
std::unique_ptr<Pane> make_log_pane();
std::unique_ptr<Pane> make_marks_pane();
std::unique_ptr<Pane> make_timeline_pane();
std::unique_ptr<Pane> make_watch_pane();
std::unique_ptr<Pane> make_breakpoints_pane();

int mark_count(const Workspace& workspace);
int breakpoint_count(const Workspace& workspace);
int problem_count(const Workspace& workspace);

}  // namespace pt2::views
