#include "interp/debug_run.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/results.h"
#include "interp/recorded_values.h"

namespace pt2::interp {

namespace {

using Clock = std::chrono::steady_clock;

bool is_operator(const Program& program, NodeRef ref) { return program.node(ref).kind == NodeKind::CallFunction; }

// The user inputs of a replay: those of the baseline, the edited ones read anew; sizes may change, and with them inputs that are filled.
Result<ProgramInputs> replay_inputs(const RunSetup& setup, std::vector<bool>& changed) {
  InputRequest request = setup.request;
  for (const InputEdit& edit : setup.edits.inputs) request.texts.emplace_back(edit.name, edit.text);
  auto inputs = make_program_inputs(*setup.program, *setup.file->archive, request);
  if (!inputs || !setup.baseline) return inputs;
  const Graph& root = setup.program->root_graph();
  changed.assign(root.placeholder_count(), false);
  for (size_t i = 0; i < inputs->inputs.size() && i < setup.baseline->inputs.inputs.size(); ++i) {
    const ProgramInput& before = setup.baseline->inputs.inputs[i];
    const std::string_view name = root.node(NodeId(i)).name;
    const bool edited = std::any_of(setup.edits.inputs.begin(), setup.edits.inputs.end(), [&](const InputEdit& e) { return e.name == name; });
    const bool filled = inputs->inputs[i].source == InputSource::Filled && inputs->symbols != setup.baseline->inputs.symbols;
    changed[i] = edited || filled;
    // The same memory as in the baseline, so that what shared it there does so here.
    if (!changed[i]) inputs->inputs[i] = before;
  }
  return inputs;
}

}  // namespace

bool lies_in(const Program& program, ModuleId module, ModuleId ancestor) {
  for (ModuleId m = module; m.valid() && program.modules.modules.contains(m); m = program.modules.modules[m].parent)
    if (m == ancestor) return true;
  return false;
}

DebugRun::DebugRun(RunSetup setup, ProgramInputs inputs)
    : setup_(std::move(setup)),
      inputs_(std::move(inputs)),
      breaks_(*setup_.program, {}, nullptr),
      walk_(*setup_.program),
      value_edits_(setup_.program, setup_.edits, inputs_.symbols),
      argument_edits_(*setup_.program, setup_.edits.arguments) {}

Result<std::shared_ptr<DebugRun>> DebugRun::begin(RunSetup setup) {
  const KernelContext context = setup.options.context;
  ContextScope scope(context);
  std::vector<bool> changed;
  auto inputs = replay_inputs(setup, changed);
  if (!inputs) return inputs.error();
  std::shared_ptr<DebugRun> run(new DebugRun(std::move(setup), std::move(*inputs)));
  if (run->setup_.baseline) run->replay_.emplace(run->setup_.program, run->setup_.baseline, std::move(changed));
  run->interpreter_ = std::make_unique<Interpreter>(run->setup_.plan, builtin_ops(), run->setup_.options);
  run->set_reference(run->setup_.reference);
  std::vector<RuntimeValue> values;
  std::vector<std::string> problems;
  for (const ProgramInput& input : run->inputs_.inputs) {
    values.push_back(input.value);
    problems.push_back(input.problem);
  }
  run->interpreter_->set_attributes(run->inputs_.attributes);
  run->interpreter_->start(std::move(values), std::move(problems));
  run->enter(run->interpreter_->frame(0));
  return run;
}

// After edits the comparison comes first, as it gives random nodes their recorded value; then this records, and breakpoints look at it.
void DebugRun::add_listeners() {
  interpreter_->add_listener(&value_edits_);
  if (signs_) interpreter_->add_listener(&*signs_);
  if (check_) interpreter_->add_listener(&*check_);
  interpreter_->add_listener(&argument_edits_);
  interpreter_->add_listener(this);
  interpreter_->add_listener(&breaks_);
}

void DebugRun::set_reference(std::shared_ptr<const TensorFile> reference) {
  if (signs_) interpreter_->remove_listener(&*signs_);
  if (check_) interpreter_->remove_listener(&*check_);
  for (RunListener* listener : {static_cast<RunListener*>(&value_edits_), static_cast<RunListener*>(&argument_edits_), static_cast<RunListener*>(this), static_cast<RunListener*>(&breaks_)})
    interpreter_->remove_listener(listener);
  setup_.reference = std::move(reference);
  signs_.reset();
  check_.reset();
  if (setup_.reference) {
    signs_.emplace(*setup_.program, *setup_.reference);
    check_.emplace(*setup_.program, *setup_.reference, ReferenceOptions{setup_.tolerance});
  }
  breaks_.set_reference(check_ ? &*check_ : nullptr);
  new_reference_ = true;
  add_listeners();
}

void DebugRun::enter(const Frame& frame) {
  TraceEvent event;
  event.kind = TraceEvent::Kind::Entered;
  event.frame = FrameId(frame_count_++);
  event.entered.graph = frame.graph;
  event.entered.path = frame.path;
  if (!frames_.empty()) {
    event.entered.caller = {frames_.back(), frame.caller};
    const size_t at = frame.path.rfind('@');
    event.entered.call_number = at == std::string::npos ? 0 : std::strtoll(frame.path.c_str() + at + 1, nullptr, 10);
    if (replay_) replay_->entered(frame.graph, frame.caller);
  }
  if (replay_) event.original = replay_->original_frame();
  frames_.push_back(event.frame);
  events_.push_back(std::move(event));
}

void DebugRun::entered(const Frame& frame) { enter(frame); }

void DebugRun::left(const Frame& frame) {
  TraceEvent event;
  event.kind = TraceEvent::Kind::Left;
  event.frame = frames_.back();
  frames_.pop_back();
  if (replay_) replay_->left(frame.caller);
  events_.push_back(std::move(event));
}

std::optional<RuntimeValue> DebugRun::instead(const Frame& frame, NodeId id) {
  (void)frame;
  reused_.reset();
  if (!replay_) return std::nullopt;
  reused_ = replay_->reuse(id, setup_.edits);
  return reused_ ? std::optional(reused_->value) : std::nullopt;
}

void DebugRun::storage_replaced(const Frame&, NodeId, const Storage& before, const Storage& after) {
  TraceEvent event;
  event.kind = TraceEvent::Kind::Replaced;
  event.before = before;
  event.after = after;
  events_.push_back(std::move(event));
  written_.push_back(after);
}

void DebugRun::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  const Node& node = setup_.program->graphs[frame.graph].node(id);
  TraceEvent event;
  event.step.at = {frames_.back(), id};
  event.step.run = reused_ ? reused_->run : run;
  event.step.begin_us = std::exchange(busy_us_, busy_us_ + event.step.run.elapsed_us);
  event.step.wrote = !written_.empty();
  event.step.operation = node.kind == NodeKind::CallFunction;
  event.step.edited = setup_.edits.touches({frame.graph, id}, *setup_.program, frame.path);
  if (run.drew_random) event.generator = generator_before_;
  if (check_ && run.done()) event.difference = check_->last_difference();
  if (replay_ && !reused_) {
    const bool reached = replay_->reached(id, setup_.edits);
    if (reached) event.change = change_from_original(id, run, value);
    const auto original = replay_->original(id);
    const bool unknown = reached && !(original && setup_.baseline->trace.step_of(*original));  // the original did not come so far
    replay_->ended(id, event.change.has_value() || unknown);
    if (event.change) mark_sharing();
  } else if (replay_) {
    replay_->ended(id, false);
  }
  reused_.reset();
  written_.clear();
  event.value = value;
  events_.push_back(std::move(event));
  ++step_count_;
  walk_.passed({frame.graph, id});
}

