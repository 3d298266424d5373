#include "views/widgets/draw.h"

#include <algorithm>
#include <cmath>

namespace pt2::views::draw {
namespace {

constexpr std::string_view kEllipsis = "…";

ImVec2 whole(ImVec2 p) { return {std::floor(p.x), std::floor(p.y)}; }

}  // namespace

float text_width(SizedFont font, std::string_view text) {
  if (!font.font || font.size <= 0) return 0;
  return font.font->CalcTextSizeA(font.size, 1e9f, 0, text.data(), text.data() + text.size()).x;
}

std::string elided(SizedFont font, std::string_view text, float room) {
  if (text_width(font, text) <= room) return std::string(text);
  const float left = room - text_width(font, kEllipsis);
  if (left <= 0) return "";
  const char* end = text.data();
  font.font->CalcTextSizeA(font.size, left, 0, text.data(), text.data() + text.size(), &end);
  return std::string(text.data(), end).append(kEllipsis);
}

std::string elided_middle(SizedFont font, std::string_view text, float room) {
  if (text_width(font, text) <= room) return std::string(text);
  const float left = room - text_width(font, kEllipsis);
  size_t tail = text.size();
  for (size_t at = tail; at > 0 && text_width(font, text.substr(at)) <= left / 2;) {
    tail = at--;
    while (at > 0 && (text[at] & 0xC0) == 0x80) --at;
  }
  const std::string_view end = text.substr(tail);
  return elided(font, text, room - text_width(font, end)).append(end);
}

void text(ImDrawList* list, SizedFont font, ImVec2 at, ImU32 color, std::string_view text, float room) {
  if (!font.font || font.size <= 0 || text.empty()) return;
  if (text_width(font, text) <= room) {
    list->AddText(font.font, font.size, whole(at), color, text.data(), text.data() + text.size());
  } else {
    const std::string cut = elided(font, text, room);
    list->AddText(font.font, font.size, whole(at), color, cut.data(), cut.data() + cut.size());
  }
}

void dashed_line(ImDrawList* list, std::span<const ImVec2> points, ImU32 color, float thickness, float dash, float gap) {
  float left = dash;  // of the dash or gap under way
  bool on = true;
  for (size_t i = 1; i < points.size(); ++i) {
    ImVec2 a = points[i - 1];
    const ImVec2 b = points[i];
    float length = std::hypot(b.x - a.x, b.y - a.y);
    if (length <= 0) continue;
    const ImVec2 unit{(b.x - a.x) / length, (b.y - a.y) / length};
    while (length > 0) {
      const float step = std::min(left, length);
      const ImVec2 c{a.x + unit.x * step, a.y + unit.y * step};
      if (on) list->AddLine(a, c, color, thickness);
      a = c;
      length -= step;
      left -= step;
      if (left <= 0.01f) {
        on = !on;
        left = on ? dash : gap;
      }
    }
  }
}

void dashed_rect(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float thickness) {
  const ImVec2 corners[] = {min, {max.x, min.y}, max, {min.x, max.y}, min};
  dashed_line(list, corners, color, thickness, 6, 4);
}

void hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float distance) {
  list->PushClipRect(min, max, true);
  const float height = max.y - min.y;
  for (float x = min.x - height; x < max.x; x += distance) list->AddLine({x, max.y}, {x + height, min.y}, color, 1);
  list->PopClipRect();
}

namespace {

// Lines across, down and along the diagonals, dashed or not, and dots, at a distance.
struct Pattern {
  bool across = false, down = false, falling = false, rising = false, dots = false, dashed = false;
  float distance = 8;
};
constexpr Pattern kPatterns[] = {
    {.across = true, .down = true, .distance = 9},       // convolution: squares
    {.falling = true, .rising = true, .distance = 12},   // matrix product: crossed
    {.across = true, .distance = 5},                     // normalization
    {.falling = true, .distance = 9},                    // activation
    {.dots = true, .distance = 6},                       // element-wise
    {.down = true, .distance = 6},                       // shape
    {.across = true, .dashed = true, .distance = 6},     // reduction
    {.dots = true, .dashed = true, .distance = 10},      // quantization: sparse, large dots
    {.down = true, .dashed = true, .distance = 7},       // control flow
    {}, {},
};
static_assert(std::size(kPatterns) == size_t(kOpFamilyCount));

}  // namespace

