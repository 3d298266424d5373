#include "interp/compare_runs.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "interp/compare_outputs.h"
#include "interp/group_comparer.h"
#include "interp/judgement.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// What was given by name, in words; inputs of one source together: "x = 3, mask from m.pt; sample inputs", "x filled by seed 0".
std::string inputs_text(const Program& program, const ProgramInputs& made, const InputRequest& request) {
  std::string given, sample, filled;
  bool any = false;
  auto add = [](std::string& list, const std::string& text) { list += (list.empty() ? "" : ", ") + text; };
  for (const InputSpec& spec : program.signature.inputs) {
    if (spec.kind != InputKind::UserInput || !spec.node || spec.constant || spec.node.index >= made.inputs.size()) continue;
    const std::string name(program.root_graph().node(spec.node).name);
    const auto text = std::find_if(request.texts.begin(), request.texts.end(), [&](const auto& entry) { return entry.first == name; });
    any = true;
    if (text != request.texts.end()) {
      add(given, name + " = " + text->second);
      continue;
    }
    switch (made.inputs[spec.node.index].source) {
      case InputSource::Given: add(given, request.tensors_path.empty() ? name : name + " from " + request.tensors_path.substr(request.tensors_path.rfind('/') + 1)); break;
      case InputSource::Sample: add(sample, name); break;
      case InputSource::Filled: add(filled, name); break;
      default: break;
    }
  }
  std::string all = given;
  auto source = [&](const std::string& names, const char* title) {
    if (!names.empty()) all += (all.empty() ? "" : "; ") + (given.empty() && (sample.empty() || filled.empty()) ? title : names + " " + title);
  };
  source(sample, "sample inputs");
  source(filled, ("filled by seed " + std::to_string(request.seed.value_or(0))).c_str());
  return any ? all : "no inputs";
}

// A value as a program may write to it.
RuntimeValue own_value(const RuntimeValue& value) { return value.is<Tensor>() ? RuntimeValue(clone(*value.as<Tensor>())) : value; }

// The value in the type of a placeholder that wants another floating-point one; nullopt: it is as it should be.
std::optional<Tensor> cast_to(const RuntimeValue& value, const Node& placeholder) {
  const Tensor* tensor = value.as<Tensor>();
  const TensorMeta* meta = tensor_meta(placeholder.val);
  if (!tensor || !meta || meta->dtype == tensor->dtype || !is_floating(meta->dtype) || !is_floating(tensor->dtype)) return std::nullopt;
  return as_contiguous(*tensor, meta->dtype);
}

}  // namespace

Result<SharedInputs> shared_inputs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  SharedInputs shared;
  const bool of_right = request.inputs_of_right;
  const ProgramSide &giver = of_right ? right : left, &taker = of_right ? left : right;
  InputRequest &given = of_right ? shared.right : shared.left, &taken = of_right ? shared.left : shared.right;
  given = request.inputs;
  auto made = make_program_inputs(*giver.program, *giver.file->archive, given, /*exclusive=*/false);
  if (!made) return made.error();
  shared.text = inputs_text(*giver.program, *made, given);
  std::unordered_map<NodeRef, NodeRef> partner;
  for (const auto& [l, r] : diff_programs(*left.program, *right.program, request.matching).placeholders) partner.emplace(of_right ? r : l, of_right ? l : r);
  for (const InputSpec& spec : giver.program->signature.inputs) {
    if (spec.kind != InputKind::UserInput || !spec.node || spec.constant) continue;
    const size_t i = spec.node.index;
    if (i >= made->inputs.size() || made->inputs[i].source == InputSource::Missing) continue;
    const RuntimeValue& value = made->inputs[i].value;
    const Node& own = giver.program->root_graph().node(spec.node);
    given.values.insert_or_assign(std::string(own.name), own_value(value));
    const auto found = partner.find({giver.program->root(), spec.node});
    if (found == partner.end()) continue;
    const Node& other = taker.program->root_graph().node(found->second.node);
    if (auto cast = cast_to(value, other)) {
      const char *to = of_right ? "first" : "second", *from = of_right ? "second" : "first";
      shared.notes.push_back("the input \"" + std::string(other.name) + "\" of the " + to + " program is the " + from + " one's, cast from " + std::string(dtype_name(value.as<Tensor>()->dtype)) + " to " +
                             std::string(dtype_name(cast->dtype)));
      taken.values.insert_or_assign(std::string(other.name), std::move(*cast));
    } else {
      taken.values.insert_or_assign(std::string(other.name), own_value(value));
    }
  }
  given.tensors.reset();
  given.tensors_path.clear();
  given.texts.clear();
  taken.symbols = given.symbols = {};
  taken.ignore_ranges = given.ignore_ranges;
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
    if (!wanted || wanted->sizes != tensor->sizes) return;
    const Judgement judged = judge(*wanted, *tensor, tolerance_);
    if (!judged.difference.comparable) return;
    if (!judged.difference.equal) differ.insert(pair->second.group);
    if (given_.count(tensor->storage.identity())) return;  // weights and inputs stay as they are
    const bool expanded = std::find(tensor->strides.begin(), tensor->strides.end(), 0) != tensor->strides.end();  // several elements share memory
    if (expanded) value = as_contiguous(*wanted, tensor->dtype);
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
  result.inputs = std::move(inputs->text);
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
  result.written = compare_written(*left.program, result.left, *right.program, result.right, result.diff, request.tolerance);
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
  result.left_values = lvalues.take();
  result.right_values = rvalues.take();
  return result;
}

}  // namespace pt2::interp
