#pragma once
// What `ep.module()` makes of an opened program.
#include <memory>

#include "core/graph/unlift.h"
#include "core/load.h"

namespace pt2 {

// PyTorch adds the guards where the file holds sample inputs.
UnliftedProgram module_form(const OpenedFile& file, std::shared_ptr<const Program> program);

}  // namespace pt2
