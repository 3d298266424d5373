#pragma once
// What stands behind a node: the lines of source it was traced from, the schema of its operator, and what else the file says of it.
#include <string_view>
#include <utility>
#include <vector>

#include "core/graph/node_meta.h"
#include "views/shell/pane.h"

namespace pt2::views {

void draw_source(PaneContext& context, const std::vector<SourceFrame>& frames);
void draw_schema(PaneContext& context, std::string_view target);

using MetaEntries = std::vector<std::pair<std::string_view, std::string_view>>;  // by key
MetaEntries meta_entries(const NodeMeta& meta);
void draw_meta(PaneContext& context, const MetaEntries& entries);

}  // namespace pt2::views
