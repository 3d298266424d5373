// The time that is shown: where the run stood then, forwards through what was recorded, and back.
#include <algorithm>
#include <set>

#include "core/graph/results.h"
#include "interp/debugger.h"

namespace pt2::interp {

namespace {

size_t depth_of(const ExecutionTrace& trace, FrameId frame) {
  size_t depth = 0;
  for (; frame.index != 0 && trace.frames().contains(frame); frame = trace.frames()[frame].caller.frame) ++depth;
  return depth;
}

// Whether the frame is a call that the node made, or inside of one.
bool in_calls_of(const ExecutionTrace& trace, TraceRef node, FrameId frame) {
  for (; frame.index != 0; frame = trace.frames()[frame].caller.frame)
    if (trace.frames()[frame].caller == node) return true;
  return false;
}

// The last step before `time` is of a call that the node made: the node goes on with it, or has ended.
bool called_before(const ExecutionTrace& trace, TraceRef node, size_t time) { return time > 0 && in_calls_of(trace, node, trace.steps()[time - 1].at.frame); }

}  // namespace

// ---- Places -----------------------------------------------------------------------------------------------------------------------------

// The operator that was next when `step` steps had ended; none: what that step did is no operator. One that makes calls is next before the
// first of them begins, and goes on once the last has ended.
std::optional<Debugger::Place> Debugger::place_at(size_t step) const {
  const StepTrace& next = trace_.steps()[step];
  if (next.operation) return Place{next.at, step, called_before(trace_, next.at, step)};
  Place place{next.at, step, false};
  while (place.at.frame.index != 0) {
    const TraceRef caller = trace_.frames()[place.at.frame].caller;
    if (called_before(trace_, caller, step)) break;
    place.at = caller;
  }
  return place.at == next.at ? std::nullopt : std::optional(place);
}

// Where a node that goes on, or has ended, had not begun.
Debugger::Place Debugger::beginning(TraceRef at, size_t time) const {
  while (called_before(trace_, at, time)) --time;
  return {at, time, false};
}

// The place before: of a node that went on after its calls, or is the first of a call, where that node or the call's had not begun.
std::optional<Debugger::Place> Debugger::place_before(std::optional<TraceRef> here, size_t time) const {
  if (here && called_before(trace_, *here, time)) return beginning(*here, time);
  size_t last = time;
  while (last > 0 && !trace_.steps()[last - 1].operation) --last;
  for (; here && here->frame.index != 0; here = trace_.frames()[here->frame].caller) {
    const TraceRef caller = trace_.frames()[here->frame].caller;
    if (last > 0 && in_calls_of(trace_, caller, trace_.steps()[last - 1].at.frame)) break;
    // A graph without placeholders begins at the same time as its first operator.
    if (const Place place = beginning(caller, time); place.time < time) return place;
  }
  return last > 0 ? std::optional(beginning(trace_.steps()[last - 1].at, last - 1)) : std::nullopt;
}

bool Debugger::comes_to(const PlaceWalk& walk, const Breakpoint& goal, const std::optional<Place>& place) const {
  return place && !place->goes_on && walk.enters(goal, node_of(place->at), trace_.frames()[place->at.frame].path);
}

std::optional<TraceRef> Debugger::cursor() const {
  for (size_t t = time_; t < trace_.steps().size(); ++t)
    if (const auto place = place_at(t)) return place->at;
  if (!now_.next || now_.state == RunState::Finished) return std::nullopt;
  return program_->node(node_of(*now_.next)).kind == NodeKind::CallFunction ? now_.next : std::nullopt;
}

std::optional<FrameId> Debugger::returned_from() const {
  const auto here = cursor();
  if (!here || time_ == 0) return std::nullopt;
  const FrameId last = trace_.steps()[time_ - 1].at.frame;
  return last.index != 0 && trace_.frames()[last].caller == *here ? std::optional(last) : std::nullopt;
}

std::vector<TraceRef> Debugger::call_stack() const {
  std::vector<TraceRef> stack;
  const auto here = cursor();
  for (FrameId f = here ? here->frame : FrameId(0); f.index != 0 && trace_.frames().contains(f); f = trace_.frames()[f].caller.frame)
    stack.insert(stack.begin(), trace_.frames()[f].caller);
  return stack;
}

size_t Debugger::executed() const {
  return now_.executed_before.empty() ? 0 : now_.executed_before[std::min(time_, now_.executed_before.size() - 1)];
}

// ---- Moving -----------------------------------------------------------------------------------------------------------------------------

void Debugger::set_time(size_t step_count) {
  const size_t before = time_;
  time_ = std::min(step_count, trace_.steps().size());
  if (time_ == before) return;
  pin_current();
  watches_changed();
  changed();
}

// While the cursor is in the past a command moves it through the trace instead. True: it did. A node that goes on after its calls is come to
// only by who steps out of one, as in a run.
bool Debugger::move_in_past(const RunGoal& goal) {
  if (!in_the_past() || now_.state == RunState::Running) return false;
  const auto& steps = trace_.steps();
  const auto here = cursor();
  const size_t depth = here ? depth_of(trace_, here->frame) : 0;
  auto inside_call = [&](FrameId frame) {
    while (frame.index != 0 && frame != here->frame) frame = trace_.frames()[frame].caller.frame;
    return frame == here->frame;
  };
  PlaceWalk walk(*program_);
  if (goal.kind == RunGoal::Kind::Place)
    for (size_t t = 0; t < time_; ++t) walk.passed(node_of(steps[t].at));
  auto reached = [&](const Place& place) {
    if (place.goes_on && goal.kind != RunGoal::Kind::Out) return false;
    if (goal.with_results && is_getitem(program_->node(node_of(place.at)))) return false;
    switch (goal.kind) {
      case RunGoal::Kind::Into: return true;
      case RunGoal::Kind::Over: return depth_of(trace_, place.at.frame) <= depth;
      case RunGoal::Kind::LeaveModule: return place.at.frame.index == 0 && !lies_in(*program_, program_->node(node_of(place.at)).module, goal.module);
      case RunGoal::Kind::Out: return !inside_call(place.at.frame);  // the next call of a loop is outside, too
      case RunGoal::Kind::Place: return comes_to(walk, goal.place, place);
      default: return false;
    }
  };
  bool moved = false;
  for (size_t t = time_; t < steps.size(); ++t) {
    const auto place = place_at(t);
    if (place && moved && reached(*place)) {
      set_time(t);
      return true;
    }
    moved = moved || place;
    if (goal.kind != RunGoal::Kind::Place) continue;
    if (walk.leaves(goal.place, node_of(steps[t].at))) {
      set_time(t + 1);
      return true;
    }
    walk.passed(node_of(steps[t].at));
  }
  set_time(steps.size());
  const bool enough = goal.kind != RunGoal::Kind::End && goal.kind != RunGoal::Kind::Place;
  return enough || now_.state != RunState::Paused;
}

std::optional<Debugger::Place> Debugger::place_of_step_back(bool with_results) const {
  auto place = place_before(cursor(), time_);
  while (with_results && place && is_getitem(program_->node(node_of(place->at)))) place = place_before(place->at, place->time);
  return place;
}

std::optional<TraceRef> Debugger::operator_before(bool with_results) const {
  const auto place = place_of_step_back(with_results);
  return place ? std::optional(place->at) : std::nullopt;
}

void Debugger::step_back(ModuleId folded, bool with_results) {
  auto place = place_of_step_back(with_results);
  if (!place) return;
  auto in_folded = [&](const Place& p) { return p.at.frame.index == 0 && lies_in(*program_, program_->node(node_of(p.at)).module, folded); };
  if (folded.valid())
    for (auto before = place; before && in_folded(*before); before = place_before(place->at, place->time)) place = before;
  set_time(place->time);
}

void Debugger::step_back_into() {
  for (size_t t = time_; t-- > 0;)
    if (const auto place = place_at(t); place && !place->goes_on) return set_time(t);
}

// Before time(), in order: where breakpoints held, and where those without a condition would stop now.
std::vector<size_t> Debugger::times_of_breakpoints() const {
  std::set<std::string> set;
  for (const Breakpoint& b : breakpoints)
    if (b.enabled && b.action == BreakpointAction::Stop) set.insert(place_and_condition(b, *program_));
  std::vector<size_t> times;
  for (const PastStop& stop : stops_)
    if (set.contains(stop.breakpoint)) times.push_back(stop.steps);
  PlaceWalk walk(*program_);
  for (size_t t = 0; t < time_; ++t) {
    const NodeRef ended = node_of(trace_.steps()[t].at);
    const auto place = place_at(t);
    for (const Breakpoint& b : breakpoints) {
      if (!b.enabled || b.action != BreakpointAction::Stop || b.condition != BreakpointCondition::Always || b.hit_at_least > 0 || b.every > 1) continue;
      if (comes_to(walk, b, place)) times.push_back(t);
      if (walk.leaves(b, ended)) times.push_back(t + 1);
    }
    walk.passed(ended);
  }
  std::sort(times.begin(), times.end());
  return times;
}

void Debugger::back_to_breakpoint() {
  size_t last = time_;  // of the place before: where its operator has ended, the run stands here already
  while (last > 0 && !place_at(--last)) {}
  const std::vector<size_t> times = times_of_breakpoints();
  if (auto it = std::upper_bound(times.begin(), times.end(), last); it != times.begin()) return set_time(*std::prev(it));
  for (size_t t = 0; t < trace_.steps().size(); ++t)
    if (place_at(t)) return set_time(t);
}

}  // namespace pt2::interp
