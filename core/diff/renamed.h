#pragma once
// Modules that have another name in the second program: all the weights, buffers and constants below them came and went.
#include <string>
#include <utility>
#include <vector>

#include "core/diff/diff.h"

namespace pt2::diff {

struct Renamed {
  using Places = std::vector<std::pair<size_t, size_t>>;
  std::string left, right;   // "encoder.layers", "encoder.blocks"; empty: the program itself
  Places inputs, outputs;    // in Signature::inputs and outputs of the two programs: one input or buffer under both names
};

// Targets that only one side has belong together when the rest of the name, kind and type are the same, and matched calls read them (or none does).
std::vector<Renamed> renamed_modules(const Program& left, const Program& right, const Diff& diff);

// "encoder.layers → encoder.blocks".
std::string names_text(const Renamed& module);
// "renamed: encoder.layers → encoder.blocks (12 parameters, 9 buffers)".
std::string renamed_text(const Program& left, const Renamed& module);

}  // namespace pt2::diff
