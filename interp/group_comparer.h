#pragma once
// The numbers of matched groups: which values stand for a group, how far apart they are, and what is known about where that comes from.
#include <set>

#include "interp/compare_runs.h"
#include "interp/value_keeper.h"

namespace pt2::interp {

// What these nodes read of others.
std::vector<NodeRef> operands_of(const Program& program, const std::vector<NodeRef>& nodes);
// Whether both sides are known to read the same values in the same order: several calls may read theirs in any, so that only one operand tells.
bool operands_in_order(const Program& left, const Program& right, const Diff& diff, const std::vector<GroupNumbers>& groups, size_t group);
// Of which kinds the differences of a group's operands are. From either side: one may read what the other does not.
std::set<Cause> causes_of_operands(const Program& left, const Program& right, const Diff& diff, const std::vector<GroupNumbers>& groups, size_t group);

std::vector<GroupNumbers> compare_groups(const Program& left, const Program& right, const Diff& diff, ValueKeeper& lvalues, ValueKeeper& rvalues, const Tolerance& tolerance);

}  // namespace pt2::interp
