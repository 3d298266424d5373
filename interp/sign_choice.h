#pragma once
// Singular vectors and eigenvectors are determined up to their sign only, and each library of linear algebra leaves another one. When a run is
// held against recorded values, ours are turned to the recorded side first: a difference is then a difference, here and in what follows.
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/graph/graph.h"
#include "core/tensor/tensor_files.h"
#include "interp/function_ref.h"
#include "interp/interpreter.h"

namespace pt2::interp {

// Turns each value as soon as its node ran; goes before whoever records or compares.
class SignFollower : public RunListener {
 public:
  SignFollower(const Program& program, const TensorFile& reference) : program_(program), reference_(reference) {}
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;

 private:
  const Program& program_;
  const TensorFile& reference_;
};

// `results`: the node's result tensors, in order; `recorded(i)`: the recorded one of number i, or nullptr. Turns the results in place.
void follow_recorded_signs(const Node& node, std::span<const std::pair<std::string, Tensor>> results, FunctionRef<const Tensor*(size_t)> recorded);

}  // namespace pt2::interp
