#pragma once
// The numbers of matched groups: which values stand for a group, how far apart they are, and what is known about where that comes from.
#include "interp/compare_runs.h"
#include "interp/value_keeper.h"

namespace pt2::interp {

// What these nodes read of others.
std::vector<NodeRef> operands_of(const Program& program, const std::vector<NodeRef>& nodes);

std::vector<GroupNumbers> compare_groups(const Program& left, const Program& right, const Diff& diff, ValueKeeper& lvalues, ValueKeeper& rvalues, const Tolerance& tolerance);

}  // namespace pt2::interp
