#pragma once
// Which way matching leads. Provenance leads one way only, and pairing one with several is not the same from both ends; so the earlier program is
// found first, and where it is the right one the programs are matched the other way round and the result is turned.
#include "core/diff/diff.h"

namespace pt2::diff {

// Whether `right` is the earlier program: what has more operators left to decompose; else what the other names as its origin; else the smaller one;
// else whichever comes first by its content. The answer for (right, left) is the opposite, but for programs with the same content.
bool matched_from_right(const Program& left, const Program& right, bool use_provenance);

// 1:1, 1:n … by the calls of both sides and what was found to differ.
GroupKind kind_of(const NodeGroup& group, const Program& left, const Program& right);

DiffOptions turned(const DiffOptions& options);
// What diff_programs(left, right) would say, from a diff of (right, left).
Diff turned(Diff diff, const Program& left, const Program& right);

}  // namespace pt2::diff
