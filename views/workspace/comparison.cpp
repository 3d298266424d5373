#include "views/workspace/comparison.h"

#include <algorithm>
#include <unordered_set>

#include "views/workspace/graph_view.h"
#include "views/workspace/node_rows.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {

namespace {

const Document* with_program(const Workspace& workspace, DocumentId id) {
  const Document* document = workspace.document(id);
  return document && document->program() ? document : nullptr;
}

// Names the compared programs in full: a reloaded document has another program.
std::string comparison_key(const Workspace& workspace) {
  std::string key;
  for (DocumentId id : {workspace.comparison.left, workspace.comparison.right}) {
    const Document* document = with_program(workspace, id);
    if (!document) return {};
    key += std::to_string(id.index) + "@" + std::to_string(reinterpret_cast<uintptr_t>(document->program())) + " ";
  }
  return key + mapping_text(workspace.comparison.mapping);
}

// Modules of either program with a node in a group that differs, and those around them.
std::unordered_set<std::string> changed_modules(const ComparisonResult& result) {
  std::unordered_set<std::string> paths;
  for (size_t g = 0; g < result.diff->groups.size(); ++g) {
    if (!result.differs(g)) continue;
    for (const bool left : {true, false}) {
      const Program& program = left ? *result.left : *result.right;
      const auto& modules = program.modules.modules;
      for (NodeRef ref : left ? result.diff->groups[g].left : result.diff->groups[g].right)
        for (ModuleId m = program.node(ref).module; m && modules.contains(m); m = modules[m].parent) paths.insert(modules[m].path);
    }
  }
  return paths;
}

// How many of a node's operands, or what became of them, the other one takes.
size_t shared_operands(const Diff& diff, bool from_left, const Program& own, NodeRef node, const Program& other, NodeRef candidate) {
  std::unordered_set<NodeRef> taken;
  for (const NodeArgument& input : other.node(candidate).inputs) for_each_node(input.value, [&](NodeId id) { taken.insert({candidate.graph, id}); });
  size_t shared = 0;
  for (const NodeArgument& input : own.node(node).inputs)
    for_each_node(input.value, [&](NodeId id) {
      const auto became = counterparts(diff, from_left, {node.graph, id});
      shared += std::any_of(became.begin(), became.end(), [&](NodeRef ref) { return taken.count(ref) > 0; });
    });
  return shared;
}

}  // namespace

interp::ComparisonView ComparisonResult::view(const Workspace& workspace) const {
  auto name = [&](DocumentId id) {
    const Document* document = workspace.document(id);
    return document ? document->title() : std::string();
  };
  return {*left, *right, name(workspace.comparison.left), name(workspace.comparison.right), *diff, numbers(), weights.get(), std::nullopt};
}

void update_comparison(Workspace& workspace, DerivedCache& derived) {
  Comparison& pair = workspace.comparison;
  std::string key = comparison_key(workspace);
  if (key.empty()) return pair.result.reset();
  const auto& left = std::get<Loaded>(workspace.document(pair.left)->state);
  const auto& right = std::get<Loaded>(workspace.document(pair.right)->state);
  DiffOptions matching;
  std::string problem;
  if (auto applied = apply_mapping(pair.mapping, *left.program, *right.program, matching); !applied) problem = applied.error().message;
  std::shared_ptr<const Diff> diff =
      derived.get<Diff>("diff " + key, "Comparing", [a = left.program, b = right.program, matching](Job&) { return diff_programs(*a, *b, matching); });
  if (!diff) return;  // what there was stays
  std::shared_ptr<const Result<interp::RunComparison>> outcome;
  if (pair.run) {
    // Both on the left program's sample inputs, or on filled ones.
    outcome = derived.get<Result<interp::RunComparison>>(std::string(pair.isolate ? "isolated " : "numbers ") + key, "Running both programs", [left, right, matching, isolate = pair.isolate](Job& job) {
      interp::CompareRunsRequest request;
      request.stop = job.stop();
      request.matching = matching;
      request.isolate = isolate;
      return interp::compare_runs({left.file.get(), left.program}, {right.file.get(), right.program}, request);
    });
    key += outcome ? "with numbers" : "";
    if (outcome && *outcome) diff = std::shared_ptr<const Diff>(outcome, &(*outcome)->diff);
  }
  std::shared_ptr<const interp::WeightComparison> weights;
  if (pair.weights)
    weights = derived.get<interp::WeightComparison>("weights " + key, "Comparing weights", [left, right](Job& job) {
      return interp::compare_weights({left.file.get(), left.program}, {right.file.get(), right.program}, {}, job.stop());
    });
  if (pair.result && pair.result->key == key && pair.result->diff == diff && pair.result->outcome == outcome && pair.result->weights == weights) return;
  if (!pair.result || pair.result->left != left.program || pair.result->right != right.program) pair.picked_left = pair.picked_right = {};
  auto result = std::make_shared<ComparisonResult>();
  *result = {std::move(key), left.program, right.program, left.file, right.file, std::move(diff), std::move(outcome), std::move(weights), std::move(problem)};
  pair.result = std::move(result);
}

