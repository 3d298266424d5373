#include "interp/compare_runs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "interp/group_comparer.h"
#include "interp/recorded_values.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

bool returned_to_user(const OutputSpec& spec) { return spec.kind == OutputKind::UserOutput || spec.kind == OutputKind::LossOutput; }

std::vector<OutputNumbers> compare_outputs(const Program& left, const RunReport& lrun, const Program& right, const RunReport& rrun, const Tolerance& tolerance) {
  struct Returned { std::string name; const RuntimeValue* value; };
  auto returned = [](const Program& program, const RunReport& run) {
    std::vector<Returned> list;
    for (size_t i = 0; i < program.signature.outputs.size(); ++i) {
      const OutputSpec& spec = program.signature.outputs[i];
      if (!returned_to_user(spec)) continue;
      const NodeId* node = spec.value.as<NodeId>();
      list.push_back({node ? std::string(program.root_graph().node(*node).name) : std::string(spec.name), i < run.outputs.size() ? &run.outputs[i] : nullptr});
    }
    return list;
  };
  const auto a = returned(left, lrun), b = returned(right, rrun);
  std::vector<OutputNumbers> result;
  for (size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    OutputNumbers& o = result.emplace_back();
    if (i < a.size()) o.left = a[i].name;
    if (i < b.size()) o.right = b[i].name;
    if (i >= a.size() || i >= b.size()) {
      o.equal = false;
      o.cause = Cause::Missing;
      continue;
    }
    if (!a[i].value || !b[i].value) continue;
    const auto x = recorded_tensors("", *a[i].value), y = recorded_tensors("", *b[i].value);
    if (x.empty() || y.empty()) {
      if (a[i].value->is_none() || b[i].value->is_none()) o.equal = a[i].value->is_none() == b[i].value->is_none();
      else if (const auto *s = a[i].value->as<std::string>(), *t = b[i].value->as<std::string>(); s && t) o.equal = *s == *t;
      continue;
    }
    o.difference = compare_tensors(y[0].second, x[0].second, tolerance);
    o.equal = o.difference.equal;
    o.cause = cause_of(x[0].second, y[0].second, o.difference, /*random=*/false);
  }
  return result;
}

// A value as a program may write to it, in the type its placeholder has where that is another floating-point type.
RuntimeValue own_value(const RuntimeValue& value, const Node& placeholder, std::vector<std::string>* notes) {
  const Tensor* tensor = value.as<Tensor>();
  if (!tensor) return value;
  const TensorMeta* meta = tensor_meta(placeholder.val);
  if (!notes || !meta || meta->dtype == tensor->dtype || !is_floating(meta->dtype) || !is_floating(tensor->dtype)) return clone(*tensor);
  notes->push_back("the input \"" + std::string(placeholder.name) + "\" of the second program is the first one's, cast from " + std::string(dtype_name(tensor->dtype)) + " to " +
                   std::string(dtype_name(meta->dtype)));
  return as_contiguous(*tensor, meta->dtype);
}

}  // namespace

Result<SharedInputs> shared_inputs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  SharedInputs shared{request.inputs, {}, {}};
  auto made = make_program_inputs(*left.program, *left.file->archive, shared.left, /*exclusive=*/false);
  if (!made) return made.error();
  std::unordered_map<NodeRef, NodeRef> partner;
  const Diff diff = diff_programs(*left.program, *right.program, request.matching);
  partner.insert(diff.placeholders.begin(), diff.placeholders.end());
  const Graph& lgraph = left.program->root_graph();
  const Graph& rgraph = right.program->root_graph();
  for (const InputSpec& spec : left.program->signature.inputs) {
    if (spec.kind != InputKind::UserInput || !spec.node || spec.constant) continue;
    const size_t i = spec.node.index;
    if (i >= made->inputs.size() || made->inputs[i].source == InputSource::Missing) continue;
    const RuntimeValue& value = made->inputs[i].value;
    const Node& own = lgraph.node(spec.node);
    shared.left.values.insert_or_assign(std::string(own.name), own_value(value, own, nullptr));
    const auto found = partner.find({left.program->root(), spec.node});
    if (found == partner.end()) continue;
    const Node& other = rgraph.node(found->second.node);
    shared.right.values.insert_or_assign(std::string(other.name), own_value(value, other, &shared.notes));
  }
  shared.left.tensors.reset();
  shared.left.texts.clear();
  shared.right.symbols = shared.left.symbols = {};
  shared.right.ignore_ranges = shared.left.ignore_ranges;
  return shared;
}

