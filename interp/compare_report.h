#pragma once
// A comparison in words: as JSON, CSV and Markdown, for the command line and the window alike.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "interp/compare_runs.h"
#include "interp/compare_weights.h"

namespace pt2::interp {

struct ComparisonView {
  const Program& left;
  const Program& right;
  std::string left_name, right_name;            // of the files
  const Diff& diff;
  const RunComparison* numbers = nullptr;       // its groups are those of `diff`
  const WeightComparison* weights = nullptr;
  std::optional<GroupKind> only;                // groups of this kind (not in JSON, which has all)
  std::string problem = {};                     // why there are no numbers although a run was asked for
};

std::string comparison_json(const ComparisonView& view);      // the object of `compare --json`, with a newline at its end
std::string comparison_csv(const ComparisonView& view);
std::string comparison_markdown(const ComparisonView& view);

// "{permute, addmm}", "relu": the nodes of one side; with the call of their sub-graph "body_graph_0@2/relu".
std::string group_names(const Program& program, const std::vector<NodeRef>& nodes, const std::string& call = {});
// As many of them as one reads: "{a, b, c, d, e, f and 294 more}".
std::string group_names_cut(const Program& program, const std::vector<NodeRef>& nodes, const std::string& call = {});
// "~ ", "+ " …: how a kind of group is marked where there is no colour.
const char* group_sign(GroupKind kind);
// "operands, eps 1e-05 → 0.01": what differs between the two calls of a group, with both values.
std::string group_changes_text(const NodeGroup& group);
// "decomposed", "changed: dtype float32 → bfloat16".
std::string group_kind_text(const NodeGroup& group);
// "values, an operand differs already, bn.weight differs": only what is known. Empty where the numbers agree.
std::string group_cause_text(const Program& left, const GroupNumbers& numbers);
// "max abs Δ 1.2e-07  ≠ (rounding, carried in)"; empty without numbers.
std::string group_numbers_text(const Program& left, const GroupNumbers& numbers);
// "3 of 12 compared groups differ".
std::string numbers_count_text(const RunComparison& numbers);
// Whether all groups, and all that is returned or left in buffers, agree as far as they can be compared, and no run failed before the end.
bool numbers_agree(const RunComparison& numbers);
// Where nothing differs: "equal (structure and numbers; weights not compared)".
std::string equal_text(const ComparisonView& view);
// The group to look at: the first whose numbers part. Where that one, judged alone, is apart by no more than its types explain, the first in
// which more arises, if there is one.
std::optional<size_t> first_arising(const RunComparison& numbers);
// The verdict in a sentence: where the numbers first part, of what kind that is and how it was judged; which outputs differ although no group
// does; and where an agreement says little, since there is nothing but NaN.
std::string divergence_text(const ComparisonView& view);

}  // namespace pt2::interp
