#pragma once
// The bounds of symbols' ranges as numbers and as text.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pt2 {

// A bound of an integer symbol. No double is sys.maxsize - 1 (2^63 - 2), PyTorch's bound of a count that nothing limits: the nearest, 2^63, stands for it.
int64_t whole_bound(double bound);

// `64`, `0.5`; `unbounded` where there is none.
std::string bound_text(const std::optional<double>& bound, bool is_float, std::string_view unbounded);

}  // namespace pt2