// How far a node's value is from what it was without edits; none: the same, or nothing to compare with.
std::optional<ValueDifference> DebugRun::change_from_original(NodeId id, const NodeRun& run, const RuntimeValue& value) const {
  auto differs = [](std::string reason) { return ValueDifference{.comparable = false, .reason = std::move(reason)}; };
  const auto ref = replay_->original(id);
  if (!ref) return differs("not run in the original");
  const ExecutionTrace& trace = setup_.baseline->trace;
  const NodeRun* before = trace.run_of(*ref);
  if (!before || (!before->done() && !run.done())) return std::nullopt;
  if (!before->done()) return differs("no value in the original");
  if (!run.done()) return differs("no value");
  const RuntimeValue* original = trace.value(*ref);
  return original ? change_between(value, *original) : differs("the original value was not kept");
}

// Everything that shares what a changed node wrote to has changed too.
void DebugRun::mark_sharing() {
  for (const Storage& storage : written_)
    for (size_t depth = 0; depth < interpreter_->depth(); ++depth) {
      const auto& values = interpreter_->frame(depth).values;
      for (size_t n = 0; n < values.size(); ++n)
        for_each_tensor(values[NodeId(n)], [&](const Tensor& tensor) {
          if (tensor.storage.identity() == storage.identity()) replay_->mark_changed(depth, NodeId(n));
        });
    }
}

