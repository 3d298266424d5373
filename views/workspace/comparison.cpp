#include "views/workspace/comparison.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "core/base/display.h"
#include "core/graph/results.h"
#include "interp/compare_outputs.h"
#include "interp/run_failures.h"
#include "views/workspace/comparison_problems.h"
#include "views/workspace/debug_session.h"
#include "views/workspace/graph_view.h"
#include "views/workspace/identity.h"

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
    key += std::to_string(id.index) + "@" + std::to_string(identity_of(document->shared_program())) + " ";
  }
  return key + mapping_text(workspace.comparison.mapping);
}

// Pairs that the session of either side kept.
void take_kept_pairs(Workspace& workspace) {
  Comparison& pair = workspace.comparison;
  const Document &left = *workspace.document(pair.left), &right = *workspace.document(pair.right);
  if (!pair.mapping.empty() || (left.pairs.empty() && right.pairs.empty())) return;
  if (const auto kept = left.pairs.find(right.pairs_key()); kept != left.pairs.end()) pair.mapping = kept->second;
  else if (const auto other = right.pairs.find(left.pairs_key()); other != right.pairs.end()) pair.mapping = turned(other->second);
  if (const size_t count = pair.mapping.linked.size() + pair.mapping.unlinked.size()) workspace.toast(std::to_string(count) + (count == 1 ? " pair" : " pairs") + " set by hand before");
}

constexpr const char* kBoth = "both ";  // begins what runs of both are called in the cache

// What a node of one side gave in place of a value; empty: nothing is known.
std::string problem_of(const interp::RunReport& report, const Program& program, NodeRef node) {
  for (const interp::FailedNode& failed : report.failed)
    if (failed.ref == node) return "Failed when both ran: " + failed.message;
  const std::string name = node_path(program, node);
  if (std::find(report.blocked.begin(), report.blocked.end(), name) != report.blocked.end()) return "Waits for a node that gave no value when both ran";
  return {};
}

// The values of a run of both are what the panes show; null: those there were go.
void show_values(const Workspace& workspace, const ComparisonResult* result) {
  for (const auto& document : workspace.documents()) {
    if (!document->debug) continue;
    const bool left = document->id == workspace.comparison.left;
    const interp::RunComparison* numbers = result && (left || document->id == workspace.comparison.right) ? result->numbers() : nullptr;
    if (!numbers) {
      document->debug->show_both(std::nullopt);
      continue;
    }
    ValuesOfBoth values;
    values.values = {result->outcome, left ? &numbers->left_values : &numbers->right_values};
    values.key = workspace.comparison.numbers_key + (left ? "a" : "b");
    values.inputs = numbers->inputs;
    values.problem = [outcome = result->outcome, program = left ? result->left : result->right, left](NodeRef node) {
      return problem_of(left ? (*outcome)->left : (*outcome)->right, *program, node);
    };
    document->debug->show_both(std::move(values));
  }
}

void tell_of_numbers(ComparisonResult& result, const Workspace& workspace) {
  const interp::RunComparison* numbers = result.numbers();
  if (!numbers) return;
  result.verdict = interp::divergence_text(result.view(workspace));
  result.failure = interp::failures_text(*numbers);
  result.differing_outputs = interp::differing_outputs(*numbers).size();
  if (numbers->first_divergence) result.parted_at = group_name(result, *numbers->first_divergence);
}

}  // namespace

std::string group_name(const ComparisonResult& result, size_t group) {
  const NodeGroup& g = result.diff->groups[group];
  const interp::GroupNumbers& n = result.numbers()->groups[group];
  return g.left.empty() ? interp::group_names_cut(*result.right, g.right, n.right_call) : interp::group_names_cut(*result.left, g.left, n.left_call);
}

interp::ComparisonView ComparisonResult::view(const Workspace& workspace) const {
  auto name = [&](DocumentId id) {
    const Document* document = workspace.document(id);
    return document ? document->title() : std::string();
  };
  return {*left, *right, name(workspace.comparison.left), name(workspace.comparison.right), *diff, numbers(), weights.get(), std::nullopt};
}

Mapping turned(const Mapping& mapping) {
  Mapping other;
  for (const auto& [a, b] : mapping.linked) other.linked.emplace_back(b, a);
  for (const auto& [a, b] : mapping.unlinked) other.unlinked.emplace_back(b, a);
  return other;
}

