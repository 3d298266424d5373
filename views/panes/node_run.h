#pragma once
// The part of the Node pane that says what a run took for the node: time, bytes, calls, and what became of it where it gave nothing.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "views/shell/pane.h"

namespace pt2::views {

class NodeRunSection {
 public:
  // False while no run came to the node.
  bool prepare(const PaneContext& context, NodeRef node);
  // What prepare() found; "" of facts that there are none of.
  struct Fact { const char *name, *label; std::string text; };  // name: node/run/NAME
  const std::vector<Fact>& facts() const { return facts_; }

 private:
  NodeRef node_;
  std::pair<uint64_t, uint64_t> at_;  // the debugger's run and revision
  std::vector<Fact> facts_;
};

}  // namespace pt2::views
