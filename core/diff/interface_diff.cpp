#include "core/diff/interface_diff.h"

#include <algorithm>
#include <functional>
#include <set>

#include "core/diff/paired_specs.h"
#include "core/graph/caller_paths.h"
#include "core/graph/op_schema.h"
#include "core/graph/results.h"
#include "core/graph/tree_spec.h"
#include "core/text/bound_text.h"
#include "core/text/print_program.h"
#include "core/text/python_text.h"

namespace pt2::diff {

namespace {

bool both_sides(const NodeGroup& group) { return !group.left.empty() && !group.right.empty(); }

const NodeGroup* group_of(const Diff& diff, const std::unordered_map<NodeRef, size_t>& groups, NodeRef ref) {
  const auto found = groups.find(ref);
  return found == groups.end() ? nullptr : &diff.groups[found->second];
}

// Other results of one call are other values. The results of two operators are not numbered alike.
bool other_results(const NodeGroup& group, const Program& left, NodeRef l, const Program& right, NodeRef r) {
  const bool one_call = (group.kind == GroupKind::Same || group.kind == GroupKind::Changed) && left.node(group.left[0]).target == right.node(group.right[0]).target;
  const int64_t a = result_index(left.node(l)), b = result_index(right.node(r));
  return one_call && a >= 0 && b >= 0 && a != b;
}

bool aligned(const Diff& diff, NodeRef l, NodeRef r) { return std::find(diff.placeholders.begin(), diff.placeholders.end(), std::pair(l, r)) != diff.placeholders.end(); }

const Argument* argument_named(const Node& node, std::string_view name) {
  const auto found = std::find_if(node.inputs.begin(), node.inputs.end(), [name](const NodeArgument& input) { return input.name == name; });
  return found == node.inputs.end() ? nullptr : &found->value;
}

// Whether the program writes to the memory of a value: to itself, to what it is a view of, or to a view of that.
bool is_written(const Graph& graph, NodeId value) {
  std::vector<uint32_t> memory(graph.nodes().size());  // named by the node that made it
  std::set<uint32_t> written;
  for (uint32_t i = 0; i < memory.size(); ++i) {
    const Node& node = graph.node(NodeId(i));
    memory[i] = i;
    if (result_index(node) >= 0) for_each_node(node.inputs[0].value, [&](NodeId of) { memory[i] = memory[of.index]; });
    const OpSchema* schema = node.kind == NodeKind::CallFunction ? find_op_schema(node.target) : nullptr;
    if (!schema) continue;
    for (const SchemaParameter& parameter : schema->parameters) {
      const Argument* argument = parameter.type.alias.empty() ? nullptr : argument_named(node, parameter.name);
      if (!argument) continue;
      for_each_node(*argument, [&](NodeId of) {
        if (parameter.type.writes()) written.insert(memory[of.index]);
        memory[i] = memory[of.index];
      });
    }
  }
  return written.count(memory[value.index]) > 0;
}

// Whether a call that became something else may just hand on a value it reads (broadcast_tensors, where there is nothing to broadcast).
bool hands_on(const Program& program, const std::vector<NodeRef>& group, const std::function<bool(NodeRef)>& is_value) {
  bool reads = false;
  for (NodeRef ref : group)
    for (const NodeArgument& input : program.node(ref).inputs) for_each_node(input.value, [&](NodeId id) { reads |= is_value({ref.graph, id}); });
  return reads;
}

// Inputs that only one side has are told as such.
bool has_partner(const Diff& diff, NodeRef l, NodeRef r) {
  return std::any_of(diff.placeholders.begin(), diff.placeholders.end(), [&](const auto& pair) { return pair.first == l || pair.second == r; });
}

// Calls that give what they read where type and shape stay: copies, conversions, views, and dropout outside of training.
bool may_hand_on(const Node& node) {
  static const std::set<std::string_view> names = {
      "_to_copy", "alias", "clone", "contiguous", "detach", "lift_fresh", "lift_fresh_copy", "positive", "resolve_conj", "resolve_neg", "to", "type_as",
      "broadcast_to", "expand", "expand_as", "flatten", "reshape", "reshape_as", "squeeze", "view", "view_as",
      "alpha_dropout", "dropout", "feature_alpha_dropout", "feature_dropout"};
  constexpr std::string_view kPrefix = "torch.ops.aten.";
  if (!node.target.starts_with(kPrefix)) return false;
  const std::string_view name = node.target.substr(kPrefix.size());
  return names.count(name.substr(0, name.find('.'))) > 0;
}

// What a value is behind calls without a counterpart that hand it on: passes leave these out.
NodeRef handed_on(const Program& program, const Diff& diff, const std::unordered_map<NodeRef, size_t>& groups, NodeRef ref) {
  for (;;) {
    const NodeGroup* group = group_of(diff, groups, ref);
    const Node& node = program.node(ref);
    const NodeId* operand = group && !both_sides(*group) && may_hand_on(node) && !node.inputs.empty() ? node.inputs[0].value.as<NodeId>() : nullptr;
    if (!operand || type_annotation(node.val) != type_annotation(program.node({ref.graph, *operand}).val)) return ref;
    ref.node = *operand;
  }
}

// Passes compute symbolic numbers anew.
bool same_number(const ValueMeta& a, const ValueMeta& b) {
  const SymMeta *l = sym_meta(a), *r = sym_meta(b);
  return l && r && l->expr && r->expr && l->expr->text == r->expr->text;
}

bool other_values(const Program& left, NodeRef l, const Program& right, NodeRef r, const Diff& diff) {
  l = handed_on(left, diff, diff.left_group, l);
  r = handed_on(right, diff, diff.right_group, r);
  const NodeGroup *a = group_of(diff, diff.left_group, l), *b = group_of(diff, diff.right_group, r);
  if (((a && !both_sides(*a)) || (b && !both_sides(*b))) && same_number(left.node(l).val, right.node(r).val)) return false;
  if (a && a == b) return other_results(*a, left, l, right, r);
  if (!a && !b && (aligned(diff, l, r) || !has_partner(diff, l, r))) return false;
  auto became_more = [](const NodeGroup* group) { return group && (group->kind == GroupKind::Decomposed || group->kind == GroupKind::Merged); };
  auto counterpart_of_r = [&](NodeRef ref) { return b ? group_of(diff, diff.left_group, ref) == b : aligned(diff, ref, r); };
  auto counterpart_of_l = [&](NodeRef ref) { return a ? group_of(diff, diff.right_group, ref) == a : aligned(diff, l, ref); };
  if (became_more(a) && hands_on(left, a->left, counterpart_of_r)) return false;
  if (became_more(b) && hands_on(right, b->right, counterpart_of_l)) return false;
  // In a functional form it is the last write that gives what the other program returns by any name of its memory.
  return is_written(left.graphs[l.graph], l.node) == is_written(right.graphs[r.graph], r.node);
}

bool returns_other_in(const Program& left, GraphId lgraph, const Argument& l, const Program& right, GraphId rgraph, const Argument& r, const Diff& diff) {
  const NodeId *a = l.as<NodeId>(), *b = r.as<NodeId>();
  if (a && b) return other_values(left, {lgraph, *a}, right, {rgraph, *b}, diff);
  return returned_text(left, lgraph, l) != returned_text(right, rgraph, r);
}

// What a sub-graph returns, one by one.
std::vector<Argument> returned_values(const Graph& graph) {
  const Node& output = graph.node(graph.output());
  if (output.inputs.empty()) return {};
  const Argument& value = output.inputs[0].value;
  if (const auto* list = value.as<ListArg>()) return list->items;
  if (const auto* tuple = value.as<TupleArg>()) return tuple->items;
  return {value};
}

// Sub-graphs with matched nodes.
std::set<std::pair<GraphId, GraphId>> matched_subgraphs(const Program& left, const Diff& diff) {
  std::set<std::pair<GraphId, GraphId>> pairs;
  for (const auto& [l, r] : diff.placeholders) pairs.emplace(l.graph, r.graph);
  for (const NodeGroup& group : diff.groups)
    if (both_sides(group)) pairs.emplace(group.left[0].graph, group.right[0].graph);
  pairs.erase({left.root(), left.root()});
  return pairs;
}

void subgraph_outputs(const Program& left, const Program& right, const Diff& diff, std::vector<ValueChange>& changes) {
  for (const auto& pair : matched_subgraphs(left, diff)) {
    const auto a = returned_values(left.graphs[pair.first]), b = returned_values(right.graphs[pair.second]);
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      if (returns_other_in(left, pair.first, a[i], right, pair.second, b[i], diff))
        changes.push_back({"output " + std::to_string(i) + " of " + std::string(left.graphs[pair.first].name), returned_text(left, pair.first, a[i]), returned_text(right, pair.second, b[i])});
  }
}

// The start of the character that holds this byte.
size_t character_begin(const std::string& text, size_t at) {
  while (at > 0 && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) --at;
  return at;
}

// Of two long texts the part around where they begin to differ.
void shorten(std::string& a, std::string& b) {
  constexpr size_t kShown = 80, kBefore = 24;
  const size_t same = size_t(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())), b.begin()).first - a.begin());
  for (std::string* text : {&a, &b}) {
    if (text->size() <= kShown) continue;
    const size_t begin = character_begin(*text, same > kBefore ? same - kBefore : 0), end = character_begin(*text, std::min(begin + kShown, text->size()));
    *text = (begin > 0 ? "…" : "") + text->substr(begin, end - begin) + (end < text->size() ? "…" : "");
  }
}

