#pragma once
// The last pass of matching: what stronger evidence left over is aligned in execution order.
//
// Passes of PyTorch interpret a graph node by node, so the operators that one left operator became stand together on the right, in the left
// order. That makes it an alignment of two sequences: each right operator is given to a left one, monotonously; a left one may take several
// (as many as its kind of decomposition makes plausible) or none. The best alignment by a score of metadata, operator, constants, shapes and
// operands is found by dynamic programming; a few rounds let the operands' own assignments count.
#include <functional>
#include <vector>

#include "core/diff/operators.h"

namespace pt2::diff {

struct Alignment {
  std::vector<int32_t> left_of;     // per right operator: the left operator, -1: none
  std::vector<double> confidence;   // per right operator, 0 … 1
};

// `fixed[j]`: the left operator that right operator j was matched with by stronger evidence, -1: to be aligned. `taken[i]`: left operator i
// is matched already. Fixed pairs take no part in the order, but their operands count.
Alignment align(const GraphOperators& left, const GraphOperators& right, const std::vector<int32_t>& fixed, const std::vector<bool>& taken,
                const std::function<bool(NodeId left, NodeId right)>& same_value);

}  // namespace pt2::diff
