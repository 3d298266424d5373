#pragma once
// The weights of two files held against each other.
#include <stop_token>
#include <string>
#include <vector>

#include "interp/compare_runs.h"

namespace pt2::interp {

struct WeightDifference {
  std::string left, right;  // its name in either program; empty: that one has none
  ValueDifference difference;
  std::string problem;      // instead: only on one side, not readable, another dtype or shape

  std::string name() const;  // "fc.weight"; of a module that has another name "blocks.0.fc.weight → layers.0.fc.weight"
};
struct WeightComparison {
  std::vector<WeightDifference> different;
  size_t compared = 0;
};
// Weights and constants by name, those of renamed modules by both names (Diff::renamed); those that differ by more than the tolerance.
WeightComparison compare_weights(const ProgramSide& left, const ProgramSide& right, const Diff& diff, const Tolerance& tolerance, std::stop_token stop = {});

}  // namespace pt2::interp
