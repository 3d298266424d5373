#include "interp/compare_outputs.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

#include "core/base/display.h"
#include "core/diff/interface_diff.h"
#include "core/diff/paired_specs.h"
#include "core/graph/caller_paths.h"
#include "core/diff/summary.h"
#include "interp/judgement.h"
#include "interp/recorded_values.h"

namespace pt2::interp {

namespace {

struct Held { std::string name; const RuntimeValue* value = nullptr; };

void compare_values(const Held& a, const Held& b, const Tolerance& tolerance, OutputNumbers& out) {
  out.left = a.name;
  out.right = b.name;
  // What waits for a node that failed was not computed: that is no other value.
  if (!a.value || !b.value || a.value->is<MissingValue>() || b.value->is<MissingValue>()) return;
  const auto x = recorded_tensors("", *a.value), y = recorded_tensors("", *b.value);
  if (x.empty() || y.empty()) {
    out.difference.comparable = false;
    out.difference.max_abs = std::nan("");
    if (x.empty() != y.empty()) out.equal = false;
    else if (a.value->is_none() || b.value->is_none()) out.equal = a.value->is_none() == b.value->is_none();
    else if (const auto *s = a.value->as<std::string>(), *t = b.value->as<std::string>(); s && t) out.equal = *s == *t;
    return;
  }
  Judgement judged = judge(x[0].second, y[0].second, tolerance);
  out.equal = judged.difference.equal;
  out.difference = std::move(judged.difference);
  out.cause = judged.cause;
}

OutputNumbers only_one(std::string left, std::string right) {
  OutputNumbers out;
  out.left = std::move(left);
  out.right = std::move(right);
  out.equal = false;
  out.cause = Cause::Missing;
  return out;
}

Held returned(const Program& program, const RunReport& run, size_t output) {
  const OutputSpec& spec = program.signature.outputs[output];
  return {diff::returned_text(program, program.root(), spec.value), output < run.outputs.size() ? &run.outputs[output] : nullptr};
}

bool is_returned(const Program& program, const std::optional<size_t>& output) { return output && pt2::is_returned(program.signature.outputs[*output]); }

NodeRef node_of(const Program& program, const OutputSpec& spec) {
  const NodeId* node = spec.value.as<NodeId>();
  return node ? NodeRef{program.root(), *node} : NodeRef();
}

NodeRef node_of(const Program& program, const std::optional<size_t>& output) { return output ? node_of(program, program.signature.outputs[*output]) : NodeRef(); }

// The value that a program returns for an input it would write to.
NodeRef writing_node(const Program& program, const std::string& target) {
  for (const OutputSpec& spec : program.signature.outputs)
    if (!pt2::is_returned(spec) && spec.target == target) return node_of(program, spec);
  return {};
}

// What became small on its way is no rounding: the kind is that of the group which was compared by this value of either side.
void keep_kind(const RunComparison& numbers, NodeRef left, NodeRef right, OutputNumbers& out) {
  auto of_values = [&](const std::unordered_map<NodeRef, size_t>& group_of, NodeRef node, NodeRef GroupNumbers::*compared) {
    const auto group = group_of.find(node);
    return group != group_of.end() && numbers.groups[group->second].*compared == node && numbers.groups[group->second].cause == Cause::Values;
  };
  if (out.cause == Cause::Rounding && (of_values(numbers.diff.left_group, left, &GroupNumbers::left) || of_values(numbers.diff.right_group, right, &GroupNumbers::right))) out.cause = Cause::Values;
}

bool is_constant(const Program& program, const std::optional<size_t>& output) { return output && !program.signature.outputs[*output].value.as<NodeId>(); }

const WrittenInput* written_by_name(const RunReport& run, const std::string& name) {
  const auto found = std::find_if(run.written.begin(), run.written.end(), [&](const WrittenInput& input) { return input.name == name; });
  return found == run.written.end() ? nullptr : &*found;
}

// Names of placeholders that are one input: by the matching, and those of modules that have another name.
using SameInputs = std::vector<std::pair<std::string, std::string>>;

SameInputs same_inputs(const Program& left, const Program& right, const Diff& diff) {
  SameInputs pairs;
  auto add = [&](NodeId l, NodeId r) {
    if (l && r) pairs.emplace_back(left.root_graph().node(l).name, right.root_graph().node(r).name);
  };
  for (const auto& [l, r] : diff.placeholders)
    if (l.graph == left.root() && r.graph == right.root()) add(l.node, r.node);
  for (const RenamedModule& module : diff.renamed)
    for (const auto& [l, r] : module.inputs) add(left.signature.inputs[l].node, right.signature.inputs[r].node);
  return pairs;
}

std::string counterpart_of(const SameInputs& inputs, const std::string& name, bool of_left) {
  const auto found = std::find_if(inputs.begin(), inputs.end(), [&](const auto& pair) { return (of_left ? pair.first : pair.second) == name; });
  return found == inputs.end() ? "" : of_left ? found->second : found->first;
}

}  // namespace

std::vector<OutputNumbers> compare_outputs(const Program& left, const Program& right, const RunComparison& numbers, const Tolerance& tolerance) {
  std::vector<OutputNumbers> result;
  for (const diff::SpecPair& pair : diff::paired_outputs(left, right)) {
    if (!is_returned(left, pair.left) && !is_returned(right, pair.right)) continue;
    const Held a = pair.left ? returned(left, numbers.left, *pair.left) : Held(), b = pair.right ? returned(right, numbers.right, *pair.right) : Held();
    if (pair.left && pair.right) compare_values(a, b, tolerance, result.emplace_back());
    else result.push_back(only_one(a.name, b.name));
    keep_kind(numbers, node_of(left, pair.left), node_of(right, pair.right), result.back());
    result.back().title = pair.title;
    result.back().constant = is_constant(left, pair.left) || is_constant(right, pair.right);
  }
  return result;
}

std::vector<OutputNumbers> compare_written(const Program& left, const Program& right, const RunComparison& numbers, const Tolerance& tolerance) {
  const RunReport &lrun = numbers.left, &rrun = numbers.right;
  std::vector<OutputNumbers> result;
  if (!lrun.finished || !rrun.finished) return result;
  const SameInputs inputs = same_inputs(left, right, numbers.diff);
  for (const WrittenInput& ours : lrun.written) {
    const WrittenInput* theirs = written_by_name(rrun, counterpart_of(inputs, ours.name, true));
    if (!theirs && !rrun.failed.empty()) continue;  // what failed there may be what writes
    if (theirs) compare_values({ours.target, &ours.value}, {theirs->target, &theirs->value}, tolerance, result.emplace_back());
    else result.push_back(only_one(ours.target, ""));
    keep_kind(numbers, writing_node(left, ours.target), theirs ? writing_node(right, theirs->target) : NodeRef(), result.back());
    result.back().written = ours.kind;
  }
  for (const WrittenInput& theirs : rrun.written) {
    if (written_by_name(lrun, counterpart_of(inputs, theirs.name, false)) || !lrun.failed.empty()) continue;
    result.push_back(only_one("", theirs.target));
    result.back().written = theirs.kind;
  }
  return result;
}

std::string output_name(const OutputNumbers& o) {
  const std::string what = o.constant ? o.title.substr(o.title.find("output")) + ": " : o.written.empty() ? "output " : spec_title(o.written, "");
  if (o.left.empty() || o.right.empty() || (!o.written.empty() && o.left == o.right)) return what + display(o.left.empty() ? o.right : o.left);
  return what + display(o.left) + " → " + display(o.right);
}

std::string output_text(const OutputNumbers& o) {
  if (o.cause == Cause::Missing) return o.left.empty() ? "only in the second program" : "only in the first program";
  if (!o.equal) return "no numbers";
  if (*o.equal) return "equal";
  if (o.cause == Cause::None) return "different";  // no tensors
  if (!o.measured() || (!o.difference.comparable && o.cause != Cause::DType)) return "different, " + display(o.difference.reason);
  char text[48];
  std::snprintf(text, sizeof text, "max abs Δ %.6f", o.difference.max_abs);
  return std::string("different, ") + text;
}

std::vector<const OutputNumbers*> all_outputs(const RunComparison& numbers) {
  std::vector<const OutputNumbers*> all;
  for (const auto* list : {&numbers.outputs, &numbers.written})
    for (const OutputNumbers& output : *list) all.push_back(&output);
  return all;
}

std::vector<const OutputNumbers*> differing_outputs(const RunComparison& numbers) {
  std::vector<const OutputNumbers*> differing = all_outputs(numbers);
  std::erase_if(differing, [](const OutputNumbers* output) { return output->equal != false; });
  return differing;
}

}  // namespace pt2::interp
