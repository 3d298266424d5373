#pragma once
// Which inputs and outputs of two programs are the same ones to a caller.
#include <optional>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "core/graph/tree_spec.h"

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

// What goes back to the caller.
bool is_returned(const OutputSpec& spec);

// How the program as a whole is called; null: the file does not say it.
const ModuleCall* root_call(const Program& program);
// Positional and keyword arguments. PyTorch 2.1 wrote the positional ones alone where there are no others.
bool has_keyword_arguments(const TreeSpec& in_spec);

}  // namespace pt2::diff
