#include "interp/compare_runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "interp/allocation.h"
#include "interp/recorded_values.h"
#include "interp/tensor_map.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

namespace {

Tensor clone(const Tensor& tensor) {
  Tensor copy = empty_strided(tensor.sizes, contiguous_strides(tensor.sizes), tensor.dtype);
  copy_into(copy, tensor);
  return copy;
}

// Every value as it was right after its node ran first. Memory is shared with the run until the run writes to it.
class ValueKeeper : public RunListener {
 public:
  void node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) override {
    const NodeRef ref{frame.graph, id};
    if (!run.done() || values_.count(ref)) return;
    Kept& kept = values_[ref];
    kept.random = run.drew_random || run.uninitialized;
    if (auto number = number_tensor(value)) kept.tensor = std::move(number);
    else if (auto* tensor = value.as<Tensor>()) kept.tensor = *tensor;
    if (!value.is<Tensor>()) kept.text = kept.tensor ? summary(value) : kind_text(value);
    if (!kept.tensor) return;
    const void* memory = kept.tensor->storage.identity();
    kept.view = !memories_.insert(memory).second && !writers_.count(ref);
    by_storage_[memory].push_back(ref);
  }
  void before_write(const Frame& frame, NodeId writer, const Tensor& tensor) override {
    writers_.insert({frame.graph, writer});
    const auto found = by_storage_.find(tensor.storage.identity());
    if (found == by_storage_.end()) return;
    for (NodeRef ref : found->second) {
      Kept& kept = values_[ref];
      kept.tensor = clone(*kept.tensor);
      kept.overwritten_view = kept.view;
    }
    by_storage_.erase(found);
  }

  const Tensor* tensor(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it == values_.end() || !it->second.tensor ? nullptr : &*it->second.tensor;
  }
  bool random(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it != values_.end() && it->second.random;
  }
  // A view of memory that was written to later.
  bool overwritten_view(NodeRef ref) const {
    const auto it = values_.find(ref);
    return it != values_.end() && it->second.overwritten_view;
  }
  // All of it; nothing may be asked of the keeper afterwards.
  RunValues take() {
    RunValues values;
    for (auto& [ref, kept] : values_) values.of.emplace(ref, RunValues::Value{kept.text.empty() ? std::move(kept.tensor) : std::nullopt, std::move(kept.text)});
    return values;
  }
  // Equal for values of the same type, shape and bits; 0 for none.
  uint64_t fingerprint(NodeRef ref) {
    const auto it = values_.find(ref);
    if (it == values_.end() || !it->second.tensor) return 0;
    Kept& kept = it->second;
    if (kept.fingerprint == 0) {
      const Tensor dense = as_contiguous(*kept.tensor);
      uint64_t hash = 1469598103934665603ull ^ static_cast<uint64_t>(dense.dtype);
      auto mix = [&hash](uint64_t word) { hash = (hash ^ word) * 1099511628211ull; };
      for (int64_t size : dense.sizes) mix(static_cast<uint64_t>(size));
      const size_t bytes = static_cast<size_t>(dense.numel()) * static_cast<size_t>(item_size(dense.dtype));
      size_t i = 0;
      for (uint64_t word; i + 8 <= bytes; i += 8) {
        std::memcpy(&word, dense.bytes() + i, 8);
        mix(word);
      }
      for (; i < bytes; ++i) mix(static_cast<uint64_t>(dense.bytes()[i]));
      kept.fingerprint = hash | 1;
    }
    return kept.fingerprint;
  }

 private:
  struct Kept {
    std::optional<Tensor> tensor;
    std::string text;
    bool random = false, view = false, overwritten_view = false;
    uint64_t fingerprint = 0;
  };
  std::unordered_map<NodeRef, Kept> values_;
  std::unordered_map<const void*, std::vector<NodeRef>> by_storage_;
  std::unordered_set<const void*> memories_;  // every storage met
  std::unordered_set<NodeRef> writers_;
};

// The index a getitem takes; -1 for other nodes.
int64_t result_index(const Node& node) {
  if (node.target != "_operator.getitem" || node.inputs.size() < 2) return -1;
  const int64_t* index = node.inputs[1].value.as<int64_t>();
  return index ? *index : -1;
}

class Comparer {
 public:
  Comparer(const Program& left, const Program& right, const Diff& diff, ValueKeeper& lvalues, ValueKeeper& rvalues, const Tolerance& tolerance)
      : left_(left), right_(right), diff_(diff), lvalues_(lvalues), rvalues_(rvalues), tolerance_(tolerance) {
    for (const auto& [l, r] : diff.placeholders) partner_.emplace(l, r);
  }