namespace {

// Gives each compared value of the right program the left one's once it was compared, so that every group is judged alone. It is written
// into the value's own memory: aliases stay aliases.
class IsolateGroups : public RunListener {
 public:
  IsolateGroups(const Program& program, const RunComparison& comparison, const ValueKeeper& lvalues, const Tolerance& tolerance)
      : program_(program), lvalues_(lvalues), tolerance_(tolerance) {
    for (size_t g = 0; g < comparison.groups.size(); ++g)
      for (const auto& [l, r] : comparison.groups[g].pairs) pair_of_[r] = {l, g};
  }
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const auto pair = pair_of_.find({frame.graph, id});
    const Tensor* tensor = value.as<Tensor>();
    if (tensor && frame.caller == NodeId() && program_.graphs[frame.graph].node(id).kind == NodeKind::Placeholder) given_.insert(tensor->storage.identity());
    if (!run.done() || pair == pair_of_.end() || !tensor || !seen_.insert(pair->first).second) return;
    const Tensor* wanted = lvalues_.tensor(pair->second.left);
    if (!wanted || wanted->dtype != tensor->dtype || wanted->sizes != tensor->sizes) return;
    if (!compare_tensors(*tensor, *wanted, tolerance_).equal) differ.insert(pair->second.group);
    if (given_.count(tensor->storage.identity())) return;  // weights and inputs stay as they are
    const bool expanded = std::find(tensor->strides.begin(), tensor->strides.end(), 0) != tensor->strides.end();  // several elements share memory
    if (expanded) value = clone(*wanted);
    else copy_into(*tensor, *wanted);
  }

  std::unordered_set<size_t> differ;  // groups

 private:
  struct Pair { NodeRef left; size_t group; };
  const Program& program_;
  const ValueKeeper& lvalues_;
  const Tolerance& tolerance_;
  std::unordered_map<NodeRef, Pair> pair_of_;
  std::unordered_set<NodeRef> seen_;
  std::unordered_set<const void*> given_;  // memory of placeholders
};

}  // namespace

Result<RunComparison> compare_runs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  auto inputs = shared_inputs(left, right, request);
  if (!inputs) return inputs.error();
  RunRequest lrequest, rrequest;
  lrequest.inputs = std::move(inputs->left);
  rrequest.inputs = std::move(inputs->right);
  ValueKeeper lvalues(*left.program), rvalues(*right.program);
  for (RunRequest* r : {&lrequest, &rrequest}) {
    r->seed = request.seed;
    r->memory_bytes = request.memory_bytes;
    r->threads = request.threads;
    r->stop = request.stop;
  }
  lrequest.listener = &lvalues;
  rrequest.listener = &rvalues;

  RunComparison result;
  result.notes = std::move(inputs->notes);
  auto lrun = run_program(*left.file, left.program, lrequest);
  if (!lrun) return lrun.error();
  auto rrun = run_program(*right.file, right.program, rrequest);
  if (!rrun) {
    Error error = rrun.error();
    error.message = "the second program, on the first one's inputs: " + error.message;
    if (error.advice.empty()) error.advice = "Without inputs or a seed only the structure is compared.";
    return error;
  }
  result.left = std::move(*lrun);
  result.right = std::move(*rrun);

  DiffOptions matching = request.matching;
  matching.same_value = [&](NodeRef l, NodeRef r) {
    const uint64_t a = lvalues.fingerprint(l);
    return a != 0 && a == rvalues.fingerprint(r);
  };
  result.diff = diff_programs(*left.program, *right.program, matching);
  result.groups = compare_groups(*left.program, *right.program, result.diff, lvalues, rvalues, request.tolerance);
  for (size_t g = 0; g < result.groups.size() && !result.first_divergence; ++g)
    if (result.groups[g].equal == false) result.first_divergence = g;
  result.outputs = compare_outputs(*left.program, result.left, *right.program, result.right, request.tolerance);
  if (request.isolate && result.first_divergence) {
    auto again = shared_inputs(left, right, request);  // the first run may have written to its inputs
    if (!again) return again.error();
    rrequest.inputs = std::move(again->right);
    IsolateGroups isolate(*right.program, result, lvalues, request.tolerance);
    rrequest.listener = &isolate;
    if (auto ran = run_program(*right.file, right.program, rrequest); !ran) return ran.error();
    for (size_t g = 0; g < result.groups.size(); ++g)
      if (result.groups[g].equal == false && result.groups[g].difference.comparable) result.groups[g].local = isolate.differ.count(g) > 0;
  }
  return result;
}

}  // namespace pt2::interp
