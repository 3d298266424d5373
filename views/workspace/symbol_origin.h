#pragma once
// Where a symbol of sizes comes from.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/program.h"

namespace pt2::views {

struct SymbolOrigin {
  NodeId node;                  // the input, or the operator that makes it; none: nothing of the program's own graph has it
  std::string place;            // "x.shape[0]"; "wave.shape[2] = 4*s63" where no size is the symbol by itself
  std::string expression;       // of the size there
  std::optional<int64_t> hint;  // the value it had for the example inputs
};
// The first size of an input that is just the symbol, else the first size of a value that is worked out from it.
SymbolOrigin symbol_origin(const Program& program, std::string_view symbol);

}  // namespace pt2::views
