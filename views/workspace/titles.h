#pragma once
// Names that tell files apart: export writes "model.pt2" into every folder.
#include <span>
#include <string>
#include <vector>

#include "views/workspace/workspace.h"

namespace pt2::views {

// The name of each file, with as many folders before it as it takes to tell it from the others: "a/model.pt2", "b/model.pt2".
std::vector<std::string> distinct_names(std::span<const std::string> paths);

// The document's title, told apart from those of all others that are open.
std::string distinct_title(const Workspace& workspace, const Document& document);

}  // namespace pt2::views
