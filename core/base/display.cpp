#include "core/base/display.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace pt2 {

namespace {

constexpr uint32_t kInvalid = 0xFFFFFFFF;

// The code point at text[at] and its length in bytes; {kInvalid, 1} where the bytes are no UTF-8 (overlong forms and surrogates included).
struct Decoded { uint32_t code; size_t length; };
Decoded decode_utf8(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1};
  const size_t length = first >= 0xF0 && first < 0xF5 ? 4 : first >= 0xE0 && first < 0xF0 ? 3 : first >= 0xC2 && first < 0xE0 ? 2 : 0;
  if (length == 0 || at + length > text.size()) return {kInvalid, 1};
  uint32_t code = first & (0xFF >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return {kInvalid, 1};
    code = code << 6 | (byte(at + i) & 0x3F);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (code < kSmallest[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return {kInvalid, 1};
  return {code, length};
}

bool is_hidden(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C || c == 0x180E ||  // controls, soft hyphen, Arabic letter mark
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||                   // zero width, line ends, bidirectional
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || (c >= 0xFFF0 && c <= 0xFFFB) ||    // joiners, isolates, byte order mark
         (c >= 0xE0000 && c <= 0xE0FFF);                                                   // tags, variation selectors
}

void append_escape(std::string& out, uint32_t c) {
  if (c == '\n') out += "\\n";
  else if (c == '\t') out += "\\t";
  else if (c == '\r') out += "\\r";
  else {
    char text[16];
    std::snprintf(text, sizeof text, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
    out += text;
  }
}

std::string shown(std::string_view text, bool keep_lines, size_t characters) {
  std::string out;
  out.reserve(text.size() < characters ? text.size() : characters);
  for (size_t at = 0; at < text.size();) {
    if (characters-- == 0) return out + "…";
    const auto [code, length] = decode_utf8(text, at);
    if (code == kInvalid) out += "\xEF\xBF\xBD";
    else if (!is_hidden(code) || (keep_lines && (code == '\n' || code == '\t'))) out += text.substr(at, length);
    else append_escape(out, code);
    at += length;
  }
  return out;
}

}  // namespace

std::optional<size_t> invalid_utf8(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    uint64_t eight;
    // ASCII, eight characters at once.
    if (at + 8 <= text.size() && (std::memcpy(&eight, text.data() + at, 8), (eight & 0x8080808080808080) == 0)) {
      at += 8;
      continue;
    }
    const auto [code, length] = decode_utf8(text, at);
    if (code == kInvalid) return at;
    at += length;
  }
  return {};
}

std::string display(std::string_view text) { return shown(text, false, SIZE_MAX); }
std::string display_lines(std::string_view text) { return shown(text, true, SIZE_MAX); }
std::string display_cut(std::string_view text, size_t characters) { return shown(text, false, characters); }

}  // namespace pt2
