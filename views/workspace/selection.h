#pragma once
// What the user looks at, one per document, shared by all panes; with a history for back and forward.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

namespace pt2::views {

struct EdgeRef {
  NodeRef from, to;
  uint32_t index = 0;  // which of the reader's uses of `from`
  friend bool operator==(const EdgeRef&, const EdgeRef&) = default;
};

// At most one of node, value, module and unlifted is the primary thing; an edge selects the value it carries.
struct Selection {
  NodeRef node;                 // a box: an operator or a pill
  std::vector<NodeRef> others;  // further boxes (Shift+click, rubber band)
  NodeRef value;                // a parameter, buffer or constant (a chip, a signature row), or what an edge carries
  ModuleId module;              // a cluster
  EdgeRef edge;                 // valid (edge.from.node) where an edge was clicked
  NodeId unlifted;              // a node that only the unlifted form has: the call of the guards, a copy that writes a mutation back

  bool empty() const { return !node.node && !value.node && !module && !unlifted; }
  bool holds(NodeRef n) const {
    if (node == n) return bool(n.node);
    for (NodeRef other : others)
      if (other == n) return true;
    return false;
  }
  // What the Tensor and Node panes show: the value, else the node; none for modules.
  NodeRef shown() const { return value.node ? value : node; }
  friend bool operator==(const Selection&, const Selection&) = default;

  static Selection of_node(NodeRef n) { Selection s; s.node = n; return s; }
  static Selection of_value(NodeRef v) { Selection s; s.value = v; return s; }
  static Selection of_module(ModuleId m) { Selection s; s.module = m; return s; }
  static Selection of_unlifted(NodeId n) { Selection s; s.unlifted = n; return s; }
  static Selection of_edge(EdgeRef e) { Selection s; s.value = e.from; s.edge = e; return s; }
};

class SelectionHistory {
 public:
  const Selection& current() const { return current_; }
  // `origin`: the pane that caused it ("graph", "text", …), which then does not scroll to it; empty for history, search, palette.
  void select(Selection selection, std::string_view origin = {});
  bool can_go_back() const { return !back_.empty(); }
  bool can_go_forward() const { return !forward_.empty(); }
  void back();
  void forward();
  // Grows with every change; panes that scroll to the selection compare it.
  uint64_t revision() const { return revision_; }
  std::string_view origin() const { return origin_; }

 private:
  Selection current_;
  std::vector<Selection> back_, forward_;
  uint64_t revision_ = 0;
  std::string origin_;
};

}  // namespace pt2::views
