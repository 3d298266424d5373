#pragma once
// The running part of a debugging session: the interpreter with what records it. It rests with the debugger and moves to a job to run;
// nothing of it is shared.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/jobs.h"
#include "core/load.h"
#include "interp/break_check.h"
#include "interp/execution_trace.h"
#include "interp/interpreter.h"
#include "interp/program_inputs.h"
#include "interp/reference_check.h"
#include "interp/sign_choice.h"
#include "interp/what_if.h"

namespace pt2::interp {

// What a step command waits for, judged before each operator.
struct RunGoal {
  enum class Kind : uint8_t {
    FirstOperator,
    Into,         // the next operator
    Over,         // … that is not inside a call made meanwhile
    LeaveModule,  // … outside of `module`
    Out,          // … of the calling graph
    Place,        // … that comes to `place`
    Steps,        // once `steps` nodes were recorded
    End,
  } kind = Kind::End;
  size_t depth = 0;                 // of the frames when it began
  bool with_results = false;        // Over, LeaveModule: getitems belong to the call whose results they take
  ModuleId module;
  Breakpoint place;
  size_t steps = 0;
  bool breakpoints = true;
};

// A place of the run where a breakpoint held.
struct PastStop {
  size_t steps = 0;                 // that had ended
  std::string breakpoint;           // its place and condition
};

struct RunSetup {
  std::shared_ptr<const OpenedFile> file;
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ExecutionPlan> plan;
  InputRequest request;
  InterpreterOptions options;
  std::shared_ptr<const TensorFile> reference;   // may be null
  Tolerance tolerance;
  Edits edits;
  std::shared_ptr<const Baseline> baseline;      // the run without edits; null: there is none
};

class DebugRun : public RunListener {
 public:
  // Reads the inputs and stands before the first node. Slow: files are read.
  static Result<std::shared_ptr<DebugRun>> begin(RunSetup setup);

  // What run() hands back; between two batches only events and what breakpoints wrote down.
  struct Progress {
    std::vector<TraceEvent> events;
    std::vector<std::string> log;
    std::vector<Collected> collected;
    std::vector<uint64_t> hits;            // of the breakpoints
    std::vector<PastStop> stops;           // what they stopped, or would have where the run went past them
    std::optional<TraceRef> next;          // the operator that runs next
    std::optional<StopReason> stopped_by;  // a breakpoint
    std::string reason;                    // why it stopped; empty: the goal was reached
    bool finished = false, limit = false;
    std::vector<RuntimeValue> outputs;
  };
  // Goes on until the goal is reached, a breakpoint holds, `pausing` is set or the program ends. `hand_over` gets what was recorded so far,
  // about ten times a second.
  Progress run(const RunGoal& goal, const std::atomic<bool>& pausing, Job& job, const std::function<void(Progress)>& hand_over);

  const ProgramInputs& inputs() const { return inputs_; }
  size_t depth() const { return interpreter_->depth() > 0 ? interpreter_->depth() - 1 : 0; }
  void set_breakpoints(std::vector<Breakpoint> breakpoints) { breaks_.set_breakpoints(std::move(breakpoints)); }
  BreakCheck& breaks() { return breaks_; }
  void set_reference(std::shared_ptr<const TensorFile> reference);

 private:
  explicit DebugRun(RunSetup setup, ProgramInputs inputs);

  std::optional<RuntimeValue> instead(const Frame& frame, NodeId id) override;
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override;
  void storage_replaced(const Frame& frame, NodeId id, const Storage& before, const Storage& after) override;
  void entered(const Frame& frame) override;
  void left(const Frame& frame) override;
  void enter(const Frame& frame);
  bool reached(const RunGoal& goal, NodeRef next, size_t depth) const;
  std::optional<StopReason> noted(std::optional<StopReason> stop);
  void also_stop_here(const RunGoal& goal, std::string& reason, std::optional<StopReason>& stopped_by);
  void add_listeners();
  void mark_sharing();
  std::optional<ValueDifference> change_from_original(NodeId id, const NodeRun& run, const RuntimeValue& value) const;
  Progress taken();
  std::string limit_text(const Step& step) const;  // why a step was not made

  RunSetup setup_;
  ProgramInputs inputs_;
  std::unique_ptr<Interpreter> interpreter_;
  bool limit_reached_ = false;
  bool new_reference_ = false;               // since the run paused
  BreakCheck breaks_;
  PlaceWalk walk_;                           // for goals
  std::optional<SignFollower> signs_;
  std::optional<ReferenceCheck> check_;
  ValueEdits value_edits_;
  ArgumentEdits argument_edits_;
  std::optional<ReplayPlan> replay_;
  std::optional<ReplayPlan::Reused> reused_; // what the node under way takes from the baseline
  double busy_us_ = 0;                       // of the nodes that ended: pauses between them are no part of the run's time
  std::vector<PastStop> stops_;              // not yet handed over
  std::vector<FrameId> frames_;              // of the interpreter's stack
  size_t frame_count_ = 0, step_count_ = 0;
  std::vector<TraceEvent> events_;           // not yet handed over
  std::shared_ptr<const Generator> generator_before_;
  std::vector<Storage> written_;             // by the node under way
};

// Whether `module` is `ancestor` or lies below it.
bool lies_in(const Program& program, ModuleId module, ModuleId ancestor);

}  // namespace pt2::interp
