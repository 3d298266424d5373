#include "views/workspace/colors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace pt2::views;

namespace {

// As WCAG defines it.
double luminance(uint32_t rgb) {
  auto linear = [](uint32_t part) {
    const double v = double(part) / 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}
double contrast(uint32_t a, uint32_t b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}
constexpr ThemeName kThemes[] = {ThemeName::Dark, ThemeName::Light};

}  // namespace

TEST_CASE("a box of every family stands out: its frame from what is around it, its text from its fill") {
  for (const ThemeName theme : kThemes) {
    for (const Role around : {Role::Canvas, Role::Panel}) CHECK(contrast(color_rgb(theme, Role::Outline), color_rgb(theme, around)) >= 3);
    for (int family = 0; family < kOpFamilyCount; ++family) {
      CAPTURE(family);
      CHECK(contrast(color_rgb(theme, family_role(OpFamily(family))), family_text_rgb(theme)) >= 4.5);
    }
  }
}

TEST_CASE("NaN and infinities stand out in either theme, and so do their words") {
  for (const ThemeName theme : kThemes)
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}) {
      const uint32_t fill = color_rgb(theme, nonfinite_role(value));
      CHECK(contrast(fill, color_rgb(theme, Role::Canvas)) >= 3);
      CHECK(contrast(fill, nonfinite_text_rgb(theme)) >= 4.5);
    }
  CHECK(nonfinite_role(-std::numeric_limits<double>::infinity()) != nonfinite_role(std::numeric_limits<double>::infinity()));
}

TEST_CASE("words in the colour of what they say can be read on a pane, and kinds of groups on a selected row of the light theme") {
  for (const ThemeName theme : kThemes)
    for (const Role role : {Role::Text, Role::Text2, Role::Added, Role::Removed, Role::Changed, Role::Warning}) {
      CAPTURE(int(theme));
      CAPTURE(int(role));
      CHECK(contrast(color_rgb(theme, role), color_rgb(theme, Role::Panel)) >= 4.5);
    }
  for (const Role role : {Role::Added, Role::Removed, Role::Changed}) CHECK(contrast(color_rgb(ThemeName::Light, role), color_rgb(ThemeName::Light, Role::SelectionRow)) >= 4.5);
}
