#pragma once
// The group tree behind folding and layout: which groups a program's nodes fall into, independent of what is folded. A group is a module
// call, a sub-graph of a higher-order operator, or, where a group has more than about 200 members, a run of them. A module whose members
// are not contiguous stays one group unless folding it would make a cycle; then it comes in parts.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/graph/program.h"

namespace pt2::views {

using ScopeId = Id<struct ScopeTag>;

enum class ScopeKind : uint8_t { Root, Module, Subgraph, Chunk };

struct Scope {
  ScopeKind kind = ScopeKind::Root;
  ScopeId parent;             // none for the root
  GraphId graph;              // of the nodes inside; Subgraph: the sub-graph
  ModuleId module;            // Module: the call; otherwise the one around
  NodeId reader;              // Subgraph: the operator that runs it, a node of the parent's graph
  uint16_t part = 1, parts = 1;
  uint32_t depth = 0;         // the root has 0
  uint32_t node_count = 0;    // operators in it and below, sub-graphs not counted
  uint32_t first = 0, last = 0;  // Chunk: positions among the members of its group
  std::string title;          // "layer1.0 : BasicBlock", "true_graph_0", "nodes 61–120"
  // In an order without backward edges: nodes are `node`, groups are `scope`.
  struct Item { NodeId node; ScopeId scope; };
  std::vector<Item> items;
};

class ScopeTree {
 public:
  explicit ScopeTree(const Program& program);

  const IdVector<ScopeId, Scope>& scopes() const { return scopes_; }
  const Scope& operator[](ScopeId id) const { return scopes_[id]; }
  ScopeId root() const { return ScopeId(0); }
  // The innermost group a node is in.
  ScopeId scope_of(NodeRef ref) const { return node_scope_[ref.graph][ref.node]; }
  // All groups of one module call: its parts, and its appearances inside sub-graphs.
  const std::vector<ScopeId>& scopes_of(ModuleId module) const { return module_scopes_[module]; }
  ScopeId scope_of(GraphId subgraph) const { return graph_scope_[subgraph]; }

 private:
  friend class ScopeTreeBuilder;
  IdVector<ScopeId, Scope> scopes_;
  IdVector<GraphId, IdVector<NodeId, ScopeId>> node_scope_;
  IdVector<GraphId, ScopeId> graph_scope_;
  IdVector<ModuleId, std::vector<ScopeId>> module_scopes_;
};

}  // namespace pt2::views
