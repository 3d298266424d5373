#pragma once
// Calls that are the same on both sides: the same operator and constants on the same inputs.
#include <cstdint>
#include <vector>

#include "core/diff/operators.h"

namespace pt2::diff {

struct SameCalls {
  std::vector<uint32_t> left, right;             // a number per operator; equal numbers compute the same value
  std::vector<int32_t> only_left;                // per number: the last left operator that has it, -1: none
  std::vector<uint8_t> left_count, right_count;  // per number, 2: two or more

  // The left operator that is the same call as the right one where there is one on each side; else -1.
  int32_t partner(size_t right_op) const;
};
SameCalls same_calls(const GraphOperators& left, const GraphOperators& right);

}  // namespace pt2::diff
