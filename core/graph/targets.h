#pragma once
// The names that parameters, buffers and constants have in the model, "head.weight", beside those of their placeholders, "p_head_weight".
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2 {

// Of each placeholder of the program's own graph; empty: it has none.
std::vector<std::string_view> placeholder_targets(const Program& program);
// The placeholder of what is called `target` in the model; none: nothing is.
NodeRef find_target(const Program& program, std::string_view target);

}  // namespace pt2
