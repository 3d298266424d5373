#pragma once
// What of the graph is shown and how, as one line: the argument of the command that shows it again.
#include <optional>
#include <string>

#include "views/workspace/document.h"

namespace pt2::views {

std::string view_text(const GraphView& view);
// None where it names what the document does not have.
std::optional<GraphView> view_from_text(const std::string& text, const Document& document);

}  // namespace pt2::views
