// The font atlas. FreeType with light hinting renders every size that is used; ImGui 1.86 cannot draw a font crisply at another size
// than its own, so labels of the graph have a ladder of sizes.
#include <cstring>

#include "embedded/dejavu_sans.h"
#include "embedded/font_awesome.h"
#include "embedded/jetbrains_mono.h"
#include "embedded/roboto_medium.h"
#include "embedded/roboto_regular.h"
#include "imgui_freetype.h"
#include "views/shell/theme.h"

namespace pt2::views {

namespace {

constexpr ImWchar kText[] = {0x20, 0x17F, 0x370, 0x3FF, 0x400, 0x44F, 0x2010, 0x2027, 0x2030, 0x203A, 0x20AC, 0x20AC, 0};
constexpr ImWchar kSigns[] = {0x2190, 0x22FF, 0x25A0, 0x25FF, 0x2713, 0x2713, 0x2717, 0x2718, 0xFFFD, 0xFFFD, 0};
constexpr ImWchar kIcons[] = {0xF000, 0xF2E0, 0};
constexpr ImWchar kLabel[] = {0x20, 0x7E, 0xA0, 0x17F, 0x2013, 0x2014, 0x2026, 0x2026, 0};
constexpr ImWchar kLabelSigns[] = {0x2190, 0x2193, 0x221E, 0x221E, 0x25A4, 0x25A4, 0x2713, 0x2713, 0};
constexpr float kLadder[] = {8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24, 28, 32, 40, 48};

// The atlas refers to the embedded bytes and must not free them.
ImFont* add(std::span<const std::byte> bytes, float pixels, const ImWchar* ranges, bool merge = false) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.MergeMode = merge;
  config.OversampleH = config.OversampleV = 1;
  config.PixelSnapH = true;
  config.FontBuilderFlags = ImGuiFreeTypeBuilderFlags_LightHinting;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<std::byte*>(bytes.data()), int(bytes.size()), pixels, &config, ranges);
}

ImFont* add_text(std::span<const std::byte> bytes, float pixels) {
  ImFont* font = add(bytes, pixels, kText);
  add(embedded::dejavu_sans(), pixels, kSigns, true);
  add(embedded::font_awesome(), pixels, kIcons, true);
  return font;
}

}  // namespace

void build_fonts(Theme& theme) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.TexDesiredWidth = 2048;
  atlas.FontBuilderIO = ImGuiFreeType::GetBuilderForFreeType();
  auto size = [&](float at_scale_1) { return float(int(at_scale_1 * theme.scale + 0.5f)); };
  Fonts& fonts = theme.fonts;
  fonts = {};
  fonts.body = add_text(embedded::roboto_regular(), size(15));
  fonts.table = add_text(embedded::roboto_regular(), size(13));
  fonts.caption = add_text(embedded::roboto_regular(), size(12));
  fonts.heading = add_text(embedded::roboto_medium(), size(18));
  fonts.mono = add_text(embedded::jetbrains_mono(), size(14));
  fonts.mono_small = add_text(embedded::jetbrains_mono(), size(12));
  for (float pixels : kLadder) {
    fonts.label_ladder.push_back(add(embedded::roboto_medium(), pixels, kLabel));
    add(embedded::dejavu_sans(), pixels, kLabelSigns, true);
    fonts.mono_ladder.push_back(add(embedded::jetbrains_mono(), pixels, kLabel));
    add(embedded::dejavu_sans(), pixels, kLabelSigns, true);
  }
  ImGui::GetIO().FontDefault = fonts.body;
}

}  // namespace pt2::views
