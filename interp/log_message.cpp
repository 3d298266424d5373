#include "interp/log_message.h"

#include "interp/break_check.h"
#include "interp/watch_expression.h"

namespace pt2::interp {

namespace {

// An infinity is an extreme, NaN is none.
std::string extreme_text(const ValueCounts& counts, bool largest) {
  const bool positive = counts.inf > counts.negative_inf, negative = counts.negative_inf > 0;
  if (largest ? positive : negative) return largest ? "inf" : "-inf";
  if (counts.any) return summary(largest ? counts.max : counts.min);
  return positive ? "inf" : negative ? "-inf" : "-";
}

}  // namespace

std::string filled_message(std::string_view message, const std::function<std::string(std::string_view part)>& text_of) {
  std::string text;
  for (size_t at = 0; at < message.size();) {
    const size_t open = message.find('{', at), close = open == message.npos ? open : message.find('}', open);
    text += message.substr(at, close == message.npos ? close : open - at);
    if (close == message.npos) break;
    text += text_of(message.substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return text;
}

std::optional<std::string> value_field(std::string_view part, const RuntimeValue& value) {
  if (part == "value") return summary(value);
  if (part != "min" && part != "max" && part != "nan" && part != "inf") return std::nullopt;
  const ValueCounts counts = count_values(value);
  if (part == "nan") return std::to_string(counts.nan);
  if (part == "inf") return std::to_string(counts.inf);
  return extreme_text(counts, part == "max");
}

std::string unknown_in_message(std::string_view message, const Program& program) {
  std::string unknown;
  filled_message(message, [&](std::string_view part) {
    if (unknown.empty() && part != "name" && !value_field(part, {})) unknown = unknown_name(part, program);
    return std::string();
  });
  return unknown;
}

}  // namespace pt2::interp
