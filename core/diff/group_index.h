#pragma once
// Which group each node is in. A region that is called more than once is in the file once per call, under one name; for PyTorch it is one module, and
// its nodes are in one group each.
#include "core/base/ids.h"
#include "core/diff/diff.h"

namespace pt2::diff {

// Of each graph: the first under its name.
IdVector<GraphId, GraphId> first_of_name(const Program& program);

// Fills `left_group` and `right_group`; nodes of repeated graphs are where those of the first are.
void index_groups(const Program& left, const Program& right, Diff& diff);

}  // namespace pt2::diff
