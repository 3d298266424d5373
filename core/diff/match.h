#pragma once
// What the passes of matching know of one pair of graphs, in numbers of GraphOperators::ops.
#include <cstdint>
#include <utility>
#include <vector>

#include "core/diff/diff.h"

namespace pt2::diff {

struct Match {
  std::vector<int32_t> left_of;                           // per right operator, -1: none
  std::vector<Evidence> evidence;                         // per right operator
  std::vector<double> confidence;                         // per right operator, 0 … 1
  std::vector<bool> taken;                                // per left operator
  std::vector<std::pair<int32_t, int32_t>> joined_left;   // left operators that belong to one group

  void assign(int32_t left, int32_t right, Evidence by, double certainty) {
    left_of[right] = left;
    evidence[right] = by;
    confidence[right] = certainty;
    taken[left] = true;
  }
};

// Per left operator the first one of its group.
std::vector<int32_t> first_of_group(const Match& match);

}  // namespace pt2::diff
