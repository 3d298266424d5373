#include "core/diff/completed.h"

#include <algorithm>
#include <set>

namespace pt2::diff {

namespace {

constexpr int kRounds = 8;
constexpr double kLeastConfidence = 0.5;  // of what only its readers tell

constexpr int32_t kNoGroup = -1, kOutput = -2;  // kOutput among readers: the graph returns the value

using Ops = std::vector<int32_t>;
using OpSet = std::set<int32_t>;

// Per operator those that read it or a getitem of it.
std::vector<Ops> readers_of(const OperatorSide& side) {
  std::vector<Ops> readers(side.ops.ops.size());
  for (size_t i = 0; i < readers.size(); ++i) {
    auto add = [&](NodeId id) {
      for (NodeId user : side.graph().users(id)) {
        const auto op = side.ops.op_of.find(user);
        readers[i].push_back(op == side.ops.op_of.end() ? kOutput : op->second);
      }
    };
    add(side.ops.ops[i].node);
    for (NodeId getitem : side.ops.ops[i].getitems) add(getitem);
    std::erase(readers[i], static_cast<int32_t>(i));
  }
  return readers;
}

// Where the values that a graph returns come from. What a functional program returns in place of writes comes before what its caller gets:
// of a whole program only the latter has the same places on both sides.
std::vector<Source> returned(const OperatorSide& side) {
  std::vector<Source> sources;
  const auto add = [&](NodeId id) {
    Source& source = sources.emplace_back();
    if (const auto op = side.ops.op_of.find(id); op != side.ops.op_of.end()) source.op = op->second;
  };
  if (side.ops.graph == side.program.root()) {
    for (const OutputSpec& output : side.program.signature.outputs)
      if (output.kind == OutputKind::UserOutput || output.kind == OutputKind::LossOutput) add(output.value.is<NodeId>() ? *output.value.as<NodeId>() : NodeId());
  } else {
    const Node& output = side.graph().node(side.graph().output());
    for (const NodeArgument& argument : output.inputs) for_each_node(argument.value, add);
  }
  return sources;
}

bool changed(const Operator& l, const Operator& r) { return l.target != r.target || l.constants != r.constants; }
bool same_type(const Operator& l, const Operator& r) { return l.shape.empty() || r.shape.empty() || l.shape == r.shape; }
// Sizes and checks are repeated and moved freely: who reads them tells nothing.
bool is_step(const Operator& op) { return !op.symbolic && !op.number && !op.check; }
// Becomes part of the weights of the call before it.
bool folds_into_weights(const Operator& op) { return op.base.find("batch_norm") != std::string_view::npos; }

class Completer {
 public:
  Completer(const OperatorSide& left, const OperatorSide& right, const std::function<bool(int32_t, int32_t)>& unlinked, Match& match)
      : left_(left), right_(right), unlinked_(unlinked), match_(match), left_readers_(readers_of(left)), right_readers_(readers_of(right)) {}

  void run() {
    for (int round = 0; round < kRounds; ++round) {
      find_groups();
      const bool read = by_readers(), made = by_operands(), typed = by_type();
      if (!read && !made && !typed) break;
    }
  }

 private:
  struct Members { Ops left, right; };

  const std::vector<Operator>& lops() const { return left_.ops.ops; }
  const std::vector<Operator>& rops() const { return right_.ops.ops; }

  void find_groups() {
    left_group_ = first_of_group(match_);
    groups_.assign(lops().size(), {});
    right_group_.assign(rops().size(), kNoGroup);
    for (size_t j = 0; j < rops().size(); ++j)
      if (match_.left_of[j] >= 0) groups_[right_group_[j] = left_group_[match_.left_of[j]]].right.push_back(static_cast<int32_t>(j));
    for (size_t i = 0; i < lops().size(); ++i) groups_[left_group_[i]].left.push_back(static_cast<int32_t>(i));
    for (size_t i = 0; i < lops().size(); ++i)
      if (groups_[left_group_[i]].right.empty()) left_group_[i] = kNoGroup;
  }

  bool by_hand(const Members& group) const {
    return std::any_of(group.right.begin(), group.right.end(), [&](int32_t j) { return match_.evidence[j] == Evidence::Manual || match_.evidence[j] == Evidence::DebugHandle; });
  }
  bool plainly_same(const Members& group) const {
    return group.left.size() == 1 && group.right.size() == 1 && !changed(lops()[group.left[0]], rops()[group.right[0]]);
  }
  bool by_alignment(const Members& group) const {
    return std::all_of(group.right.begin(), group.right.end(), [&](int32_t j) { return match_.evidence[j] == Evidence::Alignment; });
  }

