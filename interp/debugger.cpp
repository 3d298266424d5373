#include "interp/debugger.h"

#include <algorithm>
#include <atomic>
#include <chrono>

#include "core/base/limits.h"
#include "interp/break_check.h"
#include "interp/memory_limit.h"
#include "interp/recorded_values.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

namespace {

using Clock = std::chrono::steady_clock;

bool is_operator(const Program& program, NodeRef ref) { return program.node(ref).kind == NodeKind::CallFunction; }

// Whether `module` is `ancestor` or lies below it.
bool lies_in(const Program& program, ModuleId module, ModuleId ancestor) {
  for (ModuleId m = module; m.valid() && program.modules.modules.contains(m); m = program.modules.modules[m].parent)
    if (m == ancestor) return true;
  return false;
}

}  // namespace

// What a step command waits for, judged before each operator.
struct Debugger::Goal {
  enum class Kind { FirstOperator, Into, Over, LeaveModule, Out, Node, Nothing } kind = Kind::Nothing;
  size_t depth = 0;         // of the frames when it began
  ModuleId module;          // Over a folded module, Out of a module
  NodeRef node;             // Node
  bool breakpoints = true;
  size_t replay_steps = 0;  // Replay: silently up to this many steps
};

// The interpreter with what records it; moves between this thread and the job.
struct Debugger::Run : RunListener {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ExecutionPlan> plan;
  std::unique_ptr<Interpreter> interpreter;
  std::unique_ptr<BreakCheck> breaks;
  std::shared_ptr<const TensorFile> reference;
  std::unordered_map<std::string_view, const Tensor*> recorded;
  Tolerance tolerance;
  std::map<NodeRef, RuntimeValue> overrides;
  Clock::time_point begin = Clock::now();
  std::vector<FrameId> frames;               // of the interpreter's stack
  size_t frame_count = 0;
  std::map<std::string, int64_t> call_numbers;
  std::vector<TraceEvent> events;            // not yet handed over
  std::vector<std::optional<ValueDifference>> last;
  std::shared_ptr<const Generator> generator_before;
  bool wrote = false, differs = false;

  void enter(const Frame& frame) {
    TraceEvent event;
    event.kind = TraceEvent::Kind::Entered;
    event.frame = FrameId(frame_count++);
    event.entered.graph = frame.graph;
    event.entered.path = frame.path;
    if (!frames.empty()) {
      event.entered.caller = {frames.back(), frame.caller};
      const size_t at = frame.path.rfind('@');
      event.entered.call_number = at == std::string::npos ? 0 : std::strtoll(frame.path.c_str() + at + 1, nullptr, 10);
    }
    frames.push_back(event.frame);
    events.push_back(std::move(event));
  }

  void entered(const Frame& frame) override { enter(frame); }
  void left(const Frame&) override {
    TraceEvent event;
    event.kind = TraceEvent::Kind::Left;
    event.frame = frames.back();
    frames.pop_back();
    events.push_back(std::move(event));
  }

  std::optional<RuntimeValue> instead(const Frame& frame, NodeId id) override {
    auto it = overrides.find({frame.graph, id});
    if (it == overrides.end()) return std::nullopt;
    return it->second;
  }

  void storage_replaced(const Frame&, NodeId, const Storage& before, const Storage& after) override {
    TraceEvent event;
    event.kind = TraceEvent::Kind::Replaced;
    event.before = before;
    event.after = after;
    events.push_back(std::move(event));
    wrote = true;
  }

  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const Node& node = program->graphs[frame.graph].node(id);
    TraceEvent event;
    event.step.at = {frames.back(), id};
    event.step.run = run;
    event.step.begin_us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count() - run.elapsed_us;
    event.step.wrote = std::exchange(wrote, false);
    event.step.operation = node.kind == NodeKind::CallFunction;
    if (run.drew_random) event.generator = generator_before;
    if (reference && run.done() && node.kind != NodeKind::Output) {
      for (const auto& [key, tensor] : recorded_tensors(frame.path + std::string(node.name), value)) {
        auto it = recorded.find(key);
        if (it == recorded.end()) continue;
        ValueDifference d = compare_tensors(tensor, *it->second, tolerance);
        if (!event.difference || worse(d, *event.difference)) event.difference = std::move(d);
      }
    }
    differs = event.difference && !event.difference->equal && !run.drew_random && !run.uninitialized;
    event.value = value;
    events.push_back(std::move(event));
  }
};

