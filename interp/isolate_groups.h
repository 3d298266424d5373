#pragma once
// The second program's groups on the first one's values: what was compared gets the first program's value, so that every group is judged alone.
#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "interp/compare_runs.h"
#include "interp/interpreter.h"

namespace pt2::interp {

// Listens to a run of the right program. A value is written into the memory of its counterpart, so that aliases stay aliases, in the type it
// has there; weights and inputs of the program stay as they are until it writes to them.
class IsolateGroups : public RunListener {
 public:
  using LeftValue = std::function<const Tensor*(NodeRef)>;
  // `calls`: where the left program's values are of. `kept`: a group whose own values are not replaced, only those it reads.
  IsolateGroups(const Program& right, const RunComparison& comparison, LeftValue left_value, const Tolerance& tolerance, CallsOfGraphs calls = {}, std::optional<size_t> kept = {});
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;
  void before_write(const Frame& frame, NodeId writer, const Tensor& tensor) override;

  // Writes what is known of a group that differs: whether it differs on the left program's values, too, else why that is not known.
  void judge_group(size_t group, const std::vector<NodeRef>& nodes, GroupNumbers& numbers) const;
  bool differed(size_t group) const { return differ_.count(group) > 0; }
  // Where these nodes did not read the left program's values: "the operand mul_5 has no counterpart".
  std::vector<std::string> operand_problems(const std::vector<NodeRef>& nodes) const;

 private:
  struct Pair { NodeRef left; std::optional<size_t> group; };
  // The value of a node is the left program's from here on, or always was.
  void place(const Pair& pair, NodeRef ref, RuntimeValue& value);
  bool differs(const Tensor& wanted, const Tensor& found) const;
  // A number without a counterpart that was computed of sizes of the left program's values only: they have these sizes on both sides.
  bool follows_from_sizes(NodeRef ref) const;
  // The left program's value, or each program's own.
  bool is_lefts(NodeRef operand) const;

  const Program& program_;
  const LeftValue left_value_;
  const Tolerance tolerance_;
  const CallsOfGraphs calls_;
  const std::optional<size_t> kept_;
  std::unordered_map<NodeRef, Pair> pair_of_;
  std::unordered_set<size_t> judged_, differ_;             // groups
  std::unordered_set<NodeRef> seen_, placed_, numbers_;
  std::unordered_map<NodeRef, std::string> problems_;      // why a counterpart's value cannot be put in place
  std::unordered_set<const void*> given_;                  // memory of placeholders
};

}  // namespace pt2::interp
