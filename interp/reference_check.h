#pragma once
// Holds a run against recorded values of the same keys, node by node.
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/tensor/tensor_files.h"
#include "interp/compare_values.h"
#include "interp/interpreter.h"

namespace pt2::interp {

struct ReferenceOptions {
  Tolerance tolerance;
  bool isolate = false;  // once compared (and recorded), a node's result takes the recorded value in place
};

struct Mismatch {
  std::string node, target;
  ValueDifference difference;
};

class ReferenceCheck : public RunListener {
 public:
  ReferenceCheck(const Program& program, const TensorFile& reference, ReferenceOptions options);

  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;
  // Values that are no node's: "output#0", "final/buffer". Listed under "output" and "final/buffer" where they differ.
  void check(const std::string& key, const std::string& node, const RuntimeValue& value);

  size_t compared() const { return compared_; }    // nodes
  size_t differing() const { return differing_; }  // of those; mismatched() may list an output and final values besides
  const std::vector<Mismatch>& mismatched() const { return mismatched_; }                      // in execution order
  const std::vector<std::string>& taken_from_reference() const { return taken_; }             // random nodes, uninitialised memory
  const std::vector<std::string>& not_in_reference() const { return not_in_reference_; }
  // With `isolate`, gives the node that was compared last its recorded value. Called after all who want to see the computed one.
  void isolate_last(RuntimeValue& value);
  // Of the node that ended last; none: there was nothing to compare it with, or it took the recorded value.
  const std::optional<ValueDifference>& last_difference() const { return last_; }
  bool last_differs() const { return last_ && !last_->equal; }
  // Against what is recorded under the key, with another tolerance.
  std::optional<ValueDifference> compare(const std::string& key, const RuntimeValue& value, const Tolerance& tolerance) const;

 private:
  // The worst difference of the value's tensors; none: nothing to compare with.
  std::optional<ValueDifference> difference(const std::vector<std::pair<std::string, Tensor>>& tensors, const Tolerance& tolerance) const;
  void take(const std::vector<std::pair<std::string, Tensor>>& tensors, RuntimeValue& value) const;

  const Program& program_;
  ReferenceOptions options_;
  std::unordered_map<std::string_view, const Tensor*> recorded_;
  size_t compared_ = 0, differing_ = 0;
  std::vector<Mismatch> mismatched_;
  std::vector<std::string> taken_, not_in_reference_;
  std::optional<ValueDifference> last_;
  std::vector<std::pair<std::string, Tensor>> to_isolate_;
};

// Comes last among the listeners: see ReferenceOptions::isolate.
class IsolateNodes : public RunListener {
 public:
  explicit IsolateNodes(ReferenceCheck& check) : check_(check) {}
  void node_done(const Frame&, NodeId, const NodeRun&, RuntimeValue& value) override { check_.isolate_last(value); }

 private:
  ReferenceCheck& check_;
};

// Whether `a` is the worse of two differences.
bool worse(const ValueDifference& a, const ValueDifference& b);

}  // namespace pt2::interp
