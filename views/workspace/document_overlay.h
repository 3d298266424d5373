#pragma once
// What a document's boxes show of its program and of the run at the time shown: for the graph pane, and for pictures of it.
#include <set>

#include "views/workspace/document.h"

namespace pt2::views {

// What its boxes are coloured by. The part of the scale that is shown is Document::overlay_range.
Overlay shown_overlay(const Document& document);
// Operators whose values hold NaN or Inf.
std::set<NodeRef> shown_nonfinite(const Document& document);

}  // namespace pt2::views
