#pragma once
// What happened: for each call of each graph the nodes' outcomes and values, in the order they ran. Each value is kept as it was right
// after its node ran; where an operator later wrote to its memory, value_at() shows it as it was at any step. Belongs to the UI thread; a
// run hands over what it recorded in batches. Recorded memory is never written again, so reading it needs no lock.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/graph/program.h"
#include "interp/compare_values.h"
#include "interp/frame.h"
#include "interp/node_outcome.h"
#include "interp/random.h"

namespace pt2::interp {

using FrameId = Id<struct FrameTag>;  // a call of a graph, in the order of the calls; FrameId(0) is the program

// A node in one call of its graph.
struct TraceRef {
  FrameId frame;
  NodeId node;
  friend constexpr auto operator<=>(const TraceRef&, const TraceRef&) = default;
};

struct FrameTrace {
  GraphId graph;
  std::string path;          // "", "body_graph_0@2/"
  TraceRef caller;           // the higher-order node that made the call
  int64_t call_number = 0;   // of this graph under this path: the iteration of a loop
  bool ended = false;
};

// One node that ran. Step numbers count from 0 over all frames, in the order in which the nodes ended.
struct StepTrace {
  TraceRef at;
  NodeRun run;
  double begin_us = 0;       // since the run began
  size_t live_bytes = 0;     // while it ran: of the values the program still needed, its arguments and its result
  bool wrote = false;        // it changed memory that others see
  bool operation = false;    // a call (not a placeholder, get_attr or output)
  bool edited = false;       // its value or an argument was
};

// What a run hands over, in order.
struct TraceEvent {
  enum class Kind : uint8_t { Entered, Left, NodeDone, Replaced } kind = Kind::NodeDone;
  FrameId frame;
  FrameTrace entered;                 // Entered
  StepTrace step;                     // NodeDone
  RuntimeValue value;                 // NodeDone
  std::optional<ValueDifference> difference;  // NodeDone, with a reference
  std::optional<ValueDifference> change;      // NodeDone, of a replay with edits: from what it was without them
  FrameId original;                   // Entered, of a replay: the same call without edits
  Storage before, after;              // Replaced: the node that runs now writes to `after`, a copy; `before` stays as it was
  std::shared_ptr<const Generator> generator;  // NodeDone of a node that drew random numbers: the state before it
};

class ExecutionTrace {
 public:
  ExecutionTrace() = default;
  ExecutionTrace(std::shared_ptr<const Program> program, size_t budget_bytes);

  void apply(TraceEvent event);

  const std::vector<StepTrace>& steps() const { return steps_; }
  const IdVector<FrameId, FrameTrace>& frames() const { return frames_; }
  // The step in which a node ran; none: it did not (yet).
  std::optional<size_t> step_of(TraceRef ref) const;
  const NodeRun* run_of(TraceRef ref) const;
  // The calls of a graph, in order: the iterations of a loop's body. The root has one.
  std::vector<FrameId> calls_of(GraphId graph) const;
  // The calls made by a higher-order node.
  std::vector<FrameId> calls_from(TraceRef ref) const;
  // The frame in which `node` ran last at or before `step`.
  std::optional<TraceRef> latest(NodeRef node, size_t step) const;

  // As it was right after its node ran. nullptr: no value, or dropped (see is_dropped).
  const RuntimeValue* value(TraceRef ref) const;
  // As it was once `step` had ended: writes to its memory up to then show. None: not run by then, or dropped.
  std::optional<RuntimeValue> value_at(TraceRef ref, size_t step) const;
  // The steps that wrote to this value's memory after its node ran.
  std::vector<size_t> writes_to(TraceRef ref) const;

  // Something wrote to its memory, or it is what was written.
  bool is_rewritten(TraceRef ref) const;

  // Dropped for want of memory; recompute brings it back.
  bool is_dropped(TraceRef ref) const;
  // Never dropped while pinned: the current step, watches, open tensor tabs.
  void pin(std::span<const TraceRef> refs);
  // The nodes that have to run again for a value, in order, itself last; empty where it is kept.
  std::vector<TraceRef> needed_for(TraceRef ref) const;
  void restore(TraceRef ref, const RuntimeValue& value);
  // A frame with what the node's arguments were when it ran, to evaluate it again.
  Frame frame_before(TraceRef ref) const;
  const Generator* generator_before(TraceRef ref) const;

  size_t kept_bytes() const { return kept_bytes_; }
  size_t budget_bytes() const { return budget_bytes_; }
  void set_budget(size_t bytes);
  double total_us() const { return steps_.empty() ? 0 : steps_.back().begin_us + steps_.back().run.elapsed_us; }

 private:
  struct Entry {
    static constexpr size_t kNotRun = SIZE_MAX;
    size_t step = kNotRun;
    RuntimeValue value;
    std::vector<uint32_t> storages;        // of the value's tensors, in the order of for_each_tensor: indices into kept_
    std::shared_ptr<const Generator> generator;
  };
  struct Kept {                            // a storage of recorded values
    Storage storage;                       // empty once dropped
    const void* identity = nullptr;
    size_t bytes = 0;
    std::vector<TraceRef> values;          // that share it, its maker first
    uint64_t used = 0;                     // when last looked at
    bool dropped = false;
    bool chained = false;                  // part of a chain of writes
    bool permanent = false;                // an input, or part of a chain of writes: never dropped
    bool counted = false;                  // in kept_bytes_
    uint32_t replaced_by = UINT32_MAX;     // the copy that the step `replaced_at` wrote to
    size_t replaced_at = 0;
    uint32_t readers = 0;                  // values the program still needs: for live_bytes
  };

  const Entry* find(TraceRef ref) const;
  Entry* find(TraceRef ref);
  uint32_t keep(const Storage& storage, bool permanent, bool counted);
  void record(StepTrace step, RuntimeValue value, std::shared_ptr<const Generator> generator);
  void count_live(TraceRef at);
  void drop_over_budget();
  bool can_drop(const Kept& kept) const;
  void fill_in(Entry& entry) const;        // puts the storages back into the value's tensors
  std::vector<NodeId> arguments_of(TraceRef ref) const;

  std::shared_ptr<const Program> program_;
  size_t budget_bytes_ = SIZE_MAX, kept_bytes_ = 0, live_bytes_ = 0;
  mutable uint64_t clock_ = 0;
  std::vector<StepTrace> steps_;
  IdVector<FrameId, FrameTrace> frames_;
  IdVector<FrameId, IdVector<NodeId, Entry>> entries_;
  mutable std::vector<Kept> kept_;
  std::unordered_map<const void*, uint32_t> by_identity_;
  std::vector<TraceRef> pinned_;
  std::vector<NodeId> arguments_;          // of the node that is recorded
};

}  // namespace pt2::interp

template <>
struct std::hash<pt2::interp::TraceRef> {
  size_t operator()(pt2::interp::TraceRef ref) const noexcept { return std::hash<uint64_t>()((uint64_t(ref.frame.index) << 32) | ref.node.index); }
};