// What a job hands back: events as they come, and at the end the run itself.
struct Debugger::Progress {
  std::vector<TraceEvent> events;
  std::shared_ptr<Run> run;              // at the end
  std::optional<TraceRef> next;          // at the end: the operator that runs next
  std::string reason;                    // why it stopped; empty: the goal was reached
  bool finished = false, failed = false, paused = false;
  std::vector<std::string> log;
  std::vector<uint64_t> hits;
  std::vector<RuntimeValue> outputs;
};

Debugger::Debugger(std::shared_ptr<const OpenedFile> file, std::shared_ptr<const Program> program, JobQueue& jobs)
    : breakpoints(built_in_rules()), file_(std::move(file)), program_(std::move(program)), jobs_(jobs) {
  plan_ = std::make_shared<const ExecutionPlan>(make_execution_plan(program_, builtin_ops()));
  trace_ = ExecutionTrace(program_, SIZE_MAX);
  for (const Node& node : program_->root_graph().nodes()) total_ += node.kind == NodeKind::CallFunction;
  static std::atomic<uint64_t> serial{0};
  job_tag_ = "debug/" + std::to_string(++serial);
}

Debugger::~Debugger() {
  pausing_ = nullptr;
  cancel_.request_stop();
  jobs_.cancel(job_tag_);
  jobs_.cancel(job_tag_ + "/recompute");
}

void Debugger::changed() {
  ++revision_;
  if (on_changed) on_changed();
}

Result<void> Debugger::start(InputRequest request) {
  stop();
  const size_t memory = options.memory_bytes ? options.memory_bytes : default_memory_bytes();
  InterpreterOptions interpreter_options;
  interpreter_options.context.memory = std::make_shared<MemoryBudget>(memory);
  interpreter_options.context.threads = options.threads;
  interpreter_options.seed = request.seed.value_or(options.seed);
  interpreter_options.copy_before_write = true;
  interpreter_options.max_iterations = options.max_iterations;
  interpreter_options.max_node_runs = static_cast<int64_t>(limits::kNodeEvaluations);
  ContextScope scope(interpreter_options.context);
  auto inputs = make_program_inputs(*program_, *file_->archive, request, true);
  if (!inputs) return inputs.error();

  request_ = std::move(request);
  inputs_ = std::move(*inputs);
  trace_ = ExecutionTrace(program_, options.trace_bytes ? options.trace_bytes : default_trace_bytes(memory));
  differences_.clear();
  outputs_.clear();
  log_.clear();
  chosen_.clear();
  executed_before_.assign(1, 0);
  stop_reason_.clear();
  time_ = 0;
  next_.reset();
  for (Breakpoint& b : breakpoints) b.hits = 0;
  cancel_ = std::stop_source();

  auto run = std::make_shared<Run>();
  run->program = program_;
  run->plan = plan_;
  run->tolerance = options.tolerance;
  run->overrides = overrides_;
  run->reference = reference_;
  if (reference_)
    for (const auto& [key, tensor] : reference_->tensors) run->recorded.emplace(key, &tensor);
  interpreter_options.context.stop = cancel_.get_token();
  evaluate_options_ = interpreter_options;
  run->interpreter = std::make_unique<Interpreter>(plan_, builtin_ops(), interpreter_options);
  run->interpreter->add_listener(run.get());
  std::vector<RuntimeValue> values;
  std::vector<std::string> problems;
  for (const ProgramInput& input : inputs_->inputs) {
    values.push_back(input.value);
    problems.push_back(input.problem);
  }
  run->interpreter->set_attributes(inputs_->attributes);
  run->interpreter->start(std::move(values), std::move(problems));
  run->enter(run->interpreter->frame(0));
  run_ = std::move(run);
  ++generation_;
  go({Goal::Kind::FirstOperator});
  return {};
}

