#pragma once
// Which modules of a program are the same layer again.
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

// The modules of one type with the same operators and the same modules inside, in the same order; the module itself is among them.
std::vector<ModuleId> identical_modules(const Program& program, ModuleId module);

}  // namespace pt2::views
