#pragma once
// The problems of a document: where F8 is among them, and as texts.
#include <optional>
#include <string>
#include <string_view>

#include "views/workspace/document.h"

namespace pt2::views {

// The problem that is marked, and from which F8 goes on: the one it stands on, unless another node is selected that has one.
std::optional<size_t> current_problem(const Document& document);
// F8 stands there. Its node is gone to; without one, a selected node that has problems of its own is left.
void stand_on_problem(Document& document, size_t problem, std::string_view origin = {});

// In place of those of a rule; the mark stays on the problem it stood on.
void replace_problems(Document& document, std::string_view rule, std::vector<Finding> others);

const char* severity_text(Severity severity);  // "error", "warning", "note"
// All of them as `verify` prints them, and as its --json does.
std::string problems_text(const Document& document);
std::string problems_json(const Document& document);

}  // namespace pt2::views