  std::vector<GroupNumbers> run() {
    for (const NodeGroup& group : diff_.groups) numbers_.push_back(group.left.empty() || group.right.empty() ? GroupNumbers() : compare(group));
    for (size_t g = 0; g < numbers_.size(); ++g) {
      if (numbers_[g].equal != false) continue;
      numbers_[g].carried_in = operand_differs(g);
      numbers_[g].differing_inputs = differing_inputs(diff_.groups[g]);
    }
    return std::move(numbers_);
  }

 private:
  // Each value of the left group that leaves it has a counterpart of its own among the right group's; the worst pair speaks for the group.
  GroupNumbers compare(const NodeGroup& group) const {
    GroupNumbers worst;
    std::vector<std::pair<NodeRef, NodeRef>> pairs;
    auto consider = [&](GroupNumbers&& pair) {
      pairs.emplace_back(pair.left, pair.right);
      if (!worst.equal || (*worst.equal && !*pair.equal) || (worst.equal == pair.equal && pair.difference.max_abs > worst.difference.max_abs)) worst = std::move(pair);
    };
    std::vector<NodeRef> taken, alone;
    for (NodeRef l : group.left) {
      if (!lvalues_.tensor(l) || (!leaves(left_, l, group.left) && l != group.left.back())) continue;
      GroupNumbers pair = counterpart(l, group, taken);
      if (pair.equal == true) {
        taken.push_back(pair.right);
        consider(std::move(pair));
      } else {
        alone.push_back(l);
      }
    }
    // Where the right side has fewer values, a result was an operand passed on (broadcast_tensors): its own group speaks for it.
    for (NodeRef l : alone)
      if (GroupNumbers pair = counterpart(l, group, taken); pair.equal) {
        taken.push_back(pair.right);
        consider(std::move(pair));
      }
    worst.pairs = std::move(pairs);
    return worst;
  }

  static bool leaves(const Program& program, NodeRef ref, const std::vector<NodeRef>& group) {
    for (NodeId user : program.graphs[ref.graph].users(ref.node))
      if (std::find(group.begin(), group.end(), NodeRef{ref.graph, user}) == group.end()) return true;
    return false;
  }

  GroupNumbers counterpart(NodeRef l, const NodeGroup& group, const std::vector<NodeRef>& taken) const {
    const Tensor& value = *lvalues_.tensor(l);
    const int64_t index = result_index(left_.node(l));
    const bool one_to_one = group.left.size() == 1 && group.right.size() == 1;
    GroupNumbers best;
    // From the last on: results stand at the end. Values that leave the group come before those that only serve inside it.
    for (const bool leaving : {true, false}) {
      for (auto r = group.right.rbegin(); r != group.right.rend(); ++r) {
        const Tensor* other = rvalues_.tensor(*r);
        if (!other || leaves(right_, *r, group.right) != leaving || std::find(taken.begin(), taken.end(), *r) != taken.end()) continue;
        if (index >= 0 && group.kind != GroupKind::Decomposed && result_index(right_.node(*r)) >= 0 && result_index(right_.node(*r)) != index) continue;
        if (!one_to_one && (other->dtype != value.dtype || other->sizes != value.sizes)) continue;
        GroupNumbers candidate;
        candidate.left = l, candidate.right = *r;
        candidate.difference = compare_tensors(*other, value, tolerance_);
        // Functionalisation makes such a view anew, from what was written later: that is no statement about the view as it was.
        if (!candidate.difference.equal && lvalues_.overwritten_view(l)) continue;
        candidate.equal = candidate.difference.equal;
        candidate.cause = cause_of(value, *other, candidate.difference, lvalues_.random(l) || rvalues_.random(*r));
        if (*candidate.equal) return candidate;
        if (!best.equal) best = std::move(candidate);
      }
    }
    return best;
  }

  bool operand_differs(size_t g) const {
    for (NodeRef l : diff_.groups[g].left)
      for (const NodeArgument& input : left_.node(l).inputs) {
        bool differs = false;
        for_each_node(input.value, [&](NodeId value) {
          const auto owner = diff_.left_group.find({l.graph, value});
          differs |= owner != diff_.left_group.end() && owner->second != g && numbers_[owner->second].equal == false;
        });
        if (differs) return true;
      }
    return false;
  }

