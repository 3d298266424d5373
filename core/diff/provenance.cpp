#include "core/diff/provenance.h"

#include <algorithm>
#include <deque>

namespace pt2::diff {

namespace {

// A node's history as text: the nested names of its from_node entries. A pass appends itself on top, so the entry that is the left node has
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
    for (int i : list) out += '(' + h.entries[i].name + h.below[i] + ')';
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
      add(graph.node(ops.ops[i].node), static_cast<int32_t>(i));
      for (NodeId getitem : ops.ops[i].getitems) add(graph.node(getitem), static_cast<int32_t>(i));
    }
  }

  std::vector<int32_t> origins(std::string_view from_node) const {
    const History h = history_of(from_node);
    std::vector<int32_t> found;
    for (int top : h.tops) {
      int32_t origin = trace(h, top, /*exact=*/true);
      if (origin < 0) origin = trace(h, top, /*exact=*/false);
      if (origin >= 0 && std::find(found.begin(), found.end(), origin) == found.end()) found.push_back(origin);
    }
    return found;
  }

 private:
  struct Known { int32_t op; std::string history; };

  void add(const Node& node, int32_t op) {
    const std::string history = node.target == "_operator.getitem" ? std::string() : history_of(node.meta->from_node).whole;
    known_.try_emplace(node.name, Known{op, history});
    known_.try_emplace(node.stored_name, Known{op, history});
  }

  // The innermost entry below `top` that is a node of the left program.
  int32_t trace(const History& h, int top, bool exact) const {
    int32_t found = -1;
    std::deque<int> pending{top};
    while (!pending.empty()) {
      const int i = pending.front();
      pending.pop_front();
      const auto known = known_.find(h.entries[i].name);
      if (known != known_.end() && (!exact || h.below[i] == known->second.history)) found = known->second.op;
      pending.insert(pending.end(), h.children[i].begin(), h.children[i].end());
    }
    return found;
  }

  std::unordered_map<std::string_view, Known> known_;
};

}  // namespace

std::vector<std::vector<int32_t>> origins(const Program& left_program, const GraphOperators& left, const Program& right_program,
                                          const GraphOperators& right) {
  const Graph& graph = right_program.graphs[right.graph];
  const Tracer tracer(left_program, left);
  std::vector<std::vector<int32_t>> result(right.ops.size());
  for (size_t j = 0; j < right.ops.size(); ++j) {
    const std::string_view from_node = graph.node(right.ops[j].node).meta->from_node;
    if (!from_node.empty()) result[j] = tracer.origins(from_node);
  }
  return result;
}

}  // namespace pt2::diff
