#pragma once
// What of the graph is shown and how; the scene is a function of the program and this.
#include <set>
#include <string>

#include "core/layout/layout.h"
#include "views/workspace/scope_tree.h"

namespace pt2::views {

using pt2::Direction;
enum class ParameterMode : uint8_t { Attached, Nodes, Hidden };

struct GraphView {
  IdVector<ModuleId, uint8_t> expanded;  // by module call; the root counts as expanded
  std::set<GraphId> expanded_subgraphs;  // bodies of cond, while_loop …; folded by default
  std::set<ScopeId> expanded_chunks;
  ModuleId root;                         // the module shown alone; none: everything
  ParameterMode parameters = ParameterMode::Attached;
  Direction direction = Direction::TopDown;
  bool show_getitem = false;
  bool unlifted = false;                 // the graph and the text show `ep.module()`
  std::set<NodeRef> hidden;              // taken out by hand
  friend bool operator==(const GraphView& a, const GraphView& b) {
    return a.expanded.raw() == b.expanded.raw() && a.expanded_subgraphs == b.expanded_subgraphs && a.expanded_chunks == b.expanded_chunks &&
           a.root == b.root && a.parameters == b.parameters && a.direction == b.direction && a.show_getitem == b.show_getitem && a.unlifted == b.unlifted && a.hidden == b.hidden;
  }
};

// Everything open up to about 150 nodes, else the outer levels that give about 60 boxes. Sub-graphs are folded.
GraphView initial_view(const Program& program, const ScopeTree& tree);
bool is_expanded(const GraphView& view, const ScopeTree& tree, ScopeId scope);
void set_expanded(GraphView& view, const ScopeTree& tree, ScopeId scope, bool expanded);
// Opens every group down to this depth below the shown root and folds those below it; sub-graphs count as a level. -1: all.
void expand_levels(GraphView& view, const ScopeTree& tree, int levels);
// "3 nodes and 2 parameters hidden": what was taken out by hand, as boxes have it. Buffers and constants are parameters here as in ParameterMode.
std::string hidden_text(const GraphView& view, const Program& program);
// Opens whatever hides the node.
void reveal(GraphView& view, const ScopeTree& tree, NodeRef node);
// The same for all that is in a group, also where another module is shown alone, which is left then.
void show_inside(GraphView& view, const ScopeTree& tree, ScopeId scope);

}  // namespace pt2::views
