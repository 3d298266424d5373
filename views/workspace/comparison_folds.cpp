// Which modules are open on the two sides of a comparison.
#include <algorithm>
#include <unordered_set>

#include "core/graph/results.h"
#include "views/workspace/comparison.h"
#include "views/workspace/unlifted_form.h"

namespace pt2::views {

namespace {

// Modules of either program with a node in a group that differs, and those around them.
std::unordered_set<std::string> changed_modules(const ComparisonResult& result) {
  std::unordered_set<std::string> paths;
  for (size_t g = 0; g < result.diff->groups.size(); ++g) {
    if (!result.differs(g)) continue;
    for (const bool left : {true, false}) {
      const Program& program = left ? *result.left : *result.right;
      const auto& modules = program.modules.modules;
      for (NodeRef ref : left ? result.diff->groups[g].left : result.diff->groups[g].right)
        for (ModuleId m = program.node(ref).module; m && modules.contains(m); m = modules[m].parent) paths.insert(modules[m].path);
    }
  }
  return paths;
}

constexpr size_t kMostBoxes = 40;  // as many of a graph can be read at once, about

size_t depth_of(const IdVector<ModuleId, Module>& modules, ModuleId module) {
  size_t depth = 0;
  for (ModuleId m = modules[module].parent; m; m = modules[m].parent) ++depth;
  return depth;
}

// Modules in which something changed, down to a depth.
IdVector<ModuleId, uint8_t> changed_down_to(const Document& document, const std::unordered_set<std::string>& changed, size_t depth) {
  const auto& modules = document.program()->modules.modules;
  IdVector<ModuleId, uint8_t> open = document.graph.expanded;
  for (size_t i = 0; i < modules.size() && i < open.size(); ++i)
    open[ModuleId(i)] = !modules[ModuleId(i)].parent || (depth_of(modules, ModuleId(i)) <= depth && changed.count(modules[ModuleId(i)].path));
  return open;
}

size_t boxes_shown(const Program& program, const IdVector<ModuleId, uint8_t>& open) {
  const auto& modules = program.modules.modules;
  size_t boxes = 0;
  std::vector<ModuleId> pending{ModuleId(0)};
  while (!pending.empty() && modules.contains(pending.back())) {
    const Module& module = modules[pending.back()];
    pending.pop_back();
    for (NodeId id : module.nodes) {
      const Node& node = program.root_graph().node(id);
      boxes += node.kind == NodeKind::CallFunction && !is_getitem(node);
    }
    for (ModuleId child : module.children) {
      if (child.index < open.size() && open[child]) pending.push_back(child);
      else ++boxes;
    }
  }
  return boxes;
}

}  // namespace

void fold_equal_modules(Workspace& workspace, bool only_differences) {
  const auto result = workspace.comparison.result;
  if (!result) return;
  const std::unordered_set<std::string> changed = changed_modules(*result);
  std::vector<Document*> sides;
  for (DocumentId id : {workspace.comparison.left, workspace.comparison.right})
    if (Document* document = workspace.document(id); document && document->scopes()) sides.push_back(document);
  if (!only_differences) {
    for (Document* document : sides) document->graph.expanded = initial_view(*document).expanded;
    return match_first_folds(workspace);
  }
  // Where nearly everything changed, as in a decomposition, the outer modules say it; both sides go equally deep.
  size_t depth = 0;
  for (const Document* document : sides)
    for (size_t i = 0; i < document->program()->modules.modules.size(); ++i) depth = std::max(depth, depth_of(document->program()->modules.modules, ModuleId(i)));
  auto fits = [&](const Document* document) { return boxes_shown(*document->program(), changed_down_to(*document, changed, depth)) <= kMostBoxes; };
  while (depth > 0 && !std::all_of(sides.begin(), sides.end(), fits)) --depth;
  for (Document* document : sides) document->graph.expanded = changed_down_to(*document, changed, depth);
}

void match_first_folds(Workspace& workspace) {
  Document *left = workspace.document(workspace.comparison.left), *right = workspace.document(workspace.comparison.right);
  if (!left || !right || !left->scopes() || !right->scopes()) return;
  auto as_opened = [](const Document& document) { return document.graph.expanded.raw() == initial_view(document).expanded.raw(); };
  if (!as_opened(*left) || !as_opened(*right)) return;  // somebody chose
  const auto &ours = left->program()->modules, &theirs = right->program()->modules;
  for (size_t i = 0; i < ours.modules.size() && i < left->graph.expanded.size(); ++i) {
    const ModuleId other = theirs.find(ours.modules[ModuleId(i)].path);
    if (!other || other.index >= right->graph.expanded.size()) continue;
    uint8_t &a = left->graph.expanded[ModuleId(i)], &b = right->graph.expanded[other];
    a = b = a && b;
  }
}

void carry_folds(const Document& from, Document& to) {
  const auto &modules = from.program()->modules, &others = to.program()->modules;
  for (size_t i = 0; i < modules.modules.size() && i < from.graph.expanded.size(); ++i) {
    const ModuleId other = others.find(modules.modules[ModuleId(i)].path);
    if (other && other.index < to.graph.expanded.size()) to.graph.expanded[other] = from.graph.expanded[ModuleId(i)];
  }
}

}  // namespace pt2::views
