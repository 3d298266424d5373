#include "views/widgets/badges.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace pt2::views;

namespace {

struct Size { float w, h; };
constexpr Size kBoxes[] = {{48, 24}, {96, 20}, {96, 46}, {220, 62}};  // pills, parameters, operators without and with chips, in world units

// Signs as a box may have them together: one of each kind that excludes others.
std::vector<Badge> some_of(unsigned bits) {
  constexpr Badge kTogether[] = {Badge::Breakpoint, Badge::Current, Badge::Edited, Badge::Failed, Badge::NonFinite, Badge::Mismatch, Badge::Mutated, Badge::Bookmark};
  std::vector<Badge> badges;
  for (unsigned i = 0; i < 8; ++i)
    if (bits & 1u << i) badges.push_back(kTogether[i]);
  return badges;
}

bool apart(const PlacedBadge& a, const PlacedBadge& b) {
  const float least = (a.size + b.size) / 2 - 0.01f;
  return std::abs(a.center.x - b.center.x) >= least || std::abs(a.center.y - b.center.y) >= least;
}

}  // namespace

TEST_CASE("the signs of a box lie neither on each other nor on what is beside it, at every zoom and text size") {
  std::vector<PlacedBadge> placed;
  for (const float scale : {1.0f, 1.25f, 2.0f})
    for (const float zoom : {0.15f, 0.2f, 0.3f, 0.44f, 0.45f, 0.6f, 0.8f, 1.0f, 2.0f})
      for (const Size box : kBoxes)
        for (unsigned bits = 1; bits < 256; ++bits) {
          const float unit = zoom * scale;
          const ImVec2 min{100, 100}, max{100 + box.w * unit, 100 + box.h * unit};
          std::vector<Badge> badges = some_of(bits);
          place_badges(badges, min, max, unit, scale, placed);
          CAPTURE(scale);
          CAPTURE(zoom);
          CAPTURE(box.w);
          CAPTURE(bits);
          REQUIRE(!placed.empty());
          CHECK(std::any_of(placed.begin(), placed.end(), [&](const PlacedBadge& p) { return p.badge == badges.front(); }));  // the gravest
          const float reach = kSignReach * unit + 0.01f;
          for (size_t i = 0; i < placed.size(); ++i) {
            const PlacedBadge& p = placed[i];
            CHECK(p.center.x - p.size / 2 >= min.x - reach);
            CHECK(p.center.x + p.size / 2 <= max.x + reach);
            CHECK(p.center.y - p.size / 2 >= min.y - 2 * reach);
            CHECK(p.center.y + p.size / 2 <= max.y + reach);
            CHECK(p.size >= 4.4f);
            for (size_t k = 0; k < i; ++k) CHECK(apart(p, placed[k]));
            // Text begins 12 units from the left edge and ends 8 before the right one.
            if (zoom < kSignsOutside || p.badge == Badge::Bookmark) continue;
            CHECK((p.center.x + p.size / 2 <= min.x + 12 * unit || p.center.x - p.size / 2 >= max.x - 8 * unit - 0.01f));
          }
        }
}

TEST_CASE("with little room the gravest sign stays") {
  std::vector<Badge> badges{Badge::Executed, Badge::Mutated, Badge::Breakpoint, Badge::NonFinite};
  std::vector<PlacedBadge> placed;
  place_badges(badges, {0, 0}, {8, 7}, 0.16f, 1, placed);
  REQUIRE(placed.size() == 1);
  CHECK(placed[0].badge == Badge::NonFinite);
}
