#include "core/diff/turned.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>

#include "core/diff/group_index.h"
#include "core/diff/operators.h"
#include "core/diff/provenance.h"
#include "core/diff/signature_diff.h"
#include "core/graph/results.h"

namespace pt2::diff {

namespace {

// The part of the operators of `of` whose origin is known in `in`.
double traced(const Program& in, const GraphOperators& in_ops, const Program& of, const GraphOperators& of_ops) {
  if (of_ops.ops.empty()) return 0;
  const auto found = origins(in, in_ops, of, of_ops);
  return double(std::count_if(found.begin(), found.end(), [](const auto& from) { return !from.empty(); })) / double(of_ops.ops.size());
}

size_t calls(const Program& program, const std::vector<NodeRef>& nodes) {
  return size_t(std::count_if(nodes.begin(), nodes.end(), [&](NodeRef ref) { return !is_getitem(program.node(ref)); }));
}

// What an order by content goes by: everything matching looks at but metadata.
using Content = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;
Content content_of(const Program& program, const GraphOperators& ops, size_t i) {
  const Operator& op = ops.ops[i];
  return {op.target, op.constants, op.shape, program.graphs[ops.graph].node(op.node).name};
}

using Metadata = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, std::string_view>;
Metadata metadata_of(const Program& program, const GraphOperators& ops, size_t i) {
  const NodeMeta& meta = *program.graphs[ops.graph].node(ops.ops[i].node).meta;
  return {meta.from_node, meta.stack_trace, meta.nn_module_stack, meta.torch_fn, meta.source_fn_stack};
}

// Whether `right` comes before `left` by their operators, the first that is not alike.
bool before_by_content(const Program& left, const GraphOperators& lops, const Program& right, const GraphOperators& rops) {
  const size_t count = std::min(lops.ops.size(), rops.ops.size());
  for (size_t i = 0; i < count; ++i) {
    const Content l = content_of(left, lops, i), r = content_of(right, rops, i);
    if (l != r) return r < l;
  }
  for (size_t i = 0; i < count; ++i) {  // one with metadata, the other without: also then one of them has to be the earlier one
    const Metadata l = metadata_of(left, lops, i), r = metadata_of(right, rops, i);
    if (l != r) return r < l;
  }
  return false;
}

// Operators of all graphs, and how many of them passes would make others of: composites, writes, and calls of graphs. Assertions are none of these,
// passes only repeat them.
struct Amount {
  size_t all = 0, to_decompose = 0;
  void add(const GraphOperators& operators) {
    all += operators.ops.size();
    for (const Operator& op : operators.ops) to_decompose += !op.symbolic && (op.expansion != Expansion::One || !op.subgraphs.empty());
  }
};
Amount amount_of(const Program& program, const GraphOperators& root, TextNumbers& texts) {
  Amount amount;
  amount.add(root);
  for (size_t g = 0; g < program.graphs.size(); ++g)
    if (GraphId(g) != program.root()) amount.add(collect_operators(program, GraphId(g), {}, texts));
  return amount;
}

bool has_provenance(const Program& program) {
  const auto& nodes = program.root_graph().nodes();
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return !node.meta->from_node.empty(); });
}

// Where a group stands: by its first left operator; one without stands after the group of the right operator before it.
using Place = std::tuple<uint32_t, int64_t, uint32_t>;
Place place_of(const NodeGroup& group, const std::vector<NodeGroup>& groups, const std::unordered_map<NodeRef, size_t>& right_group) {
  if (!group.left.empty()) return {group.left[0].graph.index, int64_t(group.left[0].node.index), 0};
  const NodeRef first = group.right[0];
  for (uint32_t i = first.node.index; i-- > 0;) {
    const auto before = right_group.find({first.graph, NodeId(i)});
    if (before == right_group.end() || groups[before->second].left.empty()) continue;
    const NodeRef at = groups[before->second].left[0];
    return {at.graph.index, int64_t(at.node.index), first.node.index + 1};
  }
  return {first.graph.index, -1, first.node.index + 1};
}

}  // namespace

