#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace pt2 {

// The name that was probably meant by a misspelt word; empty when none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

}  // namespace pt2
