#include "core/diff/provenance.h"

#include <algorithm>
#include <deque>

#include "core/diff/same_calls.h"
#include "core/graph/results.h"

namespace pt2::diff {

namespace {

bool is_aten(std::string_view target) { return target.starts_with("aten."); }

// A node's history as text: the nested names of its from_node entries, those of ATen's operators with the operator: an entry of Dynamo's graph has
// the callables of Python instead, and is none of an exported program's nodes. A pass appends itself on top, so the entry that is the left node has
// exactly the left node's own history below it; names alone recur from pass to pass.
struct History {
  std::vector<FromNodeEntry> entries;        // depth first
  std::vector<std::vector<int>> children;    // of each entry
  std::vector<std::string> below;            // of each entry: the history under it
  std::vector<int> tops;
  std::string whole;
};

History history_of(std::string_view from_node) {
  History h;
  if (from_node.empty()) return h;
  h.entries = parse_from_node(from_node);
  h.children.resize(h.entries.size());
  h.below.resize(h.entries.size());
  for (int i = 0; i < static_cast<int>(h.entries.size()); ++i) {
    if (h.entries[i].parent < 0) h.tops.push_back(i);
    else h.children[h.entries[i].parent].push_back(i);
  }
  auto text = [&h](const std::vector<int>& list) {
    std::string out;
    for (int i : list) out += '(' + h.entries[i].name + (is_aten(h.entries[i].target) ? ' ' + h.entries[i].target : "") + h.below[i] + ')';
    return out;
  };
  for (int i = static_cast<int>(h.entries.size()); i-- > 0;) h.below[i] = text(h.children[i]);  // children stand after their parent
  h.whole = text(h.tops);
  return h;
}

class Tracer {
 public:
  Tracer(const Program& program, const GraphOperators& ops) {
    const Graph& graph = program.graphs[ops.graph];
    for (size_t i = 0; i < ops.ops.size(); ++i) {
      add(graph.node(ops.ops[i].node), static_cast<int32_t>(i), ops.ops[i].target);
      for (NodeId getitem : ops.ops[i].getitems) add(graph.node(getitem), static_cast<int32_t>(i), {});
    }
  }

  // `certain`: whether a history below an origin was that origin's own.
  std::vector<int32_t> origins(const History& h, bool& certain) const {
    std::vector<int32_t> found;
    for (int top : h.tops) {
      int32_t origin = trace(h, top, /*exact=*/true);
      certain |= origin >= 0;
      if (origin < 0) origin = trace(h, top, /*exact=*/false);
      if (origin >= 0 && std::find(found.begin(), found.end(), origin) == found.end()) found.push_back(origin);
    }
    return found;
  }

 private:
  struct Known {
    int32_t op;
    std::string history;
    std::string_view target;
  };

  void add(const Node& node, int32_t op, std::string_view target) {
    const std::string history = is_getitem(node) ? std::string() : history_of(node.meta->from_node).whole;
    known_.try_emplace(node.name, Known{op, history, target});
    known_.try_emplace(node.stored_name, Known{op, history, target});
  }

  // An entry says which operator it was; only of ATen's is the spelling the same everywhere.
  static bool may_be(const FromNodeEntry& entry, std::string_view target) {
    return entry.target.empty() || entry.target == target || (!is_aten(entry.target) && !is_aten(target));
  }

  // The innermost entry below `top` that is a node of the left program.
  int32_t trace(const History& h, int top, bool exact) const {
    int32_t found = -1;
    std::deque<int> pending{top};
    while (!pending.empty()) {
      const int i = pending.front();
      pending.pop_front();
      const auto known = known_.find(h.entries[i].name);
      if (known != known_.end() && may_be(h.entries[i], known->second.target) && (!exact || h.below[i] == known->second.history)) found = known->second.op;
      pending.insert(pending.end(), h.children[i].begin(), h.children[i].end());
    }
    return found;
  }

  std::unordered_map<std::string_view, Known> known_;
};

}  // namespace

namespace {

constexpr size_t kWidestMerge = 4;  // left operators that the entries of one history may join into one group

using ByHistory = std::unordered_map<std::string, std::vector<int32_t>>;

ByHistory by_history(const Program& program, const GraphOperators& ops) {
  ByHistory result;
  for (size_t i = 0; i < ops.ops.size(); ++i) {
    const History h = history_of(program.graphs[ops.graph].node(ops.ops[i].node).meta->from_node);
    if (!h.tops.empty()) result[h.whole].push_back(static_cast<int32_t>(i));
  }
  return result;
}

// Two that came from one program, neither from the other (two decompositions, a program and itself): the names in their histories are those of
// a third. Operators of one history are paired in their order where there are as many on each side; one on either side is what all of the other
// side's are: it was decomposed there only.
std::vector<std::vector<int32_t>> of_one_origin(const ByHistory& left, const ByHistory& right, size_t count) {
  std::vector<std::vector<int32_t>> result(count);
  for (const auto& [history, ours] : right) {
    const auto theirs = left.find(history);
    if (theirs == left.end()) continue;
    const bool one = theirs->second.size() == 1;
    if (!one && ours.size() == 1) result[static_cast<size_t>(ours[0])] = theirs->second;
    if (!one && theirs->second.size() != ours.size()) continue;
    for (size_t k = 0; k < ours.size(); ++k) result[static_cast<size_t>(ours[k])] = {theirs->second[one ? 0 : k]};
  }
  return result;
}

// Whether the left program can be the one the histories tell of. Names recur by chance (view_1, add), and from a program to another export of
// the same model, so most of those who have a history must name nodes with just the history below, and calls that are the same on both sides
// have come mostly from one another.
bool credible(const std::vector<std::vector<int32_t>>& origins, size_t traced, size_t with_history, const GraphOperators& left, const GraphOperators& right) {
  if (2 * traced < with_history) return false;
  const SameCalls same = same_calls(left, right);
  size_t agree = 0, contradict = 0;
  for (size_t j = 0; j < origins.size(); ++j) {
    const int32_t partner = origins[j].empty() ? -1 : same.partner(j);
    if (partner >= 0) ++(std::find(origins[j].begin(), origins[j].end(), partner) != origins[j].end() ? agree : contradict);
  }
  return agree >= contradict;
}

}  // namespace

std::vector<std::vector<int32_t>> origins(const Program& left_program, const GraphOperators& left, const Program& right_program,
                                          const GraphOperators& right) {
  const Graph& graph = right_program.graphs[right.graph];
  const Tracer tracer(left_program, left);
  const ByHistory left_histories = by_history(left_program, left);
  ByHistory right_histories;
  std::vector<std::vector<int32_t>> result(right.ops.size());
  size_t traced = 0, shared = 0, with_history = 0;
  for (size_t j = 0; j < right.ops.size(); ++j) {
    const History h = history_of(graph.node(right.ops[j].node).meta->from_node);
    if (h.tops.empty()) continue;
    ++with_history;
    bool certain = false;
    result[j] = tracer.origins(h, certain);
    traced += certain;
    shared += left_histories.contains(h.whole);
    right_histories[h.whole].push_back(static_cast<int32_t>(j));
  }
  if (shared > traced) return of_one_origin(left_histories, right_histories, right.ops.size());
  if (!credible(result, traced, with_history, left, right)) result.assign(right.ops.size(), {});
  for (auto& from : result)
    if (from.size() > kWidestMerge) from.resize(kWidestMerge);
  return result;
}

}  // namespace pt2::diff
