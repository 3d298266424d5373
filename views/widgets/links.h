#pragma once
// Texts with names that can be followed: a click selects what the name stands for.
#include <string>
#include <string_view>
#include <vector>

#include "views/shell/pane.h"
#include "views/workspace/labels.h"

namespace pt2::views {

// A word in the colour of links; underlined under the pointer. True when clicked.
bool link(const PaneContext& context, std::string_view text);
// The pieces of an argument, wrapped at the right border, where what has no room in a line is cut with "…"; a clicked name is selected.
// `origin` is the pane. Returns the rectangle of the first name, empty where there is none.
Rect draw_pieces(PaneContext& context, GraphId graph, const std::vector<LabelPiece>& pieces, std::string_view origin, bool greyed = false);

}  // namespace pt2::views
