#pragma once
// Colours by role, not by hue, for both themes; the same for the window and for rendered pictures.
#include <cmath>
#include <cstdint>

#include "views/workspace/op_family.h"

namespace pt2::views {

enum class ThemeName : uint8_t { Dark, Light };

enum class Role : uint8_t {
  Canvas, Panel, Raised, Border, Outline, Text, Text2, Disabled, Accent, SelectionRing, SelectionRow,
  Current, CurrentOutline, Breakpoint, Executed, NonFinite, Mutated, Warning, Upstream, Downstream, Added, Removed, Changed,
  // Fills of op families, in the order of OpFamily.
  FamilyCnv, FamilyMm, FamilyNrm, FamilyAct, FamilyEw, FamilyShp, FamilyRed, FamilyQ, FamilyCtl, FamilyIo, FamilyOther,
  Count
};

inline Role family_role(OpFamily family) { return Role(uint8_t(Role::FamilyCnv) + uint8_t(family)); }

// Behind NaN and behind infinities of either sign, wherever elements are shown; and the text on it.
inline Role nonfinite_role(double value) { return std::isnan(value) ? Role::NonFinite : value > 0 ? Role::Warning : Role::Accent; }
uint32_t nonfinite_text_rgb(ThemeName theme);

// 0xRRGGBB.
uint32_t color_rgb(ThemeName theme, Role role);
// Text on a family's fill: white on dark fills, dark on pastel ones.
inline uint32_t family_text_rgb(ThemeName theme) { return theme == ThemeName::Dark ? 0xFFFFFF : 0x1B1F26; }

}  // namespace pt2::views
