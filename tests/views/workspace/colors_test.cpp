#include "views/workspace/colors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "views/workspace/contrast.h"
#include "views/workspace/tensor_image.h"

using namespace pt2::views;

namespace {

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

TEST_CASE("on any colour of an overlay the text of a box and of its chips can be read") {
  CHECK(contrast(0xFFFFFF, 0x000000) == doctest::Approx(21));
  CHECK(contrast(0x777777, 0xFFFFFF) == doctest::Approx(4.48).epsilon(0.001));
  auto plate = [](uint32_t fill, uint32_t other, double part) {
    uint32_t mixed = 0;
    for (const int shift : {16, 8, 0}) mixed |= uint32_t(std::lround((fill >> shift & 255) * (1 - part) + (other >> shift & 255) * part)) << shift;
    return mixed;
  };
  for (double part = 0; part <= 1; part += 1.0 / 256)
    for (const Palette palette : {Palette::Viridis, Palette::Gray, Palette::Diverging}) {
      const uint32_t rgba = palette_color(palette, part), fill = (rgba & 0xFF) << 16 | (rgba & 0xFF00) | (rgba >> 16 & 0xFF), text = text_on(fill);
      CAPTURE(fill);
      CHECK(contrast(fill, text) >= 4.5);
      CHECK(contrast(plate(fill, plate_below(text), 0.3), text) >= contrast(fill, text));
    }
}