std::optional<size_t> group_of(const Diff& diff, bool left, NodeRef node) {
  const auto& groups = left ? diff.left_group : diff.right_group;
  auto it = groups.find(node);
  if (!node.node || it == groups.end()) return std::nullopt;
  return it->second;
}

std::vector<NodeRef> counterparts(const Diff& diff, bool from_left, NodeRef node) {
  if (const auto group = group_of(diff, from_left, node)) return from_left ? diff.groups[*group].right : diff.groups[*group].left;
  for (const auto& [left, right] : diff.placeholders)  // inputs are aligned apart from the groups
    if ((from_left ? left : right) == node) return {from_left ? right : left};
  return {};
}

NodeRef closest_counterpart(const Diff& diff, bool from_left, const Program& own, NodeRef node, const Program& other) {
  constexpr size_t kLookedAt = 32;
  const std::vector<NodeRef> others = counterparts(diff, from_left, node);
  NodeRef closest;
  size_t most = 0, fewest = 0;
  for (size_t i = 0; i < std::min(others.size(), kLookedAt); ++i) {
    const auto rows = node_rows(own, node, other, others[i]);
    const size_t differing = size_t(std::count_if(rows.begin(), rows.end(), [](const NodeRow& row) { return row.differs(); }));
    const size_t shared = shared_operands(diff, from_left, own, node, other, others[i]);
    if (!closest.node || shared > most || (shared == most && differing < fewest)) most = shared, fewest = differing, closest = others[i];
  }
  return closest;
}

std::pair<NodeRef, NodeRef> link_candidates(const Workspace& workspace) {
  const Comparison& pair = workspace.comparison;
  if (pair.picked_left.node && pair.picked_right.node) return {pair.picked_left, pair.picked_right};
  const Document *left = workspace.document(pair.left), *right = workspace.document(pair.right);
  if (!left || !right) return {};
  return {left->selection.current().node, right->selection.current().node};
}

std::optional<size_t> next_difference(const ComparisonResult& result, std::optional<size_t> from, bool forward) {
  const size_t count = result.diff->groups.size();
  size_t at = from ? *from : forward ? count - 1 : 0;
  for (size_t tried = 0; tried < count; ++tried) {
    at = (at + (forward ? 1 : count - 1)) % count;
    if (result.differs(at)) return at;
  }
  return std::nullopt;
}

Selection selection_of_group(const std::vector<NodeRef>& nodes) {
  Selection selection;
  if (nodes.empty()) return selection;
  selection.node = nodes.front();
  selection.others.assign(nodes.begin() + 1, nodes.end());
  return selection;
}

void select_group(Workspace& workspace, const Diff& diff, size_t index) {
  const NodeGroup& group = diff.groups[index];
  for (const bool left : {true, false}) {
    Document* document = workspace.document(left ? workspace.comparison.left : workspace.comparison.right);
    const auto& nodes = left ? group.left : group.right;
    if (!document || !document->scopes()) continue;
    go_to(*document, selection_of_group(nodes), "compare");
  }
  // The side that has nodes is the active one.
  workspace.activate(group.left.empty() ? workspace.comparison.right : workspace.comparison.left);
}

