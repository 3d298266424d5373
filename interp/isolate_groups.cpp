#include "interp/isolate_groups.h"

#include <algorithm>
#include <cmath>

#include "core/base/display.h"
#include "interp/element_math.h"
#include "interp/group_comparer.h"
#include "interp/judgement.h"
#include "interp/recorded_values.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// What rounding to the coarser of two types explains: its own tolerance, or two units in the last place of the largest value, as sums that
// nearly cancel have no fewer.
Tolerance tolerance_of_types(const Tensor& wanted, DType found) {
  constexpr double kUnits = 2;
  const bool wanted_is_coarser = precision_of(wanted.dtype).epsilon() > precision_of(found).epsilon();
  const DType coarser = wanted_is_coarser ? wanted.dtype : found;
  const Tensor dense = as_contiguous(wanted, DType::Float64);
  double largest = 0;
  for (int64_t i = 0; i < dense.numel(); ++i)
    if (const double value = std::abs(dense.data<double>()[i]); std::isfinite(value)) largest = std::max(largest, value);
  const auto [rtol, atol] = tolerance_of(coarser, {});
  return {rtol, std::max(atol, kUnits * precision_of(coarser).epsilon() * largest)};
}

}  // namespace

IsolateGroups::IsolateGroups(const Program& right, const RunComparison& comparison, LeftValue left_value, const Tolerance& tolerance, CallsOfGraphs calls, std::optional<size_t> kept)
    : program_(right), left_value_(std::move(left_value)), tolerance_(tolerance), calls_(std::move(calls)), kept_(kept) {
  for (const auto& [l, r] : comparison.diff.placeholders)
    if (r.graph != right.root()) pair_of_[r] = {l, std::nullopt};  // what a sub-graph is called with
  for (size_t g = 0; g < comparison.groups.size(); ++g)
    for (const auto& [l, r] : comparison.groups[g].pairs) pair_of_[r] = {l, g};
  // What a kept group reads is in its own graph; in those it calls it computes for itself.
  if (const auto* nodes = kept ? &comparison.diff.groups[*kept].right : nullptr; nodes && !nodes->empty())
    std::erase_if(pair_of_, [graph = nodes->front().graph](const auto& pair) { return pair.first.graph != graph; });
}

void IsolateGroups::node_done(const Frame& frame, NodeId id, const NodeRun& run, RuntimeValue& value) {
  const NodeRef ref{frame.graph, id};
  const Tensor* tensor = value.as<Tensor>();
  const NodeKind kind = program_.node(ref).kind;
  if (tensor && (kind == NodeKind::GetAttr || (frame.caller == NodeId() && kind == NodeKind::Placeholder))) given_.insert(tensor->storage.identity());
  if (!run.done() || !meant(calls_, frame.graph, frame.path) || !seen_.insert(ref).second) return;
  if (number_tensor(value)) numbers_.insert(ref);
  if (tensor ? given_.count(tensor->storage.identity()) > 0 : !number_tensor(value)) placed_.insert(ref);  // each program's own, or nothing to put in place
  if (const auto pair = pair_of_.find(ref); pair != pair_of_.end()) place(pair->second, ref, value);
  else if (number_tensor(value) && follows_from_sizes(ref)) placed_.insert(ref);
}

bool IsolateGroups::follows_from_sizes(NodeRef ref) const {
  const std::vector<NodeRef> operands = operands_of(program_, {ref});
  if (program_.node(ref).target.starts_with("torch.ops.aten.sym_")) return std::all_of(operands.begin(), operands.end(), [&](NodeRef operand) { return is_lefts(operand); });
  return !operands.empty() && std::all_of(operands.begin(), operands.end(), [&](NodeRef operand) { return numbers_.count(operand) && placed_.count(operand); });
}

bool IsolateGroups::is_lefts(NodeRef operand) const {
  const NodeKind kind = program_.node(operand).kind;
  const bool own = kind == NodeKind::Placeholder ? operand.graph == program_.root() : kind != NodeKind::CallFunction;  // weights, inputs, sub-graphs
  return own || placed_.count(operand) > 0;
}

void IsolateGroups::before_write(const Frame&, NodeId, const Tensor& tensor) { given_.erase(tensor.storage.identity()); }

void IsolateGroups::place(const Pair& pair, NodeRef ref, RuntimeValue& value) {
  const Tensor* wanted = left_value_(pair.left);
  const std::optional<Tensor> number = number_tensor(value);
  const Tensor* tensor = number ? &*number : value.as<Tensor>();
  if (!wanted && number) placed_.insert(ref);  // it follows from shapes
  if (!wanted || !tensor) return;
  const bool fits = wanted->sizes == tensor->sizes && (wanted->dtype == tensor->dtype || (is_floating(wanted->dtype) && is_floating(tensor->dtype)));
  if (!fits) {
    if (pair.group) judged_.insert(*pair.group), differ_.insert(*pair.group);
    problems_[ref] = wanted->sizes == tensor->sizes ? "has another type" : "has another shape";
    return;
  }
  const bool different = differs(*wanted, *tensor);
  if (pair.group) judged_.insert(*pair.group);
  if (pair.group && different) differ_.insert(*pair.group);
  if (number && different) problems_[ref] = "is another number";
  if (problems_.count(ref) || (pair.group && pair.group == kept_)) return;
  if (!placed_.insert(ref).second || number) return;
  const bool expanded = std::find(tensor->strides.begin(), tensor->strides.end(), 0) != tensor->strides.end();  // several elements share memory
  if (expanded) value = as_contiguous(*wanted, tensor->dtype);
  else copy_into(*tensor, *wanted);
}

bool IsolateGroups::differs(const Tensor& wanted, const Tensor& found) const {
  const bool explain_type = wanted.dtype != found.dtype && !tolerance_.rtol && !tolerance_.atol;
  return !judge(wanted, found, explain_type ? tolerance_of_types(wanted, found.dtype) : tolerance_).difference.equal;
}

void IsolateGroups::judge_group(size_t group, const std::vector<NodeRef>& nodes, GroupNumbers& numbers) const {
  if (!judged_.count(group)) numbers.not_judged = "it gave no values there";
  else if (!differ_.count(group)) numbers.local = false;
  else if (const auto problems = operand_problems(nodes); !problems.empty()) numbers.not_judged = problems[0];
  else numbers.local = true;
}

std::vector<std::string> IsolateGroups::operand_problems(const std::vector<NodeRef>& nodes) const {
  std::vector<std::string> problems;
  for (NodeRef operand : operands_of(program_, nodes)) {
    if (is_lefts(operand)) continue;
    const auto problem = problems_.find(operand);
    problems.push_back("the operand " + display(qualified_name(program_, operand)) + " " + (problem == problems_.end() ? "has no counterpart" : problem->second));
  }
  return problems;
}

}  // namespace pt2::interp
