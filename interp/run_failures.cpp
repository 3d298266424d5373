#include "interp/run_failures.h"

#include <algorithm>

#include "core/base/display.h"
#include "interp/compare_outputs.h"

namespace pt2::interp {

std::vector<RunFailure> run_failures(const RunComparison& numbers) {
  const bool left = !numbers.left.failed.empty(), right = !numbers.right.failed.empty();
  const bool missing = std::any_of(numbers.outputs.begin(), numbers.outputs.end(), [](const OutputNumbers& output) { return !output.equal; });
  std::vector<RunFailure> failures;
  if (left && (missing || !right)) failures.push_back({true, &numbers.left.failed[0]});
  if (right && (missing || !left)) failures.push_back({false, &numbers.right.failed[0]});
  return failures;
}

std::string failures_text(const RunComparison& numbers) {
  const auto failures = run_failures(numbers);
  const auto said = [](const FailedNode& failed) { return " at " + display(failed.node) + ": " + display(failed.message); };
  if (failures.empty()) return {};
  const std::string first = said(*failures[0].node);
  if (failures.size() == 1) return (failures[0].left ? "A fails" : "B fails") + first;
  const std::string second = said(*failures[1].node);
  return first == second ? "A and B fail" + first : "A fails" + first + "; B fails" + second;
}

std::optional<size_t> failed_group(const RunComparison& numbers) {
  for (const RunFailure& failure : run_failures(numbers)) {
    const auto& group_of = failure.left ? numbers.diff.left_group : numbers.diff.right_group;
    if (const auto found = group_of.find(failure.node->ref); found != group_of.end()) return found->second;
  }
  return std::nullopt;
}

bool cut_short(const RunComparison& numbers) { return !numbers.first_divergence && differing_outputs(numbers).empty() && !run_failures(numbers).empty(); }

}  // namespace pt2::interp
