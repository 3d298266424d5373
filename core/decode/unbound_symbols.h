#pragma once
#include "core/decode/decode_context.h"

namespace pt2::decode {

// Symbols in sizes that neither a range constraint nor an input declares: nothing can give them a value.
void find_unbound_symbols(Context& context);

}  // namespace pt2::decode
