#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace pt2 {

// nullopt: a character that is none of the alphabet, or a length that cannot be.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace pt2
