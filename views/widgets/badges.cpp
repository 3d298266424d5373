#include "views/widgets/badges.h"

#include <algorithm>
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
    case Badge::BreakpointInside:
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

constexpr float kBadgePixels = 10, kSmallBadgePixels = 9, kLeastBadgePixels = 6, kBetween = 1;

// The gravest first.
constexpr Badge kGravity[] = {Badge::Failed, Badge::NonFinite, Badge::Mismatch, Badge::Current, Badge::Breakpoint, Badge::Conditional, Badge::BreakpointInside, Badge::BreakpointOff, Badge::Edited,
                              Badge::Removed, Badge::Added, Badge::Changed, Badge::Bookmark, Badge::Note, Badge::Mutated, Badge::Executed};
size_t gravity(Badge badge) { return size_t(std::find(std::begin(kGravity), std::end(kGravity), badge) - std::begin(kGravity)); }

// Columns of a box, and how far down in them a sign stands that is alone there.
enum class Side : uint8_t { Left, Right, Top };
struct Slot { Side side; float down; };
Slot slot(Badge badge) {
  switch (badge) {
    case Badge::Breakpoint:
    case Badge::Conditional:
    case Badge::BreakpointOff:
    case Badge::BreakpointInside: return {Side::Left, 0};
    case Badge::Current: return {Side::Left, 0.5f};
    case Badge::Edited:
    case Badge::Changed:
    case Badge::Added:
    case Badge::Removed: return {Side::Left, 0.6f};
    case Badge::Executed:
    case Badge::Failed: return {Side::Left, 1};
    case Badge::NonFinite: return {Side::Right, 0};
    case Badge::Mismatch: return {Side::Right, 0.5f};
    case Badge::Mutated: return {Side::Right, 1};
    case Badge::Bookmark:
    case Badge::Note: break;
  }
  return {Side::Top, 0};
}

// How many of `count` signs go into `room`, and how large they are; at least one.
std::pair<size_t, float> fit(size_t count, float room, float size) {
  const size_t most = std::max<size_t>(1, size_t((room + kBetween) / (kLeastBadgePixels + kBetween)));
  count = std::min(count, most);
  return {count, std::min(size, (room - kBetween * float(count - 1)) / float(count))};
}

void place_column(const std::vector<Badge>& badges, Side side, ImVec2 min, ImVec2 max, float unit, float wanted, std::vector<PlacedBadge>& placed) {
  Badge column[std::size(kGravity)];
  size_t all = 0;
  for (Badge badge : badges)
    if (slot(badge).side == side) column[all++] = badge;
  if (all == 0) return;
  const auto [count, size] = fit(all, max.y - min.y, wanted);
  std::stable_sort(column, column + count, [](Badge a, Badge b) { return slot(a).down < slot(b).down; });
  // Outside as far as may be, a little inside where the zoom leaves less there.
  const float out = kSignReach * unit - size / 2, x = side == Side::Left ? min.x - out : max.x + out;
  // Where each would stand alone, moved down and then up again as far as the others need.
  const size_t first = placed.size();
  const float step = size + kBetween, top = min.y + size / 2, bottom = max.y - size / 2;
  for (size_t i = 0; i < count; ++i) {
    const float alone = top + slot(column[i]).down * (bottom - top);
    placed.push_back({column[i], {x, i ? std::max(alone, placed.back().center.y + step) : alone}, size});
  }
  float below = bottom;
  for (size_t i = placed.size(); i-- > first; below = placed[i].center.y - step) placed[i].center.y = std::min(placed[i].center.y, below);
}

}  // namespace

