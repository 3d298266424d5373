#include "interp/group_comparer.h"

#include <algorithm>
#include <set>

#include "core/graph/results.h"
#include "interp/called_groups.h"
#include "interp/judgement.h"

namespace pt2::interp {

namespace {

bool holds(const std::vector<NodeRef>& nodes, NodeRef ref) { return std::find(nodes.begin(), nodes.end(), ref) != nodes.end(); }

// Whether one value may be the other's counterpart in a group of several calls: of the same shape and type, or both floating-point.
bool fits(const Tensor& a, const Tensor& b) { return a.sizes == b.sizes && (a.dtype == b.dtype || (is_floating(a.dtype) && is_floating(b.dtype))); }

// Without the getitems that take their results.
size_t calls(const Program& program, const std::vector<NodeRef>& nodes) {
  return size_t(std::count_if(nodes.begin(), nodes.end(), [&](NodeRef ref) { return !is_getitem(program.node(ref)); }));
}

bool leaves(const Program& program, NodeRef ref, const std::vector<NodeRef>& group) {
  for (NodeId user : program.graphs[ref.graph].users(ref.node))
    if (!holds(group, {ref.graph, user})) return true;
  return false;
}

// Values are paired the way the nodes were matched, from the earlier program to the later one; how far apart they are is said of the right one
// against the left one, whichever that is.
class Comparer {
 public:
  struct Side {
    const Program& program;
    ValueKeeper& values;
  };

  Comparer(Side left, Side right, const Diff& diff, const Tolerance& tolerance)
      : left_(left), right_(right), from_(diff.turned ? right : left), to_(diff.turned ? left : right), diff_(diff), called_(left.program, right.program, diff), tolerance_(tolerance) {
    for (const auto& [l, r] : diff.placeholders) right_of_.emplace(l, r), left_of_.emplace(r, l);
  }

  std::vector<GroupNumbers> run() {
    for (const NodeGroup& group : diff_.groups) numbers_.push_back(group.left.empty() || group.right.empty() ? GroupNumbers() : compare(group));
    for (const GroupNumbers& numbers : numbers_)
      for (const auto& [l, r] : numbers.pairs) right_of_.emplace(l, r);
    for (size_t g = 0; g < numbers_.size(); ++g)
      if (diff_.groups[g].left.empty() || diff_.groups[g].right.empty()) numbers_[g] = dequantized(diff_.groups[g]);
    for (size_t g = 0; g < numbers_.size(); ++g) {
      GroupNumbers& numbers = numbers_[g];
      const NodeGroup& group = diff_.groups[g];
      if (numbers.equal != false || group.left.empty() || group.right.empty()) continue;
      numbers.differing_inputs = differing_inputs(group);
      numbers.same_operands = same_operands(group);
      numbers.equal_operands = equal_operands(group);
      numbers.operand_differs = !causes_of_operands(left_.program, right_.program, diff_, numbers_, g).empty();
      numbers.carried_in = numbers.operand_differs && group.kind == GroupKind::Same && numbers.differing_inputs.empty() && calls_the_same(g);
    }
    return std::move(numbers_);
  }

 private:
  const std::vector<NodeRef>& from_nodes(const NodeGroup& group) const { return diff_.turned ? group.right : group.left; }
  const std::vector<NodeRef>& to_nodes(const NodeGroup& group) const { return diff_.turned ? group.left : group.right; }

