#pragma once
#include <cstddef>
#include <set>

#include "core/graph/program.h"

namespace pt2::interp {

// Placeholders (by index) whose memory the program may write to.
std::set<size_t> written_inputs(const Program& program);

}  // namespace pt2::interp
