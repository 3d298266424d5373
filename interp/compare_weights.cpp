#include "interp/compare_weights.h"

#include <map>
#include <set>

#include "core/archive/archive.h"
#include "interp/judgement.h"

namespace pt2::interp {

namespace {

using Names = std::pair<std::string, std::string>;  // of one weight in either file

std::set<std::string> names_in(const ProgramSide& side, TensorRole role) {
  std::set<std::string> names;
  for (const TensorInfo& info : side.file->archive->tensors(side.program->name))
    if (info.role == role) names.insert(info.name);
  return names;
}

// By the names of the left program.
std::map<std::string, std::string> other_names(const ProgramSide& left, const ProgramSide& right, const Diff& diff) {
  std::map<std::string, std::string> names;
  for (const RenamedModule& module : diff.renamed)
    for (const auto& [l, r] : module.inputs) names.emplace(left.program->signature.inputs[l].target, right.program->signature.inputs[r].target);
  return names;
}

std::vector<Names> paired(const std::set<std::string>& left, const std::set<std::string>& right, const std::map<std::string, std::string>& renamed) {
  std::vector<Names> pairs;
  std::set<std::string> taken;
  for (const std::string& name : left) {
    const auto other = renamed.find(name);
    const bool by_both = !right.count(name) && other != renamed.end() && right.count(other->second);
    pairs.emplace_back(name, by_both ? other->second : name);
    taken.insert(pairs.back().second);
  }
  for (const std::string& name : right)
    if (!taken.count(name)) pairs.emplace_back(name, name);
  return pairs;
}

}  // namespace

std::string WeightDifference::name() const {
  if (left.empty() || right.empty() || left == right) return left.empty() ? right : left;
  return left + " → " + right;
}

WeightComparison compare_weights(const ProgramSide& left, const ProgramSide& right, const Diff& diff, const Tolerance& tolerance, std::stop_token stop) {
  WeightComparison result;
  const auto renamed = other_names(left, right, diff);
  for (const TensorRole role : {TensorRole::Weight, TensorRole::Constant})
    for (const auto& [l, r] : paired(names_in(left, role), names_in(right, role), renamed)) {
      if (stop.stop_requested()) return result;
      const auto a = left.file->archive->read_tensor(left.program->name, role, l), b = right.file->archive->read_tensor(right.program->name, role, r);
      ++result.compared;
      if (!a || !b) {
        result.different.push_back({a || !b ? l : "", b || !a ? r : "", {}, a ? "only in the first program" : b ? "only in the second program" : a.error().message});
        continue;
      }
      const ValueDifference d = judge(*a, *b, tolerance).difference;
      if (!d.equal) result.different.push_back({l, r, d, d.comparable ? "" : d.reason});
    }
  return result;
}

}  // namespace pt2::interp
