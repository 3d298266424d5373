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
#include "core/base/revision.h"
#include "core/load.h"
#include "interp/breakpoints.h"
#include "interp/debug_run.h"
#include "interp/nonfinite_slice.h"

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
  int64_t max_node_runs = 10'000'000;  // then it pauses
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

  // Reads and checks the inputs, solves symbols and tests guards in a job, then stops before the first operator. Discards an earlier run,
  // once the inputs are there; where they are wrong, problem() says why.
  void start(InputRequest request);
  // With the inputs of the last start, or sample inputs, or filled ones. Keeps the run without edits to compare with.
  void restart();
  void stop();                               // ends the run; what was recorded stays
  const std::optional<Error>& problem() const { return problem_; }  // why the last start or edit failed

  // Each needs Paused and returns at once; the run goes on in a job. While the cursor is in the past, they first move within the trace.
  void step_into();                          // one node, or into its sub-graph
  // One visible box. `folded`: the collapsed module the next node lies in; none: one node, sub-graphs and all. `with_results`: getitems have no
  // boxes of their own, a call is one with those that take its results.
  void step_over(ModuleId folded = {}, bool with_results = false);
  void step_out();                           // to the end of the sub-graph, or of the module
  void run();                                // to the next breakpoint
  void run_without_stopping();
  void run_to(NodeRef node);                 // stops before it
  void run_to(Breakpoint place);             // stops where a breakpoint there would
  // Whether the run came past a place, as seen from time(), and will not come to it again.
  bool lies_behind(const Breakpoint& place) const;
  void pause();

  // Time travel: `time` is how many operators of the trace have ended for what panes show; it moves, nothing runs.
  // By the units of step_over. `folded`: the collapsed module that operator_before(with_results) lies in; none: one node, sub-graphs and all.
  void step_back(ModuleId folded = {}, bool with_results = false);
  void step_back_into();                     // one operator, also in a sub-graph
  std::optional<TraceRef> operator_before(bool with_results = false) const;  // what a step back comes to; none: nothing ran before
  void back_to_breakpoint();                 // continue backwards: to where a breakpoint that is still set held, else to the beginning
  void set_time(size_t step_count);          // 0 … trace().steps().size()
  size_t time() const { return time_; }
  bool in_the_past() const { return time_ < trace_.steps().size(); }

  RunState state() const { return now_.state; }
  const std::string& stop_reason() const { return now_.stop_reason; }
  // The breakpoint that stopped it, while it stands there.
  const std::optional<StopReason>& stopped_by() const { return now_.stopped_by; }
  void ignore_here();                        // what stopped there, be it several breakpoints, does nothing at that node any more
  // The operator that runs next at time(); none before a run and once finished.
  std::optional<TraceRef> cursor() const;
  // The call that ended last, where the cursor stands at the node that made it and goes on with it; none: that node has not begun.
  std::optional<FrameId> returned_from() const;
  // Nodes of the frames below the cursor, outermost first: where the cursor is inside of.
  std::vector<TraceRef> call_stack() const;
  size_t executed() const;                   // operators of the root graph that ended by time()
  size_t total() const { return total_; }    // operators of the root graph
  const ExecutionTrace& trace() const { return trace_; }
  ExecutionTrace& trace() { return trace_; }
  uint64_t revision() const { return revision_.number(); }  // changes whenever anything above does
  uint64_t run_number() const { return run_number_.number(); }  // another trace has another number

  // The value of a node as panes show it at time(): in the frame chosen for its graph, else the latest.
  std::optional<RuntimeValue> value(NodeRef node) const;
  std::optional<TraceRef> shown(NodeRef node) const;
  const NodeRun* run_of(NodeRef node) const;
  // A call of a sub-graph to look at (the iteration of a loop); none: follow the run.
  void choose_call(GraphId graph, std::optional<FrameId> frame);
  bool has_begun(FrameId frame) const;       // the call, by time()
  void follow_calls();                       // none is chosen any more: the run goes on
  // Runs again what a dropped value needs, in a job; the value is there when revision() changes. Estimated cost from the first run.
  double recompute_cost_us(TraceRef ref) const;
  void recompute(TraceRef ref);
  void keep_values(size_t bytes);            // as many as fit, of this run and later ones
  // Where the NaN or Inf of a value comes from, worked out in a job; slice() has it when revision() changes.
  // `index`: of that element, in the value's first tensor; none: of one that arises there, else of the first.
  void find_origin(TraceRef ref, Nonfinite asked = Nonfinite::NaN, std::optional<Shape> index = {});
  const NonfiniteSlice* slice() const { return slice_ ? &*slice_ : nullptr; }  // of what was asked last
  bool slice_under_way() const { return slice_under_way_; }

  std::vector<Breakpoint> breakpoints;       // the three built-in rules first; changes take effect at once
  void toggle_breakpoint(NodeRef node);
  const Breakpoint* breakpoint_at(NodeRef node) const;
  void breakpoints_changed();                // call after editing the list

  std::vector<Watch> watches;
  void add_watch(std::string expression);
  void watches_changed();                    // evaluates them at time(), in a job

  // Values to hold each node against; null: none. What was recorded is compared in a job.
  void set_reference(std::shared_ptr<const TensorFile> reference);
  const std::optional<ValueDifference>* difference(TraceRef ref) const;  // nullptr: not compared
  const TensorFile* reference() const { return reference_.get(); }
  std::shared_ptr<const TensorFile> recorded() const;  // this run, as the reference of another
  const std::string& job_tag() const { return job_tag_; }  // of the job that makes a run ready, or runs
  uint64_t reference_revision() const { return reference_revision_.number(); }  // changes with each set_reference()

  // What if. Edits take effect at once where something was run: it is replayed to where it stood. Texts are read in a job; what is wrong with
  // one is problem().
  const Edits& edits() const { return edits_; }
  void edit_input(const std::string& name, const std::string& text);
  // index: "" or "[0, 3]"; call: "body_graph_0@2/", of that call of its sub-graph only.
  void edit_value(NodeRef node, const std::string& index, const std::string& text, const std::string& call = {});
  void edit_argument(NodeRef node, const std::string& argument, const std::string& text, const std::string& call = {});
  void clear_edits();
  void clear_edit(NodeRef node, const std::string& call = {});  // those said of that call; without one, those said of every call
  void clear_edits_of(NodeRef node);         // said of whatever call
  std::vector<EditText> edit_texts() const;  // those that wait, too
  // Edits of another run. `dropped`: what became of one that is none here. A value edit that needs values waits until a run has them.
  void restore_edits(std::vector<EditText> edits, std::function<void(const EditText&, const Error&)> dropped);
  const std::vector<EditText>& waiting_edits() const { return waiting_; }
  // How far a value is from what it was without edits; nullptr: the same, or nothing to compare with.
  const ValueDifference* change(TraceRef ref) const;
  size_t changed_count() const { return changed_count_; }  // without outputs
  // What the node gave without edits, in the same call. None: there is no such run, or not that node.
  std::optional<RuntimeValue> original_value(TraceRef ref) const;
  const Baseline* baseline() const { return baseline_.get(); }

  const std::vector<RuntimeValue>& outputs() const { return now_.outputs; }
  const ProgramInputs* inputs() const { return inputs_ ? &*inputs_ : nullptr; }
  const InputRequest& request() const { return request_; }
  DebuggerOptions options;
  const std::vector<std::string>& log() const { return log_; }  // of logging breakpoints
  const std::vector<Collected>& collected() const { return collected_; }  // of collecting ones
  std::function<void()> on_changed;          // after every change, on the UI thread
  std::function<void(const Error&)> on_problem;  // a start or an edit failed

 private:
  using Progress = DebugRun::Progress;
  // What a run is besides its trace: set aside while edits are on.
  struct Standing {
    std::shared_ptr<DebugRun> run;           // null while a job has it, and once it is over
    std::optional<TraceRef> next;            // the node that runs next in the run itself
    RunState state = RunState::NotStarted;
    std::string stop_reason;
    std::optional<StopReason> stopped_by;
    std::vector<size_t> executed_before;     // operators of the root graph among the first n steps
    std::vector<RuntimeValue> outputs;
    std::map<TraceRef, std::optional<ValueDifference>> differences;
    InterpreterOptions options;              // to evaluate its nodes again
  };

  // debugger.cpp
  void begin(RunGoal goal, std::shared_ptr<const Baseline> baseline);
  void begun(std::shared_ptr<DebugRun> run, RunGoal goal, InterpreterOptions interpreter_options);
  void go(RunGoal goal);
  void step_goal(RunGoal goal);
  void apply(Progress& progress);
  void ended(std::shared_ptr<DebugRun> run, Progress progress);
  void failed(Error error);
  void changed();
  NodeRef node_of(TraceRef ref) const;
  void forget_changes();
  // debugger_time.cpp
  struct Place { TraceRef at; size_t time; bool goes_on; };  // `goes_on`: with what its calls gave
  std::optional<Place> place_at(size_t step) const;
  Place beginning(TraceRef at, size_t time) const;
  std::optional<Place> place_before(std::optional<TraceRef> here, size_t time) const;
  std::optional<Place> place_of_step_back(bool with_results) const;
  bool comes_to(const PlaceWalk& walk, const Breakpoint& goal, const std::optional<Place>& place) const;
  bool move_in_past(const RunGoal& goal);
  std::vector<size_t> times_of_breakpoints() const;
  // debugger_look.cpp
  void pin_current();
  void keep_chosen_calls();
  void choose_again(FrameId frame);
  void find_origin_of_stop();
  GraphId here() const;
  std::optional<TraceRef> last_run(NodeRef node, std::string_view calls) const;
  std::optional<TraceRef> named(std::string_view name, GraphId here) const;
  NameLookup names_for(const std::string& expression, GraphId here) const;
  std::string call_never_made(const std::string& expression) const;
  void compare_recorded();
  // debugger_ahead.cpp
  struct UnderWay;
  bool may_come(const UnderWay& here, NodeRef node) const;
  // debugger_edit.cpp
  void edits_changed();
  void erase_edits(NodeRef node, const std::function<bool(const std::string& call)>& means);
  RunGoal as_far_as_before() const;
  void set_aside();
  void restore_original();
  void set_value_edit(ValueEdit edit);
  bool was_called(GraphId graph, const std::string& call) const;
  // restore_edits.cpp
  void read_waiting();

  std::shared_ptr<const OpenedFile> file_;
  std::shared_ptr<const Program> program_;
  JobQueue& jobs_;
  std::shared_ptr<const ExecutionPlan> plan_;
  ExecutionTrace trace_;
  Standing now_;
  std::optional<RunGoal> current_goal_, resume_;  // what to go on with after a change of breakpoints
  std::shared_ptr<std::atomic<bool>> pausing_;    // told to the job: stop after this node
  std::stop_source cancel_;                       // ends the run in the middle of a kernel
  uint64_t generation_ = 0;                       // results of an older run are dropped
  std::optional<Error> problem_;
  size_t time_ = 0, total_ = 0;
  Revision revision_, run_number_;
  InputRequest request_;
  std::optional<ProgramInputs> inputs_;
  std::shared_ptr<const TensorFile> reference_;
  Revision reference_revision_;
  std::map<GraphId, FrameId> chosen_;
  std::map<GraphId, std::string> chosen_again_;   // the same as paths, until a replay makes these calls
  std::vector<std::string> log_;
  std::vector<Collected> collected_;
  std::optional<NonfiniteSlice> slice_;
  bool slice_under_way_ = false;
  size_t watched_at_ = SIZE_MAX, history_steps_ = 0;  // time and steps of the last evaluation of watches
  std::string job_tag_;

  Edits edits_;
  std::vector<EditText> waiting_;                 // of values
  std::function<void(const EditText&, const Error&)> on_dropped_;
  bool edited_ = false;                           // the run was made with edits
  std::shared_ptr<const Baseline> baseline_;      // the run without them, set aside
  std::optional<Standing> original_;
  std::optional<RunGoal> replay_;                 // of the replay under way
  std::optional<size_t> time_after_replay_;
  std::vector<FrameId> original_frames_;          // by frame of the trace: the same call in the baseline
  std::map<TraceRef, ValueDifference> changes_;
  size_t changed_count_ = 0;  // of these, of nodes that are no output
  std::vector<PastStop> stops_, original_stops_;  // where breakpoints held; the same of the run without edits
  std::map<std::string, uint64_t> original_hits_; // of the breakpoints in that run, by place and condition
};

}  // namespace pt2::interp
