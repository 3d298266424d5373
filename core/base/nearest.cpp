#include "core/base/nearest.h"

#include <algorithm>
#include <utility>

namespace pt2 {

namespace {

// How many letters must change to make one name of the other.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])}));
  }
  return row[b.size()];
}

size_t shared_beginning(std::string_view a, std::string_view b) {
  return size_t(std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(std::min(a.size(), b.size())), b.begin()).first - a.begin());
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  size_t least = std::max<size_t>(2, word.size() / 3) + 1;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(word, name);
    // Of equally near ones that with the same beginning.
    const bool nearer = distance < least || (distance == least && !best.empty() && shared_beginning(word, name) > shared_beginning(word, best));
    if (nearer) least = distance, best = name;
  }
  return best;
}

}  // namespace pt2
