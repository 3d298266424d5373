#pragma once
// What of a document stands in the centre: what was chosen for it, but the graph while everything else is hidden.
#include "views/workspace/workspace.h"

namespace pt2::views {

inline CentreView shown_view(const Workspace& workspace, const Document& document) { return workspace.ui.graph_only ? CentreView::Graph : document.view; }

}  // namespace pt2::views
