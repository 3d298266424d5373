#pragma once
// Comparing against the direction of time: the left program is the one that came from the right. Passes write where nodes come from, so
// provenance leads one way only; the programs are then matched the other way round and the result is turned.
#include "core/diff/diff.h"

namespace pt2::diff {

// Whether nearly all operators of `left` name operators of `right` as their origin, and few the other way round.
bool came_from_right(const Program& left, const Program& right);

DiffOptions turned(const DiffOptions& options);
// What diff_programs(left, right) would say, from a diff of (right, left).
Diff turned(Diff diff, const Program& left, const Program& right);

}  // namespace pt2::diff