Result<void> Debugger::restart() { return start(request_); }

void Debugger::stop() {
  cancel_.request_stop();
  jobs_.cancel(job_tag_);
  ++generation_;
  const bool ended = state_ == RunState::Finished || state_ == RunState::Failed || state_ == RunState::NotStarted;
  run_.reset();
  resume_.reset();
  next_.reset();
  if (!ended) {
    state_ = RunState::NotStarted;
    stop_reason_ = "stopped";
  }
  changed();
}

// Hands the interpreter to a job that runs until the goal is reached, a breakpoint holds, or the program ends.
void Debugger::go(Goal goal) {
  if (!run_ || state_ == RunState::Running) return;
  state_ = RunState::Running;
  stop_reason_.clear();
  pausing_ = std::make_shared<std::atomic<bool>>(false);
  current_goal_ = std::make_unique<Goal>(goal);
  auto run = std::move(run_);
  run_.reset();
  run->breaks = std::make_unique<BreakCheck>(*program_, breakpoints, nullptr);
  run->breaks->differs = [r = run.get()](const Frame&, NodeId, const RuntimeValue&) { return r->differs; };
  run->breaks->expression = [program = program_](const Frame& frame, NodeId id, const RuntimeValue& value, const std::string& text) -> std::optional<bool> {
    return holds(text, *program, [&](std::string_view name) -> std::optional<RuntimeValue> {
      const Graph& graph = program->graphs[frame.graph];
      if (name == graph.node(id).name || name == "x") return value;
      const NodeId other = graph.find(name);
      if (!other.valid()) return std::nullopt;
      return frame.values[other];
    });
  };
  const uint64_t generation = generation_;
  auto work = [run, goal, pausing = pausing_, this, generation](Job& job) -> std::shared_ptr<Progress> {
    Interpreter& interpreter = *run->interpreter;
    const Program& program = *run->program;
    auto progress = std::make_shared<Progress>();
    Clock::time_point handed_over = Clock::now();
    interpreter.add_listener(run->breaks.get());
    bool moved = false, first = true;
    while (auto next = interpreter.next()) {
      const size_t depth = interpreter.depth() - 1;
      const Frame& frame = interpreter.frame(depth);
      if (is_operator(program, *next)) {
        bool reached = goal.kind == Goal::Kind::FirstOperator;
        if (moved) switch (goal.kind) {
            case Goal::Kind::Into: reached = true; break;
            case Goal::Kind::Over: reached = depth <= goal.depth; break;
            case Goal::Kind::LeaveModule: reached = depth == 0 && !lies_in(program, program.node(*next).module, goal.module); break;
            case Goal::Kind::Out: reached = depth < goal.depth; break;
            case Goal::Kind::Node: reached = *next == goal.node; break;
            default: break;
          }
        if (reached) break;
        if (goal.breakpoints && !first)
          if (auto reason = run->breaks->before(frame, next->node)) {
            progress->reason = *reason;
            break;
          }
        first = false;
      }
      if (pausing->load() || job.stopped()) {
        progress->paused = true;
        progress->reason = "paused";
        break;
      }
      if (is_operator(program, *next)) run->generator_before = std::make_shared<const Generator>(interpreter.generator());
      const Step step = interpreter.step();
      if (step.kind == StepKind::Stopped || step.kind == StepKind::Limit) {
        progress->failed = step.kind == StepKind::Limit;
        progress->reason = progress->failed ? "too many node evaluations" : "stopped";
        break;
      }
      moved = moved || is_operator(program, step.node);
      if (goal.breakpoints && step.kind == StepKind::RanNode)
        if (auto reason = run->breaks->taken_reason()) {
          progress->reason = *reason;
          break;
        }
      if (Clock::now() - handed_over > std::chrono::milliseconds(30) && run->events.size() > 0) {
        handed_over = Clock::now();
        auto batch = std::make_shared<Progress>();
        batch->events = std::exchange(run->events, {});
        job.post([this, generation, batch] {
          if (generation == generation_) apply(std::move(*batch));
        });
      }
    }
    interpreter.remove_listener(run->breaks.get());
    // get_attr and the output need no step of their own.
    while (progress->reason.empty() && !progress->failed) {
      const auto next = interpreter.next();
      if (!next || is_operator(program, *next)) break;
      const Step step = interpreter.step();
      if (step.kind != StepKind::RanNode) break;
    }
    if (const auto next = interpreter.next()) progress->next = TraceRef{run->frames.back(), next->node};
    progress->finished = !interpreter.next();
    progress->events = std::exchange(run->events, {});
    progress->log = run->breaks->take_log();
    for (const auto& collected : run->breaks->take_collected()) progress->log.push_back("collected " + collected.node);
    for (const Breakpoint& b : run->breaks->breakpoints()) progress->hits.push_back(b.hits);
    progress->outputs = interpreter.outputs();
    progress->run = run;
    return progress;
  };
  jobs_.submit(job_tag_, "Run", std::move(work), [this, generation](std::shared_ptr<Progress> progress) {
    if (generation == generation_) apply(std::move(*progress));
  });
  changed();
}

