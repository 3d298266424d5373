#include "app/picture/comparison_page.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/diff/signature_diff.h"
#include "interp/compare_outputs.h"
#include "interp/run_failures.h"
#include "interp/value_names.h"
#include "views/workspace/labels.h"

namespace pt2::app {

namespace {

std::string number(double value) { return views::number_label(value, 6); }

std::string names(const Program& program, const std::vector<NodeRef>& refs, const std::string& call = {}) {
  std::string text;
  for (NodeRef ref : refs) text += (text.empty() ? "" : ", ") + interp::name_in_call(program, ref, call);
  return text;
}

// The group at which the numbers first part. Where none does, a run that failed or had nothing to compare leaves it open whether one would.
std::string first_divergence(const interp::ComparisonView& view) {
  const interp::RunComparison& numbers = *view.numbers;
  if (const auto first = numbers.first_divergence) return names(view.left, view.diff.groups[*first].left, numbers.groups[*first].left_call);
  if (const std::string failures = interp::failures_text(numbers); !failures.empty()) return "not known: " + failures;
  const bool compared = std::any_of(numbers.groups.begin(), numbers.groups.end(), [](const interp::GroupNumbers& group) { return group.equal.has_value(); });
  return compared ? "none" : "not known: no group has numbers on both sides";
}

bool numbers_differ(const interp::ComparisonView& view, size_t group) { return view.numbers && view.numbers->groups[group].equal == false; }

}  // namespace

PageSection comparison_section(const interp::ComparisonView& view) {
  PageSection section{"Comparison", "A is " + view.left_name + ", B is " + view.right_name + ".", {}, {"", "A", "B", "evidence", "changes"}, {}};
  if (const std::string verdict = interp::divergence_text(view); !verdict.empty()) section.note += " " + verdict;
  for (GroupKind kind : {GroupKind::Same, GroupKind::Changed, GroupKind::Decomposed, GroupKind::Merged, GroupKind::Added, GroupKind::Removed})
    section.facts.emplace_back(group_kind_name(kind), with_commas(uint64_t{view.diff.count(kind)}));
  for (const std::string& change : diff::gathered_signature_changes(view.left, view.right, view.diff)) section.facts.emplace_back("signature", change);
  if (view.numbers) {
    section.columns.insert(section.columns.end(), {"max abs", "max rel", "cause"});
    section.facts.emplace_back("numbers", interp::numbers_count_text(*view.numbers));
    section.facts.emplace_back("first divergence", first_divergence(view));
    for (const interp::OutputNumbers* output : interp::all_outputs(*view.numbers)) section.facts.emplace_back(interp::output_name(*output), interp::output_text(*output));
    for (const std::string& note : view.numbers->notes) section.facts.emplace_back("note", note);
  }
  if (view.weights) {
    section.facts.emplace_back("weights", with_commas(uint64_t{view.weights->different.size()}) + " of " + with_commas(uint64_t{view.weights->compared}) + " differ");
    for (const interp::WeightDifference& w : view.weights->different) section.facts.emplace_back(w.name(), w.problem.empty() ? "max abs " + number(w.difference.max_abs) : w.problem);
  }
  for (size_t i = 0; i < view.diff.groups.size() && i < kMostRows; ++i) {
    const NodeGroup& group = view.diff.groups[i];
    const interp::GroupNumbers* n = view.numbers && view.numbers->groups[i].equal ? &view.numbers->groups[i] : nullptr;
    PageRow row{{std::string(group_kind_name(group.kind)), names(view.left, group.left, n ? n->left_call : ""), names(view.right, group.right, n ? n->right_call : ""), std::string(evidence_name(group.evidence)), interp::group_changes_text(group)}, ""};
    if (!group.left.empty()) row.node = qualified_name(view.left, group.left.front());
    if (!group.right.empty()) row.other_node = qualified_name(view.right, group.right.front());
    row.folded = group.kind == GroupKind::Same && !numbers_differ(view, i);
    if (n) row.cells.insert(row.cells.end(), {number(n->difference.max_abs), number(n->difference.max_rel), interp::group_cause_text(view.left, *n)});
    section.rows.push_back(std::move(row));
  }
  return section;
}

std::map<NodeRef, std::string> comparison_marks(const interp::ComparisonView& view, bool left) {
  std::map<NodeRef, std::string> marks;
  for (size_t i = 0; i < view.diff.groups.size(); ++i) {
    const NodeGroup& group = view.diff.groups[i];
    if (group.kind == GroupKind::Same && !numbers_differ(view, i)) continue;
    const char* mark = numbers_differ(view, i) ? "differs" : group.kind == GroupKind::Added ? "added" : group.kind == GroupKind::Removed ? "removed" : "changed";
    for (NodeRef ref : left ? group.left : group.right) marks[ref] = mark;
  }
  return marks;
}

}  // namespace pt2::app
