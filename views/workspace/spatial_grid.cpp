#include "views/workspace/spatial_grid.h"

#include <algorithm>
#include <cmath>

namespace pt2::views {
namespace {

constexpr float kMinCell = 64;           // world units: about a box
constexpr uint32_t kMaxCellsOfOne = 64;  // above that a rectangle is "large"

}  // namespace

SpatialGrid::Span SpatialGrid::span(float low, float high, float origin, float cell, uint32_t count) {
  auto clamped = [&](float v) {
    float at = std::floor((v - origin) / cell);
    return at <= 0 ? 0u : at >= float(count - 1) ? count - 1 : uint32_t(at);
  };
  return {clamped(low), clamped(high)};
}

SpatialGrid::SpatialGrid(std::span<const Rect> rects, const Rect& bounds) : rects_(rects.begin(), rects.end()), bounds_(bounds) {
  if (rects_.empty()) return;
  // About two rectangles a cell, if they are spread evenly.
  const float area = std::max(bounds.w, 1.0f) * std::max(bounds.h, 1.0f);
  const float side = std::max(kMinCell, std::sqrt(area / float(rects_.size()) * 2));
  columns_ = uint32_t(std::clamp(bounds.w / side, 1.0f, 4096.0f));
  lines_ = uint32_t(std::clamp(bounds.h / side, 1.0f, std::min(65536.0f, 4.0f * float(rects_.size()) / float(columns_) + 1)));
  cell_w_ = std::max(bounds.w, 1.0f) / float(columns_);
  cell_h_ = std::max(bounds.h, 1.0f) / float(lines_);

  auto each_cell = [&](const Rect& r, auto&& at_cell) {
    const Span x = span(r.x, r.right(), bounds_.x, cell_w_, columns_), y = span(r.y, r.bottom(), bounds_.y, cell_h_, lines_);
    if (size_t(x.last - x.first + 1) * (y.last - y.first + 1) > kMaxCellsOfOne) return false;
    for (uint32_t line = y.first; line <= y.last; ++line)
      for (uint32_t column = x.first; column <= x.last; ++column) at_cell(size_t(line) * columns_ + column);
    return true;
  };
  cell_begin_.assign(size_t(columns_) * lines_ + 1, 0);
  for (uint32_t i = 0; i < rects_.size(); ++i)
    if (!each_cell(rects_[i], [&](size_t cell) { ++cell_begin_[cell + 1]; })) large_.push_back(i);
  for (size_t cell = 1; cell < cell_begin_.size(); ++cell) cell_begin_[cell] += cell_begin_[cell - 1];
  items_.resize(cell_begin_.back());
  std::vector<uint32_t> next(cell_begin_.begin(), cell_begin_.end() - 1);
  for (uint32_t i = 0; i < rects_.size(); ++i) each_cell(rects_[i], [&](size_t cell) { items_[next[cell]++] = i; });
}

}  // namespace pt2::views
