#pragma once
// Points and rectangles in world units: 1 u = 1 px at 100 %; y grows downwards.
#include <algorithm>

namespace pt2 {

struct Point {
  float x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
  float w = 0, h = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  Point center() const { return {x + w / 2, y + h / 2}; }
  bool empty() const { return w <= 0 || h <= 0; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
  bool intersects(const Rect& o) const { return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom(); }
  friend bool operator==(const Rect&, const Rect&) = default;
};

// The smallest rectangle around both; an empty one counts as nothing.
inline Rect united(const Rect& a, const Rect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  const float x = std::min(a.x, b.x), y = std::min(a.y, b.y);
  return {x, y, std::max(a.right(), b.right()) - x, std::max(a.bottom(), b.bottom()) - y};
}

}  // namespace pt2