std::optional<size_t> selected_group(const Workspace& workspace, const Diff& diff) {
  const Comparison& pair = workspace.comparison;
  const bool right_first = workspace.active_id() == pair.right;
  for (bool left : {!right_first, right_first}) {
    const Document* document = workspace.document(left ? pair.left : pair.right);
    if (!document) continue;
    if (const auto group = group_of(diff, left, document->selection.current().shown())) return group;
  }
  return std::nullopt;
}

void fold_equal_modules(Workspace& workspace, bool only_differences) {
  const auto result = workspace.comparison.result;
  if (!result) return;
  const std::unordered_set<std::string> changed = changed_modules(*result);
  for (DocumentId id : {workspace.comparison.left, workspace.comparison.right}) {
    Document* document = workspace.document(id);
    if (!document || !document->scopes()) continue;
    GraphView& graph = document->graph;
    if (!only_differences) {
      const GraphView as_opened = initial_view(*document);
      graph.expanded = as_opened.expanded;
      continue;
    }
    const auto& modules = document->program()->modules.modules;
    for (size_t i = 0; i < modules.size() && i < graph.expanded.size(); ++i)
      graph.expanded[ModuleId(i)] = !modules[ModuleId(i)].parent || changed.count(modules[ModuleId(i)].path);
  }
}

void carry_folds(const Document& from, Document& to) {
  const auto &modules = from.program()->modules, &others = to.program()->modules;
  for (size_t i = 0; i < modules.modules.size() && i < from.graph.expanded.size(); ++i) {
    const ModuleId other = others.find(modules.modules[ModuleId(i)].path);
    if (other && other.index < to.graph.expanded.size()) to.graph.expanded[other] = from.graph.expanded[ModuleId(i)];
  }
}

void SelectionCarrier::carry(Workspace& workspace) {
  const Comparison& pair = workspace.comparison;
  const Document *left = workspace.document(pair.left), *right = workspace.document(pair.right);
  if (!left || !right || !left->program() || !right->program()) return;
  if (pair.result) carry_selection(workspace, *pair.result->diff);
  carry_fold_state(workspace);
}

void SelectionCarrier::carry_fold_state(Workspace& workspace) {
  Comparison& pair = workspace.comparison;
  Document &left = *workspace.document(pair.left), &right = *workspace.document(pair.right);
  const bool fresh = left_ != pair.left || right_ != pair.right;
  const bool from_left = !fresh && left.graph.expanded.raw() != left_folds_.raw(), from_right = !fresh && right.graph.expanded.raw() != right_folds_.raw();
  if (from_left != from_right && pair.sync != CompareSync::Off) {
    if (from_left) carry_folds(left, right);
    else carry_folds(right, left);
  }
  left_ = pair.left;
  right_ = pair.right;
  left_folds_ = left.graph.expanded;
  right_folds_ = right.graph.expanded;
}

void SelectionCarrier::carry_selection(Workspace& workspace, const Diff& diff) {
  Document *left = workspace.document(workspace.comparison.left), *right = workspace.document(workspace.comparison.right);
  const bool from_left = left->selection.revision() != seen_left_, from_right = right->selection.revision() != seen_right_;
  Comparison& pair = workspace.comparison;
  // Both changed: somebody chose both.
  if (from_left && from_right) pair.picked_left = pair.picked_right = {};
  if (from_left != from_right) {
    Document &from = from_left ? *left : *right, &to = from_left ? *right : *left;
    const Selection& selection = from.selection.current();
    if (selection.node.node) (from_left ? pair.picked_left : pair.picked_right) = selection.node;
    if (selection.empty()) {
      pair.picked_left = pair.picked_right = {};
      to.selection.select({});
    } else if (const NodeRef node = selection.shown(); node.node) {
      const std::vector<NodeRef> others = counterparts(diff, from_left, node);
      if (!others.empty()) reveal(to, others.front());
      to.selection.select(selection_of_group(others));
    } else if (selection.module) {
      const ModuleId module = to.program()->modules.find(from.program()->modules.modules[selection.module].path);
      to.selection.select(module ? Selection::of_module(module) : Selection());
    }
  }
  seen_left_ = left->selection.revision();
  seen_right_ = right->selection.revision();
}

}  // namespace pt2::views