void family_pattern(ImDrawList* list, ImVec2 min, ImVec2 max, OpFamily family, ImU32 color, float unit) {
  const Pattern& pattern = kPatterns[size_t(family)];
  const float distance = pattern.distance * unit, height = max.y - min.y, dash = 5 * unit;
  if (distance < 2.5f) return;  // lines would run together
  list->PushClipRect(min, max, true);
  auto line = [&](ImVec2 a, ImVec2 b) {
    const ImVec2 ends[] = {a, b};
    if (pattern.dashed) dashed_line(list, ends, color, 1, dash, dash);
    else list->AddLine(a, b, color, 1);
  };
  if (pattern.across)
    for (float y = min.y + distance / 2; y < max.y; y += distance) line({min.x, y}, {max.x, y});
  if (pattern.down)
    for (float x = min.x + distance / 2; x < max.x; x += distance) line({x, min.y}, {x, max.y});
  for (float x = min.x - height; x < max.x; x += distance) {
    if (pattern.rising) line({x, max.y}, {x + height, min.y});
    if (pattern.falling) line({x, min.y}, {x + height, max.y});
  }
  if (pattern.dots) {
    const float half = pattern.dashed ? 1.5f * unit : std::max(0.5f, 0.8f * unit);
    for (float y = min.y + distance / 2; y < max.y; y += distance)
      for (float x = min.x + distance / 2; x < max.x; x += distance) list->AddRectFilled({x - half, y - half}, {x + half, y + half}, color);
  }
  list->PopClipRect();
}

void tick(ImDrawList* list, ImVec2 center, float size, ImU32 color) {
  const float u = size / 10;
  list->PathLineTo({center.x - 4 * u, center.y});
  list->PathLineTo({center.x - 1 * u, center.y + 3.5f * u});
  list->PathLineTo({center.x + 4.5f * u, center.y - 4 * u});
  list->PathStroke(color, 0, std::max(1.5f, 2 * u));
}

void arrow_right(ImDrawList* list, ImVec2 center, float size, ImU32 color, ImU32 outline) {
  const float h = size / 2;
  const ImVec2 a{center.x - h * 0.8f, center.y - h}, b{center.x + h, center.y}, c{center.x - h * 0.8f, center.y + h};
  list->AddTriangleFilled(a, b, c, color);
  if (outline) list->AddTriangle(a, b, c, outline, 1);
}

void hexagon(ImDrawList* list, ImVec2 center, float size, ImU32 color) { list->AddNgonFilled(center, size / 2, color, 6); }

void triangle_up(ImDrawList* list, ImVec2 center, float size, ImU32 color) {
  const float h = size / 2;
  list->AddTriangleFilled({center.x, center.y - h}, {center.x + h, center.y + h * 0.8f}, {center.x - h, center.y + h * 0.8f}, color);
}

void diff_sign(ImDrawList* list, ImVec2 center, float size, DiffSign sign, ImU32 color) {
  const float half = size / 2, thick = std::max(2.0f, size / 6);
  if (sign == DiffSign::Changed) {
    const ImVec2 wave[] = {{center.x - half, center.y + half / 3}, {center.x - half / 2, center.y - half / 3}, {center.x + half / 2, center.y + half / 3}, {center.x + half, center.y - half / 3}};
    for (int i = 0; i < 3; ++i) list->AddLine(wave[i], wave[i + 1], color, thick);
    return;
  }
  list->AddLine({center.x - half, center.y}, {center.x + half, center.y}, color, thick);
  if (sign == DiffSign::Added) list->AddLine({center.x, center.y - half}, {center.x, center.y + half}, color, thick);
}

void cross(ImDrawList* list, ImVec2 center, float size, ImU32 color) {
  const float h = size * 0.4f, thick = std::max(2.0f, size / 5);
  list->AddLine({center.x - h, center.y - h}, {center.x + h, center.y + h}, color, thick);
  list->AddLine({center.x - h, center.y + h}, {center.x + h, center.y - h}, color, thick);
}

void diamond(ImDrawList* list, ImVec2 center, float size, ImU32 color) { list->AddNgonFilled(center, size / 2, color, 4); }

void pencil(ImDrawList* list, ImVec2 center, float size, ImU32 color) {
  const float u = size / 10;
  list->AddLine({center.x - 2.5f * u, center.y + 2.5f * u}, {center.x + 3.5f * u, center.y - 3.5f * u}, color, std::max(2.0f, 2.6f * u));
  list->AddTriangleFilled({center.x - 4.5f * u, center.y + 4.5f * u}, {center.x - 3.6f * u, center.y + 1.2f * u}, {center.x - 1.2f * u, center.y + 3.6f * u}, color);
}

}  // namespace pt2::views::draw