  // Each value of the group that leaves it (of one that nobody reads, the last) has a counterpart of its own among the other side's; the worst
  // pair speaks for the group.
  GroupNumbers compare(const NodeGroup& group) const {
    GroupNumbers worst;
    std::vector<std::pair<NodeRef, NodeRef>> pairs;
    std::vector<NodeRef> taken, taken_from, alone;
    auto consider = [&](GroupNumbers&& pair) {
      pairs.emplace_back(pair.left, pair.right);
      taken.push_back(diff_.turned ? pair.left : pair.right), taken_from.push_back(diff_.turned ? pair.right : pair.left);
      if (!worst.equal || (*worst.equal && !*pair.equal) || (worst.equal == pair.equal && pair.difference.max_abs > worst.difference.max_abs)) worst = std::move(pair);
    };
    const std::vector<NodeRef>& nodes = from_nodes(group);
    const bool read = leaving_count(from_, nodes) > 0;
    for (NodeRef ref : nodes) {
      if (!from_.values.tensor(ref) || (read ? !leaves(from_.program, ref, nodes) : ref != nodes.back())) continue;
      GroupNumbers pair = counterpart(ref, group, taken);
      if (pair.equal == true) consider(std::move(pair));
      else alone.push_back(ref);
    }
    // Those that are read by counterparts first; then from the last on, as results stand at the end. Where the other side has fewer values, a
    // result was an operand passed on (broadcast_tensors): its own group speaks for it.
    for (const bool read_alike : {true, false})
      for (size_t i = alone.size(); i-- > 0;) {
        if (holds(taken_from, alone[i])) continue;
        if (GroupNumbers pair = counterpart(alone[i], group, taken, read_alike); pair.equal) consider(std::move(pair));
      }
    worst.pairs = std::move(pairs);
    return worst;
  }

  // 1:n seen from the earlier program.
  bool decomposed(const NodeGroup& group) const {
    return calls(from_.program, from_nodes(group)) == 1 && group.kind == (diff_.turned ? GroupKind::Merged : GroupKind::Decomposed);
  }

  // The groups that read a value from outside its own.
  std::set<size_t> readers(const Program& program, NodeRef ref, const std::vector<NodeRef>& nodes, const std::unordered_map<NodeRef, size_t>& group_of) const {
    std::set<size_t> groups;
    for (NodeId user : program.graphs[ref.graph].users(ref.node))
      if (const auto found = group_of.find({ref.graph, user}); found != group_of.end() && !holds(nodes, found->first)) groups.insert(found->second);
    return groups;
  }
  bool read_by_counterparts(NodeRef from, NodeRef to, const NodeGroup& group) const {
    const std::set<size_t> a = readers(from_.program, from, from_nodes(group), diff_.turned ? diff_.right_group : diff_.left_group);
    const std::set<size_t> b = readers(to_.program, to, to_nodes(group), diff_.turned ? diff_.left_group : diff_.right_group);
    return std::any_of(a.begin(), a.end(), [&](size_t reader) { return b.count(reader) > 0; });
  }

  GroupNumbers counterpart(NodeRef ref, const NodeGroup& group, const std::vector<NodeRef>& taken, bool read_alike = false) const {
    const Tensor& value = *from_.values.tensor(ref);
    const std::vector<NodeRef>& others = to_nodes(group);
    const int64_t index = decomposed(group) ? -1 : result_index(from_.program.node(ref));
    const bool one_to_one = group.left.size() == 1 && group.right.size() == 1, one_call = calls(left_.program, group.left) == 1 && calls(right_.program, group.right) == 1;
    GroupNumbers best;
    // From the last on: results stand at the end. Values that leave the group come before those that only serve inside it, which count where
    // fewer leave it here than there.
    for (const bool leaving : {true, false}) {
      if (!leaving && best.equal && leaving_count(to_, others) >= leaving_count(from_, from_nodes(group))) break;
      for (const bool same_type : {true, false})
        for (auto other = others.rbegin(); other != others.rend(); ++other) {
          const Tensor* tensor = to_.values.tensor(*other);
          if (!tensor || (tensor->dtype == value.dtype) != same_type || leaves(to_.program, *other, others) != leaving || holds(taken, *other)) continue;
          if (read_alike && !read_by_counterparts(ref, *other, group)) continue;
          if (const int64_t its = result_index(to_.program.node(*other)); index >= 0 && its >= 0 && its != index) continue;
          const bool same_result = one_call && index >= 0 && index == result_index(to_.program.node(*other));
          if (!one_to_one && !same_result && !fits(*tensor, value)) continue;
          GroupNumbers candidate = diff_.turned ? pair_of(*other, ref) : pair_of(ref, *other);
          // Functionalisation makes such a view anew, from what was written later: that is no statement about the view as it was.
          if (!*candidate.equal && from_.values.overwritten_view(ref)) continue;
          if (*candidate.equal) return candidate;
          if (!best.equal) best = std::move(candidate);
        }
    }
    return best;
  }

