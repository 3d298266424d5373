#pragma once
#include <cstddef>
#include <set>
#include <string>

#include "core/graph/program.h"

namespace pt2::interp {

// What the program may write to of what it is given: inputs, and tensors that it names.
struct WrittenInputs {
  std::set<size_t> inputs;           // placeholders, by index
  std::set<std::string> attributes;  // tensors that get_attr names
};
WrittenInputs written_inputs(const Program& program);

}  // namespace pt2::interp
