// What if: edits, the run without them that is set aside, and the replay beside it.
#include <algorithm>

#include "interp/debugger.h"
#include "interp/edited_value.h"
#include "interp/value_names.h"

namespace pt2::interp {

void Debugger::edit_input(const std::string& name, const std::string& text) {
  problem_.reset();
  std::erase_if(edits_.inputs, [&](const InputEdit& e) { return e.name == name; });
  if (!text.empty()) edits_.inputs.push_back({name, text});
  edits_changed();
}

void Debugger::edit_value(NodeRef node, const std::string& index, const std::string& text, const std::string& call) {
  problem_.reset();
  if (text.empty() && index.empty()) return clear_edit(node, call);
  if (text.empty()) {
    const auto of_these = [&](const ValueEdit& e) { return e.node == node && e.call == call && e.index == index; };
    if (!std::erase_if(edits_.values, of_these)) return failed({ErrorKind::Failed, "there is no edit of " + index + " to take back", {}, {}});
    return edits_changed();
  }
  if (now_.state == RunState::Finished && !was_called(node.graph, call)) return failed({ErrorKind::Failed, "there was no call " + call.substr(0, call.size() - 1), {}, {}});
  const auto current = value(node);
  const std::map<std::string, int64_t> symbols = inputs_ ? inputs_->symbols : request_.symbols;
  auto work = [program = program_, node, index, text, names = names_for(text, node.graph), current, symbols](Job&) {
    return parse_value_edit(*program, node, index, text, names, current ? &*current : nullptr, symbols);
  };
  jobs_.submit(job_tag_ + "/edit", "Reading a value", std::move(work), [this, node, call](Result<ValueEdit> edit) {
    if (!edit) return failed(edit.error());
    std::erase_if(waiting_, [&](const EditText& e) { return EditedPart{node, call, edit->index}.replaces({e.node, e.call, e.part}); });
    edit->call = call;
    set_value_edit(std::move(*edit));
    edits_changed();
  });
}

// True also where any call is meant.
bool Debugger::was_called(GraphId graph, const std::string& call) const {
  const auto calls = trace_.calls_of(graph);
  return call.empty() || std::any_of(calls.begin(), calls.end(), [&](FrameId frame) { return means_call(call, trace_.frames()[frame].path); });
}

void Debugger::set_value_edit(ValueEdit edit) {
  const EditedPart part{edit.node, edit.call, edit.index};
  std::erase_if(edits_.values, [&](const ValueEdit& e) { return part.replaces({e.node, e.call, e.index}); });
  edits_.values.push_back(std::move(edit));
}

void Debugger::edit_argument(NodeRef node, const std::string& argument, const std::string& text, const std::string& call) {
  problem_.reset();
  const auto before = [&](const ArgumentEdit& e) { return e.node == node && e.argument == argument && e.call == call; };
  if (!text.empty()) {
    auto edit = parse_argument_edit(*program_, node, argument, text);
    if (!edit) return failed(edit.error());
    std::erase_if(edits_.arguments, before);
    edit->call = call;
    edits_.arguments.push_back(std::move(*edit));
  } else {
    std::erase_if(edits_.arguments, before);
  }
  edits_changed();
}

void Debugger::erase_edits(NodeRef node, const std::function<bool(const std::string& call)>& means) {
  const std::string_view name = node.graph == program_->root() ? program_->node(node).name : std::string_view();
  const auto meant = [&](const auto& e) { return e.node == node && means(e.call); };
  std::erase_if(edits_.inputs, [&](const InputEdit& e) { return e.name == name; });
  std::erase_if(edits_.values, meant);
  std::erase_if(edits_.arguments, meant);
  std::erase_if(waiting_, meant);
  edits_changed();
}

void Debugger::clear_edit(NodeRef node, const std::string& call) {
  erase_edits(node, [&](const std::string& of) { return of == call; });
}

void Debugger::clear_edits_of(NodeRef node) {
  erase_edits(node, [](const std::string&) { return true; });
}

void Debugger::clear_edits() {
  edits_ = {};
  waiting_.clear();
  problem_.reset();
  edits_changed();
}

// Where something was run it is replayed to where it stood; else the edits wait for the start.
void Debugger::edits_changed() {
  if (trace_.steps().empty() && !replay_) return changed();
  const std::optional<RunGoal> under_way = replay_;
  if (now_.state == RunState::Running) stop();
  if (edits_.empty() && original_) return restore_original();
  if (!edited_ && !original_) set_aside();
  const RunGoal goal = under_way ? *under_way : as_far_as_before();
  time_after_replay_ = in_the_past() ? std::optional(time_) : std::nullopt;
  keep_chosen_calls();
  begin(goal, baseline_);
  replay_ = goal;
}

// Where the run without edits stands, or the one with the edits so far if that went on from there.
RunGoal Debugger::as_far_as_before() const {
  const bool at_end = original_ && !original_->next;
  RunGoal goal{at_end || (edited_ && !now_.next) ? RunGoal::Kind::End : RunGoal::Kind::Steps};
  goal.steps = std::max(trace_.steps().size(), original_ ? baseline_->trace.steps().size() : 0);
  goal.breakpoints = false;
  return goal;
}

void Debugger::set_aside() {
  baseline_ = std::make_shared<const Baseline>(Baseline{trace_, inputs_ ? *inputs_ : ProgramInputs()});
  original_ = std::move(now_);
  original_stops_ = stops_;
  original_hits_.clear();
  for (const Breakpoint& b : breakpoints) original_hits_[place_and_condition(b, *program_)] = b.hits;
  now_ = {};
  now_.state = original_->state;
  now_.next = original_->next;
  now_.executed_before = original_->executed_before;
  now_.stop_reason = original_->stop_reason;
}

void Debugger::restore_original() {
  ++generation_;
  jobs_.cancel(job_tag_);
  keep_chosen_calls();
  const size_t time = in_the_past() ? time_ : SIZE_MAX;
  trace_ = baseline_->trace;
  run_number_.change();
  inputs_ = baseline_->inputs;
  now_ = std::move(*original_);
  stops_ = std::move(original_stops_);
  for (Breakpoint& b : breakpoints) b.hits = original_hits_[place_and_condition(b, *program_)];
  original_.reset();
  baseline_.reset();
  edited_ = false;
  forget_changes();
  original_frames_.clear();
  chosen_.clear();
  for (size_t f = 0; f < trace_.frames().size(); ++f) choose_again(FrameId(f));
  chosen_again_.clear();
  slice_.reset();
  slice_under_way_ = false;
  time_ = std::min(time, trace_.steps().size());
  pin_current();
  watches_changed();
  find_origin_of_stop();
  if (reference_ && now_.differences.empty()) compare_recorded();
  changed();
}

const ValueDifference* Debugger::change(TraceRef ref) const {
  auto it = changes_.find(ref);
  return it == changes_.end() ? nullptr : &it->second;
}

std::optional<RuntimeValue> Debugger::original_value(TraceRef ref) const {
  if (!baseline_ || ref.frame.index >= original_frames_.size()) return std::nullopt;
  const FrameId frame = original_frames_[ref.frame.index];
  const RuntimeValue* value = frame.valid() ? baseline_->trace.value({frame, ref.node}) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace pt2::interp