bool DebugRun::reached(const RunGoal& goal, NodeRef next, size_t depth) const {
  // A node that goes on after a call of its own is come to only by who steps out of that call: each step is one operator.
  if (interpreter_->resumes() && goal.kind != RunGoal::Kind::Out) return false;
  if (goal.with_results && is_getitem(setup_.program->node(next))) return false;
  switch (goal.kind) {
    case RunGoal::Kind::Into: return true;
    case RunGoal::Kind::Over: return depth <= goal.depth;
    case RunGoal::Kind::LeaveModule: return depth == 0 && !lies_in(*setup_.program, setup_.program->node(next).module, goal.module);
    case RunGoal::Kind::Out: return depth < goal.depth;
    case RunGoal::Kind::Place: return goal.place.kind != BreakpointKind::ModuleExit && walk_.enters(goal.place, next, interpreter_->frame(depth).path);
    default: return false;
  }
}

std::optional<StopReason> DebugRun::noted(std::optional<StopReason> stop) {
  if (stop) stops_.push_back({step_count_, place_and_condition(breaks_.breakpoints()[stop->breakpoint], *setup_.program)});
  return stop;
}

// Whatever brought the run here, it has come to the breakpoints before what is next: a hit also where it would not have stopped.
void DebugRun::also_stop_here(const RunGoal& goal, std::string& reason, std::optional<StopReason>& stopped_by) {
  const auto next = interpreter_->next();
  if (!next || !is_operator(*setup_.program, *next) || interpreter_->resumes()) return;
  auto here = noted(breaks_.before(interpreter_->frame(interpreter_->depth() - 1), next->node));
  if (!here || !goal.breakpoints) return;
  reason += (reason.empty() ? "" : "; ") + here->text;
  if (!stopped_by) {
    stopped_by = std::move(here);
    return;
  }
  stopped_by->others.emplace_back(here->breakpoint, here->node);
  stopped_by->others.insert(stopped_by->others.end(), here->others.begin(), here->others.end());
}

DebugRun::Progress DebugRun::taken() {
  Progress progress;
  progress.events = std::exchange(events_, {});
  progress.log = breaks_.take_log();
  progress.collected = breaks_.take_collected();
  progress.stops = std::exchange(stops_, {});
  for (const Breakpoint& b : breaks_.breakpoints()) progress.hits.push_back(b.hits);
  return progress;
}

std::string DebugRun::limit_text(const Step& step) const {
  const std::string what = step.kind == StepKind::Limit ? with_commas(setup_.options.max_node_runs) + " node evaluations"
                                                        : with_commas(setup_.options.max_iterations) + " iterations of " + std::string(setup_.program->node(step.node).name);
  return "after " + what + " (limit); going on allows as many again";
}

