#include "core/text/bound_text.h"

#include <limits>

#include "core/text/python_text.h"

namespace pt2 {

int64_t whole_bound(double bound) {
  constexpr int64_t kLargest = std::numeric_limits<int64_t>::max() - 1;
  if (bound >= 0x1p63) return kLargest;
  return bound <= -0x1p63 ? -kLargest : static_cast<int64_t>(bound);
}

std::string bound_text(const std::optional<double>& bound, bool is_float, std::string_view unbounded) {
  if (!bound) return std::string(unbounded);
  return is_float ? python_float(*bound) : std::to_string(whole_bound(*bound));
}

}  // namespace pt2
