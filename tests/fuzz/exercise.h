#pragma once
// Everything that can be asked of an opened program or archive without running it.
#include <memory>

#include "core/archive/archive.h"
#include "core/graph/program.h"

namespace pt2::test {

void exercise(const Program& program);
void exercise(const Archive& archive);  // its programs, too

}  // namespace pt2::test
