#pragma once
// Interning. 50,000 nodes share a handful of stack traces, module paths and targets; every text a Program keeps is a
// std::string_view into its pool, so equal texts are stored once and can be compared by address.
#include <deque>
#include <string>
#include <string_view>
#include <unordered_set>

namespace pt2 {

class StringPool {
 public:
  StringPool() = default;
  StringPool(StringPool&&) = default;
  StringPool& operator=(StringPool&&) = default;

  // The pooled copy of `text`; lives as long as the pool.
  std::string_view intern(std::string_view text) {
    if (auto it = index_.find(text); it != index_.end()) return *it;
    std::string_view kept = texts_.emplace_back(text);
    index_.insert(kept);
    return kept;
  }

 private:
  std::deque<std::string> texts_;
  std::unordered_set<std::string_view> index_;
};

}  // namespace pt2
