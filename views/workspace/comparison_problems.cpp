#include "views/workspace/comparison_problems.h"

#include <algorithm>
#include <set>

#include "core/verify/verify.h"
#include "views/workspace/problems.h"

namespace pt2::views {
namespace {

const VerifyRule& failed_rule() { return running_rules().front(); }

// A node that fails in several calls is one problem, with the reason of the first.
void add_failures(const ComparisonResult& result, const interp::RunReport& report, bool left, std::vector<Finding>& own, std::vector<Finding>& others) {
  const std::string side = left ? "A" : "B";
  const VerifyRule& rule = failed_rule();
  std::set<NodeRef> told;
  for (const interp::FailedNode& failed : report.failed) {
    if (!told.insert(failed.ref).second) continue;
    const Finding finding{rule.severity, std::string(rule.name), side + " fails at " + failed.node + " when both run: " + failed.message,
                          side + ", node \"" + failed.node + "\"", std::string(rule.explanation), failed.ref};
    own.push_back(finding);
    const std::vector<NodeRef> became = counterparts(*result.diff, left, failed.ref);
    others.push_back(finding);
    others.back().node = became.empty() ? NodeRef() : became.front();
  }
}

}  // namespace

void tell_failures(Workspace& workspace, const ComparisonResult* result) {
  std::vector<Finding> of_left, of_right;
  if (const interp::RunComparison* numbers = result ? result->numbers() : nullptr) {
    add_failures(*result, numbers->left, true, of_left, of_right);
    add_failures(*result, numbers->right, false, of_right, of_left);
  }
  for (const auto& document : workspace.documents()) {
    const bool left = document->id == workspace.comparison.left, right = document->id == workspace.comparison.right;
    replace_problems(*document, failed_rule().name, left ? of_left : right ? of_right : std::vector<Finding>());
  }
}

std::vector<NodeRef> told_failures(const Comparison& pair, bool left) {
  std::vector<NodeRef> told;
  const interp::RunComparison* numbers = pair.result ? pair.result->numbers() : nullptr;
  if (!numbers) return told;
  for (const interp::FailedNode& failed : (left ? numbers->left : numbers->right).failed) {
    const auto group = group_of(*pair.result->diff, left, failed.ref);
    const bool reached = group && pair.step && numbers->position(*group) <= numbers->position(*pair.step);
    if (all_told(pair) || reached) told.push_back(failed.ref);
  }
  return told;
}

void go_to_problem(Workspace& workspace, Document& document, size_t problem, std::string_view origin) {
  stand_on_problem(document, problem, origin);
  const Finding& finding = document.problems[problem];
  if (finding.node.node || finding.rule != failed_rule().name) return;
  Document* other = workspace.document(document.id == workspace.comparison.left ? workspace.comparison.right : workspace.comparison.left);
  if (!other) return;
  const auto same = std::find_if(other->problems.begin(), other->problems.end(), [&](const Finding& f) { return f.rule == finding.rule && f.message == finding.message; });
  if (same == other->problems.end()) return;
  workspace.activate(other->id);
  stand_on_problem(*other, size_t(same - other->problems.begin()), origin);
}

}  // namespace pt2::views
