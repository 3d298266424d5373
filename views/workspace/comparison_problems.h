#pragma once
// The nodes that failed when both sides of a comparison ran, as problems of the two documents.
#include <vector>

#include "views/workspace/comparison.h"

namespace pt2::views {

// Lists them in both documents: a node that failed in its own, and in the other one with its counterpart. Null: those listed are gone.
void tell_failures(Workspace& workspace, const ComparisonResult* result);
// Those of one side that may be told: in lockstep only as far as both sides have got.
std::vector<NodeRef> told_failures(const Comparison& pair, bool left);
// Stands on a problem of the document. A node of the other side that has no counterpart here is gone to there.
void go_to_problem(Workspace& workspace, Document& document, size_t problem, std::string_view origin);

}  // namespace pt2::views
