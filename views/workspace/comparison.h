#pragma once
// Two documents held against each other: what became what. One selection on both sides: picking a node selects its counterparts.
#include <memory>
#include <optional>

#include "core/diff/diff.h"
#include "views/workspace/derived_cache.h"
#include "views/workspace/workspace.h"

namespace pt2::views {

// The diff of the workspace's comparison; null while it is worked out, and where nothing is compared.
std::shared_ptr<const Diff> comparison_diff(const Workspace& workspace, DerivedCache& derived);
// Names the compared programs in full, for further derived values.
std::string comparison_key(const Workspace& workspace);
// The group of the selection, of the active side first.
std::optional<size_t> selected_group(const Workspace& workspace, const Diff& diff);
// What a node of one side became on the other; inputs have theirs too.
std::vector<NodeRef> counterparts(const Diff& diff, bool from_left, NodeRef node);
// What selects one side of a group.
Selection selection_of_group(const std::vector<NodeRef>& nodes);

// Carries what was selected on one side over to the other, once per change.
class SelectionCarrier {
 public:
  void carry(Workspace& workspace, const Diff& diff);

 private:
  uint64_t seen_left_ = 0, seen_right_ = 0;
};

}  // namespace pt2::views
