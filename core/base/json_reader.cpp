#include "core/base/json_reader.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <vector>

namespace pt2 {

namespace {

// Containers this long are worth remembering.
constexpr size_t kRememberedBytes = 4096;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_literal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' || c == '.'; }

// Whether one of the eight bytes is `byte` (the classic test for a zero byte).
bool holds_byte(uint64_t eight, char byte) {
  constexpr uint64_t kOnes = 0x0101010101010101, kHighs = 0x8080808080808080;
  const uint64_t x = eight ^ (kOnes * static_cast<unsigned char>(byte));
  return ((x - kOnes) & ~x & kHighs) != 0;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void append_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xC0 | (c >> 6));
    out += char(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    out += char(0xE0 | (c >> 12));
    out += char(0x80 | ((c >> 6) & 0x3F));
    out += char(0x80 | (c & 0x3F));
  } else {
    out += char(0xF0 | (c >> 18));
    out += char(0x80 | ((c >> 12) & 0x3F));
    out += char(0x80 | ((c >> 6) & 0x3F));
    out += char(0x80 | (c & 0x3F));
  }
}

}  // namespace

void JsonReader::fail(const std::string& message, size_t offset) const {
  throw JsonError{"byte " + std::to_string(offset) + ": " + message, "", false};
}

void JsonReader::fail_depth(size_t offset) const {
  throw JsonError{"byte " + std::to_string(offset) + ": nested deeper than " + std::to_string(max_depth_) + " levels (limit)", "", true};
}

