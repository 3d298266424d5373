#pragma once
// Where F8 is among the problems of a document.
#include <optional>
#include <string_view>

#include "views/workspace/document.h"

namespace pt2::views {

// The problem that is marked, and from which F8 goes on: the one it stands on, unless another node is selected that has one.
std::optional<size_t> current_problem(const Document& document);
// F8 stands there. Its node is gone to; without one, a selected node that has problems of its own is left.
void stand_on_problem(Document& document, size_t problem, std::string_view origin = {});

}  // namespace pt2::views
