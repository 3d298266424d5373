#pragma once
// Modules and weights that have another name in the other program, told by the names below them: "blocks.0.attn.qkv.weight" on one side and
// "layers.0.attn.qkv.weight" on the other, both only there.
#include <map>
#include <string>
#include <unordered_map>

#include "core/diff/operators.h"

namespace pt2::diff {

using RenamedPaths = std::map<std::string, std::string, std::less<>>;  // right → left

RenamedPaths renamed_paths(const Program& left, const Program& right);

// The right operators for matching, as if modules and weights had their names in the left program. Keys: what the inputs of both are known by.
GraphOperators with_left_names(const RenamedPaths& renamed, const Program& left, const std::unordered_map<NodeId, int32_t>& left_keys, const Program& right,
                               const std::unordered_map<NodeId, int32_t>& right_keys, const GraphOperators& ops, TextNumbers& texts);

}  // namespace pt2::diff
