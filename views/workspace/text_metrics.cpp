// Advance widths straight from the embedded TrueType files: `cmap` says which glyph a character is, `hmtx` how far it advances.
#include "views/workspace/text_metrics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "embedded/dejavu_sans.h"
#include "embedded/jetbrains_mono.h"
#include "embedded/roboto_medium.h"
#include "embedded/roboto_regular.h"

namespace pt2::views {
namespace {

constexpr size_t kTabled = 0x250;  // Latin letters, their widths kept

class FontTables {
 public:
  explicit FontTables(std::span<const std::byte> file) : file_(file) {
    const size_t head = table("head"), hhea = table("hhea");
    hmtx_ = table("hmtx");
    cmap_ = unicode_map(table("cmap"));
    units_per_em_ = head ? u16(head + 18) : 1000;
    metrics_ = hhea ? u16(hhea + 34) : 0;
  }

  // In ems; negative where the font has no such character.
  float advance(uint32_t character) const {
    const uint32_t glyph = glyph_of(character);
    if (!glyph || !metrics_) return -1;
    return float(u16(hmtx_ + 4 * std::min<size_t>(glyph, metrics_ - 1))) / float(units_per_em_);
  }

 private:
  uint16_t u16(size_t at) const { return at + 2 <= file_.size() ? uint16_t(uint16_t(file_[at]) << 8 | uint16_t(file_[at + 1])) : 0; }
  uint32_t u32(size_t at) const { return uint32_t(u16(at)) << 16 | u16(at + 2); }

  size_t table(std::string_view tag) const {
    for (size_t i = 0; i < u16(4); ++i) {
      const size_t record = 12 + 16 * i;
      if (record + 16 > file_.size()) break;
      if (std::string_view(reinterpret_cast<const char*>(file_.data()) + record, 4) == tag) return u32(record + 8);
    }
    return 0;
  }
  size_t unicode_map(size_t cmap) const {  // a format 4 table: the characters of the Basic Multilingual Plane
    for (size_t i = 0; cmap && i < u16(cmap + 2); ++i) {
      const size_t map = cmap + u32(cmap + 4 + 8 * i + 4);
      if (u16(map) == 4) return map;
    }
    return 0;
  }
  uint32_t glyph_of(uint32_t character) const {
    if (!cmap_ || character > 0xFFFF) return 0;
    const size_t segments = u16(cmap_ + 6) / 2, ends = cmap_ + 14, starts = ends + 2 * segments + 2, deltas = starts + 2 * segments, offsets = deltas + 2 * segments;
    for (size_t s = 0; s < segments; ++s) {
      if (u16(ends + 2 * s) < character) continue;
      const uint32_t start = u16(starts + 2 * s);
      if (start > character) return 0;
      const uint16_t offset = u16(offsets + 2 * s), delta = u16(deltas + 2 * s);
      if (!offset) return uint16_t(character + delta);
      const uint16_t glyph = u16(offsets + 2 * s + offset + 2 * (character - start));
      return glyph ? uint16_t(glyph + delta) : 0;
    }
    return 0;
  }

  std::span<const std::byte> file_;
  size_t hmtx_ = 0, cmap_ = 0, units_per_em_ = 1000, metrics_ = 0;
};

// One font, with DejaVu Sans for what it lacks; scripts that both lack are taken as square.
class Widths {
 public:
  explicit Widths(std::span<const std::byte> file) : font_(file), signs_(embedded::dejavu_sans()) {
    for (uint32_t c = 0; c < kTabled; ++c) latin_[c] = look_up(c);
  }
  float advance(uint32_t c) const { return c < kTabled ? latin_[c] : look_up(c); }

 private:
  float look_up(uint32_t c) const {
    float w = font_.advance(c);
    if (w < 0) w = signs_.advance(c);
    return w >= 0 ? w : c < 0x1100 ? 0.6f : 1.f;
  }
  FontTables font_, signs_;
  std::array<float, kTabled> latin_{};
};

struct Tables {
  Widths regular{embedded::roboto_regular()}, medium{embedded::roboto_medium()}, mono{embedded::jetbrains_mono()};
};

// The character at the front of `text`, which it shortens. Texts are valid UTF-8 here (display() made them so).
uint32_t take_character(std::string_view& text) {
  const uint8_t lead = uint8_t(text[0]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  uint32_t c = length == 1 ? lead : lead & (0x7F >> length);
  for (size_t i = 1; i < length && i < text.size(); ++i) c = c << 6 | (uint8_t(text[i]) & 0x3F);
  text.remove_prefix(std::min(length, text.size()));
  return c;
}

}  // namespace

float text_size(TextStyle style) {
  switch (style) {
    case TextStyle::Name: return 13;
    case TextStyle::Op: return 11;
    case TextStyle::Title: return 11;
    case TextStyle::Code: return 9;
    case TextStyle::Mono: return 10;
  }
  return 0;
}

float text_line_height(TextStyle style) { return text_size(style) * 1.2f; }

MeasureText default_measure() {
  static const Tables tables;
  return [](TextStyle style, std::string_view text) {
    const Widths& widths = style == TextStyle::Mono ? tables.mono : style == TextStyle::Name || style == TextStyle::Code ? tables.medium : tables.regular;
    float ems = 0;
    while (!text.empty()) ems += widths.advance(take_character(text));
    return ems * text_size(style);
  };
}

}  // namespace pt2::views
