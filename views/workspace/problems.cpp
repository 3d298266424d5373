#include "views/workspace/problems.h"

#include <algorithm>

namespace pt2::views {

std::optional<size_t> current_problem(const Document& document) {
  const auto& problems = document.problems;
  const NodeRef shown = document.selection.current().shown();
  auto about_selection = [&](const Finding& f) { return f.node.node && f.node == shown; };
  const bool stands = document.problem && *document.problem < problems.size();
  if (stands && about_selection(problems[*document.problem])) return document.problem;
  const auto other = std::find_if(problems.begin(), problems.end(), about_selection);
  if (other != problems.end()) return size_t(other - problems.begin());
  return stands ? document.problem : std::nullopt;
}

void stand_on_problem(Document& document, size_t problem, std::string_view origin) {
  document.problem = problem;
  if (const NodeRef node = document.problems[problem].node; node.node) go_to(document, Selection::of_node(node), origin);
  else if (current_problem(document) != problem) document.selection.select({}, origin);
}

}  // namespace pt2::views