GroupKind kind_of(const NodeGroup& group, const Program& left, const Program& right) {
  if (group.left.empty()) return GroupKind::Added;
  if (group.right.empty()) return GroupKind::Removed;
  if (calls(left, group.left) > 1) return GroupKind::Merged;
  if (calls(right, group.right) > 1) return GroupKind::Decomposed;
  if (group.changes.empty()) return GroupKind::Same;
  // A call with several results has its getitems beside it.
  if (left.node(group.left[0]).target == right.node(group.right[0]).target || (group.left.size() > 1) == (group.right.size() > 1)) return GroupKind::Changed;
  return group.left.size() > 1 ? GroupKind::Merged : GroupKind::Decomposed;
}

bool matched_from_right(const Program& left, const Program& right, bool use_provenance) {
  constexpr double kClear = 0.25;  // some names recur by chance
  TextNumbers texts;
  std::unordered_map<NodeId, int32_t> lkeys, rkeys;
  Diff aligned;
  align_placeholders(left, left.root(), right, right.root(), lkeys, rkeys, aligned);
  const GraphOperators lops = collect_operators(left, left.root(), lkeys, texts), rops = collect_operators(right, right.root(), rkeys, texts);
  const Amount l = amount_of(left, lops, texts), r = amount_of(right, rops, texts);
  double from_right = 0, from_left = 0;
  if (use_provenance && (has_provenance(left) || has_provenance(right))) from_right = traced(right, rops, left, lops), from_left = traced(left, lops, right, rops);
  const bool told = std::abs(from_right - from_left) > kClear, left_later = from_right > from_left;
  if (told && (left_later ? l.all > r.all : r.all > l.all)) return left_later;  // composites may become several that are composites themselves
  if (l.to_decompose != r.to_decompose) return r.to_decompose > l.to_decompose;
  if (told) return left_later;
  if (l.all != r.all) return r.all < l.all;  // passes make more of few
  return before_by_content(left, lops, right, rops);
}

DiffOptions turned(const DiffOptions& options) {
  auto swapped = [](std::vector<std::pair<NodeRef, NodeRef>> pairs) {
    for (auto& pair : pairs) std::swap(pair.first, pair.second);
    return pairs;
  };
  DiffOptions result;
  result.use_provenance = options.use_provenance;
  result.linked = swapped(options.linked);
  result.unlinked = swapped(options.unlinked);
  if (options.same_value) result.same_value = [same = options.same_value](NodeRef left, NodeRef right) { return same(right, left); };
  return result;
}

Diff turned(Diff diff, const Program& left, const Program& right) {
  std::swap(diff.left_group, diff.right_group);
  std::swap(diff.matched_fraction_left, diff.matched_fraction_right);
  for (auto& pair : diff.placeholders) std::swap(pair.first, pair.second);
  for (RenamedModule& module : diff.renamed) {
    std::swap(module.left, module.right);
    for (auto* places : {&module.inputs, &module.outputs}) {
      for (auto& place : *places) std::swap(place.first, place.second);
      std::sort(places->begin(), places->end());
    }
  }
  diff.turned = true;
  for (NodeGroup& group : diff.groups) {
    std::swap(group.left, group.right);
    for (ValueChange& value : group.values) std::swap(value.left, value.right);
    group.kind = kind_of(group, left, right);
  }
  std::vector<std::pair<Place, size_t>> order;
  for (size_t g = 0; g < diff.groups.size(); ++g) order.emplace_back(place_of(diff.groups[g], diff.groups, diff.right_group), g);
  std::sort(order.begin(), order.end());
  std::vector<NodeGroup> groups;
  for (const auto& entry : order) groups.push_back(std::move(diff.groups[entry.second]));
  diff.groups = std::move(groups);
  index_groups(left, right, diff);
  diff.op_changes.clear();
  compare_signatures(left, right, diff);
  return diff;
}

}  // namespace pt2::diff
