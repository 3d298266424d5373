#include "views/shell/pane_registry.h"

#include "views/panes/compare_pane.h"
#include "views/panes/panes.h"

namespace pt2::views {

namespace {

constexpr PaneRow kRows[] = {
    {"graph", "Graph", Area::Centre, make_graph_pane},
    {"text", "Text", Area::Centre, make_text_pane},
    {"modules", "Modules", Area::Left, make_modules_pane},
    {"signature", "Signature", Area::Left, make_signature_pane},
    {"marks", "Marks", Area::Left, make_marks_pane, mark_count},
    {"node", "Node", Area::Right, make_node_pane},
    {"tensor", "Tensor", Area::Right, make_tensor_pane},
    {"source", "Source", Area::Right, make_source_pane},
    {"timeline", "Timeline", Area::Bottom, make_timeline_pane},
    {"watch", "Watch", Area::Bottom, make_watch_pane},
    {"breakpoints", "Breakpoints", Area::Bottom, make_breakpoints_pane, breakpoint_count},
    {"compare", "Compare", Area::Bottom, make_compare_pane},
    {"problems", "Problems", Area::Bottom, make_problems_pane, problem_count},
    {"log", "Log", Area::Bottom, make_log_pane},
};

}  // namespace

std::span<const PaneRow> pane_rows() { return kRows; }

}  // namespace pt2::views
