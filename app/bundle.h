#pragma once
// What goes into a bundle beside the program and its values, and what one that was opened brings: breakpoints, watches, inputs, notes,
// bookmarks as in a session, and how the graph was shown.
#include <string>
#include <vector>

#include "core/bundle.h"
#include "views/workspace/workspace.h"

namespace pt2::app {

void describe_session(const views::Document& document, BundleRequest& request);

// Whether the file is worth a look with read_bundle().
bool looks_like_bundle(const OpenedFile& file);
// `first_time`: nobody has a session of this file yet, so breakpoints, notes and view are set up; the values become the reference anyway.
void apply_bundle(BundleContent content, views::Document& document, bool first_time, std::vector<std::string>& notes);

}  // namespace pt2::app