void Debugger::apply(Progress progress) {
  const bool following = time_ == trace_.steps().size();
  for (TraceEvent& event : progress.events) {
    if (event.kind == TraceEvent::Kind::NodeDone) {
      if (reference_) differences_[event.step.at] = event.difference;
      const bool counts = event.step.operation && event.step.at.frame.index == 0;
      executed_before_.push_back(executed_before_.back() + (counts ? 1 : 0));
    }
    trace_.apply(std::move(event));
  }
  if (following) time_ = trace_.steps().size();
  for (std::string& line : progress.log) log_.push_back(std::move(line));
  if (progress.run) {
    run_ = std::move(progress.run);
    next_ = progress.next;
    for (size_t i = 0; i < progress.hits.size() && i < breakpoints.size(); ++i) breakpoints[i].hits = progress.hits[i];
    stop_reason_ = progress.reason;
    if (progress.finished) {
      state_ = RunState::Finished;
      outputs_ = std::move(progress.outputs);
      next_.reset();
      for (const StepTrace& step : trace_.steps())
        if (!step.run.done() && !std::holds_alternative<Blocked>(step.run.outcome)) state_ = RunState::Failed;
      if (stop_reason_.empty()) stop_reason_ = state_ == RunState::Failed ? "finished, some nodes failed" : "finished";
    } else {
      state_ = progress.failed ? RunState::Failed : RunState::Paused;
    }
    if (resume_ && state_ == RunState::Paused) {
      Goal again = *resume_;
      resume_.reset();
      go(again);
      return;
    }
    resume_.reset();
    pin_current();
    watches_changed();
  }
  changed();
}

void Debugger::pause() {
  if (pausing_) pausing_->store(true);
}

// ---- Step commands ----------------------------------------------------------------------------------------------------------------------

