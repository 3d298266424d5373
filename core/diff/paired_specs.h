#pragma once
// Which inputs and outputs of two programs are the same ones to a caller.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace pt2::diff {

struct SpecPair {
  std::string title;                  // "user input 0", "parameter conv.weight"; where the places are not the same "user output 0 → 1"
  std::optional<size_t> left, right;  // in Signature::inputs or outputs
};

// Those of the left program in their order, then those that only the right one has. User inputs and what is returned go by their paths in the
// arguments and results (values of dicts by their keys, in whatever order); where the other side has no such path, by position. What is written
// to a user input goes by that input, all others by kind and target; several of one name belong together in their order.
std::vector<SpecPair> paired_inputs(const Program& left, const Program& right);
std::vector<SpecPair> paired_outputs(const Program& left, const Program& right);

// Mutations that one side returns and the other makes in place, as programs do before they are made functional: to callers the same. By index
// in what paired_outputs gave, the placeholder written to in place.
std::map<size_t, NodeId> made_in_place(const Program& left, const Program& right, const std::vector<SpecPair>& outputs);

}  // namespace pt2::diff
