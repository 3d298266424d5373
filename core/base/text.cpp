#include "core/base/text.h"

#include <cstdio>

namespace pt2 {

std::string with_commas(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string with_commas(int64_t number) {
  return number < 0 ? "-" + with_commas(uint64_t{0} - static_cast<uint64_t>(number)) : with_commas(static_cast<uint64_t>(number));
}

std::string at_byte(uint64_t offset) { return "byte " + with_commas(offset); }

std::string bytes_text(uint64_t bytes) {
  if (bytes < 1024) return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
  constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double amount = static_cast<double>(bytes);
  size_t unit = 0;
  for (amount /= 1024; amount >= 1024 && unit < 5; ++unit) amount /= 1024;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", amount, kUnits[unit]);
  return text;
}

}  // namespace pt2
