#pragma once
// Small drawing helpers over ImDrawList: texts cut to their room, dashes, signs that no font has to hold.
#include <span>
#include <string>
#include <string_view>

#include "imgui.h"
#include "views/shell/theme.h"

namespace pt2::views::draw {

float text_width(SizedFont font, std::string_view text);
// On whole pixels; cut with "…" where it is wider than `room`.
void text(ImDrawList* list, SizedFont font, ImVec2 at, ImU32 color, std::string_view text, float room = 1e9f);
// The longest beginning that fits, with "…".
std::string elided(SizedFont font, std::string_view text, float room);
// The same for names, which differ at their ends: "layers…q_proj".
std::string elided_middle(SizedFont font, std::string_view text, float room);

void dashed_line(ImDrawList* list, std::span<const ImVec2> points, ImU32 color, float thickness, float dash, float gap);
void dashed_rect(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float thickness);
// Diagonal lines over a rectangle.
void hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float distance);

// The hatch of a family of operators, no two alike; inputs, outputs and others have none.
void family_pattern(ImDrawList* list, ImVec2 min, ImVec2 max, OpFamily family, ImU32 color, float unit);

// Signs in a square of `size` around `center`.
void tick(ImDrawList* list, ImVec2 center, float size, ImU32 color);
void arrow_right(ImDrawList* list, ImVec2 center, float size, ImU32 color, ImU32 outline = 0);
void hexagon(ImDrawList* list, ImVec2 center, float size, ImU32 color);
void triangle_up(ImDrawList* list, ImVec2 center, float size, ImU32 color);
enum class DiffSign : uint8_t { Changed, Added, Removed };  // ~ + −
void diff_sign(ImDrawList* list, ImVec2 center, float size, DiffSign sign, ImU32 color);
void cross(ImDrawList* list, ImVec2 center, float size, ImU32 color);
void diamond(ImDrawList* list, ImVec2 center, float size, ImU32 color);
void pencil(ImDrawList* list, ImVec2 center, float size, ImU32 color);

}  // namespace pt2::views::draw
