#pragma once
// What was left on a node or module from outside the program: its bookmark and note, and its values from a table.
#include "views/shell/pane.h"

namespace pt2::views {

void draw_mark(PaneContext& context, const Selection& selection);
void draw_node_data(PaneContext& context, NodeRef node);

}  // namespace pt2::views
