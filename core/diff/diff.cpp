// Matching in passes: by hand, provenance, debug handles, structure, the alignment of what is left, and the completion of groups. The graphs of both programs are
// paired first (the roots; then sub-graphs of matched operators, by position) and each pair is matched by itself.
#include "core/diff/diff.h"

#include <algorithm>
#include <deque>
#include <nlohmann/json.hpp>

#include "core/diff/align.h"
#include "core/diff/changes.h"
#include "core/diff/completed.h"
#include "core/diff/group_index.h"
#include "core/diff/operators.h"
#include "core/diff/provenance.h"
#include "core/diff/renamed.h"
#include "core/diff/same_calls.h"
#include "core/diff/signature_diff.h"
#include "core/diff/turned.h"

namespace pt2 {

namespace {

using diff::GraphOperators;
using diff::Match;
using diff::Operator;
using diff::Source;

// The debug handle in a node's `custom` metadata, as text; empty where there is none.
std::string debug_handle(const Node& node) {
  if (node.meta->custom.find("debug_handle") == std::string_view::npos) return {};
  const auto json = nlohmann::json::parse(node.meta->custom, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("debug_handle")) return {};
  return json["debug_handle"].dump();
}

class GraphMatcher {
 public:
  GraphMatcher(const Program& left, const GraphOperators& lops, const Program& right, const GraphOperators& rops, const DiffOptions& options)
      : left_(left), right_(right), lops_(lops), rops_(rops), options_(options) {
    match_.left_of.assign(rops.ops.size(), -1);
    match_.evidence.assign(rops.ops.size(), Evidence::None);
    match_.confidence.assign(rops.ops.size(), 0);
    match_.taken.assign(lops.ops.size(), false);
  }

  Match run() && {
    if (lops_.ops.empty() || rops_.ops.empty()) return std::move(match_);
    by_hand();
    if (options_.use_provenance) by_provenance();
    by_debug_handle();
    by_structure();
    by_alignment();
    const auto are_unlinked = [this](int32_t i, int32_t j) { return unlinked(i, j); };
    diff::complete_groups({left_, lops_}, {right_, rops_}, are_unlinked, match_);
    return std::move(match_);
  }

 private:
  int32_t op_of(const GraphOperators& ops, NodeRef ref) const {
    if (ref.graph != ops.graph) return -1;
    const auto it = ops.op_of.find(ref.node);
    return it == ops.op_of.end() ? -1 : it->second;
  }

  void by_hand() {
    for (const auto& [l, r] : options_.linked) {
      const int32_t i = op_of(lops_, l), j = op_of(rops_, r);
      if (i < 0 || j < 0) continue;
      if (match_.left_of[j] >= 0) match_.joined_left.emplace_back(match_.left_of[j], i);
      else match_.assign(i, j, Evidence::Manual, 1);
    }
  }

  void by_provenance() {
    auto origins = diff::origins(left_, lops_, right_, rops_);
    for (size_t j = 0; j < origins.size(); ++j) {
      std::erase_if(origins[j], [&](int32_t i) { return unlinked(i, static_cast<int32_t>(j)); });
      if (origins[j].empty() || match_.left_of[j] >= 0) continue;
      match_.assign(origins[j][0], static_cast<int32_t>(j), Evidence::Provenance, 1);
      for (size_t k = 1; k < origins[j].size(); ++k) {
        match_.joined_left.emplace_back(origins[j][0], origins[j][k]);
        match_.taken[origins[j][k]] = true;
      }
    }
  }

  void by_debug_handle() {
    std::unordered_map<std::string, std::vector<int32_t>> left;
    const Graph& lgraph = left_.graphs[lops_.graph];
    const Graph& rgraph = right_.graphs[rops_.graph];
    for (size_t i = 0; i < lops_.ops.size(); ++i)
      if (const std::string handle = debug_handle(lgraph.node(lops_.ops[i].node)); !handle.empty()) left[handle].push_back(static_cast<int32_t>(i));
    if (left.empty()) return;
    for (size_t j = 0; j < rops_.ops.size(); ++j) {
      if (match_.left_of[j] >= 0) continue;
      const std::string handle = debug_handle(rgraph.node(rops_.ops[j].node));
      const auto found = handle.empty() ? left.end() : left.find(handle);
      if (found != left.end() && found->second.size() == 1 && !unlinked(found->second[0], static_cast<int32_t>(j))) match_.assign(found->second[0], static_cast<int32_t>(j), Evidence::DebugHandle, 0.98);
    }
  }

  // Calls that are the same, when there is one on each side.
  void by_structure() {
    const diff::SameCalls same = diff::same_calls(lops_, rops_);
    for (size_t j = 0; j < rops_.ops.size(); ++j) {
      const uint32_t n = same.right[j];
      if (match_.left_of[j] >= 0 || same.left_count[n] != 1) continue;
      const int32_t i = same.only_left[n];
      const bool repeated = rops_.ops[j].symbolic;
      if (!repeated && (same.right_count[n] != 1 || match_.taken[i])) continue;
      if (unlinked(i, static_cast<int32_t>(j))) continue;
      match_.assign(i, static_cast<int32_t>(j), Evidence::Structure, 0.97);
    }
  }