char JsonReader::current() {
  while (at_ < text_.size() && is_space(text_[at_])) ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

void JsonReader::expect(char c, const char* what) {
  if (current() == c) {
    ++at_;
    return;
  }
  if (at_ >= text_.size()) fail("the text ends where " + std::string(what) + " should be: it was cut off", at_);
  fail("expected " + std::string(what), at_);
}

JsonKind JsonReader::peek() {
  switch (current()) {
    case '{': return JsonKind::Object;
    case '[': return JsonKind::Array;
    case '"': return JsonKind::String;
    case 't': case 'f': return JsonKind::Bool;
    case 'n': return JsonKind::Null;
    case '\0':
      if (at_ >= text_.size()) fail(text_.empty() ? "the text is empty" : "the text ends where a value should be: it was cut off", at_);
      [[fallthrough]];
    default: return JsonKind::Int;
  }
}

void JsonReader::begin_object() {
  expect('{', "an object");
  first_ = true;
}

void JsonReader::begin_array() {
  expect('[', "a list");
  first_ = true;
}

// After an opening bracket or a value: is there another?
bool JsonReader::next(char close) {
  const char c = current();
  if (c == close) {
    ++at_;
    first_ = false;
    return false;
  }
  if (!first_) expect(',', close == '}' ? "',' or '}'" : "',' or ']'");
  first_ = false;
  return true;
}

bool JsonReader::next_member(std::string_view& key) {
  if (!next('}')) return false;
  if (current() != '"') expect('"', "a key");
  key = read_string(key_);
  expect(':', "':'");
  return true;
}

bool JsonReader::next_element() { return next(']'); }

size_t JsonReader::string_end(size_t quote) const {
  size_t i = quote + 1;
  const size_t n = text_.size();
  while (i < n) {
    // Most of a program's text are long strings: pass eight plain characters at once.
    while (i + 8 <= n) {
      uint64_t eight;
      std::memcpy(&eight, text_.data() + i, 8);
      if (holds_byte(eight, '"') || holds_byte(eight, '\\')) break;
      i += 8;
    }
    for (const size_t stop = std::min(i + 8, n); i < stop; ++i) {
      if (text_[i] == '"') return i;
      if (text_[i] == '\\') ++i;
    }
  }
  fail("the text ends inside a string: it was cut off", quote);
}

std::string_view JsonReader::read_string(std::string& storage) {
  if (current() != '"') expect('"', "a string");
  const size_t begin = at_ + 1;
  const size_t end = string_end(at_);
  at_ = end + 1;
  const std::string_view raw = text_.substr(begin, end - begin);
  if (raw.find('\\') == std::string_view::npos) return raw;
  unescape(raw, storage);
  return storage;
}

void JsonReader::unescape(std::string_view escaped, std::string& out) const {
  out.clear();
  out.reserve(escaped.size());
  const size_t base = escaped.data() - text_.data();
  auto code_unit = [&](size_t at) {  // the four digits after \u
    uint32_t c = 0;
    for (size_t k = 0; k < 4; ++k) {
      const int digit = at + k < escaped.size() ? hex_digit(escaped[at + k]) : -1;
      if (digit < 0) fail("expected four hexadecimal digits after \\u", base + at);
      c = c * 16 + uint32_t(digit);
    }
    return c;
  };
  for (size_t i = 0; i < escaped.size();) {
    if (escaped[i] != '\\') {
      const size_t next = std::min(escaped.find('\\', i), escaped.size());
      out.append(escaped, i, next - i);
      i = next;
      continue;
    }
    const char c = escaped[i + 1];  // there is one: a string never ends in a lone backslash
    i += 2;
    switch (c) {
      case 'n': out += '\n'; break;
      case 't': out += '\t'; break;
      case 'r': out += '\r'; break;
      case 'b': out += '\b'; break;
      case 'f': out += '\f'; break;
      case '"': case '\\': case '/': out += c; break;
      case 'u': {
        uint32_t unit = code_unit(i);
        i += 4;
        if (unit >= 0xD800 && unit < 0xDC00 && escaped.substr(i, 2) == "\\u") {
          const uint32_t low = code_unit(i + 2);
          if (low >= 0xDC00 && low < 0xE000) {
            unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
            i += 6;
          }
        }
        if (unit >= 0xD800 && unit < 0xE000) unit = 0xFFFD;  // a lone surrogate has no UTF-8
        append_utf8(out, unit);
        break;
      }
      default: fail("unknown escape in a string", base + i - 2);
    }
  }
}

JsonReader::Scalar JsonReader::read_scalar() {
  current();
  const size_t begin = at_;
  while (at_ < text_.size() && is_literal(text_[at_])) ++at_;
  Scalar scalar;
  scalar.text = text_.substr(begin, at_ - begin);
  const std::string_view t = scalar.text;
  if (t == "null") return scalar;
  if (t == "true" || t == "false") {
    scalar.kind = JsonKind::Bool;
    scalar.integer = t == "true";
    return scalar;
  }
  scalar.kind = JsonKind::Float;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (t == "NaN") return scalar.number = std::numeric_limits<double>::quiet_NaN(), scalar;
  if (t == "Infinity") return scalar.number = kInfinity, scalar;
  if (t == "-Infinity") return scalar.number = -kInfinity, scalar;
  const char* const last = t.data() + t.size();
  if (t.find_first_of(".eE") == std::string_view::npos) {
    scalar.kind = JsonKind::Int;
    const auto [end, problem] = std::from_chars(t.data(), last, scalar.integer);
    if (end == last && problem == std::errc()) return scalar.number = double(scalar.integer), scalar;
    scalar.kind = JsonKind::BigInt;
  }
  const auto [end, problem] = std::from_chars(t.data(), last, scalar.number);
  if (end != last || t.empty()) {
    if (begin >= text_.size()) fail("the text ends where a value should be: it was cut off", begin);
    fail("expected a value", begin);
  }
  if (problem == std::errc::result_out_of_range) {
    const size_t exponent = t.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && t.substr(exponent + 1, 1) == "-";
    scalar.number = tiny ? 0.0 : (t[0] == '-' ? -kInfinity : kInfinity);
  }
  return scalar;
}

std::string_view JsonReader::skip() {
  switch (peek()) {
    case JsonKind::Object: case JsonKind::Array: return skip_container();
    case JsonKind::String: {
      const size_t begin = at_;
      at_ = string_end(begin) + 1;
      return text_.substr(begin, at_ - begin);
    }
    default: return read_scalar().text;
  }
}

std::string_view JsonReader::skip_container() {
  const size_t begin = at_;
  if (auto it = container_end_.find(begin); it != container_end_.end()) {
    at_ = it->second;
    first_ = false;
    return text_.substr(begin, at_ - begin);
  }
  struct Open { size_t begin; char close; };
  std::vector<Open> open;
  const size_t n = text_.size();
  size_t i = begin;
  for (; i < n; ++i) {
    const char c = text_[i];
    if (c == '"') {
      i = string_end(i);
    } else if (c == '{' || c == '[') {
      if (open.size() >= max_depth_) fail_depth(i);
      open.push_back({i, c == '{' ? '}' : ']'});
    } else if (c == '}' || c == ']') {
      if (c != open.back().close) fail("a bracket does not match the one opened at byte " + std::to_string(open.back().begin), i);
      if (i - open.back().begin >= kRememberedBytes) container_end_.emplace(open.back().begin, i + 1);
      open.pop_back();
      if (open.empty()) break;
    }
  }
  if (!open.empty()) fail("the text ends inside what began at byte " + std::to_string(begin) + ": it was cut off", n);
  at_ = i + 1;
  first_ = false;
  return text_.substr(begin, at_ - begin);
}

void JsonReader::expect_end() {
  current();
  if (at_ < text_.size()) fail("something follows the end of the JSON text", at_);
}

}  // namespace pt2
