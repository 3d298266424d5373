#include "core/diff/same_calls.h"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace pt2::diff {

int32_t SameCalls::partner(size_t right_op) const {
  const uint32_t n = right[right_op];
  return left_count[n] == 1 && right_count[n] == 1 ? only_left[n] : -1;
}

SameCalls same_calls(const GraphOperators& left, const GraphOperators& right) {
  SameCalls result;
  std::unordered_map<std::string, uint32_t> numbers;
  auto number_all = [&numbers](const GraphOperators& ops, char side) {
    std::vector<uint32_t> result(ops.ops.size());
    for (size_t i = 0; i < ops.ops.size(); ++i) {
      const Operator& op = ops.ops[i];
      std::string key = std::string(op.target) + '|' + op.constants;
      for (const Source& source : op.sources)
        key += source.op >= 0 ? "|o" + std::to_string(result[source.op]) + '.' + std::to_string(source.result) : "|i" + std::to_string(source.input);
      // A write makes later reads of its operands other values, so an in-place call is never the same as another.
      if (op.expansion == Expansion::InPlace) key += side + std::to_string(i);
      result[i] = numbers.try_emplace(std::move(key), static_cast<uint32_t>(numbers.size())).first->second;
    }
    return result;
  };
  result.left = number_all(left, 'l');
  result.right = number_all(right, 'r');
  result.only_left.assign(numbers.size(), -1);
  result.left_count.assign(numbers.size(), 0);
  result.right_count.assign(numbers.size(), 0);
  auto count = [](uint8_t& c) { c = static_cast<uint8_t>(std::min(c + 1, 2)); };
  for (size_t i = 0; i < left.ops.size(); ++i) {
    count(result.left_count[result.left[i]]);
    result.only_left[result.left[i]] = static_cast<int32_t>(i);
  }
  for (uint32_t n : result.right) count(result.right_count[n]);
  return result;
}

}  // namespace pt2::diff