// While the cursor is in the past a command moves it through the trace instead. True: it did.
bool Debugger::move_in_past(const Goal& goal) {
  if (!in_the_past() || state_ == RunState::Running) return false;
  const auto& steps = trace_.steps();
  auto depth_of = [&](FrameId frame) {
    size_t depth = 0;
    for (FrameId f = frame; f.index != 0 && trace_.frames().contains(f); f = trace_.frames()[f].caller.frame) ++depth;
    return depth;
  };
  const auto here = cursor();
  const size_t depth = here ? depth_of(here->frame) : 0;
  bool moved = false;
  for (size_t t = time_; t < steps.size(); ++t) {
    const StepTrace& step = steps[t];
    if (!step.operation) continue;
    const NodeRef ref{trace_.frames()[step.at.frame].graph, step.at.node};
    bool reached = false;
    if (moved) switch (goal.kind) {
        case Goal::Kind::Into: reached = true; break;
        case Goal::Kind::Over: reached = depth_of(step.at.frame) <= depth; break;
        case Goal::Kind::LeaveModule: reached = step.at.frame.index == 0 && !lies_in(*program_, program_->node(ref).module, goal.module); break;
        case Goal::Kind::Out: reached = depth_of(step.at.frame) < depth; break;
        case Goal::Kind::Node: reached = ref == goal.node; break;
        default: break;
      }
    if (reached) {
      set_time(t);
      return true;
    }
    moved = true;
  }
  set_time(steps.size());
  const bool enough = goal.kind != Goal::Kind::Nothing && goal.kind != Goal::Kind::Node;
  return enough || state_ != RunState::Paused;
}

void Debugger::step_goal(Goal goal) {
  if (move_in_past(goal)) return;
  if (state_ == RunState::Paused) go(goal);
}

size_t Debugger::live_depth() const { return run_ && run_->interpreter->depth() > 0 ? run_->interpreter->depth() - 1 : 0; }

void Debugger::step_into() { step_goal({Goal::Kind::Into}); }

void Debugger::step_over(ModuleId folded) {
  Goal goal{folded.valid() ? Goal::Kind::LeaveModule : Goal::Kind::Over};
  goal.depth = live_depth();
  goal.module = folded;
  step_goal(goal);
}

void Debugger::step_out() {
  Goal goal{Goal::Kind::Out};
  goal.depth = live_depth();
  if (const auto here = cursor(); here && here->frame.index == 0) {
    const ModuleId module = program_->root_graph().node(here->node).module;
    const bool inner = module.valid() && program_->modules.modules.contains(module) && module != program_->modules.root();
    goal.kind = inner ? Goal::Kind::LeaveModule : Goal::Kind::Nothing;
    goal.module = module;
  }
  step_goal(goal);
}

void Debugger::run() { step_goal({Goal::Kind::Nothing}); }

void Debugger::run_without_stopping() {
  Goal goal{Goal::Kind::Nothing};
  goal.breakpoints = false;
  step_goal(goal);
}

void Debugger::run_to(NodeRef node) {
  Goal goal{Goal::Kind::Node};
  goal.node = node;
  step_goal(goal);
}

// ---- Time -------------------------------------------------------------------------------------------------------------------------------

void Debugger::set_time(size_t step_count) {
  const size_t before = time_;
  time_ = std::min(step_count, trace_.steps().size());
  if (time_ == before) return;
  pin_current();
  watches_changed();
  changed();
}

void Debugger::step_back() {
  for (size_t t = time_; t-- > 0;)
    if (trace_.steps()[t].operation) return set_time(t);
}

void Debugger::back_to_breakpoint() {
  for (size_t t = time_; t-- > 0;) {
    const StepTrace& step = trace_.steps()[t];
    if (!step.operation) continue;
    const NodeRef ref{trace_.frames()[step.at.frame].graph, step.at.node};
    if (const Breakpoint* b = breakpoint_at(ref); b && b->enabled && t != time_) return set_time(t);
  }
  for (size_t t = 0; t < trace_.steps().size(); ++t)
    if (trace_.steps()[t].operation) return set_time(t);
}

std::optional<TraceRef> Debugger::cursor() const {
  for (size_t t = time_; t < trace_.steps().size(); ++t)
    if (trace_.steps()[t].operation) return trace_.steps()[t].at;
  if (!next_ || state_ == RunState::Finished) return std::nullopt;
  const NodeRef ref{trace_.frames()[next_->frame].graph, next_->node};
  return is_operator(*program_, ref) ? next_ : std::nullopt;
}

