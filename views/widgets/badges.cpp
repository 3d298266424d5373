#include "views/widgets/badges.h"

#include <cmath>

#include "views/compat.h"
#include "views/widgets/draw.h"

namespace pt2::views {
namespace {

Role role_of(Badge badge) {
  switch (badge) {
    case Badge::Breakpoint:
    case Badge::Conditional:
    case Badge::BreakpointOff:
    case Badge::Failed: return Role::Breakpoint;
    case Badge::Current: return Role::Current;
    case Badge::Executed: return Role::Executed;
    case Badge::NonFinite: return Role::NonFinite;
    case Badge::Mismatch: return Role::Warning;
    case Badge::Mutated:
    case Badge::Edited: return Role::Mutated;
    case Badge::Changed: return Role::Changed;
    case Badge::Added: return Role::Added;
    case Badge::Removed: return Role::Removed;
    case Badge::Bookmark:
    case Badge::Note: break;
  }
  return Role::Accent;
}

}  // namespace

void draw_badge(ImDrawList* list, const Theme& theme, Badge badge, ImVec2 center, float size, ImU32 color) {
  if (!color) color = theme.color(role_of(badge));
  switch (badge) {
    case Badge::Breakpoint: list->AddCircleFilled(center, size / 2, color); break;
    case Badge::Conditional:
      list->AddCircleFilled(center, size / 2, color);
      for (float y : {-0.13f, 0.13f}) list->AddLine({center.x - size * 0.25f, center.y + size * y}, {center.x + size * 0.25f, center.y + size * y}, IM_COL32_WHITE, 1.5f);
      break;
    case Badge::BreakpointOff: list->AddCircle(center, size / 2 - 1, color, 0, 2); break;
    case Badge::Current: draw::arrow_right(list, center, size, color, theme.name == ThemeName::Light ? theme.color(Role::CurrentOutline) : 0); break;
    case Badge::Executed: draw::tick(list, center, size, color); break;
    case Badge::Failed: draw::cross(list, center, size, color); break;
    case Badge::NonFinite: draw::hexagon(list, center, size, color); break;
    case Badge::Mismatch: draw::triangle_up(list, center, size, color); break;
    case Badge::Mutated: draw::pencil(list, center, size, color); break;
    case Badge::Changed: draw::diff_sign(list, center, size, draw::DiffSign::Changed, color); break;
    case Badge::Added: draw::diff_sign(list, center, size, draw::DiffSign::Added, color); break;
    case Badge::Removed: draw::diff_sign(list, center, size, draw::DiffSign::Removed, color); break;
    case Badge::Edited: draw::diamond(list, center, size, color); break;
    case Badge::Bookmark:
    case Badge::Note: draw_ribbon(list, theme, {center.x - size / 2, center.y + size * 0.25f}, size, badge == Badge::Bookmark); break;
  }
}

void draw_ribbon(ImDrawList* list, const Theme& theme, ImVec2 at, float size, int bookmark) {
  const ImU32 fill = theme.color(Role::Accent), ink = theme.color(Role::Canvas);
  const ImVec2 low{std::floor(at.x), std::floor(at.y - size * 0.9f)}, high{low.x + size * 1.1f, low.y + size * 1.3f};
  const ImVec2 notch{(low.x + high.x) / 2, high.y - size * 0.3f};
  list->AddRectFilled(low, {high.x, notch.y}, fill);
  list->AddTriangleFilled({low.x, notch.y}, notch, {low.x, high.y}, fill);
  list->AddTriangleFilled(notch, {high.x, notch.y}, high, fill);
  if (bookmark == 0) {
    for (int i = 0; i < 3; ++i) list->AddLine({low.x + size * 0.25f, low.y + size * (0.22f + 0.22f * float(i))}, {high.x - size * 0.25f, low.y + size * (0.22f + 0.22f * float(i))}, ink, 1);
    return;
  }
  const char digit[] = {char('0' + bookmark), '\0'};
  ImFont* font = theme.fonts.caption;
  const float height = size * 0.95f;
  const float width = font->CalcTextSizeA(height, FLT_MAX, 0, digit).x;
  list->AddText(font, height, {low.x + (size * 1.1f - width) / 2, low.y}, ink, digit);
}

void draw_chip_sign(ImDrawList* list, ChipKind kind, ImVec2 min, float side, ImU32 color) {
  const float half = float(int(side) / 2);
  if (kind == ChipKind::Object) return list->AddCircle({min.x + side / 2, min.y + side / 2}, side / 2, color);
  compat::add_rect(list, min, {min.x + side, min.y + side}, color, 0, 1);
  if (kind != ChipKind::Constant) list->AddRectFilled({min.x + 1, min.y + half}, {min.x + side - 1, min.y + half + 1}, color);
  if (kind == ChipKind::Parameter) list->AddRectFilled({min.x + half, min.y + 1}, {min.x + half + 1, min.y + side - 1}, color);
}

}  // namespace pt2::views
