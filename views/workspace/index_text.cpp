#include "views/workspace/index_text.h"

#include <charconv>

namespace pt2::views {

std::optional<std::vector<int64_t>> integers(std::string_view text) {
  std::vector<int64_t> numbers;
  const char *at = text.data(), *end = at + text.size();
  while (at != end) {
    if (*at == ' ' || *at == ',' || *at == '[' || *at == ']') {
      ++at;
      continue;
    }
    int64_t value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc{}) return std::nullopt;
    numbers.push_back(value);
    at = next;
  }
  return numbers;
}

}  // namespace pt2::views
