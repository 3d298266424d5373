#pragma once
#include <string>
#include <string_view>

#include "core/base/text.h"

namespace pt2::app {

// "1 node", "1,024 nodes".
inline std::string counted(uint64_t n, std::string_view thing) { return with_commas(n) + " " + std::string(thing) + (n == 1 ? "" : "s"); }

}  // namespace pt2::app
