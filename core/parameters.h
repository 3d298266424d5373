#pragma once
// Parameters as people count them: a tensor that several names share is one.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/archive/archive.h"
#include "core/graph/program.h"

namespace pt2 {

// Where a stored tensor's elements are: equal for names that are tied. None for what has no bytes in the file.
using TensorPlace = std::tuple<std::string, int64_t, Shape, Shape>;
std::optional<TensorPlace> tensor_place(const TensorInfo& tensor);

// The other inputs of the program that are the same tensor as the one of `placeholder`.
std::vector<NodeId> tied_with(const Program& program, const std::vector<TensorInfo>& stored, NodeId placeholder);

struct ParameterCount {
  size_t tensors = 0;     // of the signature
  size_t tied = 0;        // of these: those that are another one under a further name
  uint64_t elements = 0;  // tied ones once
};
// Those whose name begins with `prefix`. `stored`: the program's tensors in the archive.
ParameterCount count_parameters(const Program& program, const std::vector<TensorInfo>& stored, std::string_view prefix = {});
std::string parameter_text(const ParameterCount& count);  // "291 parameters, 5,802,112 elements", " (1 shares the memory of another)"

}  // namespace pt2
