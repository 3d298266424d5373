#pragma once
// Modules that have another name in the second program: which of the names that matching took for one (renamed_paths.h) proved to be one, and
// how that is told.
#include <string>

#include "core/diff/diff.h"
#include "core/diff/renamed_paths.h"

namespace pt2::diff {

// Sets diff.renamed once the groups are known. An input under two names is one where kind and type are the same, and matched calls read it (or none does).
void find_renamed_modules(const RenamedPaths& paths, const Program& left, const Program& right, Diff& diff);

// "encoder.layers → encoder.blocks".
std::string names_text(const RenamedModule& module);
// "renamed: encoder.layers → encoder.blocks (12 parameters, 9 buffers)".
std::string renamed_text(const Program& left, const RenamedModule& module);

}  // namespace pt2::diff
