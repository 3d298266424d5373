#pragma once
// A comparison on a page: a table of what became what, and the marks of both graphs.
#include <map>
#include <string>

#include "app/picture/html_page.h"
#include "interp/compare_report.h"

namespace pt2::app {

// The verdict, the counts and the groups; what is the same is folded away at first.
PageSection comparison_section(const interp::ComparisonView& view);

// What a comparison says of the nodes of one side: "changed", "added", "removed", "differs" (its numbers); nothing for what is the same.
std::map<NodeRef, std::string> comparison_marks(const interp::ComparisonView& view, bool left);

}  // namespace pt2::app
