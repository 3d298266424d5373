#pragma once
#include "views/shell/pane.h"

namespace pt2::views {

// In a comparison: what is declared about a node and about its counterpart, in two columns; rows that differ are marked. Nothing where the
// node has no counterpart, or nothing is compared.
void draw_node_comparison(PaneContext& context, NodeRef node);

}  // namespace pt2::views
