#pragma once
// Which of many rectangles touch a view or a point: a grid of cells with the rectangles that lie in them. Rectangles over many cells
// are kept apart and looked at each time.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/layout/geometry.h"

namespace pt2::views {

class SpatialGrid {
 public:
  SpatialGrid() = default;
  SpatialGrid(std::span<const Rect> rects, const Rect& bounds);

  // Calls `visit(index)` once for each rectangle that touches `view`, in ascending order within a cell only.
  template <class Visit>
  void visit(const Rect& view, Visit&& visit) const {
    for (uint32_t i : large_)
      if (rects_[i].intersects(view)) visit(i);
    if (cell_begin_.empty()) return;
    const Span x = span(view.x, view.right(), bounds_.x, cell_w_, columns_), y = span(view.y, view.bottom(), bounds_.y, cell_h_, lines_);
    for (uint32_t line = y.first; line <= y.last; ++line)
      for (uint32_t column = x.first; column <= x.last; ++column) {
        const size_t cell = size_t(line) * columns_ + column;
        for (uint32_t k = cell_begin_[cell]; k < cell_begin_[cell + 1]; ++k) {
          const uint32_t i = items_[k];
          const Rect& r = rects_[i];
          if (!r.intersects(view)) continue;
          // A rectangle over several cells counts in the first of them that the view covers.
          const Span rx = span(r.x, r.right(), bounds_.x, cell_w_, columns_), ry = span(r.y, r.bottom(), bounds_.y, cell_h_, lines_);
          if (column == std::max(rx.first, x.first) && line == std::max(ry.first, y.first)) visit(i);
        }
      }
  }

 private:
  struct Span { uint32_t first, last; };
  static Span span(float low, float high, float origin, float cell, uint32_t count);

  std::vector<Rect> rects_;
  Rect bounds_;
  float cell_w_ = 1, cell_h_ = 1;
  uint32_t columns_ = 0, lines_ = 0;
  std::vector<uint32_t> cell_begin_, items_, large_;
};

}  // namespace pt2::views