void keep_pairs(Workspace& workspace) {
  Document *left = workspace.document(workspace.comparison.left), *right = workspace.document(workspace.comparison.right);
  if (!left || !right) return;
  const Mapping& mapping = workspace.comparison.mapping;
  right->pairs.erase(left->pairs_key());
  if (mapping.empty()) left->pairs.erase(right->pairs_key());
  else left->pairs[right->pairs_key()] = mapping;
}

void update_comparison(Workspace& workspace, DerivedCache& derived) {
  Comparison& pair = workspace.comparison;
  if (comparison_key(workspace).empty()) {
    derived.forget(kBoth);
    show_values(workspace, nullptr);
    tell_failures(workspace, nullptr);
    return pair.result.reset();
  }
  take_kept_pairs(workspace);
  std::string key = comparison_key(workspace);
  const auto& left = std::get<Loaded>(workspace.document(pair.left)->state);
  const auto& right = std::get<Loaded>(workspace.document(pair.right)->state);
  DiffOptions matching;
  std::string problem;
  if (auto applied = apply_mapping(pair.mapping, *left.program, *right.program, matching); !applied) problem = applied.error().message;
  std::shared_ptr<const Diff> diff =
      derived.get<Diff>("diff " + key, "Comparing", [a = left.program, b = right.program, matching](Job&) { return diff_programs(*a, *b, matching); });
  if (!diff) {  // what there was of these two stays
    if (pair.result && (pair.result->left != left.program || pair.result->right != right.program)) pair.result.reset();
    return;
  }
  std::shared_ptr<const Result<interp::RunComparison>> outcome;
  if (pair.asked) {
    const std::string numbers_key = kBoth + std::to_string(pair.runs) + (pair.isolate ? " isolated " : " ") + key;
    // Only the latest run keeps its values.
    if (const std::string before = std::exchange(pair.numbers_key, numbers_key); !before.empty() && before != numbers_key) derived.forget(before);
    outcome = derived.get<Result<interp::RunComparison>>(numbers_key, "Running both programs", [left, right, matching, isolate = pair.isolate, asked = pair.asked](Job& job) {
      interp::CompareRunsRequest request = *asked;
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
    weights = derived.get<interp::WeightComparison>("weights " + key, "Comparing weights", [left, right, diff](Job& job) {
      return interp::compare_weights({left.file.get(), left.program}, {right.file.get(), right.program}, *diff, {}, job.stop());
    });
  if (pair.result && pair.result->key == key && pair.result->diff == diff && pair.result->outcome == outcome && pair.result->weights == weights) return;
  if (!pair.result || pair.result->left != left.program || pair.result->right != right.program) pair.picked_left = pair.picked_right = {};
  const bool other_numbers = !pair.result || pair.result->outcome != outcome;
  auto result = std::make_shared<ComparisonResult>();
  *result = {std::move(key), left.program, right.program, left.file, right.file, std::move(diff), std::move(outcome), std::move(weights), std::move(problem), {}, {}, 0, {}};
  tell_of_numbers(*result, workspace);
  pair.result = std::move(result);
  // A place in lockstep is one of these groups.
  if (const auto* numbers = pair.result->numbers(); pair.step && (!numbers || *pair.step >= numbers->groups.size())) pair.step.reset();
  if (!other_numbers) return;
  show_values(workspace, pair.result.get());
  tell_failures(workspace, pair.result.get());
  if (!pair.result->failure.empty()) workspace.log(LogLevel::Error, pair.result->failure);
}

namespace {

auto chosen_inputs(const interp::InputRequest& r) { return std::tie(r.tensors, r.tensors_path, r.texts, r.symbols, r.seed, r.use_sample_inputs, r.cast, r.ignore_ranges); }
bool chose_inputs(const Document* document) {
  static const interp::InputRequest kNothing;
  return document && document->debug && (chosen_inputs(document->debug->request) != chosen_inputs(kNothing) || !document->debug->request.values.empty());
}

}  // namespace

interp::CompareRunsRequest run_of_both(const Workspace& workspace) {
  interp::CompareRunsRequest request;
  const Document *left = workspace.document(workspace.comparison.left), *right = workspace.document(workspace.comparison.right);
  request.inputs_of_right = !chose_inputs(left) && chose_inputs(right);  // also those chosen before the sides were swapped
  if (const Document* of = request.inputs_of_right ? right : left; of && of->debug) request.inputs = of->debug->request;
  request.seed = request.inputs.seed.value_or(0);
  request.threads = workspace.ui.preferences.threads.value_or(0);
  request.tolerance = {workspace.ui.preferences.rtol, workspace.ui.preferences.atol};
  return request;
}

std::string changed_since_run(const Workspace& workspace) {
  const auto& asked = workspace.comparison.asked;
  if (!asked) return {};
  const interp::CompareRunsRequest now = run_of_both(workspace);
  // After the sides were swapped both run on what was set for the side that is B now, whatever is set for A.
  const bool of_other_side = asked->inputs_of_right != now.inputs_of_right;
  const bool other_inputs = of_other_side ? now.inputs_of_right : chosen_inputs(asked->inputs) != chosen_inputs(now.inputs);
  const bool other_tolerance = std::tie(asked->tolerance.rtol, asked->tolerance.atol) != std::tie(now.tolerance.rtol, now.tolerance.atol);
  return other_inputs && other_tolerance ? "inputs and tolerance" : other_inputs ? "inputs" : other_tolerance ? "tolerance" : "";
}

std::string inputs_of_both(const ComparisonResult& result, const Comparison& pair) {
  if (!result.numbers() || !pair.asked) return {};
  return std::string(pair.asked->inputs_of_right ? "B's inputs: " : "A's inputs: ") + display_cut(result.numbers()->inputs, 120);
}

std::optional<bool> numbers_agree(const Comparison& pair, size_t group) {
  const interp::RunComparison* numbers = pair.result->numbers();
  if (!numbers || (pair.stepping && (!pair.step || numbers->position(group) > numbers->position(*pair.step)))) return std::nullopt;
  return numbers->groups[group].equal;
}

bool all_told(const Comparison& pair) {
  return !pair.stepping || (pair.step && pair.result->numbers()->position(*pair.step) + 1 == pair.result->diff->groups.size());
}

std::optional<size_t> told_divergence(const Comparison& pair) {
  const interp::RunComparison* numbers = pair.result->numbers();
  return numbers && numbers->first_divergence && numbers_agree(pair, *numbers->first_divergence) ? numbers->first_divergence : std::nullopt;
}

NodeRef compared_part(const Comparison& pair, DocumentId id, NodeRef node) {
  const bool left = id == pair.left;
  if (!pair.result || (!left && id != pair.right)) return {};
  const Program& program = left ? *pair.result->left : *pair.result->right;
  if (!program.graphs.contains(node.graph) || !program.graphs[node.graph].nodes().contains(node.node) || !program.node(node).result_count) return {};
  std::vector<NodeRef> parts;
  for (NodeId user : program.graphs[node.graph].users(node.node))
    if (is_getitem(program.graphs[node.graph].node(user))) parts.push_back({node.graph, user});
  const auto group = group_of(*pair.result->diff, left, node);
  if (const interp::RunComparison* numbers = pair.result->numbers(); numbers && group) {
    const interp::GroupNumbers& held = numbers->groups[*group];
    const NodeRef compared = left ? held.left : held.right;
    if (std::find(parts.begin(), parts.end(), compared) != parts.end()) return compared;
  }
  return parts.empty() ? NodeRef() : parts.front();
}

std::vector<NodeRow> compared_rows(const ComparisonResult& result, const Comparison& pair, NodeRef a, NodeRef b) {
  auto part = [&](DocumentId id, NodeRef node) {
    const NodeRef value = compared_part(pair, id, node);
    return value.node ? value : node;
  };
  // Only where one side gives a tuple and the other does not; else both tuples are held against each other.
  const bool one_tuple = (result.left->node(a).result_count != 0) != (result.right->node(b).result_count != 0);
  auto belong_together = [&](NodeId l, NodeId r) {
    const Graph &lgraph = result.left->graphs[a.graph], &rgraph = result.right->graphs[b.graph];
    const NodeId lcall = taken_from(lgraph.node(l)), rcall = taken_from(rgraph.node(r));
    // Two operators may number their results in two ways, one does not.
    if (lcall && rcall && lgraph.node(lcall).target == rgraph.node(rcall).target && result_index(lgraph.node(l)) != result_index(rgraph.node(r))) return false;
    const auto others = counterparts(*result.diff, true, {a.graph, l});
    return std::find(others.begin(), others.end(), NodeRef{b.graph, r}) != others.end();
  };
  NodeRowOptions options;
  options.left_value = one_tuple ? part(pair.left, a) : a;
  options.right_value = one_tuple ? part(pair.right, b) : b;
  options.belong_together = belong_together;
  return node_rows(*result.left, a, *result.right, b, options);
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

bool gives_value(const Diff& diff, bool left, const Program& program, NodeRef node) {
  const auto own = group_of(diff, left, node);
  if (!own) return false;
  const Graph& graph = program.graphs[node.graph];
  const auto users = graph.users(node.node);
  return std::any_of(users.begin(), users.end(), [&](NodeId user) {
    const NodeRef reader{node.graph, user};
    return group_of(diff, left, reader) != own || (is_getitem(graph.node(user)) && gives_value(diff, left, program, reader));
  });
}

NodeRef partner_in_numbers(const Comparison& pair, bool left, NodeRef node) {
  const auto group = group_of(*pair.result->diff, left, node);
  const interp::RunComparison* numbers = pair.result->numbers();
  if (!numbers || !group) return {};
  for (const auto& [l, r] : numbers->groups[*group].pairs)
    if ((left ? l : r) == node) return left ? r : l;
  return {};
}

NodeRef closest_counterpart(const Diff& diff, bool from_left, const Program& own, NodeRef node, const Program& other) {
  constexpr size_t kLookedAt = 32;
  std::vector<NodeRef> others = counterparts(diff, from_left, node);
  if (gives_value(diff, from_left, own, node)) {
    const auto inner = std::stable_partition(others.begin(), others.end(), [&](NodeRef ref) { return gives_value(diff, !from_left, other, ref); });
    if (inner != others.begin()) others.erase(inner, others.end());
  }
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

void pick(Comparison& pair, const Document& side) {
  const NodeRef node = side.selection.current().node;
  if (node.node && side.id == pair.left) pair.picked_left = node;
  if (node.node && side.id == pair.right) pair.picked_right = node;
}

std::pair<NodeRef, NodeRef> link_candidates(const Workspace& workspace) {
  const Comparison& pair = workspace.comparison;
  if (pair.picked_left.node || pair.picked_right.node) return {pair.picked_left, pair.picked_right};
  auto only_node = [&](DocumentId id) {
    const Document* document = workspace.document(id);
    return document && document->selection.current().others.empty() ? document->selection.current().node : NodeRef();
  };
  return {only_node(pair.left), only_node(pair.right)};
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

namespace {

NodeRef closest(const ComparisonResult& result, bool from_left, NodeRef node) {
  return closest_counterpart(*result.diff, from_left, from_left ? *result.left : *result.right, node, from_left ? *result.right : *result.left);
}

std::vector<NodeRef> with_first(std::vector<NodeRef> nodes, NodeRef first) {
  std::stable_partition(nodes.begin(), nodes.end(), [&](NodeRef node) { return node == first; });
  return nodes;
}

// One side of a group; first the node that is closest to one of the other side.
std::vector<NodeRef> closest_first(const ComparisonResult& result, const NodeGroup& group, bool left) {
  if (group.left.empty() || group.right.empty()) return left ? group.left : group.right;
  const NodeRef right = closest(result, true, group.left.front());
  return left ? with_first(group.left, closest(result, false, right)) : with_first(group.right, right);
}

}  // namespace

void select_group(Workspace& workspace, const Diff& diff, size_t index) {
  const NodeGroup& group = diff.groups[index];
  for (const bool left : {true, false}) {
    Document* document = workspace.document(left ? workspace.comparison.left : workspace.comparison.right);
    if (!document || !document->scopes()) continue;
    go_to(*document, selection_of_group(closest_first(*workspace.comparison.result, group, left)), "compare");
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
  if (fresh && pair.sync != CompareSync::Off) match_first_folds(workspace);
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
    pick(pair, from);
    if (selection.empty()) {
      pair.picked_left = pair.picked_right = {};
      to.selection.select({});
    } else if (const NodeRef node = selection.shown(); node.node) {
      const std::vector<NodeRef> others = with_first(counterparts(diff, from_left, node), closest(*pair.result, from_left, node));
      const GraphView before = to.graph;
      if (!others.empty()) reveal(to, others.front());
      to.selection.select(selection_of_group(others));
      // What had to be unfolded is small in a larger graph. Nothing moves under the pointer that chose it.
      const bool unfolded = !(to.graph == before);
      for (Document* side : {&from, &to})
        if (unfolded && side->selection.origin() != "graph") side->camera = {CameraRequest::Kind::ReadSelection, side->camera.revision + 1};
    } else if (selection.module) {
      const ModuleId module = to.program()->modules.find(from.program()->modules.modules[selection.module].path);
      to.selection.select(module ? Selection::of_module(module) : Selection());
    }
  }
  seen_left_ = left->selection.revision();
  seen_right_ = right->selection.revision();
}

}  // namespace pt2::views