  static size_t leaving_count(const Side& side, const std::vector<NodeRef>& nodes) {
    return size_t(std::count_if(nodes.begin(), nodes.end(), [&](NodeRef ref) { return side.values.tensor(ref) && leaves(side.program, ref, nodes); }));
  }

  GroupNumbers pair_of(NodeRef l, NodeRef r) const {
    const Tensor &a = *left_.values.tensor(l), &b = *right_.values.tensor(r);
    GroupNumbers pair;
    pair.left = l, pair.right = r;
    Judgement judged = judge(a, b, tolerance_, left_.values.random(l) || right_.values.random(r));
    pair.equal = judged.difference.equal;
    pair.difference = std::move(judged.difference);
    pair.cause = judged.cause;
    return pair;
  }

  bool calls_the_same(size_t g) const {
    const std::set<size_t> inside = called_.all(g);
    return std::all_of(inside.begin(), inside.end(), [&](size_t inner) { return diff_.groups[inner].kind == GroupKind::Same; });
  }

  // Whether both sides read the same values: each the counterpart of one the other reads, as far as values were paired.
  bool same_operands(const NodeGroup& group) const {
    std::set<NodeRef> expected;
    for (NodeRef operand : operands_of(left_.program, group.left)) {
      const auto right = right_of_.find(operand);
      if (right == right_of_.end()) return false;
      expected.insert(right->second);
    }
    const std::vector<NodeRef> found = operands_of(right_.program, group.right);
    return expected == std::set<NodeRef>(found.begin(), found.end());
  }

  // Whether both sides read the same values in the same order (a - b is not b - a), whichever nodes gave them.
  bool equal_operands(const NodeGroup& group) const {
    auto values = [](const Side& side, const std::vector<NodeRef>& nodes) {
      std::vector<uint64_t> found;
      for (NodeRef ref : nodes)
        for (const NodeArgument& input : side.program.node(ref).inputs)
          for_each_node(input.value, [&](NodeId value) {
            if (const NodeRef operand{ref.graph, value}; !holds(nodes, operand)) found.push_back(side.values.fingerprint(operand));
          });
      return found;
    };
    const auto left = values(left_, group.left);
    return std::find(left.begin(), left.end(), 0) == left.end() && left == values(right_, group.right);
  }

  // A value that is quantized and taken back on one side only: it is held against what the counterpart of its reader reads in its place, be that a
  // weight or what a layer gave. So the error of each quantization is seen by itself.
  GroupNumbers dequantized(const NodeGroup& group) const {
    const bool on_right = group.left.empty();
    const Side &own = on_right ? right_ : left_, &other = on_right ? left_ : right_;
    const auto& group_of = on_right ? diff_.right_group : diff_.left_group;
    for (NodeRef ref : on_right ? group.right : group.left) {
      if (own.program.node(ref).target.find(".dequantize") == std::string_view::npos || !own.values.tensor(ref)) continue;
      for (NodeId user : own.program.graphs[ref.graph].users(ref.node)) {
        const auto reader = group_of.find({ref.graph, user});
        if (reader == group_of.end()) continue;
        const NodeRef instead = read_instead(own.program, ref, {ref.graph, user}, other.program, on_right ? diff_.groups[reader->second].left : diff_.groups[reader->second].right);
        const Tensor* value = instead.node ? other.values.tensor(instead) : nullptr;
        if (!value || !fits(*value, *own.values.tensor(ref))) continue;
        GroupNumbers numbers = on_right ? pair_of(instead, ref) : pair_of(ref, instead);
        numbers.pairs = {{numbers.left, numbers.right}};
        return numbers;
      }
    }
    return {};
  }

