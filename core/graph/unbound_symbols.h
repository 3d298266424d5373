#pragma once
#include <string>
#include <vector>

#include "core/graph/program.h"

namespace pt2 {

// A symbol in a declared size that neither a range constraint nor an input declares: nothing can give it a value.
struct UnboundSymbol { std::string symbol, expression; NodeRef node; };  // node: the first value that uses it

std::vector<UnboundSymbol> unbound_symbols(const Program& program);

}  // namespace pt2
