#pragma once
// Damage from a seed: the same seed gives the same.
#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <utility>

namespace pt2::test {

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : random_(seed) {}
  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }

  void bytes(std::string& text) {
    if (text.empty()) return;
    const size_t at = below(text.size()), length = 1 + below(std::min<size_t>(64, text.size() - at));
    switch (below(6)) {
      case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 1: text[at] = static_cast<char>(below(256)); break;
      case 2: text.resize(at); break;
      case 3: text.erase(at, length); break;
      case 4: text.insert(below(text.size()), text.substr(at, length)); break;
      default:
        for (size_t i = at; i < at + length; ++i) text[i] = static_cast<char>(below(2) ? 0xFF : 0);
    }
  }

  // Tokens of JSON: a number becomes a strange one, a string another string of the text, a value goes or comes twice.
  void json(std::string& text) {
    const size_t start = below(text.size());
    switch (below(5)) {
      case 0: {
        const size_t at = text.find_first_of("0123456789", start);
        if (at == text.npos) return;
        const size_t end = std::min(text.find_first_not_of("0123456789.eE+-", at), text.size());
        constexpr const char* kNumbers[] = {"0", "-1", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551616", "1e400", "4294967296", "null", "true", "[]", "{}", "\"\"", "NaN", "77"};
        text.replace(at, end - at, kNumbers[below(std::size(kNumbers))]);
        break;
      }
      case 1: {
        const auto [at, size] = string_after(text, start);
        const auto [other, other_size] = string_after(text, below(text.size()));
        if (size && other_size) text.replace(at, size, std::string(text.substr(other, other_size)));
        break;
      }
      case 2: {
        const auto [at, size] = string_after(text, start);
        constexpr const char* kStrings[] = {"\"\"", "\"as_none\"", "\"\\u0000\\n\"", "\"../x\"", "null", "3", "\"s0 + \"", "\"Add(Symbol('s0'), Integer(1)\"", "[[[[]]]]"};
        if (size) text.replace(at, size, kStrings[below(std::size(kStrings))]);
        break;
      }
      case 3: {
        const size_t at = text.find_first_of("{[", start);
        if (at != text.npos) text.insert(at, std::string(1 + below(600), '['));
        break;
      }
      default: bytes(text);
    }
  }

 private:
  static std::pair<size_t, size_t> string_after(const std::string& text, size_t start) {
    const size_t at = text.find('"', start), end = at == text.npos ? at : text.find('"', at + 1);
    return end == text.npos ? std::pair<size_t, size_t>(0, 0) : std::pair(at, end + 1 - at);
  }
  std::mt19937 random_;
};

}  // namespace pt2::test