  // Weights and the like are no groups: whether they differ is seen here.
  std::vector<NodeRef> differing_inputs(const NodeGroup& group) const {
    std::vector<NodeRef> found;
    for (NodeRef l : group.left)
      for (const NodeArgument& input : left_.node(l).inputs)
        for_each_node(input.value, [&](NodeId value) {
          const NodeRef operand{l.graph, value};
          const auto partner = partner_.find(operand);
          if (partner == partner_.end() || std::find(found.begin(), found.end(), operand) != found.end()) return;
          const Tensor *a = lvalues_.tensor(operand), *b = rvalues_.tensor(partner->second);
          if (a && b && !compare_tensors(*b, *a, tolerance_).equal) found.push_back(operand);
        });
    return found;
  }

  const Program& left_;
  const Program& right_;
  const Diff& diff_;
  ValueKeeper& lvalues_;
  ValueKeeper& rvalues_;
  const Tolerance& tolerance_;
  std::unordered_map<NodeRef, NodeRef> partner_;  // of the left program's placeholders
  std::vector<GroupNumbers> numbers_;
};

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

struct SharedInputs {
  InputRequest left, right;
  std::string text;
};

// One program's values for its inputs, and the same for the other one's, in the order of the user inputs.
Result<SharedInputs> share_inputs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  SharedInputs shared;
  const ProgramSide &giver = request.inputs_of_right ? right : left, &taker = request.inputs_of_right ? left : right;
  InputRequest &given = request.inputs_of_right ? shared.right : shared.left, &taken = request.inputs_of_right ? shared.left : shared.right;
  given = request.inputs;
  auto made = make_program_inputs(*giver.program, *giver.file->archive, given, /*exclusive=*/false);
  if (!made) return made.error();
  shared.text = inputs_text(*giver.program, *made, given);
  std::unordered_map<NodeRef, NodeRef> partner;
  for (const auto& [l, r] : diff_programs(*left.program, *right.program, request.matching).placeholders) partner.emplace(request.inputs_of_right ? r : l, request.inputs_of_right ? l : r);
  for (const InputSpec& spec : giver.program->signature.inputs) {
    if (spec.kind != InputKind::UserInput || !spec.node || spec.constant) continue;
    const size_t i = spec.node.index;
    if (i >= made->inputs.size() || made->inputs[i].source == InputSource::Missing) continue;
    const RuntimeValue& value = made->inputs[i].value;
    auto own = [](const RuntimeValue& v) { return v.is<Tensor>() ? RuntimeValue(clone(*v.as<Tensor>())) : v; };  // both programs may write to it
    given.values.insert_or_assign(std::string(giver.program->root_graph().node(spec.node).name), own(value));
    const auto found = partner.find({giver.program->root(), spec.node});
    if (found != partner.end()) taken.values.insert_or_assign(std::string(taker.program->root_graph().node(found->second.node).name), own(value));
  }
  given.tensors.reset();
  given.tensors_path.clear();
  given.texts.clear();
  taken.symbols = given.symbols = {};
  taken.ignore_ranges = given.ignore_ranges;
  return shared;
}

}  // namespace

Result<std::pair<InputRequest, InputRequest>> shared_inputs(const ProgramSide& left, const ProgramSide& right, const CompareRunsRequest& request) {
  auto shared = share_inputs(left, right, request);
  if (!shared) return shared.error();
  return std::pair(std::move(shared->left), std::move(shared->right));
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
    if (!expanded) copy_into(*tensor, *wanted);
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
  auto inputs = share_inputs(left, right, request);
  if (!inputs) return inputs.error();
  RunRequest lrequest, rrequest;
  lrequest.inputs = std::move(inputs->left);
  rrequest.inputs = std::move(inputs->right);
  ValueKeeper lvalues, rvalues;
  for (RunRequest* r : {&lrequest, &rrequest}) {
    r->seed = request.seed;
    r->memory_bytes = request.memory_bytes;
    r->threads = request.threads;
    r->stop = request.stop;
  }
  lrequest.listener = &lvalues;
  rrequest.listener = &rvalues;

  RunComparison result;
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
  result.groups = Comparer(*left.program, *right.program, result.diff, lvalues, rvalues, request.tolerance).run();
  for (size_t g = 0; g < result.groups.size() && !result.first_divergence; ++g)
    if (result.groups[g].equal == false) result.first_divergence = g;
  result.outputs = compare_outputs(*left.program, result.left, *right.program, result.right, request.tolerance);
  if (request.isolate && result.first_divergence) {
    auto again = share_inputs(left, right, request);  // the first run may have written to its inputs
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
