#include "interp/compare_runs.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "interp/compare_outputs.h"
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

bool CallOfGraph::means(GraphId frame_graph, std::string_view path) const { return call.empty() || frame_graph != graph || means_call(call, path); }

namespace {

// Groups in the order they ended in the left program's run; what is only on the right stands as in the Diff.
class RunOrder {
 public:
  RunOrder(const Program& left, const Program& right, const Diff& diff) : left_(left), right_(right), diff_(diff), done_(diff.groups.size(), false) {
    for (size_t g = 0; g < diff.groups.size(); ++g) {
      const NodeGroup& group = diff.groups[g];
      (group.left.empty() ? of_right_ : of_left_)[(group.left.empty() ? group.right : group.left)[0].graph].push_back(g);
    }
  }
  std::vector<size_t> run() && {
    for (size_t g = 0; g < diff_.groups.size(); ++g) add(g);
    return std::move(order_);
  }

 private:
  using OfGraph = std::map<GraphId, std::vector<size_t>>;

  void add(size_t g) {
    if (done_[g]) return;
    done_[g] = true;
    std::set<size_t> inside;
    collect(left_, diff_.groups[g].left, of_left_, inside);
    collect(right_, diff_.groups[g].right, of_right_, inside);
    for (size_t inner : inside) add(inner);
    order_.push_back(g);
  }
  // Groups of the sub-graphs that these nodes call.
  static void collect(const Program& program, const std::vector<NodeRef>& nodes, const OfGraph& of, std::set<size_t>& inside) {
    for (NodeRef ref : nodes)
      for (const NodeArgument& input : program.node(ref).inputs)
        for_each_node(input.value, [&](NodeId value) {
          const auto groups = of.find(program.graphs[ref.graph].node(value).subgraph);
          if (groups != of.end()) inside.insert(groups->second.begin(), groups->second.end());
        });
  }

  const Program &left_, &right_;
  const Diff& diff_;
  OfGraph of_left_, of_right_;
  std::vector<bool> done_;
  std::vector<size_t> order_;
};

void put_in_order(const Program& left, const Program& right, RunComparison& result) {
  result.order = RunOrder(left, right, result.diff).run();
  result.positions.resize(result.order.size());
  for (size_t i = 0; i < result.order.size(); ++i) result.positions[result.order[i]] = i;
  const auto first = std::find_if(result.order.begin(), result.order.end(), [&](size_t g) { return result.groups[g].equal == false; });
  if (first != result.order.end()) result.first_divergence = *first;
}

}  // namespace

Result<RunComparison> compare_runs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  auto inputs = shared_inputs(left, right, request);
  if (!inputs) return inputs.error();
  RunRequest lrequest, rrequest;
  lrequest.inputs = std::move(inputs->left);
  rrequest.inputs = std::move(inputs->right);
  ValueKeeper lvalues(*left.program, request.call.left), rvalues(*right.program, request.call.right);
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
  result.diff = request.groups ? *request.groups : diff_programs(*left.program, *right.program, matching);
  result.groups = compare_groups(*left.program, *right.program, result.diff, lvalues, rvalues, request.tolerance);
  put_in_order(*left.program, *right.program, result);
  result.outputs = compare_outputs(*left.program, result.left, *right.program, result.right, request.tolerance);
  result.written = compare_written(*left.program, result.left, *right.program, result.right, result.diff, request.tolerance);
  if (request.isolate && result.first_divergence) {
    auto again = shared_inputs(left, right, request);  // the first run may have written to its inputs
    if (!again) return again.error();
    rrequest.inputs = std::move(again->right);
    IsolateGroups isolate(*right.program, result, [&](NodeRef ref) { return lvalues.tensor(ref); }, request.tolerance, request.call.right);
    rrequest.listener = &isolate;
    if (auto ran = run_program(*right.file, right.program, rrequest); !ran) return ran.error();
    for (size_t g = 0; g < result.groups.size(); ++g)
      if (result.groups[g].equal == false) isolate.judge_group(g, result.diff.groups[g].right, result.groups[g]);
  }
  result.left_values = lvalues.take();
  result.right_values = rvalues.take();
  return result;
}

}  // namespace pt2::interp