std::vector<TraceRef> Debugger::call_stack() const {
  std::vector<TraceRef> stack;
  const auto here = cursor();
  for (FrameId f = here ? here->frame : FrameId(0); f.index != 0 && trace_.frames().contains(f); f = trace_.frames()[f].caller.frame)
    stack.insert(stack.begin(), trace_.frames()[f].caller);
  return stack;
}

size_t Debugger::executed() const { return executed_before_.empty() ? 0 : executed_before_[std::min(time_, executed_before_.size() - 1)]; }

// ---- Values -----------------------------------------------------------------------------------------------------------------------------

std::optional<TraceRef> Debugger::shown(NodeRef node) const {
  if (time_ == 0) return std::nullopt;
  if (auto it = chosen_.find(node.graph); it != chosen_.end()) {
    const TraceRef ref{it->second, node.node};
    const auto step = trace_.step_of(ref);
    return step && *step < time_ ? std::optional(ref) : std::nullopt;
  }
  return trace_.latest(node, time_ - 1);
}

std::optional<RuntimeValue> Debugger::value(NodeRef node) const {
  const auto ref = shown(node);
  return ref ? trace_.value_at(*ref, time_ - 1) : std::nullopt;
}

const NodeRun* Debugger::run_of(NodeRef node) const {
  const auto ref = shown(node);
  return ref ? trace_.run_of(*ref) : nullptr;
}

void Debugger::choose_call(GraphId graph, std::optional<FrameId> frame) {
  if (frame) chosen_[graph] = *frame;
  else chosen_.erase(graph);
  changed();
}

double Debugger::recompute_cost_us(TraceRef ref) const {
  double cost = 0;
  for (TraceRef needed : trace_.needed_for(ref))
    if (const NodeRun* run = trace_.run_of(needed)) cost += run->elapsed_us;
  return cost;
}

void Debugger::recompute(TraceRef wanted) {
  struct Item { TraceRef ref; Frame frame; std::optional<Generator> generator; };
  auto items = std::make_shared<std::vector<Item>>();
  for (TraceRef ref : trace_.needed_for(wanted)) {
    const Generator* generator = trace_.generator_before(ref);
    items->push_back({ref, trace_.frame_before(ref), generator ? std::optional(*generator) : std::nullopt});
  }
  if (items->empty()) return;
  const uint64_t generation = generation_;
  auto work = [items, plan = plan_, options = evaluate_options_](Job& job) mutable {
    std::vector<std::pair<TraceRef, RuntimeValue>> values;
    options.context.stop = job.stop();
    options.context.memory = std::make_shared<MemoryBudget>(options.context.memory->limit_bytes());
    for (Item& item : *items) {
      for (const auto& [ref, value] : values)
        if (ref.frame == item.ref.frame) item.frame.values[ref.node] = value;
      auto value = Interpreter::evaluate(plan, builtin_ops(), options, std::move(item.frame), item.ref.node, item.generator ? &*item.generator : nullptr);
      if (!value) break;
      values.emplace_back(item.ref, std::move(*value));
    }
    return values;
  };
  jobs_.submit(job_tag_ + "/recompute", "Recompute", std::move(work), [this, generation](std::vector<std::pair<TraceRef, RuntimeValue>> values) {
    if (generation != generation_) return;
    for (const auto& [ref, value] : values) trace_.restore(ref, value);
    watches_changed();
    changed();
  });
}

// The values of the current step and of the watches stay.
void Debugger::pin_current() {
  std::vector<TraceRef> pinned;
  if (time_ > 0) pinned.push_back(trace_.steps()[time_ - 1].at);
  if (const auto here = cursor()) {
    const GraphId graph = trace_.frames()[here->frame].graph;
    for (const NodeArgument& argument : program_->graphs[graph].node(here->node).inputs)
      for_each_node(argument.value, [&](NodeId id) { pinned.push_back({here->frame, id}); });
  }
  for (const Watch& watch : watches)
    for (const std::string& name : names_in(watch.expression))
      if (const NodeId id = program_->root_graph().find(name); id.valid()) pinned.push_back({FrameId(0), id});
  trace_.pin(pinned);
}

