#pragma once
// The guards of a program held against the values of its inputs: what `_guards_fn` of an exported module asserts before it runs.
#include <span>
#include <string>
#include <vector>

#include "core/graph/program.h"
#include "interp/program_inputs.h"

namespace pt2::interp {

struct GuardFindings {
  std::vector<std::string> failed;     // "Guard failed: y.size()[0] == x.size()[0] (y.size()[0] = 9, x.size()[0] = 8)", in PyTorch's order
  std::vector<std::string> unchecked;  // conditions this reader does not know
};

// `inputs`: one per placeholder of the root graph. A guard of an input without a value counts as held.
GuardFindings check_guards(const Program& program, std::span<const ProgramInput> inputs);

}  // namespace pt2::interp