std::string arguments_text(const TreeSpec& spec) { return has_keyword_arguments(spec) ? tree_text(spec) : "(" + tree_text(spec) + ", {})"; }

void structures(const Program& left, const Program& right, std::vector<ValueChange>& changes) {
  const ModuleCall *l = root_call(left), *r = root_call(right);
  if (!l || !r) return;
  for (const bool inputs : {true, false}) {
    const auto a = parse_tree_spec(inputs ? l->in_spec : l->out_spec), b = parse_tree_spec(inputs ? r->in_spec : r->out_spec);
    if (!a || !b) continue;
    const auto text = inputs ? arguments_text : tree_text;
    ValueChange change{inputs ? "input structure" : "output structure", text(*a), text(*b)};
    if (change.left == change.right) continue;
    if (text(with_sorted_keys(*a)) == text(with_sorted_keys(*b))) change.what += " (only the order of keys)";
    shorten(change.left, change.right);
    changes.push_back(std::move(change));
  }
}

// The symbols that stand for the sizes (or the number) of a value; "" where there is something else.
std::vector<std::string> symbols_of(const ValueMeta& val) {
  std::vector<std::string> symbols;
  auto add = [&symbols](const SymExpr* expr) { symbols.push_back(expr && free_symbols(*expr) == std::vector{expr->text} ? expr->text : ""); };
  if (const TensorMeta* meta = tensor_meta(val))
    for (const SymInt& size : meta->sizes) add(size.expr.get());
  if (const SymMeta* meta = sym_meta(val)) add(meta->expr.get());
  return symbols;
}

