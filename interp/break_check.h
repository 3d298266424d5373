#pragma once
// Breakpoints while a run is on: asked before and after each node, on the thread that runs.
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "interp/breakpoints.h"
#include "interp/interpreter.h"
#include "interp/reference_check.h"
#include "interp/value_names.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

// How many elements of a value's tensors (or numbers) are NaN, infinite, and how many there are; the extremes of the finite ones.
struct ValueCounts {
  int64_t elements = 0, nan = 0, inf = 0, negative_inf = 0, zeros = 0;  // inf: of either sign
  double min = 0, max = 0;      // of the finite elements; 0 where there are none
  bool any = false;             // min and max are of something
};
ValueCounts count_values(const RuntimeValue& value);

// Why a run stopped.
struct StopReason {
  std::string text;             // "after relu: 2 NaN of 6 (rule: NaN/Inf)"
  size_t breakpoint = 0;        // in the list
  NodeRef node;
  bool infinite = false;        // a rule stopped for an Inf, not for the NaN that the value may hold besides
  std::vector<std::pair<size_t, NodeRef>> others;  // further breakpoints that stop at this place, with their nodes
};

// What a breakpoint with the action Collect saw.
struct Collected {
  size_t breakpoint = 0;
  NodeRef node;
  std::string name, text;       // "body@2/relu", "f32[2, 3]  min 0  max 3.4"
};

class BreakCheck : public RunListener {
 public:
  // `check`: the comparison that ran before, for the condition Mismatch; may be null.
  BreakCheck(const Program& program, std::vector<Breakpoint> breakpoints, const ReferenceCheck* check);

  // The list changed between two nodes.
  void set_breakpoints(std::vector<Breakpoint> breakpoints);
  // Values that expressions may mention although the run let go of them; of each the one of the last call.
  const std::vector<ValueName>& mentioned() const { return mentioned_; }
  void set_known(const ValueName& name, const std::string& frame_path, RuntimeValue value);
  void set_symbols(std::map<std::string, int64_t> symbols) { symbols_ = std::move(symbols); }
  void set_reference(const ReferenceCheck* check);
  // What a frame under way (0: the program) holds already, against a reference that came later.
  void note_held(size_t depth, const Frame& frame);

  // Why the run should stop before this operator; none: it should not. Counts hits, once while the run stands there.
  std::optional<StopReason> before(const Frame& frame, NodeId id);
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;
  void before_write(const Frame& frame, NodeId id, const Tensor& tensor) override;
  void storage_replaced(const Frame& frame, NodeId id, const Storage& before, const Storage& after) override;
  void entered(const Frame& frame) override;
  void left(const Frame& frame) override;
  // Why the run should stop after the node that ended last; asked once.
  std::optional<StopReason> taken_reason();

  const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }  // with hits counted
  std::vector<std::string> take_log();
  std::vector<Collected> take_collected();

 private:
  bool condition_holds(const Breakpoint& b, const Frame& frame, NodeId id, const NodeRun& run, const RuntimeValue& value, std::string& what);
  bool is_news(const Breakpoint& b, const Frame& frame, NodeId id);
  bool follows_nonfinite() const;
  std::optional<ValueDifference> mismatch(const Breakpoint& b, const Frame& frame, NodeId id, const RuntimeValue& value) const;
  void note_mismatch(const Frame& frame, NodeId id, const RuntimeValue& value);
  void note_nonfinite(const Frame& frame, NodeId id, const RuntimeValue& value);
  void note_unseen(const Frame& frame, NodeId input);
  void note_arising(const Frame& frame, const Node& node, const RuntimeValue& value);
  const ValueCounts& counts_of(const RuntimeValue& value);
  bool counts_as_hit(Breakpoint& b);
  void mention(const std::string& name);
  bool mutates(const Breakpoint& b, NodeRef ref) const;
  void act(size_t index, const Frame& frame, NodeId id, const RuntimeValue& value, std::string reason);
  const RuntimeValue* known(const ValueName& name, const Frame& frame) const;
  NameLookup names_at(const Frame& frame, NodeId id, const RuntimeValue& value) const;
  std::string message(const std::string& pattern, const Frame& frame, NodeId id, const RuntimeValue& value) const;

  const Program& program_;
  std::vector<Breakpoint> breakpoints_;
  const ReferenceCheck* check_;
  PlaceWalk walk_;
  std::optional<StopReason> reason_;
  std::optional<std::pair<std::string, NodeId>> stands_before_;   // frame path and node: was asked about it
  std::vector<std::pair<NodeRef, const void*>> placeholders_;     // of the root, with their storage now
  std::vector<NodeRef> written_;                                  // placeholders whose storage the node that runs now writes
  // Nodes of the frames under way that a rule found bad: their readers are bad because of them. What a higher-order node gives was made in
  // the calls it made. `unseen`: the last node that ended while the rule for NaN and Inf was off, none: it never was.
  struct BadNodes { std::set<NodeId> nan, inf, mismatched, callers; NodeId unseen; };
  std::vector<BadNodes> bad_{1};
  static void inherit_mismatches(const BadNodes& outside, const Graph& graph, BadNodes& inside);
  struct { bool nan = false, inf = false; int64_t made = 0; } news_;                // of the node that ended last: what did not come with its arguments
  std::optional<ValueCounts> counts_;                             // of its value
  std::vector<const void*> rewritten_;                            // storages that it wrote to
  std::vector<ValueName> mentioned_;                              // in expressions and messages: what a name may mean in any graph
  struct Known { std::string frame_path; RuntimeValue value; };
  std::map<std::pair<NodeRef, std::string>, Known> known_;        // by node and calls as written
  std::map<std::string, int64_t> symbols_;
  std::vector<std::string> log_;
  std::vector<Collected> collected_;
};

}  // namespace pt2::interp
