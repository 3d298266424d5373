#pragma once
// What is said of the nodes that are lit.
#include <string>

#include "views/workspace/document.h"

namespace pt2::views {

// "upstream: 12 operators"; what was asked of, inputs, parameters and the output are lit and not counted. Empty without a highlight.
std::string highlight_text(const Highlight& highlight, const Program& program);

}  // namespace pt2::views
