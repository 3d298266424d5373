#pragma once
// Writes a program with its weights and example inputs as a .pt2 archive, as torch.export.save of current PyTorch does.
#include <string>
#include <utility>
#include <vector>

#include "core/graph/program.h"
#include "core/tensor/tensor.h"

namespace pt2 {

struct Pt2Content {
  const Program& program;
  std::vector<std::pair<std::string, Tensor>> weights;    // parameters and persistent buffers, by fqn
  std::vector<std::pair<std::string, Tensor>> constants;  // constants and buffers that are not persistent
  std::string sample_inputs;                              // (args, kwargs) as TorchSaveWriter gives them; empty: none
};

// Whole or not at all: `path` is replaced once everything is written.
Result<void> write_pt2(const std::string& path, const Pt2Content& content);

}  // namespace pt2
