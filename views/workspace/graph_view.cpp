#include "views/workspace/graph_view.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/graph/results.h"

namespace pt2::views {
namespace {

constexpr size_t kShowAll = 150, kAboutBoxes = 60;

void set_level(GraphView& view, const ScopeTree& tree, ScopeId top, int levels, bool subgraphs) {
  std::vector<std::pair<ScopeId, int>> pending{{top, 0}};
  while (!pending.empty()) {
    const auto [id, depth] = pending.back();
    pending.pop_back();
    if (id != top) set_expanded(view, tree, id, (levels < 0 || depth <= levels) && (subgraphs || tree[id].kind != ScopeKind::Subgraph));
    for (const Scope::Item& item : tree[id].items)
      if (item.scope) pending.emplace_back(item.scope, depth + 1);
  }
}

}  // namespace

bool is_expanded(const GraphView& view, const ScopeTree& tree, ScopeId id) {
  const Scope& scope = tree[id];
  switch (scope.kind) {
    case ScopeKind::Root: return true;
    case ScopeKind::Module: return view.expanded.contains(scope.module) && view.expanded[scope.module];
    case ScopeKind::Subgraph: return view.expanded_subgraphs.contains(scope.graph);
    case ScopeKind::Chunk: return view.expanded_chunks.contains(id);
  }
  return true;
}

void set_expanded(GraphView& view, const ScopeTree& tree, ScopeId id, bool expanded) {
  const Scope& scope = tree[id];
  auto put = [&](auto& set, auto key) {
    if (expanded) set.insert(key);
    else set.erase(key);
  };
  switch (scope.kind) {
    case ScopeKind::Root: break;
    case ScopeKind::Module:
      if (!view.expanded.contains(scope.module)) view.expanded.resize(scope.module.index + 1);
      view.expanded[scope.module] = expanded;
      break;
    case ScopeKind::Subgraph: put(view.expanded_subgraphs, scope.graph); break;
    case ScopeKind::Chunk: put(view.expanded_chunks, id); break;
  }
}

void expand_levels(GraphView& view, const ScopeTree& tree, int levels) {
  ScopeId top = tree.root();
  if (view.root && !tree.scopes_of(view.root).empty()) {
    for (ScopeId id : tree.scopes_of(view.root)) set_level(view, tree, id, levels, true);
    return;
  }
  set_level(view, tree, top, levels, true);
}

std::string hidden_text(const GraphView& view, const Program& program) {
  std::set<NodeId> lifted;
  for (const InputSpec& input : program.signature.inputs)
    if (input.node && input.kind != InputKind::UserInput && input.kind != InputKind::Token) lifted.insert(input.node);
  uint64_t nodes = 0, parameters = 0;
  for (NodeRef ref : view.hidden) {
    if (ref.graph == program.root() && lifted.contains(ref.node)) ++parameters;
    else if (view.show_getitem || !is_getitem(program.node(ref))) ++nodes;
  }
  auto count = [](uint64_t n, const char* what) { return with_commas(n) + " " + what + (n == 1 ? "" : "s"); };
  if (!parameters) return count(nodes, "node") + " hidden";
  return (nodes ? count(nodes, "node") + " and " : "") + count(parameters, "parameter") + " hidden";
}

void reveal(GraphView& view, const ScopeTree& tree, NodeRef node) {
  for (ScopeId id = tree.scope_of(node); id; id = tree[id].parent) set_expanded(view, tree, id, true);
}

void show_inside(GraphView& view, const ScopeTree& tree, ScopeId scope) {
  bool in_root = false;
  for (ScopeId id = scope; id; id = tree[id].parent) {
    set_expanded(view, tree, id, true);
    in_root |= tree[id].kind == ScopeKind::Module && tree[id].module == view.root;
  }
  if (!in_root) view.root = {};
}

GraphView initial_view(const Program& program, const ScopeTree& tree) {
  GraphView view;
  view.expanded = IdVector<ModuleId, uint8_t>(std::max<size_t>(1, program.modules.modules.size()));
  view.expanded[ModuleId(0)] = 1;
  size_t operators = 0;
  for (const Node& node : program.root_graph().nodes()) operators += node.kind == NodeKind::CallFunction && !is_getitem(node);

  // How many boxes each number of open levels gives; sub-graphs stay folded.
  std::vector<size_t> nodes, groups;  // by depth
  std::vector<ScopeId> pending{tree.root()};
  while (!pending.empty()) {
    const Scope& scope = tree[pending.back()];
    pending.pop_back();
    if (nodes.size() <= scope.depth) nodes.resize(scope.depth + 1), groups.resize(scope.depth + 2);
    for (const Scope::Item& item : scope.items) {
      if (!item.scope) {
        const Node& node = program.graphs[scope.graph].node(item.node);
        nodes[scope.depth] += node.kind == NodeKind::CallFunction && !is_getitem(node);
      } else if (tree[item.scope].kind == ScopeKind::Subgraph) {
        ++nodes[scope.depth];
      } else {
        if (groups.size() <= scope.depth + 1) groups.resize(scope.depth + 2);
        ++groups[scope.depth + 1];
        pending.push_back(item.scope);
      }
    }
  }
  int levels = 0;
  if (operators <= kShowAll) {
    levels = int(nodes.size());
  } else {
    groups.resize(nodes.size() + 1);
    auto boxes = [&](int open) {
      size_t sum = groups[open + 1];
      for (int d = 0; d <= open; ++d) sum += nodes[d];
      return sum;
    };
    const int most = int(nodes.size()) - 1;
    // One or two boxes say nothing: then rather too many.
    while (levels < most && (boxes(levels + 1) <= kAboutBoxes * 3 / 2 || (boxes(levels) < 3 && boxes(levels + 1) <= kAboutBoxes * 5))) ++levels;
  }
  set_level(view, tree, tree.root(), levels, false);
  return view;
}

}  // namespace pt2::views
