#include "interp/differing_calls.h"

#include <algorithm>

#include "interp/called_groups.h"
#include "interp/judgement.h"
#include "interp/memory_limit.h"
#include "interp/recorded_values.h"
#include "interp/value_keeper.h"

namespace pt2::interp {

namespace {

using Partners = std::unordered_map<NodeRef, NodeRef>;  // of the right program's nodes the left one's

std::optional<Tensor> tensor_of(const RuntimeValue& value) { return value.is<Tensor>() ? std::optional(*value.as<Tensor>()) : number_tensor(value); }

// The values of some nodes in all their calls, as many as there is room for.
class CallRecorder : public RunListener {
 public:
  struct Call { std::string path; std::optional<Tensor> value; };

  CallRecorder(const Partners& pairs, size_t memory_bytes) : room_(default_trace_bytes(memory_bytes ? memory_bytes : default_memory_bytes())) {
    for (const auto& [r, l] : pairs) calls_[l];
  }
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const auto calls = calls_.find({frame.graph, id});
    if (calls == calls_.end() || full_) return;
    std::optional<Tensor> tensor = run.done() ? tensor_of(value) : std::nullopt;
    const size_t bytes = sizeof(Call) + frame.path.size() + (tensor ? size_t(tensor->numel() * item_size(tensor->dtype)) : 0);
    full_ = bytes > room_;
    if (full_) return;
    room_ -= bytes;
    if (tensor) tensor = clone(*tensor);  // the run may write to it
    calls->second.push_back({frame.path, std::move(tensor)});
  }
  const Call* call(NodeRef ref, size_t n) const {
    const std::vector<Call>& calls = calls_.at(ref);
    return n < calls.size() ? &calls[n] : nullptr;
  }

 private:
  std::unordered_map<NodeRef, std::vector<Call>> calls_;
  size_t room_;
  bool full_ = false;
};

// Holds the right program's values against the recorded ones while it runs.
class CallJudge : public RunListener {
 public:
  CallJudge(const Partners& pairs, const CallRecorder& recorded, const Tolerance& tolerance) : pairs_(pairs), recorded_(recorded), tolerance_(tolerance) {}

  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const NodeRef ref{frame.graph, id};
    const auto pair = pairs_.find(ref);
    if (pair == pairs_.end() || found(frame.graph)) return;
    const CallRecorder::Call* other = recorded_.call(pair->second, done_[ref]++);
    const std::optional<Tensor> tensor = run.done() ? tensor_of(value) : std::nullopt;
    if (!other || !other->value || !tensor || judge(*other->value, *tensor, tolerance_).difference.equal) return;
    calls_.left.push_back({pair->second.graph, other->path});
    calls_.right.push_back({frame.graph, frame.path});
  }
  CallsOfBoth take() { return std::move(calls_); }

 private:
  bool found(GraphId graph) const {
    return std::any_of(calls_.right.begin(), calls_.right.end(), [&](const CallOfGraph& call) { return call.graph == graph; });
  }
  const Partners& pairs_;
  const CallRecorder& recorded_;
  const Tolerance tolerance_;
  std::unordered_map<NodeRef, size_t> done_;
  CallsOfBoth calls_;
};

// The values inside of groups that differ although nothing in them does.
Partners unexplained(const Program& left, const Program& right, const RunComparison& comparison) {
  Partners pairs;
  const CalledGroups called(left, right, comparison.diff);
  for (size_t g = 0; g < comparison.groups.size(); ++g) {
    if (comparison.groups[g].equal != false) continue;
    const std::set<size_t> inside = called.all(g);
    if (std::any_of(inside.begin(), inside.end(), [&](size_t inner) { return comparison.groups[inner].equal == false; })) continue;
    for (size_t inner : inside)
      for (const auto& [l, r] : comparison.groups[inner].pairs) pairs.emplace(r, l);
  }
  return pairs;
}

}  // namespace

Result<CallsOfBoth> differing_calls(const ProgramSide& left, const ProgramSide& right, const RunComparison& first_calls, const CompareRunsRequest& request) {
  const Partners pairs = unexplained(*left.program, *right.program, first_calls);
  if (pairs.empty()) return CallsOfBoth();
  auto inputs = shared_inputs(left, right, request);  // the runs before may have written to theirs
  if (!inputs) return inputs.error();
  CallRecorder recorder(pairs, request.memory_bytes);
  if (auto ran = run_program(*left.file, left.program, run_request(request, std::move(inputs->left), &recorder)); !ran) return ran.error();
  CallJudge judge(pairs, recorder, request.tolerance);
  if (auto ran = run_program(*right.file, right.program, run_request(request, std::move(inputs->right), &judge)); !ran) return ran.error();
  return judge.take();
}

}  // namespace pt2::interp
