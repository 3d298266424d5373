#include "interp/compare_runs.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "interp/called_groups.h"
#include "interp/compare_outputs.h"
#include "interp/differing_calls.h"
#include "interp/group_comparer.h"
#include "interp/isolate_groups.h"
#include "interp/judgement.h"
#include "interp/tensor_map.h"
#include "interp/value_keeper.h"
#include "interp/value_names.h"

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
  auto made = make_program_inputs(*giver.program, *giver.file->archive, given);
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

bool meant(const CallsOfGraphs& calls, GraphId frame_graph, std::string_view path) {
  return std::all_of(calls.begin(), calls.end(), [&](const CallOfGraph& one) { return one.graph != frame_graph || means_call(one.call, path); });
}

RunRequest run_request(const CompareRunsRequest& request, InputRequest inputs, RunListener* listener) {
  RunRequest run;
  run.inputs = std::move(inputs);
  run.seed = request.seed;
  run.memory_bytes = request.memory_bytes;
  run.threads = request.threads;
  run.stop = request.stop;
  run.listener = listener;
  return run;
}

namespace {

bool has_both(const NodeGroup& group) { return !group.left.empty() && !group.right.empty(); }

// Groups in the order they ended in the left program's run; what is only on the right stands as in the Diff.
class RunOrder {
 public:
  RunOrder(const CalledGroups& called, size_t count) : called_(called), done_(count, false) {}
  std::vector<size_t> run() && {
    for (size_t g = 0; g < done_.size(); ++g) add(g);
    return std::move(order_);
  }

 private:
  void add(size_t g) {
    if (done_[g]) return;
    done_[g] = true;
    for (size_t inner : called_.directly(g)) add(inner);
    order_.push_back(g);
  }

  const CalledGroups& called_;
  std::vector<bool> done_;
  std::vector<size_t> order_;
};

void put_in_order(const CalledGroups& called, RunComparison& result) {
  result.order = RunOrder(called, result.groups.size()).run();
  result.positions.resize(result.order.size());
  for (size_t i = 0; i < result.order.size(); ++i) result.positions[result.order[i]] = i;
  // Where both have a call: what is quantized on one side only has numbers, but is no fault of a call.
  const auto first = std::find_if(result.order.begin(), result.order.end(), [&](size_t g) { return result.groups[g].equal == false && has_both(result.diff.groups[g]); });
  if (first != result.order.end()) result.first_divergence = *first;
}

void name_calls(const CallsOfBoth& calls, RunComparison& result) {
  auto call_of = [](const CallsOfGraphs& list, NodeRef ref) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const CallOfGraph& one) { return one.graph == ref.graph; });
    return found == list.end() ? std::string() : found->call;
  };
  for (GroupNumbers& numbers : result.groups)
    if (numbers.equal) numbers.left_call = call_of(calls.left, numbers.left), numbers.right_call = call_of(calls.right, numbers.right);
}

// What arises in a sub-graph arises in the call of it, although there the first program's values were put in place. So does what differs there
// on an operand without a counterpart: that was computed in there, too, of what the call reads.
void blame_callers(const CalledGroups& called, const IsolateGroups& isolate, RunComparison& result) {
  std::set<size_t> open;  // groups that differ there, of which is not known whether they are at fault
  for (size_t g : result.order) {
    GroupNumbers& numbers = result.groups[g];
    if (numbers.equal != false) continue;
    const std::set<size_t> inside = called.directly(g);
    const bool arises = std::any_of(inside.begin(), inside.end(), [&](size_t inner) { return result.groups[inner].local == true; });
    const bool differs = std::any_of(inside.begin(), inside.end(), [&](size_t inner) { return open.count(inner) > 0; });
    if (arises || differs) {
      const auto problems = arises ? std::vector<std::string>() : isolate.operand_problems(result.diff.groups[g].right);
      numbers.local = problems.empty() ? std::optional(true) : std::nullopt;
      numbers.not_judged = problems.empty() ? "" : problems[0];
    }
    if (!numbers.local && (differs || isolate.differed(g))) open.insert(g);
  }
}

// A difference that became small on its way is what it was before, no rounding.
void keep_kinds(const Program& left, const Program& right, RunComparison& result) {
  for (size_t g : result.order) {
    GroupNumbers& numbers = result.groups[g];
    const bool carried_in = numbers.local ? !*numbers.local : numbers.carried_in;
    if (numbers.cause == Cause::Rounding && carried_in && causes_of_operands(left, right, result.diff, result.groups, g).count(Cause::Values)) numbers.cause = Cause::Values;
  }
}

}  // namespace

Result<RunComparison> compare_runs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  auto inputs = shared_inputs(left, right, request);
  if (!inputs) return inputs.error();
  ValueKeeper lvalues(*left.program, request.calls.left), rvalues(*right.program, request.calls.right);
  RunComparison result;
  result.notes = std::move(inputs->notes);
  result.inputs = std::move(inputs->text);
  auto lrun = run_program(*left.file, left.program, run_request(request, std::move(inputs->left), &lvalues));
  if (!lrun) return lrun.error();
  auto rrun = run_program(*right.file, right.program, run_request(request, std::move(inputs->right), &rvalues));
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
  result.diff = request.groups ? *request.groups : diff_programs(*left.program, *right.program, matching);
  result.groups = compare_groups(*left.program, *right.program, result.diff, lvalues, rvalues, request.tolerance);
  const CalledGroups called(*left.program, *right.program, result.diff);
  put_in_order(called, result);
  name_calls(request.calls, result);
  if (request.find_calls && result.first_divergence) {
    auto calls = differing_calls(left, right, result, request);
    if (!calls) return calls.error();
    if (!calls->left.empty()) {
      lvalues.take(), rvalues.take();  // their memory is needed
      CompareRunsRequest in_calls = request;
      in_calls.calls = std::move(*calls);
      in_calls.find_calls = false;
      in_calls.groups = &result.diff;
      return compare_runs(left, right, in_calls);
    }
  }
  if (request.isolate && result.first_divergence) {
    auto again = shared_inputs(left, right, request);  // the first run may have written to its inputs
    if (!again) return again.error();
    IsolateGroups isolate(*right.program, result, [&](NodeRef ref) { return lvalues.tensor(ref); }, request.tolerance, request.calls.right);
    if (auto ran = run_program(*right.file, right.program, run_request(request, std::move(again->right), &isolate)); !ran) return ran.error();
    for (size_t g = 0; g < result.groups.size(); ++g)
      if (result.groups[g].equal == false && has_both(result.diff.groups[g])) isolate.judge_group(g, result.diff.groups[g].right, result.groups[g]);
    blame_callers(called, isolate, result);
  }
  keep_kinds(*left.program, *right.program, result);
  result.outputs = compare_outputs(*left.program, *right.program, result, request.tolerance);
  result.written = compare_written(*left.program, *right.program, result, request.tolerance);
  result.left_values = lvalues.take();
  result.right_values = rvalues.take();
  return result;
}

}  // namespace pt2::interp
