// Looking at a run: values at the time that is shown, watches, the reference, where a NaN comes from.
#include <algorithm>

#include "interp/arising.h"
#include "interp/debugger.h"
#include "interp/kernel_context.h"
#include "interp/memory_limit.h"
#include "interp/recorded_values.h"
#include "interp/value_names.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

namespace {

// While a replay is being made ready there is no run, and so no memory of one.
InterpreterOptions with_memory(InterpreterOptions options) {
  if (!options.context.memory) options.context.memory = std::make_shared<MemoryBudget>(default_memory_bytes());
  return options;
}

// The number that a symbol stands for in what `node` gave: u0 of item(), or of a size that only the run tells. None: it says nothing of it.
std::optional<int64_t> symbol_in(const Node& node, std::string_view symbol, const RuntimeValue& value) {
  if (const SymMeta* number = sym_meta(node.val)) {
    const auto* integer = value.as<int64_t>();
    return number->expr && number->expr->text == symbol && integer ? std::optional(*integer) : std::nullopt;
  }
  const TensorMeta* meta = tensor_meta(node.val);
  const auto* tensor = value.as<Tensor>();
  if (!meta || !tensor) return std::nullopt;
  for (size_t d = 0; d < std::min(meta->sizes.size(), tensor->sizes.size()); ++d)
    if (meta->sizes[d].is_symbolic() && meta->sizes[d].expr->text == symbol) return tensor->sizes[d];
  return std::nullopt;
}

// By what was run of the program's own graph before `time`.
std::optional<int64_t> symbol_of_run(const Program& program, const ExecutionTrace& trace, std::string_view symbol, size_t time) {
  for (size_t step = 0; step < std::min(time, trace.steps().size()); ++step) {
    const TraceRef at = trace.steps()[step].at;
    const RuntimeValue* value = at.frame.index == 0 ? trace.value(at) : nullptr;
    if (const auto number = value ? symbol_in(program.root_graph().node(at.node), symbol, *value) : std::nullopt) return number;
  }
  return std::nullopt;
}

}  // namespace

// The values of the current step and of the watches stay.
void Debugger::pin_current() {
  std::vector<TraceRef> pinned;
  if (time_ > 0) pinned.push_back(trace_.steps()[time_ - 1].at);
  if (const auto next = cursor()) {
    const GraphId graph = trace_.frames()[next->frame].graph;
    for (const NodeArgument& argument : program_->graphs[graph].node(next->node).inputs)
      for_each_node(argument.value, [&](NodeId id) { pinned.push_back({next->frame, id}); });
  }
  for (const Watch& watch : watches)
    for (const std::string& name : names_in(watch.expression, *program_))
      if (const auto ref = named(name, here())) pinned.push_back(*ref);
  trace_.pin(pinned);
}

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
  chosen_again_.erase(graph);
  if (frame) chosen_[graph] = *frame;
  else chosen_.erase(graph);
  watches_changed();
  changed();
}

void Debugger::follow_calls() {
  chosen_.clear();
  chosen_again_.clear();
}

// The frames of another run are others: its calls are known by their paths.
void Debugger::keep_chosen_calls() {
  for (const auto& [graph, frame] : chosen_) chosen_again_[graph] = trace_.frames()[frame].path;
}

