#include "core/diff/match.h"

#include <algorithm>
#include <numeric>

namespace pt2::diff {

namespace {

int32_t find_root(std::vector<int32_t>& parent, int32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

}  // namespace

std::vector<int32_t> first_of_group(const Match& match) {
  std::vector<int32_t> parent(match.taken.size());
  std::iota(parent.begin(), parent.end(), 0);
  for (const auto& [a, b] : match.joined_left) {
    const int32_t x = find_root(parent, a), y = find_root(parent, b);
    parent[std::max(x, y)] = std::min(x, y);
  }
  std::vector<int32_t> first(parent.size());
  for (size_t i = 0; i < first.size(); ++i) first[i] = find_root(parent, static_cast<int32_t>(i));
  return first;
}

}  // namespace pt2::diff
