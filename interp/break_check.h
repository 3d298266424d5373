#pragma once
// Breakpoints while a run is on: asked before and after each node, on the thread that runs.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "interp/breakpoints.h"
#include "interp/interpreter.h"
#include "interp/reference_check.h"

namespace pt2::interp {

// How many elements of a value's tensors (or numbers) are NaN, infinite, and how many there are; the extremes of the finite ones.
struct ValueCounts {
  int64_t elements = 0, nan = 0, inf = 0, zeros = 0;
  double min = 0, max = 0;      // of the elements that are not NaN; 0 where there are none
  bool any = false;             // min and max are of something
};
ValueCounts count_values(const RuntimeValue& value);

class BreakCheck : public RunListener {
 public:
  // `check`: the comparison that ran before for the condition Mismatch; may be null.
  BreakCheck(const Program& program, std::vector<Breakpoint> breakpoints, const ReferenceCheck* check);

  // Why the run should stop before this node; none: it should not. Counts hits.
  std::optional<std::string> before(const Frame& frame, NodeId id);
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;
  void before_write(const Frame& frame, NodeId id, const Tensor& tensor) override;
  // Why the run should stop after the node that ended last; asked once.
  std::optional<std::string> taken_reason();

  // Evaluates an expression for the condition Expression; set by the debugger, which knows the trace.
  std::function<std::optional<bool>(const Frame&, NodeId, const RuntimeValue&, const std::string&)> expression;
  // A watched value that disagrees with a reference held elsewhere; set by the debugger.
  std::function<bool(const Frame&, NodeId, const RuntimeValue&)> differs;

  const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }  // with hits counted
  std::vector<std::string> take_log();
  // Breakpoints with action Collect that were met, by index, with the node.
  struct Collected { size_t breakpoint; std::string node; RuntimeValue value; };
  std::vector<Collected> take_collected();

 private:
  bool place_matches(const Breakpoint& b, NodeRef ref) const;
  bool in_module(NodeRef ref, const std::string& pattern) const;
  bool condition_holds(const Breakpoint& b, const Frame& frame, NodeId id, const NodeRun& run, const RuntimeValue& value, std::string& what);
  bool counts_as_hit(Breakpoint& b);
  void act(size_t index, const std::string& node, const RuntimeValue& value, std::string reason);

  const Program& program_;
  std::vector<Breakpoint> breakpoints_;
  const ReferenceCheck* check_;
  std::optional<std::string> reason_;
  std::optional<std::pair<std::string, NodeId>> stopped_before_;  // frame path and node: does not stop there twice
  ModuleId last_module_;
  std::vector<std::pair<size_t, const void*>> watched_;           // breakpoint index, storage
  std::vector<size_t> data_written_;
  std::vector<std::string> log_;
  std::vector<Collected> collected_;
};

}  // namespace pt2::interp