  // What a reader's counterpart has for the argument that is `value` there; none: there is no one counterpart, or the argument is no node.
  static NodeRef read_instead(const Program& program, NodeRef value, NodeRef reader, const Program& other, const std::vector<NodeRef>& counterparts) {
    if (counterparts.empty() || program.node(reader).target != other.node(counterparts[0]).target) return {};
    const auto &inputs = program.node(reader).inputs, &others = other.node(counterparts[0]).inputs;
    for (size_t i = 0; i < std::min(inputs.size(), others.size()); ++i) {
      const auto *its = inputs[i].value.as<NodeId>(), *in_place = others[i].value.as<NodeId>();
      if (its && in_place && *its == value.node) return {counterparts[0].graph, *in_place};
    }
    return {};
  }

  // Weights and the like are no groups: whether they differ is seen here. A view of one (a transposed weight) counts as itself.
  std::vector<NodeRef> differing_inputs(const NodeGroup& group) const {
    std::vector<NodeRef> found;
    auto add = [&](NodeRef l, NodeRef r) {
      const Tensor *a = left_.values.tensor(l), *b = right_.values.tensor(r);
      if (a && b && !holds(found, l) && !judge(*a, *b, tolerance_).difference.equal) found.push_back(l);
    };
    for (NodeRef operand : operands_of(left_.program, group.left))
      if (const auto right = right_of_.find(left_.values.placeholder(operand)); right != right_of_.end()) add(right->first, right->second);
    for (NodeRef operand : operands_of(right_.program, group.right))
      if (const auto left = left_of_.find(right_.values.placeholder(operand)); left != left_of_.end()) add(left->second, left->first);
    return found;
  }

  const Side left_, right_, from_, to_;
  const Diff& diff_;
  const CalledGroups called_;
  const Tolerance& tolerance_;
  std::unordered_map<NodeRef, NodeRef> left_of_, right_of_;  // the two programs' placeholders; right_of_ also the paired values
  std::vector<GroupNumbers> numbers_;
};

}  // namespace

std::vector<NodeRef> operands_of(const Program& program, const std::vector<NodeRef>& nodes) {
  std::vector<NodeRef> found;
  for (NodeRef ref : nodes)
    for (const NodeArgument& input : program.node(ref).inputs)
      for_each_node(input.value, [&](NodeId value) {
        const NodeRef operand{ref.graph, value};
        if (!holds(nodes, operand) && !holds(found, operand)) found.push_back(operand);
      });
  return found;
}

bool operands_in_order(const Program& left, const Program& right, const Diff& diff, const std::vector<GroupNumbers>& groups, size_t group) {
  const NodeGroup& asked = diff.groups[group];
  if (std::find(asked.changes.begin(), asked.changes.end(), "operands") != asked.changes.end()) return false;
  const std::vector<NodeRef> ours = operands_of(left, asked.left), theirs = operands_of(right, asked.right);
  const bool one_call = calls(left, asked.left) == 1 && calls(right, asked.right) == 1;
  auto are_one = [&](NodeRef l, NodeRef r) {
    const auto owner = diff.left_group.find(l);
    const auto& pairs = owner == diff.left_group.end() ? diff.placeholders : groups[owner->second].pairs;
    return std::find(pairs.begin(), pairs.end(), std::pair(l, r)) != pairs.end();
  };
  return (one_call || ours.size() == 1) && std::equal(ours.begin(), ours.end(), theirs.begin(), theirs.end(), are_one);
}

std::set<Cause> causes_of_operands(const Program& left, const Program& right, const Diff& diff, const std::vector<GroupNumbers>& groups, size_t group) {
  std::set<Cause> causes;
  auto add = [&](const std::vector<NodeRef>& list, const std::unordered_map<NodeRef, size_t>& group_of) {
    for (NodeRef operand : list)
      if (const auto owner = group_of.find(operand); owner != group_of.end() && owner->second != group && groups[owner->second].equal == false) causes.insert(groups[owner->second].cause);
  };
  add(operands_of(left, diff.groups[group].left), diff.left_group);
  add(operands_of(right, diff.groups[group].right), diff.right_group);
  return causes;
}

std::vector<GroupNumbers> compare_groups(const Program& left, const Program& right, const Diff& diff, ValueKeeper& lvalues, ValueKeeper& rvalues, const Tolerance& tolerance) {
  return Comparer({left, lvalues}, {right, rvalues}, diff, tolerance).run();
}

}  // namespace pt2::interp
