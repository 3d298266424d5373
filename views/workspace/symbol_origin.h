#pragma once
// Where a symbol of sizes comes from.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph/program.h"

namespace pt2::views {

struct SymbolOrigin {
  NodeId node;                  // the input; none: no input has a size that is just the symbol
  std::string place;            // "x.shape[0]"
  std::optional<int64_t> hint;  // the value it had for the example inputs
};
// The first size of an input that is just the symbol.
SymbolOrigin symbol_origin(const Program& program, std::string_view symbol);

}  // namespace pt2::views