// ---- Breakpoints, watches, reference, edits ----------------------------------------------------------------------------------------------

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
  if (state_ == RunState::Running && current_goal_) {
    resume_ = std::make_unique<Goal>(*current_goal_);
    pause();
  }
  changed();
}

void Debugger::add_watch(std::string expression) {
  watches.push_back({std::move(expression), "", false, false, {}});
  pin_current();
  watches_changed();
  changed();
}

void Debugger::watches_changed() {
  for (Watch& watch : watches) {
    const WatchResult result = evaluate_watch(watch.expression, *program_, [&](std::string_view name) -> std::optional<RuntimeValue> {
      for (size_t g = 0; g < program_->graphs.size(); ++g)
        if (const NodeId id = program_->graphs[GraphId(g)].find(name); id.valid())
          if (auto v = value({GraphId(g), id})) return v;
      if (inputs_)
        if (auto it = inputs_->symbols.find(std::string(name)); it != inputs_->symbols.end()) return RuntimeValue(it->second);
      return std::nullopt;
    });
    watch.changed = result.text != watch.value && !watch.value.empty();
    watch.failed = result.failed;
    watch.value = result.text;
    if (result.number && !in_the_past()) watch.history.push_back(*result.number);
  }
}

void Debugger::set_reference(std::shared_ptr<const TensorFile> reference) {
  reference_ = std::move(reference);
  differences_.clear();
  if (reference_) {
    std::unordered_map<std::string_view, const Tensor*> recorded;
    for (const auto& [key, tensor] : reference_->tensors) recorded.emplace(key, &tensor);
    for (const StepTrace& step : trace_.steps()) {
      const FrameTrace& frame = trace_.frames()[step.at.frame];
      const RuntimeValue* value = trace_.value(step.at);
      if (!value) continue;
      std::optional<ValueDifference> worst;
      for (const auto& [key, tensor] : recorded_tensors(frame.path + std::string(program_->graphs[frame.graph].node(step.at.node).name), *value)) {
        auto it = recorded.find(key);
        if (it == recorded.end()) continue;
        ValueDifference d = compare_tensors(tensor, *it->second, options.tolerance);
        if (!worst || worse(d, *worst)) worst = std::move(d);
      }
      differences_[step.at] = std::move(worst);
    }
  }
  if (run_) {
    run_->reference = reference_;
    run_->recorded.clear();
    if (reference_)
      for (const auto& [key, tensor] : reference_->tensors) run_->recorded.emplace(key, &tensor);
  }
  changed();
}

const std::optional<ValueDifference>* Debugger::difference(TraceRef ref) const {
  auto it = differences_.find(ref);
  return it == differences_.end() || !it->second ? nullptr : &it->second;
}

void Debugger::set_override(NodeRef node, RuntimeValue value) {
  overrides_[node] = std::move(value);
  if (run_) run_->overrides = overrides_;
  changed();
}

void Debugger::clear_override(NodeRef node) {
  overrides_.erase(node);
  if (run_) run_->overrides = overrides_;
  changed();
}

Result<void> Debugger::replay() {
  const auto here = cursor();
  const bool to_end = !here || state_ == RunState::Finished || state_ == RunState::Failed;
  const NodeRef goal_node = here ? NodeRef{trace_.frames()[here->frame].graph, here->node} : NodeRef();
  if (auto started = restart(); !started) return started;
  Goal goal{to_end ? Goal::Kind::Nothing : Goal::Kind::Node};
  goal.node = goal_node;
  goal.breakpoints = false;
  resume_ = std::make_unique<Goal>(goal);
  return {};
}

}  // namespace pt2::interp