  void by_alignment() {
    std::function<bool(NodeId, NodeId)> same_value;
    if (options_.same_value)
      same_value = [this](NodeId l, NodeId r) { return options_.same_value({lops_.graph, l}, {rops_.graph, r}); };
    const diff::Alignment alignment = diff::align(lops_, rops_, match_.left_of, match_.taken, same_value);
    for (size_t j = 0; j < rops_.ops.size(); ++j) {
      const int32_t i = alignment.left_of[j];
      if (match_.left_of[j] >= 0 || i < 0 || unlinked(i, static_cast<int32_t>(j))) continue;
      match_.assign(i, static_cast<int32_t>(j), Evidence::Alignment, alignment.confidence[j]);
    }
  }

  bool unlinked(int32_t i, int32_t j) const {
    return std::any_of(options_.unlinked.begin(), options_.unlinked.end(), [&](const auto& pair) {
      return op_of(lops_, pair.first) == i && op_of(rops_, pair.second) == j;
    });
  }

  const Program& left_;
  const Program& right_;
  const GraphOperators& lops_;
  const GraphOperators& rops_;
  const DiffOptions& options_;
  Match match_;
};

void append_nodes(std::vector<NodeRef>& out, GraphId graph, const Operator& op) {
  out.push_back({graph, op.node});
  for (NodeId getitem : op.getitems) out.push_back({graph, getitem});
}

// What was set by hand is never hidden behind what was found beside it; else the weakest evidence speaks for a group.
Evidence evidence_of_both(Evidence a, Evidence b) {
  if (a == Evidence::Manual || b == Evidence::Manual) return Evidence::Manual;
  return std::max(a, b);
}

// The calls of a group that can be held against each other: each has just one counterpart.
std::vector<std::pair<int32_t, int32_t>> corresponding_calls(const std::vector<int32_t>& left, const GraphOperators& lops, const std::vector<int32_t>& right, const GraphOperators& rops) {
  if (left.size() == 1 && right.size() == 1) return {{left[0], right[0]}};
  std::vector<std::pair<int32_t, int32_t>> pairs;
  std::unordered_map<int32_t, int> left_partners, right_partners;
  for (int32_t i : left)
    for (int32_t j : right) {
      if (!diff::correspond(lops.ops[i], rops.ops[j])) continue;
      pairs.emplace_back(i, j);
      ++left_partners[i], ++right_partners[j];
    }
  std::erase_if(pairs, [&](const auto& pair) { return left_partners[pair.first] > 1 || right_partners[pair.second] > 1; });
  return pairs;
}

// Groups of one pair of graphs, in the left order.
std::vector<NodeGroup> make_groups(const Program& left, const GraphOperators& lops, const Program& right, const GraphOperators& rops,
                                   const Match& match) {
  const size_t n = lops.ops.size();
  const std::vector<int32_t> root = diff::first_of_group(match);

  struct Members { std::vector<int32_t> left, right; };
  std::vector<Members> members(n);
  for (size_t i = 0; i < n; ++i) members[root[i]].left.push_back(static_cast<int32_t>(i));
  // Unmatched right operators stand behind the group of the right operator before them.
  std::vector<std::vector<int32_t>> added_after(n + 1);
  int32_t last_root = -1;
  for (size_t j = 0; j < rops.ops.size(); ++j) {
    if (match.left_of[j] >= 0) members[last_root = root[match.left_of[j]]].right.push_back(static_cast<int32_t>(j));
    else added_after[last_root + 1].push_back(static_cast<int32_t>(j));
  }

  std::vector<NodeGroup> groups;
  auto push_added = [&](size_t after) {
    for (int32_t j : added_after[after]) {
      NodeGroup& group = groups.emplace_back();
      append_nodes(group.right, rops.graph, rops.ops[j]);
      group.kind = GroupKind::Added;
    }
  };
  push_added(0);
  for (size_t i = 0; i < n; ++i) {
    const Members& m = members[i];
    if (m.left.empty()) continue;
    NodeGroup& group = groups.emplace_back();
    for (int32_t k : m.left) append_nodes(group.left, lops.graph, lops.ops[k]);
    for (int32_t j : m.right) append_nodes(group.right, rops.graph, rops.ops[j]);
    for (int32_t j : m.right) {
      group.evidence = evidence_of_both(group.evidence, match.evidence[j]);
      group.confidence = std::min(group.confidence, match.confidence[j]);
    }
    for (const auto& [i_left, i_right] : corresponding_calls(m.left, lops, m.right, rops)) {
      const Operator &l = lops.ops[i_left], &r = rops.ops[i_right];
      const bool alone = m.left.size() == 1 && m.right.size() == 1;
      (alone ? diff::find_changes : diff::find_argument_changes)({left, right, l, r, {lops.graph, l.node}, {rops.graph, r.node}}, {root, match.left_of, lops, rops}, group);
    }
    group.kind = diff::kind_of(group, left, right);
    push_added(i + 1);
  }
  return groups;
}

}  // namespace

std::string_view group_kind_name(GroupKind kind) {
  switch (kind) {
    case GroupKind::Same: return "same";
    case GroupKind::Changed: return "changed";
    case GroupKind::Decomposed: return "decomposed";
    case GroupKind::Merged: return "merged";
    case GroupKind::Added: return "added";
    case GroupKind::Removed: return "removed";
  }
  return "";
}

std::string_view evidence_name(Evidence evidence) {
  switch (evidence) {
    case Evidence::None: return "none";
    case Evidence::Manual: return "by_hand";
    case Evidence::Provenance: return "from_node";
    case Evidence::DebugHandle: return "debug_handle";
    case Evidence::Structure: return "structure";
    case Evidence::Alignment: return "metadata";
  }
  return "";
}

size_t Diff::count(GroupKind kind) const {
  return std::count_if(groups.begin(), groups.end(), [kind](const NodeGroup& group) { return group.kind == kind; });
}

std::string qualified_name(const Program& program, NodeRef ref) {
  std::string name{program.node(ref).name};
  for (GraphId graph = ref.graph; graph.valid() && graph != program.root(); graph = program.graphs[graph].parent)
    name = std::string(program.graphs[graph].name) + '/' + name;
  return name;
}

namespace {

Diff diff_in_order(const Program& left, const Program& right, const DiffOptions& options) {
  Diff result;
  diff::TextNumbers texts;
  std::deque<std::pair<GraphId, GraphId>> pending{{left.root(), right.root()}};
  const auto left_first = diff::first_of_name(left), right_first = diff::first_of_name(right);
  std::vector<bool> left_done(left.graphs.size(), false), right_done(right.graphs.size(), false);
  for (size_t g = 0; g < left_done.size(); ++g) left_done[g] = left_first[GraphId(g)] != GraphId(g);
  for (size_t g = 0; g < right_done.size(); ++g) right_done[g] = right_first[GraphId(g)] != GraphId(g);
  const GraphOperators nothing;
  const diff::RenamedPaths renamed = diff::renamed_paths(left, right);
  auto handle = [&](GraphId lgraph, GraphId rgraph) {  // either may be none: a graph without counterpart
    std::unordered_map<NodeId, int32_t> lkeys, rkeys;
    if (lgraph && rgraph) diff::align_placeholders(left, lgraph, right, rgraph, lkeys, rkeys, result);
    const GraphOperators lops = lgraph ? diff::collect_operators(left, lgraph, lkeys, texts) : nothing;
    const GraphOperators rops = rgraph ? diff::collect_operators(right, rgraph, rkeys, texts) : nothing;
    const GraphOperators named_alike = renamed.empty() ? nothing : diff::with_left_names(renamed, left, lkeys, right, rkeys, rops, texts);
    const Match match = GraphMatcher(left, lops, right, renamed.empty() ? rops : named_alike, options).run();
    for (NodeGroup& group : make_groups(left, lops, right, rops, match)) result.groups.push_back(std::move(group));
    for (size_t j = 0; j < rops.ops.size(); ++j) {
      if (match.left_of[j] < 0) continue;
      const Operator &l = lops.ops[match.left_of[j]], &r = rops.ops[j];
      for (size_t k = 0; k < std::min(l.subgraphs.size(), r.subgraphs.size()); ++k) {
        const GraphId called_left = left_first[l.subgraphs[k]], called_right = right_first[r.subgraphs[k]];
        if (left_done[called_left.index] || right_done[called_right.index]) continue;
        left_done[called_left.index] = right_done[called_right.index] = true;
        pending.emplace_back(called_left, called_right);
      }
    }
  };
  if (!left_done.empty()) left_done[0] = true;
  if (!right_done.empty()) right_done[0] = true;
  while (!pending.empty()) {
    const auto [l, r] = pending.front();
    pending.pop_front();
    handle(l, r);
  }
  for (size_t g = 0; g < left_done.size(); ++g)
    if (!left_done[g]) handle(GraphId(g), GraphId());
  for (size_t g = 0; g < right_done.size(); ++g)
    if (!right_done[g]) handle(GraphId(), GraphId(g));

  size_t left_all = 0, left_matched = 0, right_all = 0, right_matched = 0;
  for (const NodeGroup& group : result.groups) {
    const bool matched = !group.left.empty() && !group.right.empty();
    left_all += group.left.size();
    right_all += group.right.size();
    if (matched) left_matched += group.left.size(), right_matched += group.right.size();
  }
  diff::index_groups(left, right, result);
  diff::find_renamed_modules(renamed, left, right, result);
  diff::compare_signatures(left, right, result);
  if (left_all) result.matched_fraction_left = static_cast<double>(left_matched) / static_cast<double>(left_all);
  if (right_all) result.matched_fraction_right = static_cast<double>(right_matched) / static_cast<double>(right_all);
  return result;
}

}  // namespace

Diff diff_programs(const Program& left, const Program& right, const DiffOptions& options) {
  if (!diff::matched_from_right(left, right, options.use_provenance)) return diff_in_order(left, right, options);
  return diff::turned(diff_in_order(right, left, diff::turned(options)), left, right);
}

}  // namespace pt2
