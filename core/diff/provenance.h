#pragma once
// Provenance: the `from_node` entries that passes write lead from a node of the right program to nodes of the left one.
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diff/operators.h"

namespace pt2::diff {

// Per right operator the left operators it came from, most direct first; empty where from_node says nothing about this left program.
std::vector<std::vector<int32_t>> origins(const Program& left_program, const GraphOperators& left, const Program& right_program,
                                          const GraphOperators& right);

}  // namespace pt2::diff