void Debugger::choose_again(FrameId frame) {
  const FrameTrace& call = trace_.frames()[frame];
  const auto it = chosen_again_.find(call.graph);
  if (it == chosen_again_.end() || it->second != call.path) return;
  chosen_[call.graph] = frame;
  chosen_again_.erase(it);
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
  auto work = [items, plan = plan_, program = program_, edits = edits_.arguments, options = with_memory(now_.options)](Job& job) mutable {
    std::vector<std::pair<TraceRef, RuntimeValue>> values;
    options.context.stop = job.stop();
    options.context.memory = std::make_shared<MemoryBudget>(options.context.memory->limit_bytes());
    ArgumentEdits arguments(*program, std::move(edits));
    for (Item& item : *items) {
      for (const auto& [ref, value] : values)
        if (ref.frame == item.ref.frame) item.frame.values[ref.node] = value;
      auto value = Interpreter::evaluate(plan, builtin_ops(), options, std::move(item.frame), item.ref.node, item.generator ? &*item.generator : nullptr, &arguments);
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

// Of what a rule stopped at: where it comes from is what one wants to know.
void Debugger::find_origin_of_stop() {
  if (!now_.stopped_by || now_.stopped_by->breakpoint >= breakpoints.size()) return;
  const BreakpointCondition condition = breakpoints[now_.stopped_by->breakpoint].condition;
  if (condition != BreakpointCondition::NaN && condition != BreakpointCondition::Inf && condition != BreakpointCondition::NonFinite) return;
  // get_attr nodes may have ended since.
  for (size_t i = trace_.steps().size(); i-- > 0;)
    if (node_of(trace_.steps()[i].at) == now_.stopped_by->node)
      return find_origin(trace_.steps()[i].at, condition == BreakpointCondition::Inf || now_.stopped_by->infinite ? Nonfinite::Inf : Nonfinite::NaN);
}

void Debugger::find_origin(TraceRef ref, Nonfinite asked, std::optional<Shape> index) {
  slice_.reset();
  slice_under_way_ = true;
  // A copy for the job; memory is shared.
  auto trace = std::make_shared<const ExecutionTrace>(trace_);
  const std::map<std::string, int64_t> symbols = inputs_ ? inputs_->symbols : std::map<std::string, int64_t>();
  auto work = [trace, ref, asked, index = std::move(index), plan = plan_, edits = edits_, symbols, options = with_memory(now_.options)](Job& job) mutable -> std::optional<NonfiniteSlice> {
    options.context.stop = job.stop();
    const ContextScope scope(options.context);
    std::optional<SliceStep> from;
    if (index) from = nonfinite_at(*trace, ref, *index);
    else if (from = first_arising(*trace, *plan->program, ref, asked); !from) from = first_nonfinite(*trace, ref, asked);
    if (!from) return std::nullopt;
    auto slice = slice_nonfinite(*trace, plan, std::move(options), *from, edits, symbols);
    return slice ? std::optional(std::move(*slice)) : std::nullopt;
  };
  const uint64_t generation = generation_;
  jobs_.submit(job_tag_ + "/origin", "Looking where it comes from", std::move(work), [this, generation](std::optional<NonfiniteSlice> slice) {
    if (generation != generation_) return;
    slice_under_way_ = false;
    slice_ = std::move(slice);
    changed();
  });
  changed();
}

// ---- Watches ----------------------------------------------------------------------------------------------------------------------------

// The graph where the run stands.
GraphId Debugger::here() const {
  const auto next = cursor();
  return next ? trace_.frames()[next->frame].graph : program_->root();
}

// The call that ran last by time(), of those that `calls` means.
std::optional<TraceRef> Debugger::last_run(NodeRef node, std::string_view calls) const {
  if (calls.find('@') == calls.npos) return time_ > 0 ? trace_.latest(node, time_ - 1) : std::nullopt;
  for (size_t t = time_; t-- > 0;) {
    const TraceRef at = trace_.steps()[t].at;
    if (node_of(at) == node && means_call(calls, trace_.frames()[at.frame].path)) return at;
  }
  return std::nullopt;
}

// Where a name of an expression has its value, seen from a graph.
std::optional<TraceRef> Debugger::named(std::string_view name, GraphId here) const {
  const auto [node, calls] = find_value(*program_, name, here);
  if (!node.node) return std::nullopt;
  if (calls.find('@') != calls.npos) return last_run(node, calls);
  // A name alone is of the call one stands in, not of one before it; unless another was chosen to look at.
  const auto next = cursor();
  if (!calls.empty() || !next || trace_.frames()[next->frame].graph != node.graph || chosen_.contains(node.graph)) return shown(node);
  const TraceRef ref{next->frame, node.node};
  const auto step = trace_.step_of(ref);
  return step && *step < time_ ? std::optional(ref) : std::nullopt;
}

// The values and symbols an expression mentions, as they are now: for a job.
NameLookup Debugger::names_for(const std::string& expression, GraphId here) const {
  auto values = std::make_shared<std::map<std::string, RuntimeValue, std::less<>>>();
  for (const std::string& name : names_in(expression, *program_)) {
    if (const auto ref = named(name, here)) {
      if (auto value = trace_.value_at(*ref, time_ - 1)) values->emplace(name, std::move(*value));
    } else if (inputs_) {
      if (auto it = inputs_->symbols.find(name); it != inputs_->symbols.end()) values->emplace(name, RuntimeValue(it->second));
      else if (const auto number = symbol_of_run(*program_, trace_, name, time_)) values->emplace(name, RuntimeValue(*number));
    }
  }
  return [values](std::string_view name) -> std::optional<RuntimeValue> {
    auto it = values->find(name);
    return it == values->end() ? std::nullopt : std::optional(it->second);
  };
}

void Debugger::add_watch(std::string expression) {
  watches.push_back({std::move(expression), "", false, false, {}});
  pin_current();
  watches_changed();
  changed();
}

// A call that an expression names and that a run that is over did not make; empty: none.
std::string Debugger::call_never_made(const std::string& expression) const {
  if (now_.state != RunState::Finished) return {};
  for (const std::string& name : names_in(expression, *program_))
    if (const ValueName meant = find_value(*program_, name, here()); meant.node.node && meant.calls.find('@') != std::string::npos && !was_called(meant.node.graph, meant.calls))
      return meant.calls.substr(0, meant.calls.size() - 1);
  return {};
}

void Debugger::watches_changed() {
  if (watches.empty()) return;
  struct Item { std::string expression, never_made; NameLookup names; GraphId here; };
  std::vector<Item> items;
  for (const Watch& watch : watches) items.push_back({watch.expression, call_never_made(watch.expression), names_for(watch.expression, here()), here()});
  auto work = [program = program_, items = std::move(items)](Job& job) {
    std::vector<std::pair<std::string, WatchResult>> results;
    for (const Item& item : items) {
      if (job.stopped()) break;
      WatchResult result = evaluate_watch(item.expression, *program, item.names, item.here);
      if (result.failed && !item.never_made.empty()) result.text = "there was no call " + item.never_made;
      results.emplace_back(item.expression, std::move(result));
    }
    return results;
  };
  jobs_.submit(job_tag_ + "/watches", "Watches", std::move(work),
               [this, time = time_, steps = trace_.steps().size()](std::vector<std::pair<std::string, WatchResult>> results) {
                 const bool moved = std::exchange(watched_at_, time) != time, further = steps > history_steps_;
                 if (time == steps) history_steps_ = steps;
                 for (auto& [expression, result] : results)
                   for (Watch& watch : watches) {
                     if (watch.expression != expression) continue;
                     if (moved) watch.changed = result.text != watch.value && !watch.value.empty();
                     watch.failed = result.failed;
                     watch.value = result.text;
                     if (result.number && time == steps && (further || watch.history.empty())) watch.history.push_back(*result.number);
                   }
                 changed();
               });
}

// ---- Reference --------------------------------------------------------------------------------------------------------------------------

void Debugger::set_reference(std::shared_ptr<const TensorFile> reference) {
  reference_ = std::move(reference);
  reference_revision_.change();
  now_.differences.clear();
  if (now_.run) now_.run->set_reference(reference_);
  if (original_) {
    original_->differences.clear();
    if (original_->run) original_->run->set_reference(reference_);
  }
  if (reference_) compare_recorded();
  changed();
}

// What was recorded before the reference was there, in a job.
void Debugger::compare_recorded() {
  if (trace_.steps().empty()) return;
  auto trace = std::make_shared<const ExecutionTrace>(trace_);
  using Differences = std::map<TraceRef, std::optional<ValueDifference>>;
  auto work = [trace, program = program_, reference = reference_, tolerance = options.tolerance](Job& job) {
    Differences differences;
    const ReferenceCheck check(*program, *reference, {tolerance});
    for (const StepTrace& step : trace->steps()) {
      if (job.stopped()) break;
      const FrameTrace& frame = trace->frames()[step.at.frame];
      const Node& node = program->graphs[frame.graph].node(step.at.node);
      const RuntimeValue* value = trace->value(step.at);
      if (!value || node.kind == NodeKind::Output || node.kind == NodeKind::GetAttr) continue;
      differences[step.at] = check.compare(frame.path + std::string(node.name), *value, tolerance);
    }
    return differences;
  };
  const uint64_t generation = generation_;
  jobs_.submit(job_tag_ + "/reference", "Comparing with the reference", std::move(work), [this, generation, reference = reference_](Differences differences) {
    if (generation != generation_ || reference != reference_) return;
    now_.differences.merge(differences);
    changed();
  });
}

const std::optional<ValueDifference>* Debugger::difference(TraceRef ref) const {
  auto it = now_.differences.find(ref);
  return it == now_.differences.end() || !it->second ? nullptr : &it->second;
}

std::shared_ptr<const TensorFile> Debugger::recorded() const {
  auto file = std::make_shared<TensorFile>();
  for (const StepTrace& step : trace_.steps()) {
    const FrameTrace& frame = trace_.frames()[step.at.frame];
    const Node& node = program_->graphs[frame.graph].node(step.at.node);
    const RuntimeValue* value = trace_.value(step.at);
    if (!value || node.kind == NodeKind::Output) continue;
    for (auto& [key, tensor] : recorded_tensors(frame.path + std::string(node.name), *value, node)) file->tensors.emplace_back(key, std::move(tensor));
  }
  return file;
}

}  // namespace pt2::interp
