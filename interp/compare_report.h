#pragma once
// A comparison in words: as JSON, CSV and Markdown, for the command line and the window alike. And the weights of two files held against
// each other.
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "interp/compare_runs.h"

namespace pt2::interp {

struct WeightDifference {
  std::string name;
  ValueDifference difference;
  std::string problem;   // instead: only on one side, not readable, another dtype or shape
};
struct WeightComparison {
  std::vector<WeightDifference> different;
  size_t compared = 0;
};
// Weights and constants by name; those that differ by more than the tolerance.
WeightComparison compare_weights(const ProgramSide& left, const ProgramSide& right, const Tolerance& tolerance, std::stop_token stop = {});

struct ComparisonView {
  const Program& left;
  const Program& right;
  std::string left_name, right_name;            // of the files
  const Diff& diff;
  const RunComparison* numbers = nullptr;       // its groups are those of `diff`
  const WeightComparison* weights = nullptr;
  std::optional<GroupKind> only;                // groups of this kind (not in JSON, which has all)
};

std::string comparison_json(const ComparisonView& view);      // the object of `compare --json`, with a newline at its end
std::string comparison_csv(const ComparisonView& view);
std::string comparison_markdown(const ComparisonView& view);

// "{permute, addmm}", "relu": the nodes of one side.
std::string group_names(const Program& program, const std::vector<NodeRef>& nodes);
// "~ ", "+ " …: how a kind of group is marked where there is no colour.
const char* group_sign(GroupKind kind);
// "decomposed", "changed: operator, dtype".
std::string group_kind_text(const NodeGroup& group);
// "max abs Δ 1.2e-07  ≠ (rounding, carried in)"; empty without numbers.
std::string group_numbers_text(const GroupNumbers& numbers);
// The verdict in a sentence: where the numbers first part, of what kind that is and how it was judged.
std::string divergence_text(const ComparisonView& view);

}  // namespace pt2::interp
