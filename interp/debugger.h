#pragma once
// Step, look, go back. GUI-free; lives on the UI thread. While a run is on, its interpreter belongs to a job and this holds only the
// trace, which grows by batches; when it pauses, the interpreter comes back. Nothing is shared.
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/jobs.h"
#include "core/load.h"
#include "interp/breakpoints.h"
#include "interp/compare_values.h"
#include "interp/execution_trace.h"
#include "interp/interpreter.h"
#include "interp/program_inputs.h"
#include "interp/reference_check.h"

namespace pt2::interp {

enum class RunState : uint8_t { NotStarted, Paused, Running, Finished, Failed };

struct Watch {
  std::string expression;
  std::string value;            // or the error
  bool changed = false;         // since the last step
  bool failed = false;          // value is an error
  std::vector<double> history;  // of numbers, by step
};

struct DebuggerOptions {
  size_t memory_bytes = 0;      // results and scratch; 0: half of what is available
  size_t trace_bytes = 0;       // recorded values; 0: a quarter of memory_bytes, at least 64 MiB
  uint64_t seed = 0;
  int threads = 0;
  int64_t max_iterations = 100'000;
  Tolerance tolerance;
};

class Debugger {
 public:
  Debugger(std::shared_ptr<const OpenedFile> file, std::shared_ptr<const Program> program, JobQueue& jobs);
  ~Debugger();
  Debugger(const Debugger&) = delete;
  Debugger& operator=(const Debugger&) = delete;

  // What cannot be evaluated, and what waits for it; known before a run.
  const ExecutionPlan& plan() const { return *plan_; }

  // Checks the inputs, solves symbols, tests guards and stops before the first operator. Discards an earlier run.
  Result<void> start(InputRequest request);
  // With the inputs of the last start, or sample inputs, or filled ones.
  Result<void> restart();
  void stop();                               // ends the run; what was recorded stays

  // Each needs Paused and returns at once; the run goes on in a job. While the cursor is in the past, they first move within the trace.
  void step_into();                          // one node, or into its sub-graph
  // One visible box. `folded`: the collapsed module the next node lies in; none: one node, sub-graphs and all.
  void step_over(ModuleId folded = {});
  void step_out();                           // to the end of the sub-graph, or of the module
  void run();                                // to the next breakpoint
  void run_without_stopping();
  void run_to(NodeRef node);                 // stops before it
  void pause();

  // Time travel: `time` is how many operators of the trace have ended for what panes show; it moves, nothing runs.
  void step_back();                          // one operator
  void back_to_breakpoint();                 // continue backwards
  void set_time(size_t step_count);          // 0 … trace().steps().size()
  size_t time() const { return time_; }
  bool in_the_past() const { return time_ < trace_.steps().size(); }

  RunState state() const { return state_; }
  const std::string& stop_reason() const { return stop_reason_; }
  // The operator that runs next at time(); none before a run and once finished.
  std::optional<TraceRef> cursor() const;
  // Nodes of the frames below the cursor, outermost first: where the cursor is inside of.
  std::vector<TraceRef> call_stack() const;
  size_t executed() const;                   // operators of the root graph that ended by time()
  size_t total() const { return total_; }    // operators of the root graph
  const ExecutionTrace& trace() const { return trace_; }
  ExecutionTrace& trace() { return trace_; }
  uint64_t revision() const { return revision_; }  // changes whenever anything above does

  // The value of a node as panes show it at time(): in the frame chosen for its graph, else the latest.
  std::optional<RuntimeValue> value(NodeRef node) const;
  std::optional<TraceRef> shown(NodeRef node) const;
  const NodeRun* run_of(NodeRef node) const;
  // A call of a sub-graph to look at (the iteration of a loop); none: follow the run.
  void choose_call(GraphId graph, std::optional<FrameId> frame);
  // Runs again what a dropped value needs, in a job; the value is there when revision() changes. Estimated cost from the first run.
  double recompute_cost_us(TraceRef ref) const;
  void recompute(TraceRef ref);

  std::vector<Breakpoint> breakpoints;       // the three built-in rules first; changes take effect at once
  void toggle_breakpoint(NodeRef node);
  const Breakpoint* breakpoint_at(NodeRef node) const;
  void breakpoints_changed();                // call after editing the list

  std::vector<Watch> watches;
  void add_watch(std::string expression);
  void watches_changed();                    // evaluates them at time()

  // Values to hold each node against; null: none.
  void set_reference(std::shared_ptr<const TensorFile> reference);
  const std::optional<ValueDifference>* difference(TraceRef ref) const;  // nullptr: not compared
  const TensorFile* reference() const { return reference_.get(); }

  // What if: a value to take instead of what the node gives, from the next start or replay on. Also for operators without implementation.
  void set_override(NodeRef node, RuntimeValue value);
  void clear_override(NodeRef node);
  const std::map<NodeRef, RuntimeValue>& overrides() const { return overrides_; }
  Result<void> replay();                     // from the start to where the run was

  const std::vector<RuntimeValue>& outputs() const { return outputs_; }
  const ProgramInputs* inputs() const { return inputs_ ? &*inputs_ : nullptr; }
  const InputRequest& request() const { return request_; }
  DebuggerOptions options;
  const std::vector<std::string>& log() const { return log_; }  // of logging breakpoints
  std::function<void()> on_changed;          // after every change, on the UI thread

 private:
  struct Run;       // the interpreter with what records it
  struct Goal;      // what a step command waits for
  struct Progress;  // what a job hands back

  void go(Goal goal);
  void step_goal(Goal goal);
  bool move_in_past(const Goal& goal);
  size_t live_depth() const;
  void apply(Progress progress);
  void pin_current();
  void changed();

  std::shared_ptr<const OpenedFile> file_;
  std::shared_ptr<const Program> program_;
  JobQueue& jobs_;
  std::shared_ptr<const ExecutionPlan> plan_;
  std::shared_ptr<Run> run_;       // null while a job has it
  std::unique_ptr<Goal> current_goal_, resume_;  // what to go on with after a change of breakpoints, or a replay's start
  std::shared_ptr<std::atomic<bool>> pausing_;   // told to the job: stop after this node
  std::stop_source cancel_;                      // ends the run in the middle of a kernel
  InterpreterOptions evaluate_options_;
  std::optional<TraceRef> next_;                 // the node that runs next in the run itself
  std::vector<size_t> executed_before_;          // operators of the root graph among the first n steps
  uint64_t generation_ = 0;        // results of an older run are dropped
  ExecutionTrace trace_;
  RunState state_ = RunState::NotStarted;
  std::string stop_reason_;
  size_t time_ = 0, total_ = 0;
  uint64_t revision_ = 0;
  InputRequest request_;
  std::optional<ProgramInputs> inputs_;
  std::vector<RuntimeValue> outputs_;
  std::shared_ptr<const TensorFile> reference_;
  std::map<TraceRef, std::optional<ValueDifference>> differences_;
  std::map<NodeRef, RuntimeValue> overrides_;
  std::map<GraphId, FrameId> chosen_;
  std::vector<std::string> log_;
  std::string job_tag_;
};

}  // namespace pt2::interp
