#pragma once
// Small text helpers: numbers as people read them, splitting.
#include <cstdint>
#include <string>
#include <string_view>

namespace pt2 {

std::string with_commas(uint64_t number);      // 8412331 → "8,412,331"
std::string with_commas(int64_t number);
std::string at_byte(uint64_t offset);          // "byte 8,412,331": a place in an Error
std::string bytes_text(uint64_t bytes);        // 7.3 GiB, 512 bytes

}  // namespace pt2
