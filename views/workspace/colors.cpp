#include "views/workspace/colors.h"

namespace pt2::views {

namespace {
struct Pair { uint32_t dark, light; };
constexpr Pair kColors[] = {
    {0x16191F, 0xF6F7F9}, {0x1C2027, 0xFFFFFF}, {0x252A33, 0xE9ECF1}, {0x3A414D, 0xC3CAD4}, {0x7D8795, 0x6F7987}, {0xE6EAF0, 0x1B1F26},
    {0xA9B2BF, 0x4D5765}, {0x6F7987, 0x858E9B}, {0x4FA3E3, 0x0B63B0}, {0xFFFFFF, 0x000000}, {0x2B4A66, 0xCFE4F7},
    // current … changed
    {0xFFD54A, 0xFFC400}, {0x16191F, 0x1B1F26}, {0xE5484D, 0xC62828}, {0x3DBE9E, 0x00796B}, {0xFF4FC8, 0xB0008E}, {0x9C8CFF, 0x6A3FC4},
    {0xFF9A4D, 0xB84A00}, {0x4FA3E3, 0x0B63B0}, {0xFF9A4D, 0xB84A00}, {0x4FA3E3, 0x0B63B0}, {0xE0632E, 0x7F2704}, {0xEFE08C, 0x755F00},
    // families
    {0x0B6FA4, 0xBFE0F3}, {0x3D5BB8, 0xCBD6F7}, {0x7A5C00, 0xF3E2AE}, {0x00775A, 0xBFE8DA}, {0xA34700, 0xFAD4B5}, {0x555B66, 0xDDE1E7},
    {0x8A3F75, 0xEFCBE3}, {0x6A4FB0, 0xDCD0F5}, {0x9C2F45, 0xF6CAD1}, {0x3B4252, 0xD5DAE4}, {0x4A5A4A, 0xD6E3D6},
};
static_assert(sizeof kColors / sizeof *kColors == size_t(Role::Count));
}  // namespace

uint32_t color_rgb(ThemeName theme, Role role) {
  const Pair& pair = kColors[size_t(role)];
  return theme == ThemeName::Dark ? pair.dark : pair.light;
}

// Dark on the bright colours of the dark theme, white on the deep ones of the light theme: 7:1 and 5:1 at least.
uint32_t nonfinite_text_rgb(ThemeName theme) { return theme == ThemeName::Dark ? 0x000000 : 0xFFFFFF; }

}  // namespace pt2::views
