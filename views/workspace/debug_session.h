#pragma once
// A document's debugger with what the interface adds: its state in the words of panes and the state dump, facts about its values, and what
// the next start will use.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"
#include "core/graph/program.h"
#include "interp/debugger.h"
#include "views/workspace/run_facts.h"

namespace pt2::interp { struct RunValues; }

namespace pt2::views {

enum class RunState : uint8_t { NotStarted, Paused, Running, Finished, Failed };
std::string_view run_state_name(RunState state);  // "not_started" …

struct Breakpoint {
  NodeRef node;
  bool enabled = true;
  std::string condition;  // empty: always
  uint64_t hits = 0;
  std::string where;      // "relu", "op=aten.add.*"
  interp::BreakpointAction action = interp::BreakpointAction::Stop;
  size_t index = 0;       // in the debugger's list
};
// What "Run both" of a comparison gave for one of its programs.
struct ValuesOfBoth {
  std::shared_ptr<const interp::RunValues> values;
  std::string key;      // names the run
  std::string inputs;   // "x from x.pt"
  std::function<std::string(NodeRef)> problem;  // why a node gave nothing; empty: it was not run
};
struct Watch { std::string expression, value; bool changed = false; };

class DebugSession {
 public:
  DebugSession(std::shared_ptr<const OpenedFile> file, std::shared_ptr<const Program> program, JobQueue& jobs);
  ~DebugSession();
  DebugSession(const DebugSession&) = delete;
  DebugSession& operator=(const DebugSession&) = delete;

  interp::Debugger* debugger() { return debugger_.get(); }
  const interp::Debugger* debugger() const { return debugger_.get(); }
  const RunFacts* facts() const { return facts_.get(); }

  // Follows the debugger after each of its changes.
  RunState state = RunState::NotStarted;
  NodeRef cursor;           // the operator that runs next; none before a run and once finished
  std::string position;     // of the cursor: "before relu", "before body@5/sqrt", "in while_loop, after body@5"; empty: none
  std::string stop_reason;
  size_t executed = 0;      // operators of the root graph
  size_t steps = 0;         // operators of the root graph, all of them
  std::vector<Breakpoint> breakpoints;  // in the order they were set, without the built-in rules
  std::vector<Watch> watches;
  const Breakpoint* breakpoint_at(NodeRef node) const;

  // What the Inputs dialog edits.
  interp::InputRequest request;
  bool asked_for_inputs = false;     // a run was begun; F5 asks no more
  // What to do when a run that was just started stands before its first operator.
  enum class Then : uint8_t { Stay, Run, RunWithoutStopping, RunTo };
  Then wanted = Then::Run;           // by the command that asked for inputs: what follows once they are there
  interp::Breakpoint wanted_place;   // of RunTo
  NodeRef followed;                  // selected by the last step; while nothing else is, the selection goes with the steps
  // Begins with `request`; the inputs are read in a job.
  void start(Then then, interp::Breakpoint to = {});
  bool starting() const { return starting_; }
  std::string problem;               // why the last start failed
  bool problem_of_ranges = false;    // request.ignore_ranges would help
  bool problem_of_dtype = false;     // request.cast would help

  // A file, or a folder of .npy, to hold each value against; read in a job. Empty: none.
  void load_reference(const std::string& path);
  void use_reference(std::shared_ptr<const TensorFile> reference, std::string name);
  std::string reference_name;        // its path, or what it is; empty: none
  std::string reference_problem;     // why it could not be read
  bool reading_reference = false;
  size_t reference_matches = 0;      // its keys that name a node of the program
  // The run against it, worked out when the run stands.
  struct Compared { size_t values = 0, different = 0; NodeRef first; };
  Compared compared;
  std::string compared_text() const; // "3 of 11 values differ from the reference, first batch_norm"; empty: nothing was compared

  // "NaN in 43 values, first softmax"; where there is none, the same of Inf. Empty: neither, or not counted yet.
  std::string nonfinite_text() const;
  std::optional<interp::TraceRef> first_nonfinite() const;  // that first one

  // The way of a NaN: highlights it and selects its producer, when it is worked out.
  void find_origin(interp::TraceRef ref, std::optional<Shape> index = {});  // of that element; none: see Debugger
  void show_origin();
  std::function<void()> on_origin;
  // "NaN of add comes from sqrt[0, 1] (made from finite arguments), 4 nodes upstream", "NaN of sub comes from Inf in x[1] (an input), …",
  // "NaN of add, made by softmax[0, 3], comes from -Inf in masked_fill[0, 3] (its argument value = -inf), …"; empty: nothing was asked.
  std::string origin_text() const;
  NodeRef node_of(interp::TraceRef ref) const { return {debugger_->trace().frames()[ref.frame].graph, ref.node}; }

  NodeRef edit_wanted;               // the Node pane should ask for this node's value …
  uint64_t edit_requests = 0;        // … each time this grows

  // Whoever shows messages: the workspace. `start_failed`: the Inputs dialog is the place to mend it.
  std::function<void(const std::string& text, bool start_failed)> on_problem;
  std::function<void(const std::string& text)> on_log;  // of breakpoints that log, and how a run compares with the reference
  std::function<void(NodeRef node)> on_stop;            // a breakpoint stopped the run at it

  // Values of "Run both", shown from now on until this program runs, steps or looks back by itself.
  void show_both(std::optional<ValuesOfBoth> values);
  const ValuesOfBoth* both() const { return both_ ? &*both_ : nullptr; }

  // Changes of the debugger's public lists (breakpoints, watches) that it does not notice itself.
  void sync();

 private:
  void go_on();
  void compare();
  // Where the debugger stands: another one means that it went on.
  std::array<uint64_t, 3> place() const { return {debugger_->run_number(), debugger_->trace().steps().size(), debugger_->time()}; }
  std::optional<ValuesOfBoth> both_;
  std::array<uint64_t, 3> both_at_{};
  std::shared_ptr<const Program> program_;
  JobQueue& jobs_;
  std::unique_ptr<interp::Debugger> debugger_;
  std::unique_ptr<RunFacts> facts_;
  std::shared_ptr<DebugSession*> self_ = std::make_shared<DebugSession*>(this);
  bool starting_ = false;
  bool origin_wanted_ = false;
  Then then_ = Then::Stay;
  interp::Breakpoint then_to_;
  size_t logged_ = 0;
  uint64_t logged_run_ = 0;
  std::string logged_comparison_;

 public:
  size_t condition_wanted = 0;       // the Breakpoints pane should edit the condition of this one of the debugger's list …
  uint64_t condition_requests = 0;   // … each time this grows
  std::function<void()> on_run;      // another run is shown: what was said of the one before holds no more
};

struct Document;
// Who selected nothing, or goes with the run, looks at this node of it.
void follow_run(Document& document, NodeRef node);

struct Preferences;
// What runs of the session take from the preferences.
void prepare_runs(const Preferences& preferences, DebugSession& session);

}  // namespace pt2::views
