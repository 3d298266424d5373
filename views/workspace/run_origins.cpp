// Where NaN and Inf of a run arise, by the rule of "Stop on first NaN or Inf": where none was read, and where no constant asks for an Inf.
#include <algorithm>

#include "core/graph/results.h"
#include "interp/nonfinite_constants.h"
#include "views/workspace/run_facts.h"

namespace pt2::views {

namespace {

// What a sub-graph returns as that result; none: it returns no list so long, or a truth (the condition of a loop).
NodeId returned(const Graph& body, int64_t index) {
  const Node& output = body.node(body.output());
  std::vector<NodeId> items;
  for (const NodeArgument& argument : output.inputs) for_each_node(argument.value, [&](NodeId item) { items.push_back(item); });
  if (index >= int64_t(items.size())) return {};
  const TensorMeta* meta = tensor_meta(body.node(items[size_t(index)]).val);
  return meta && meta->dtype != DType::Bool ? items[size_t(index)] : NodeId();
}

}  // namespace

// What a node was given: its arguments, and what its calls returned; of a placeholder in a call the arguments of that call; of a result that is
// taken of a call what that call's own calls returned as it.
std::vector<interp::TraceRef> RunFacts::read_by(interp::TraceRef at) {
  const auto& frames = debugger_.trace().frames();
  for (; frames_seen_ < frames.size(); ++frames_seen_) calls_[frames[interp::FrameId(frames_seen_)].caller].push_back(interp::FrameId(frames_seen_));
  std::vector<interp::TraceRef> read;
  const Node& node = program_->graphs[frames[at.frame].graph].node(at.node);
  const int64_t index = result_index(node);
  if (const NodeId* taken_of = index >= 0 ? node.inputs[0].value.as<NodeId>() : nullptr)
    if (const auto made = calls_.find({at.frame, *taken_of}); made != calls_.end())
      for (const interp::FrameId call : made->second)
        if (const NodeId item = returned(program_->graphs[frames[call].graph], index); item.valid()) read.push_back({call, item});
  if (!read.empty()) return read;
  const auto add_arguments = [&](interp::TraceRef of) {
    for (const NodeArgument& argument : program_->graphs[frames[of.frame].graph].node(of.node).inputs)
      for_each_node(argument.value, [&](NodeId input) { read.push_back({of.frame, input}); });
  };
  const interp::FrameTrace& frame = frames[at.frame];
  if (node.kind == NodeKind::Placeholder && !frame.path.empty()) add_arguments(frame.caller);
  else add_arguments(at);
  if (const auto calls = calls_.find(at); calls != calls_.end())
    for (const interp::FrameId call : calls->second) read.push_back({call, program_->graphs[frames[call].graph].output()});
  return read;
}

// As it was when it was read: something may have written to it after its node ran. Of a value that was dropped before it was looked at,
// nothing is known; what reads it is then called no origin.
bool RunFacts::holds_nan(interp::TraceRef read, interp::TraceRef reader) const {
  const interp::ExecutionTrace& trace = debugger_.trace();
  const ValueFact* fact = find(read);
  if (!fact) return trace.step_of(read).has_value();
  if (fact->nan) return true;
  const auto writes = trace.writes_to(read);
  const size_t now = trace.step_of(reader).value_or(0);
  return std::any_of(writes.begin(), writes.end(), [&](size_t step) {
    const ValueFact* written = step < now ? find(trace.steps()[step].at) : nullptr;
    return written && written->nan;
  });
}

// An element-wise operator that inherits may still make some of its own. A loop hands its values on by ways that are not followed: inside of calls none arises at the placeholders, and an Inf there is asked for
// until one came up.
void RunFacts::find_state(interp::TraceRef at, ValueFact& fact) {
  if (!fact.nonfinite) return;
  const interp::FrameTrace& frame = debugger_.trace().frames()[at.frame];
  const Node& node = program_->graphs[frame.graph].node(at.node);
  const std::vector<interp::TraceRef> read = read_by(at);
  const auto any_read = [&](auto holds) { return std::any_of(read.begin(), read.end(), holds); };
  const bool given = node.kind == NodeKind::Placeholder, inside = (given && !frame.path.empty()) || calls_.contains(at) || node.kind == NodeKind::Output;
  const bool nan_read = any_read([&](interp::TraceRef r) { return holds_nan(r, at); });
  if (fact.nan) {
    fact.state = (inside || nan_read) && !fact.own_nan ? NonFiniteState::InheritedNaN : NonFiniteState::NaN;
    return;
  }
  const auto state_of = [&](interp::TraceRef r) { const ValueFact* other = find(r); return other ? other->state : NonFiniteState::None; };
  const bool inf_read = any_read([&](interp::TraceRef r) { return state_of(r) == NonFiniteState::Inf; });
  const bool asked_read = any_read([&](interp::TraceRef r) { return state_of(r) == NonFiniteState::AskedInf; });
  const bool constant = node.kind == NodeKind::GetAttr || interp::asks_for_infinity(node) || (given && frame.path.empty() && interp::is_constant(*program_, at.node));
  const bool came_in = (inf_read && !fact.own_inf) || nan_read || (inside && inf_origins().values && !asked_read);
  fact.state = !came_in && (constant || (asked_read && !fact.own_inf) || inside) ? NonFiniteState::AskedInf : NonFiniteState::Inf;
  fact.inf_arises = fact.state == NonFiniteState::Inf && !came_in;
}

}  // namespace pt2::views
