#pragma once
// What callers of two programs see of them: which values are returned where, how inputs and outputs are nested, and which sizes are allowed.
#include <string>
#include <vector>

#include "core/diff/diff.h"

namespace pt2::diff {

// Whether one output holds two values that are no counterparts. Values are told apart by the groups they belong to, since passes rename them;
// calls without a counterpart that just hand a value on are looked through.
bool returns_other(const Program& left, const Argument& l, const Program& right, const Argument& r, const Diff& diff);

// The name of a returned value, or the constant.
std::string returned_text(const Program& program, GraphId graph, const Argument& value);

// What sub-graphs return, {"output 0 of body_graph_0", "sin", "cos"}; how inputs and outputs are nested, {"output structure", "{'a': *}", "{'b': *}"};
// and the ranges of symbols, matched by the sizes they stand for: {"range of s77", "2 to 64", "2 to 8"}.
std::vector<ValueChange> interface_changes(const Program& left, const Program& right, const Diff& diff);

}  // namespace pt2::diff
