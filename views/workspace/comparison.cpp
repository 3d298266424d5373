#include "views/workspace/comparison.h"

namespace pt2::views {

namespace {

const Document* with_program(const Workspace& workspace, DocumentId id) {
  const Document* document = workspace.document(id);
  return document && document->program() ? document : nullptr;
}

std::optional<size_t> group_of(const Diff& diff, bool left, NodeRef node) {
  const auto& groups = left ? diff.left_group : diff.right_group;
  auto it = groups.find(node);
  if (!node.node || it == groups.end()) return std::nullopt;
  return it->second;
}

// Inputs are aligned apart from the groups.
std::vector<NodeRef> placeholder_counterpart(const Diff& diff, bool from_left, NodeRef node) {
  for (const auto& [left, right] : diff.placeholders)
    if ((from_left ? left : right) == node) return {from_left ? right : left};
  return {};
}

}  // namespace

std::string comparison_key(const Workspace& workspace) {
  std::string key;
  for (DocumentId id : {workspace.comparison.left, workspace.comparison.right}) {
    const Document* document = with_program(workspace, id);
    if (!document) return {};
    // A reloaded document has another program.
    key += std::to_string(id.index) + "@" + std::to_string(reinterpret_cast<uintptr_t>(document->program())) + " ";
  }
  return key;
}

std::shared_ptr<const Diff> comparison_diff(const Workspace& workspace, DerivedCache& derived) {
  const std::string key = comparison_key(workspace);
  if (key.empty()) return nullptr;
  const auto& left = std::get<Loaded>(workspace.document(workspace.comparison.left)->state);
  const auto& right = std::get<Loaded>(workspace.document(workspace.comparison.right)->state);
  return derived.get<Diff>("diff " + key, "Comparing", [a = left.program, b = right.program](Job&) { return diff_programs(*a, *b); });
}

std::vector<NodeRef> counterparts(const Diff& diff, bool from_left, NodeRef node) {
  const auto group = group_of(diff, from_left, node);
  return !group ? placeholder_counterpart(diff, from_left, node) : from_left ? diff.groups[*group].right : diff.groups[*group].left;
}

Selection selection_of_group(const std::vector<NodeRef>& nodes) {
  Selection selection;
  if (nodes.empty()) return selection;
  selection.node = nodes.front();
  selection.others.assign(nodes.begin() + 1, nodes.end());
  return selection;
}

std::optional<size_t> selected_group(const Workspace& workspace, const Diff& diff) {
  const Comparison& pair = workspace.comparison;
  const bool right_first = workspace.active_id() == pair.right;
  for (bool left : {!right_first, right_first}) {
    const Document* document = workspace.document(left ? pair.left : pair.right);
    if (!document) continue;
    if (const auto group = group_of(diff, left, document->selection.current().shown())) return group;
  }
  return std::nullopt;
}

void SelectionCarrier::carry(Workspace& workspace, const Diff& diff) {
  Document *left = workspace.document(workspace.comparison.left), *right = workspace.document(workspace.comparison.right);
  if (!left || !right || !left->program() || !right->program()) return;
  const bool from_left = left->selection.revision() != seen_left_, from_right = right->selection.revision() != seen_right_;
  // Both changed: somebody chose both.
  if (from_left != from_right) {
    Document &from = from_left ? *left : *right, &to = from_left ? *right : *left;
    const Selection& selection = from.selection.current();
    if (selection.empty()) {
      to.selection.select({});
    } else if (const NodeRef node = selection.shown(); node.node) {
      const std::vector<NodeRef> others = counterparts(diff, from_left, node);
      if (!others.empty()) reveal(to, others.front());
      to.selection.select(selection_of_group(others));
    }
  }
  seen_left_ = left->selection.revision();
  seen_right_ = right->selection.revision();
}

}  // namespace pt2::views
