#pragma once
// The sample inputs of a program, taken apart as torch.utils._pytree does it: one value for each user input, in their order.
#include <string>
#include <vector>

#include "core/archive/archive.h"
#include "core/graph/program.h"

namespace pt2 {

struct SampleLeaves {
  std::vector<const PickleValue*> values;  // parts of the sample; empty where its structure is not the program's
  // Classes of the exporting program (namedtuples, dataclasses) that the program's pytree knows: their fields are read as data.
  std::vector<std::string> classes;
};
SampleLeaves sample_leaves(const PickleValue& sample, const Program& program);

// The archive's findings. That an object was not constructed is a note where the pytree of a program says what it holds.
std::vector<Finding> archive_findings(const Archive& archive, const std::vector<std::shared_ptr<const Program>>& programs);

}  // namespace pt2