DebugRun::Progress DebugRun::run(const RunGoal& goal, const std::atomic<bool>& pausing, Job& job, const std::function<void(Progress)>& hand_over) {
  constexpr auto kBatch = std::chrono::milliseconds(100);
  const Program& program = *setup_.program;
  Clock::time_point handed_over = Clock::now();
  bool moved = false, first = true, limit = false;
  std::string reason;
  std::optional<StopReason> stopped_by;
  if (std::exchange(limit_reached_, false)) interpreter_->allow_node_runs(setup_.options.max_node_runs);
  if (std::exchange(new_reference_, false))
    for (size_t depth = 0; depth < interpreter_->depth(); ++depth) breaks_.note_held(depth, interpreter_->frame(depth));
  auto stop_for = [&](StopReason stop) {
    reason = stop.text;
    stopped_by = std::move(stop);
  };
  while (auto next = interpreter_->next()) {
    const bool operation = is_operator(program, *next);
    if (goal.kind == RunGoal::Kind::Steps && step_count_ >= goal.steps) break;
    if (operation) {
      const size_t depth = interpreter_->depth() - 1;
      if (goal.kind != RunGoal::Kind::FirstOperator && moved && reached(goal, *next, depth)) break;
      if (goal.kind == RunGoal::Kind::FirstOperator) {
        if (auto stop = noted(breaks_.before(interpreter_->frame(depth), next->node))) stop_for(std::move(*stop));
        break;
      }
      // A call that goes on is not come to again. Hits count also where nothing stops.
      if (!interpreter_->resumes())
        if (auto stop = noted(breaks_.before(interpreter_->frame(depth), next->node)); stop && goal.breakpoints && !first) {
          stop_for(std::move(*stop));
          break;
        }
      first = false;
    }
    if (pausing.load() || job.stopped()) {
      reason = "paused";
      break;
    }
    if (operation && !interpreter_->resumes() && (!generator_before_ || generator_before_->draws() != interpreter_->generator().draws()))
      generator_before_ = std::make_shared<const Generator>(interpreter_->generator());
    const Step step = interpreter_->step();
    if (step.kind == StepKind::Stopped || step.kind == StepKind::Limit || step.kind == StepKind::LoopLimit) {
      limit = step.kind != StepKind::Stopped;
      limit_reached_ = step.kind == StepKind::Limit;
      reason = limit ? limit_text(step) : "stopped";
      break;
    }
    moved = moved || is_operator(program, step.node);
    auto stop = step.kind == StepKind::RanNode ? noted(breaks_.taken_reason()) : std::nullopt;
    if (stop && goal.breakpoints) {
      stop_for(std::move(*stop));
      break;
    }
    if (goal.kind == RunGoal::Kind::Place && step.kind == StepKind::RanNode && walk_.leaves(goal.place, step.node)) break;
    if (interpreter_->ended() - handed_over > kBatch && !events_.empty()) {
      handed_over = interpreter_->ended();
      hand_over(taken());
    }
  }
  // get_attr needs no step of its own, nor does the output unless something is to be looked at first.
  while (!limit && !job.stopped() && goal.kind != RunGoal::Kind::Steps) {
    const auto next = interpreter_->next();
    if (!next || is_operator(program, *next) || (program.node(*next).kind == NodeKind::Output && !reason.empty() && interpreter_->depth() == 1)) break;
    if (interpreter_->step().kind != StepKind::RanNode) break;
  }
  if (!limit && !job.stopped()) also_stop_here(goal, reason, stopped_by);
  Progress progress = taken();
  progress.limit = limit;
  progress.reason = std::move(reason);
  progress.stopped_by = std::move(stopped_by);
  if (const auto next = interpreter_->next()) progress.next = TraceRef{frames_.back(), next->node};
  progress.finished = !interpreter_->next();
  progress.outputs = interpreter_->outputs();
  return progress;
}

}  // namespace pt2::interp
