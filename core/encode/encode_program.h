#pragma once
// Program → the JSON of one exported program, in the schema that current PyTorch reads (8.20). The inverse of decode_program: what is
// decoded again is the same program, whatever release the first text came from.
#include <string>

#include "core/base/result.h"
#include "core/graph/program.h"

namespace pt2 {

// Fails where the program holds what has no form in the schema: arguments of unknown kinds, constants without a placeholder.
Result<std::string> encode_program(const Program& program);

}  // namespace pt2
