#include "interp/debugger.h"

#include <algorithm>
#include <tuple>

#include "core/base/limits.h"
#include "interp/memory_limit.h"

namespace pt2::interp {

Debugger::Debugger(std::shared_ptr<const OpenedFile> file, std::shared_ptr<const Program> program, JobQueue& jobs)
    : breakpoints(built_in_rules()), file_(std::move(file)), program_(std::move(program)), jobs_(jobs) {
  plan_ = std::make_shared<const ExecutionPlan>(make_execution_plan(program_, builtin_ops()));
  trace_ = ExecutionTrace(program_, SIZE_MAX);
  for (const Node& node : program_->root_graph().nodes()) total_ += node.kind == NodeKind::CallFunction;
  static std::atomic<uint64_t> serial{0};
  job_tag_ = "debug/" + std::to_string(++serial);
}

Debugger::~Debugger() {
  cancel_.request_stop();
  for (const char* part : {"", "/recompute", "/watches", "/reference", "/origin", "/edit", "/waiting"}) jobs_.cancel(job_tag_ + part);
}

void Debugger::changed() {
  revision_.change();
  if (on_changed) on_changed();
}

void Debugger::failed(Error error) {
  problem_ = std::move(error);
  if (on_problem) on_problem(*problem_);
  changed();
}

void Debugger::forget_changes() {
  changes_.clear();
  changed_count_ = 0;
}

NodeRef Debugger::node_of(TraceRef ref) const { return {trace_.frames()[ref.frame].graph, ref.node}; }

// ---- Beginning and ending ---------------------------------------------------------------------------------------------------------------

void Debugger::start(InputRequest request) {
  // With edits and the same inputs the run without edits is still what to compare with.
  const auto what = [](const InputRequest& r) { return std::tie(r.tensors, r.tensors_path, r.texts, r.symbols, r.seed, r.use_sample_inputs, r.cast, r.ignore_ranges); };
  const bool comparable = !edits_.empty() && what(request) == what(request_) && request.values.empty();
  request_ = std::move(request);
  chosen_again_.clear();
  if (!comparable) {
    baseline_.reset();
    original_.reset();
  }
  begin({RunGoal::Kind::FirstOperator}, baseline_);
}

void Debugger::restart() {
  chosen_again_.clear();
  begin({RunGoal::Kind::FirstOperator}, baseline_);
}

// The inputs are read and the interpreter is made in a job; what was run before stays until they are there.
void Debugger::begin(RunGoal goal, std::shared_ptr<const Baseline> baseline) {
  if (now_.state == RunState::Running) stop();
  const size_t memory = options.memory_bytes ? options.memory_bytes : default_memory_bytes();
  RunSetup setup{file_, program_, plan_, request_, {}, reference_, options.tolerance, edits_, nullptr};
  // The job reads a copy of its own: looking at a trace marks what was looked at.
  if (baseline) setup.baseline = std::make_shared<const Baseline>(*baseline);
  setup.options.context.memory = std::make_shared<MemoryBudget>(memory);
  setup.options.context.threads = options.threads;
  setup.options.seed = request_.seed.value_or(options.seed);
  setup.options.copy_before_write = true;
  setup.options.max_iterations = options.max_iterations;
  setup.options.pause_in_loops = true;
  setup.options.max_node_runs = options.max_node_runs;
  cancel_ = std::stop_source();
  setup.options.context.stop = cancel_.get_token();
  problem_.reset();
  replay_.reset();
  const RunState before = std::exchange(now_.state, RunState::Running);
  const uint64_t generation = ++generation_;
  const InterpreterOptions interpreter_options = setup.options;
  jobs_.submit(
      job_tag_, "Reading inputs", [setup = std::move(setup)](Job&) mutable { return DebugRun::begin(std::move(setup)); },
      [this, generation, before, goal = std::move(goal), interpreter_options](Result<std::shared_ptr<DebugRun>> run) {
        if (generation != generation_) return;
        if (run) return begun(std::move(*run), goal, interpreter_options);
        now_.state = before;
        replay_.reset();
        chosen_again_.clear();
        time_after_replay_.reset();
        failed(run.error());
      });
  changed();
}

void Debugger::begun(std::shared_ptr<DebugRun> run, RunGoal goal, InterpreterOptions interpreter_options) {
  inputs_ = run->inputs();
  const size_t memory = interpreter_options.context.memory->limit_bytes();
  trace_ = ExecutionTrace(program_, options.trace_bytes ? options.trace_bytes : default_trace_bytes(memory));
  run_number_.change();
  now_ = {};
  now_.run = std::move(run);
  now_.executed_before.assign(1, 0);
  now_.options = std::move(interpreter_options);
  forget_changes();
  original_frames_.clear();
  edited_ = !edits_.empty();
  log_.clear();
  collected_.clear();
  stops_.clear();
  chosen_.clear();
  slice_.reset();
  slice_under_way_ = false;
  jobs_.cancel(job_tag_ + "/origin");
  time_ = 0;
  watched_at_ = SIZE_MAX;
  history_steps_ = 0;
  for (Watch& watch : watches) watch.history.clear();
  for (Breakpoint& b : breakpoints) b.hits = 0;
  go(std::move(goal));
}

void Debugger::stop() {
  cancel_.request_stop();
  jobs_.cancel(job_tag_);
  ++generation_;
  const bool ended = now_.state == RunState::Finished || now_.state == RunState::Failed || now_.state == RunState::NotStarted;
  now_.run.reset();
  now_.next.reset();
  now_.stopped_by.reset();
  resume_.reset();
  replay_.reset();
  time_after_replay_.reset();
  if (!ended) {
    now_.state = RunState::NotStarted;
    now_.stop_reason = "stopped";
  }
  changed();
}

// ---- Running ----------------------------------------------------------------------------------------------------------------------------

// Hands the interpreter to a job that runs until the goal is reached, a breakpoint holds, or the program ends.
void Debugger::go(RunGoal goal) {
  if (!now_.run || now_.state == RunState::Running) return;
  now_.state = RunState::Running;
  now_.stop_reason.clear();
  now_.stopped_by.reset();
  pausing_ = std::make_shared<std::atomic<bool>>(false);
  current_goal_ = goal;
  auto run = std::move(now_.run);
  now_.run.reset();
  run->set_breakpoints(breakpoints);
  for (const ValueName& name : run->breaks().mentioned())
    if (const auto ref = last_run(name.node, name.calls))
      if (auto value = trace_.value_at(*ref, time_ - 1)) run->breaks().set_known(name, trace_.frames()[ref->frame].path, std::move(*value));
  if (inputs_) run->breaks().set_symbols(inputs_->symbols);
  const uint64_t generation = generation_;
  auto work = [this, run, goal = std::move(goal), pausing = pausing_, generation](Job& job) {
    return run->run(goal, *pausing, job, [this, generation, &job](Progress batch) {
      auto shared = std::make_shared<Progress>(std::move(batch));
      job.post([this, generation, shared] {
        if (generation != generation_) return;
        apply(*shared);
        changed();
      });
    });
  };
  jobs_.submit(job_tag_, "Run", std::move(work), [this, generation, run](Progress progress) {
    if (generation == generation_) ended(run, std::move(progress));
  });
  changed();
}

void Debugger::apply(Progress& progress) {
  const bool following = time_ == trace_.steps().size();
  for (TraceEvent& event : progress.events) {
    if (event.kind == TraceEvent::Kind::Entered) original_frames_.push_back(event.original);
    const std::optional<FrameId> begun = event.kind == TraceEvent::Kind::Entered ? std::optional(event.frame) : std::nullopt;
    if (event.kind == TraceEvent::Kind::NodeDone) {
      if (reference_) now_.differences[event.step.at] = std::move(event.difference);
      if (event.change) {
        changed_count_ += program_->node(node_of(event.step.at)).kind != NodeKind::Output;  // it repeats what others gave
        changes_[event.step.at] = std::move(*event.change);
      }
      const bool counts = event.step.operation && event.step.at.frame.index == 0;
      now_.executed_before.push_back(now_.executed_before.back() + (counts ? 1 : 0));
    }
    trace_.apply(std::move(event));
    if (begun) choose_again(*begun);
  }
  if (following) time_ = trace_.steps().size();
  for (std::string& line : progress.log) log_.push_back(std::move(line));
  for (Collected& collected : progress.collected) collected_.push_back(std::move(collected));
  for (PastStop& stop : progress.stops) stops_.push_back(std::move(stop));
  for (size_t i = 0; i < progress.hits.size() && i < breakpoints.size(); ++i) breakpoints[i].hits = progress.hits[i];
}

void Debugger::ended(std::shared_ptr<DebugRun> run, Progress progress) {
  apply(progress);
  now_.run = std::move(run);
  now_.next = progress.next;
  now_.stop_reason = progress.reason;
  now_.stopped_by = progress.stopped_by;
  if (progress.finished) {
    now_.state = RunState::Finished;
    now_.outputs = std::move(progress.outputs);
    now_.next.reset();
    for (const StepTrace& step : trace_.steps())
      if (!step.run.done() && !std::holds_alternative<Blocked>(step.run.outcome)) now_.state = RunState::Failed;
    if (now_.stop_reason.empty()) now_.stop_reason = now_.state == RunState::Failed ? "finished, some nodes failed" : "finished";
  } else {
    now_.state = RunState::Paused;
  }
  if (const auto goal = std::exchange(resume_, std::nullopt); goal && now_.state == RunState::Paused && !progress.limit) return go(*goal);
  replay_.reset();
  chosen_again_.clear();  // calls that this run did not make
  if (const auto time = std::exchange(time_after_replay_, std::nullopt)) time_ = std::min(*time, trace_.steps().size());
  pin_current();
  watches_changed();
  find_origin_of_stop();
  changed();
  read_waiting();
}

void Debugger::keep_values(size_t bytes) {
  options.trace_bytes = bytes;
  trace_.set_budget(bytes);
  changed();
}

void Debugger::pause() {
  if (pausing_) pausing_->store(true);
}

// ---- Step commands ----------------------------------------------------------------------------------------------------------------------

void Debugger::step_goal(RunGoal goal) {
  if (move_in_past(goal)) return;
  if (now_.state == RunState::Paused) go(std::move(goal));
}

void Debugger::step_into() { step_goal({RunGoal::Kind::Into}); }

void Debugger::step_over(ModuleId folded, bool with_results) {
  RunGoal goal{folded.valid() ? RunGoal::Kind::LeaveModule : RunGoal::Kind::Over};
  goal.depth = now_.run ? now_.run->depth() : 0;
  goal.module = folded;
  goal.with_results = with_results;
  step_goal(std::move(goal));
}

void Debugger::step_out() {
  RunGoal goal{RunGoal::Kind::Out};
  goal.depth = now_.run ? now_.run->depth() : 0;
  if (const auto here = cursor(); here && here->frame.index == 0) {
    const ModuleId module = program_->root_graph().node(here->node).module;
    const bool inner = module.valid() && program_->modules.modules.contains(module) && module != program_->modules.root();
    goal.kind = inner ? RunGoal::Kind::LeaveModule : RunGoal::Kind::End;
    goal.module = module;
  }
  step_goal(std::move(goal));
}

void Debugger::run() { step_goal({RunGoal::Kind::End}); }

void Debugger::run_without_stopping() {
  RunGoal goal{RunGoal::Kind::End};
  goal.breakpoints = false;
  step_goal(std::move(goal));
}

void Debugger::run_to(NodeRef node) {
  Breakpoint place;
  place.node = node;
  run_to(std::move(place));
}

void Debugger::run_to(Breakpoint place) {
  RunGoal goal{RunGoal::Kind::Place};
  goal.place = std::move(place);
  step_goal(std::move(goal));
}

// ---- Breakpoints ------------------------------------------------------------------------------------------------------------------------

void Debugger::toggle_breakpoint(NodeRef node) {
  auto it = std::find_if(breakpoints.begin(), breakpoints.end(),
                         [&](const Breakpoint& b) { return !b.built_in && b.kind == BreakpointKind::Node && b.node == node; });
  if (it != breakpoints.end()) {
    breakpoints.erase(it);
  } else {
    Breakpoint b;
    b.node = node;
    breakpoints.push_back(std::move(b));
  }
  breakpoints_changed();
}

const Breakpoint* Debugger::breakpoint_at(NodeRef node) const {
  auto it = std::find_if(breakpoints.begin(), breakpoints.end(), [&](const Breakpoint& b) { return b.kind == BreakpointKind::Node && b.node == node; });
  return it == breakpoints.end() ? nullptr : &*it;
}

// A run that is on stops after its node and goes on with the new list.
void Debugger::breakpoints_changed() {
  // It names one by its number.
  now_.stopped_by.reset();
  if (original_) original_->stopped_by.reset();
  if (now_.state == RunState::Running && current_goal_) {
    resume_ = current_goal_;
    pause();
  }
  changed();
}

void Debugger::ignore_here() {
  if (!now_.stopped_by || now_.stopped_by->breakpoint >= breakpoints.size()) return;
  breakpoints[now_.stopped_by->breakpoint].ignored.push_back(now_.stopped_by->node);
  for (const auto& [other, node] : now_.stopped_by->others)
    if (other < breakpoints.size()) breakpoints[other].ignored.push_back(node);
  breakpoints_changed();
}

}  // namespace pt2::interp
