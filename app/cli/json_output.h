#pragma once
// `--json`: one object on stdout. Invalid UTF-8 from a file becomes U+FFFD, NaN and infinities become strings.
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace pt2::app {

using Json = nlohmann::ordered_json;

inline Json json_number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  return value;
}

inline void print_json(const Json& object) {
  const std::string text = object.dump(2, ' ', false, Json::error_handler_t::replace);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
}

}  // namespace pt2::app