  bool give_right(int32_t group, int32_t j) {
    const int32_t i = groups_[group].left[0];
    if (unlinked_(i, j)) return false;
    double confidence = kLeastConfidence;
    for (int32_t other : groups_[group].right) confidence = std::min(std::max(confidence, match_.confidence[other]), 0.95);
    match_.assign(i, j, Evidence::Alignment, confidence);
    groups_[group].right.push_back(j);
    right_group_[j] = group;
    return true;
  }
  bool give_left(int32_t group, int32_t i) {
    const Ops& with = groups_[group].right;
    if (std::any_of(with.begin(), with.end(), [&](int32_t j) { return unlinked_(i, j); })) return false;
    match_.joined_left.emplace_back(groups_[group].left[0], i);
    match_.taken[i] = true;
    groups_[group].left.push_back(i);
    left_group_[i] = group;
    return true;
  }

  // ---- What the readers of a value read instead ------------------------------------------------------------------------------------------

  bool by_readers() {
    bool any = read_in_place(returned(left_), returned(right_));
    for (size_t j = 0; j < rops().size(); ++j) {
      const int32_t i = match_.left_of[j];
      if (i >= 0 && groups_[right_group_[j]].left.size() == 1 && lops()[i].base == rops()[j].base) any |= read_in_place(lops()[i].sources, rops()[j].sources);
    }
    return any;
  }

  bool read_in_place(const std::vector<Source>& lefts, const std::vector<Source>& rights) {
    if (lefts.size() != rights.size()) return false;
    bool any = false;
    for (size_t k = 0; k < lefts.size(); ++k)
      if (lefts[k].op >= 0 && rights[k].op >= 0) any |= stand_for_each_other(lefts[k].op, rights[k].op);
    return any;
  }

  bool stand_for_each_other(int32_t i, int32_t j) {
    const int32_t lgroup = left_group_[i], rgroup = right_group_[j];
    if ((lgroup == kNoGroup) == (rgroup == kNoGroup) && lgroup != kNoGroup) return false;
    const Operator &l = lops()[i], &r = rops()[j];
    if (!is_step(l) || !is_step(r)) return false;
    if (lgroup == kNoGroup && rgroup == kNoGroup) {
      if (unlinked_(i, j) || !same_type(l, r)) return false;
      match_.assign(i, j, Evidence::Alignment, kLeastConfidence);
      left_group_[i] = right_group_[j] = i;
      groups_[i] = {{i}, {j}};
      return true;
    }
    const bool on_right = lgroup != kNoGroup;  // the steps are there
    const int32_t group = on_right ? lgroup : rgroup;
    if (by_hand(groups_[group])) return false;
    const OpSet steps = on_right ? steps_behind(j, rops(), right_group_, right_readers_, group) : steps_behind(i, lops(), left_group_, left_readers_, group);
    if (steps.empty()) {  // one of several results by a call of its own
      const bool several = !(on_right ? l : r).getitems.empty();
      return several && reads_as(group, on_right, on_right ? j : i) && (on_right ? give_right(group, j) : give_left(group, i));
    }
    const bool folded = !on_right && std::all_of(steps.begin(), steps.end(), [&](int32_t step) { return folds_into_weights(lops()[step]); });
    if (plainly_same(groups_[group]) && !folded) return false;
    bool any = false;
    for (int32_t step : steps) any |= on_right ? give_right(group, step) : give_left(group, step);
    return any;
  }

  // Operators of no group from those of one up to `last`, if nobody else reads what lies between.
  OpSet steps_behind(int32_t last, const std::vector<Operator>& ops, const std::vector<int32_t>& group_of, const std::vector<Ops>& readers, int32_t group) const {
    constexpr size_t kMostLooked = 64;
    OpSet steps, looked;  // each is looked at once: their arguments meet again and again
    const auto derives = [&](auto&& self, int32_t op) -> bool {
      if (!looked.insert(op).second || looked.size() > kMostLooked) return steps.contains(op);
      bool found = false;
      for (const Source& source : ops[op].sources) {
        if (source.op < 0) continue;
        if (group_of[source.op] == group) found = true;
        else if (group_of[source.op] == kNoGroup && is_step(ops[source.op])) found |= self(self, source.op);
      }
      if (found) steps.insert(op);
      return found;
    };
    if (!derives(derives, last)) return {};
    const auto within = [&](int32_t reader) { return reader >= 0 && (group_of[reader] == group || steps.contains(reader)); };
    const auto read_within = [&](int32_t op) { return std::all_of(readers[op].begin(), readers[op].end(), within); };
    for (int32_t step : steps)
      if (step != last && !read_within(step)) return {};
    const Members& members = groups_[group];
    for (int32_t op : &ops == &lops() ? members.left : members.right)
      if (!read_within(op)) return {};
    return steps;
  }

  // ---- What only a group reads, and makes of what its counterpart reads ------------------------------------------------------------------

  bool by_operands() {
    bool any = false;
    for (size_t g = 0; g < groups_.size(); ++g) {
      const Members& group = groups_[g];
      if (group.right.empty() || plainly_same(group) || by_hand(group)) continue;
      for (const bool on_right : {true, false}) any |= take_operands(static_cast<int32_t>(g), on_right);
    }
    return any;
  }