// By the inputs first, then by what matched calls give: sizes that are found out while a program runs.
std::vector<std::pair<std::string, std::string>> matched_symbols(const Program& left, const Program& right, const Diff& diff) {
  std::vector<std::pair<std::string, std::string>> pairs;
  std::set<std::string> ours, theirs;
  auto match = [&](NodeRef l, NodeRef r) {
    const auto a = symbols_of(left.node(l).val), b = symbols_of(right.node(r).val);
    for (size_t i = 0; a.size() == b.size() && i < a.size(); ++i)
      if (!a[i].empty() && !b[i].empty() && !ours.count(a[i]) && !theirs.count(b[i])) {
        ours.insert(a[i]);
        theirs.insert(b[i]);
        pairs.emplace_back(a[i], b[i]);
      }
  };
  for (const auto& [l, r] : diff.placeholders) match(l, r);
  for (const NodeGroup& group : diff.groups)
    if (group.left.size() == group.right.size())
      for (size_t i = 0; i < group.left.size(); ++i) match(group.left[i], group.right[i]);
  return pairs;
}

std::string range_text(const Program& program, const std::string& symbol) {
  Range range;
  for (const auto& [name, its] : program.range_constraints)
    if (name == symbol) range = its;
  return bound_text(range.min, range.is_float, "-∞") + " to " + bound_text(range.max, range.is_float, "∞");
}

void ranges(const Program& left, const Program& right, const Diff& diff, std::vector<ValueChange>& changes) {
  for (const auto& [l, r] : matched_symbols(left, right, diff)) {
    const std::string a = range_text(left, l), b = range_text(right, r);
    if (a != b) changes.push_back({"range of " + l + (l == r ? "" : " → " + r), a, b});
  }
}

}  // namespace

bool returns_other(const Program& left, const Argument& l, const Program& right, const Argument& r, const Diff& diff) {
  return returns_other_in(left, left.root(), l, right, right.root(), r, diff);
}

std::string returned_text(const Program& program, GraphId graph, const Argument& value) {
  return argument_text(value, ArgumentStyle::Repr, [&](NodeId id) { return std::string(program.graphs[graph].node(id).name); });
}

std::vector<ValueChange> interface_changes(const Program& left, const Program& right, const Diff& diff) {
  std::vector<ValueChange> changes;
  subgraph_outputs(left, right, diff, changes);
  structures(left, right, changes);
  ranges(left, right, diff, changes);
  return changes;
}

}  // namespace pt2::diff
