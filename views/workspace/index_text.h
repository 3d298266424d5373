#pragma once
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pt2::views {

// "0, 3, -1" or "[0, 3, -1]"; none where something else stands there.
std::optional<std::vector<int64_t>> integers(std::string_view text);

}  // namespace pt2::views