void place_badges(std::vector<Badge>& badges, ImVec2 min, ImVec2 max, float unit, float scale, std::vector<PlacedBadge>& placed) {
  placed.clear();
  if (badges.empty()) return;
  std::sort(badges.begin(), badges.end(), [](Badge a, Badge b) { return gravity(a) < gravity(b); });
  if (unit < kSignsOutside * scale) {
    const float height = max.y - min.y, size = std::max(std::min(kSmallBadgePixels * scale, height - 1), std::min(5.0f, kSignReach * unit + height));
    const size_t count = std::clamp<size_t>(size_t((max.x - min.x - 1) / (size + kBetween)), 1, badges.size());
    float x = count == 1 && max.x - min.x < size ? (min.x + max.x) / 2 : min.x + 1 + size / 2;
    for (size_t i = 0; i < count; ++i, x += size + kBetween) placed.push_back({badges[i], {x, (min.y + max.y) / 2}, size});
    return;
  }
  const float size = std::min(std::max(kSmallBadgePixels * scale, kBadgePixels * unit), (kSignReach + kSignInside) * unit);
  place_column(badges, Side::Left, min, max, unit, size, placed);
  place_column(badges, Side::Right, min, max, unit, size, placed);
  // One ribbon, left of what the right column takes of the box; low boxes have text up to their edge, so that it stands over it.
  for (Badge badge : badges)
    if (slot(badge).side == Side::Top) {
      const float sunk = max.y - min.y < 2.2f * size ? 0 : 0.4f * size;
      placed.push_back({badge, {max.x - kSignInside * unit - size * 0.5f, min.y + sunk - size / 2}, size});
    }
}

void draw_badge(ImDrawList* list, const Theme& theme, Badge badge, ImVec2 center, float size, ImU32 color) {
  if (!color) color = theme.color(role_of(badge));
  switch (badge) {
    case Badge::Breakpoint: list->AddCircleFilled(center, size / 2, color); break;
    case Badge::Conditional:
      list->AddCircleFilled(center, size / 2, color);
      for (float y : {-0.13f, 0.13f}) list->AddLine({center.x - size * 0.25f, center.y + size * y}, {center.x + size * 0.25f, center.y + size * y}, IM_COL32_WHITE, 1.5f);
      break;
    case Badge::BreakpointOff: list->AddCircle(center, size / 2 - 1, color, 0, 2); break;
    // A ring around the sign of the node.
    case Badge::BreakpointInside:
      list->AddCircle(center, size / 2 - 0.5f, color, 0, 1.5f);
      list->AddCircleFilled(center, size * 0.24f, color);
      break;
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
    case Badge::Note: draw_ribbon(list, theme, center, size, badge == Badge::Bookmark); break;
  }
}

void draw_ribbon(ImDrawList* list, const Theme& theme, ImVec2 center, float size, int bookmark) {
  const ImU32 fill = theme.color(Role::Accent), ink = theme.color(Role::Canvas);
  const ImVec2 low{std::floor(center.x - size * 0.45f), std::floor(center.y - size / 2)}, high{low.x + size * 0.9f, low.y + size};
  const ImVec2 notch{(low.x + high.x) / 2, high.y - size * 0.3f};
  list->AddRectFilled(low, {high.x, notch.y}, fill);
  list->AddTriangleFilled({low.x, notch.y}, notch, {low.x, high.y}, fill);
  list->AddTriangleFilled(notch, {high.x, notch.y}, high, fill);
  if (bookmark == 0) {
    for (int i = 0; i < 3; ++i) list->AddLine({low.x + size * 0.2f, low.y + size * (0.17f + 0.17f * float(i))}, {high.x - size * 0.2f, low.y + size * (0.17f + 0.17f * float(i))}, ink, 1);
    return;
  }
  const char digit[] = {char('0' + bookmark), '\0'};
  ImFont* font = theme.fonts.caption;
  const float height = size * 0.8f;
  const float width = font->CalcTextSizeA(height, FLT_MAX, 0, digit).x;
  list->AddText(font, height, {(low.x + high.x - width) / 2, low.y - size * 0.04f}, ink, digit);
}

void draw_chip_sign(ImDrawList* list, ChipKind kind, ImVec2 min, float side, ImU32 color) {
  const float half = float(int(side) / 2);
  if (kind == ChipKind::Object) return list->AddCircle({min.x + side / 2, min.y + side / 2}, side / 2, color);
  compat::add_rect(list, min, {min.x + side, min.y + side}, color, 0, 1);
  if (kind != ChipKind::Constant) list->AddRectFilled({min.x + 1, min.y + half}, {min.x + side - 1, min.y + half + 1}, color);
  if (kind == ChipKind::Parameter) list->AddRectFilled({min.x + half, min.y + 1}, {min.x + half + 1, min.y + side - 1}, color);
}

}  // namespace pt2::views