  // Whether an operator reads no more than the group's other side does, or what is of its own group or of none.
  bool reads_as(int32_t group, bool on_right, int32_t op) const {
    std::set<int32_t> groups, inputs;
    for (int32_t other : on_right ? groups_[group].left : groups_[group].right)
      for (const Source& source : (on_right ? lops() : rops())[other].sources) {
        if (source.op >= 0) groups.insert((on_right ? left_group_ : right_group_)[source.op]);
        if (source.input >= 0) inputs.insert(source.input);
      }
    const std::vector<int32_t>& group_of = on_right ? right_group_ : left_group_;
    const std::vector<Source>& sources = (on_right ? rops() : lops())[op].sources;
    return std::all_of(sources.begin(), sources.end(), [&](const Source& source) {
      if (source.op >= 0) return group_of[source.op] == kNoGroup || group_of[source.op] == group || groups.contains(group_of[source.op]);
      return source.input < 0 || inputs.contains(source.input);
    });
  }

  bool take_operands(int32_t group, bool on_right) {
    const std::vector<Operator>& ops = on_right ? rops() : lops();
    const std::vector<int32_t>& group_of = on_right ? right_group_ : left_group_;
    const std::vector<Ops>& readers = on_right ? right_readers_ : left_readers_;
    const Members& members = groups_[group];
    const bool one_operator = members.left.size() == 1 && members.right.size() == 1 && lops()[members.left[0]].base == rops()[members.right[0]].base;
    bool any = false;
    Ops pending = on_right ? groups_[group].right : groups_[group].left;
    while (!pending.empty()) {
      const int32_t op = pending.back();
      pending.pop_back();
      for (const Source& source : ops[op].sources) {
        if (source.op < 0 || group_of[source.op] != kNoGroup || !is_step(ops[source.op])) continue;
        const Ops& read_by = readers[source.op];
        const bool ours = std::all_of(read_by.begin(), read_by.end(), [&](int32_t reader) { return reader >= 0 && group_of[reader] == group; });
        if (!ours || !reads_as(group, on_right, source.op) || (one_operator && ops[source.op].base != ops[op].base)) continue;
        if (!(on_right ? give_right(group, source.op) : give_left(group, source.op))) continue;
        pending.push_back(source.op);
        any = true;
      }
    }
    return any;
  }

  // ---- One step against another on the way to a value that is the same -------------------------------------------------------------------

  // Another operator that gives another type is no counterpart by itself: with its only reader it is.
  bool by_type() {
    bool any = false;
    for (size_t g = 0; g < groups_.size(); ++g) {
      const Members& group = groups_[g];
      if (group.right.empty() || !by_alignment(group)) continue;
      const int32_t i = *std::max_element(group.left.begin(), group.left.end()), j = *std::max_element(group.right.begin(), group.right.end());
      const Operator &l = lops()[i], &r = rops()[j];
      if (l.target == r.target || !is_step(l) || !is_step(r) || same_type(l, r)) continue;
      const int32_t reader = leads_to(i, left_readers_, left_group_);
      if (reader < 0 || reader == static_cast<int32_t>(g) || by_hand(groups_[reader]) || leads_to(j, right_readers_, right_group_) != reader) continue;
      join(static_cast<int32_t>(g), reader);
      any = true;
    }
    return any;
  }

  void join(int32_t group, int32_t into) {
    Members &from = groups_[group], &to = groups_[into];
    match_.joined_left.emplace_back(to.left[0], from.left[0]);
    for (int32_t i : from.left) left_group_[i] = into;
    for (int32_t j : from.right) right_group_[j] = into;
    to.left.insert(to.left.end(), from.left.begin(), from.left.end());
    to.right.insert(to.right.end(), from.right.begin(), from.right.end());
    from = {};
  }

  // The one group that reads a value, or what operators of no group make of it.
  static int32_t leads_to(int32_t op, const std::vector<Ops>& readers, const std::vector<int32_t>& group_of, size_t depth = 4) {
    int32_t only = kNoGroup;
    for (int32_t reader : readers[op]) {
      if (reader < 0) return kNoGroup;
      const int32_t group = group_of[reader] != kNoGroup || depth == 0 ? group_of[reader] : leads_to(reader, readers, group_of, depth - 1);
      if (group == kNoGroup || (only != kNoGroup && only != group)) return kNoGroup;
      only = group;
    }
    return only;
  }

  const OperatorSide left_, right_;
  const std::function<bool(int32_t, int32_t)>& unlinked_;
  Match& match_;
  const std::vector<Ops> left_readers_, right_readers_;
  std::vector<int32_t> left_group_, right_group_;  // kNoGroup: it has no counterpart
  std::vector<Members> groups_;                    // by their first left operator
};

}  // namespace

void complete_groups(const OperatorSide& left, const OperatorSide& right, const std::function<bool(int32_t, int32_t)>& unlinked, Match& match) {
  Completer(left, right, unlinked, match).run();
}

}  // namespace pt2::diff
