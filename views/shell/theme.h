#pragma once
// Colours by role and fonts by use, for one UI scale. Text that zooms with the graph comes from a ladder of sizes, drawn at native size
// on whole pixels, so that it is crisp at every zoom.
#include <string>
#include <vector>

#include "imgui.h"
#include "views/workspace/colors.h"

namespace pt2::views {

struct SizedFont {
  ImFont* font = nullptr;
  float size = 0;  // pixels to draw with; 0: too small, draw no text
};

struct Fonts {
  ImFont *body = nullptr, *table = nullptr, *caption = nullptr, *heading = nullptr;  // Roboto 15, 13, 12, 18 (with icons and signs)
  ImFont* mono = nullptr;                                                            // JetBrains Mono 14
  ImFont* mono_small = nullptr;                                                      // 12
  std::vector<ImFont*> label_ladder, mono_ladder;                                    // 8 … 48 px
  SizedFont label(float pixels) const { return rung(label_ladder, pixels); }         // for node names and ops
  SizedFont label_mono(float pixels) const { return rung(mono_ladder, pixels); }     // for edge labels and chips

 private:
  static SizedFont rung(const std::vector<ImFont*>& ladder, float pixels);
};

class Theme {
 public:
  ThemeName name = ThemeName::Dark;
  float scale = 1;  // of everything but graph world units: DPI × the user's font size
  Fonts fonts;

  ImU32 color(Role role, float alpha = 1) const;
  ImVec4 color4(Role role, float alpha = 1) const;
  ImU32 family(OpFamily family, float alpha = 1) const { return color(family_role(family), alpha); }
  ImU32 family_text(float alpha = 1) const;
  ImU32 nonfinite_text() const;
  // Of a hatch on a family's fill: darker than it, so that in the dark theme the white text stands out more, and in the light one little less.
  ImU32 family_pattern(float alpha = 1) const { return IM_COL32(0, 0, 0, int((name == ThemeName::Dark ? 110 : 64) * alpha)); }
  float px(float at_scale_1) const { return at_scale_1 * scale; }
};

// Builds the font atlas for a scale (existing fonts are dropped). Never fails: without a font the built-in one is used.
void build_fonts(Theme& theme);
// Writes colours and sizes to ImGui's style, from a pristine base.
void apply_style(const Theme& theme);

}  // namespace pt2::views
