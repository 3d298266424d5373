#include "views/workspace/problems.h"

#include <algorithm>
#include <iterator>

#include "core/base/display.h"
#include "core/base/json_tree.h"

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

void replace_problems(Document& document, std::string_view rule, std::vector<Finding> others) {
  auto& problems = document.problems;
  const auto of_rule = [&](const Finding& f) { return f.rule == rule; };
  if (document.problem && *document.problem < problems.size()) {
    const auto marked = problems.begin() + std::ptrdiff_t(*document.problem);
    if (of_rule(*marked)) document.problem.reset();
    else *document.problem -= size_t(std::count_if(problems.begin(), marked, of_rule));
  }
  std::erase_if(problems, of_rule);
  problems.insert(problems.end(), std::move_iterator(others.begin()), std::move_iterator(others.end()));
}

const char* severity_text(Severity severity) {
  switch (severity) {
    case Severity::Error: return "error";
    case Severity::Warning: return "warning";
    case Severity::Note: return "note";
  }
  return "";
}

std::string problems_text(const Document& document) {
  std::string text;
  for (const Finding& f : document.problems) {
    text += display(document.path) + ": " + (f.where.empty() ? "" : display(f.where) + ": ") + severity_text(f.severity) + ": " + display(f.message) + "  [" + f.rule + "]\n";
    if (!f.advice.empty()) text += "  " + display(f.advice) + "\n";
  }
  return text;
}

std::string problems_json(const Document& document) {
  std::string text = "{\n  \"schema\": \"pt2scope/verify\",\n  \"version\": 1,\n  \"file\": " + json_quoted(document.path) + ",\n  \"findings\": [";
  for (const Finding& f : document.problems) {
    text += &f == &document.problems.front() ? "\n    {" : ",\n    {";
    text += "\"severity\": " + json_quoted(severity_text(f.severity)) + ", \"rule\": " + json_quoted(f.rule) + ", \"message\": " + json_quoted(f.message) + ", \"where\": " + json_quoted(f.where) +
            ", \"advice\": " + json_quoted(f.advice) + "}";
  }
  return text + "\n  ]\n}\n";
}

}  // namespace pt2::views
