#include "core/layout/tag_block.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pt2 {
namespace {

constexpr float kColumnGap = 14, kRowGap = 3, kLaneGap = 7;  // a lane: a line runs in it
constexpr float kOneColumn = 260;                            // as long as a single column may be
constexpr float kPortMargin = 8;                             // from the box's corner to a line's end

// A single column where it is short enough, else about as long as all columns are wide; all columns have as many rows, but the last.
size_t rows_for(const std::vector<FlowSize>& sizes) {
  const size_t count = sizes.size();
  float cross = 0, main = 0;
  for (const FlowSize& size : sizes) cross += size.cross + kColumnGap, main += size.main + kRowGap;
  const size_t square = size_t(std::ceil(std::sqrt(float(count) * cross / main))), short_enough = size_t(kOneColumn * float(count) / main);
  const size_t most = std::clamp(std::max(square, short_enough), size_t{1}, count), columns = (count + most - 1) / most;
  return (count + columns - 1) / columns;
}

// Leaves and arrives across the flow.
void across(std::vector<FlowPoint>& path, FlowPoint to) {
  const FlowPoint from = path.back();
  const float middle = (from.cross + to.cross) / 2;
  path.insert(path.end(), {{middle, from.main}, {middle, to.main}, to});
}

}  // namespace

TagBlock::TagBlock(const std::vector<FlowSize>& sizes, float box_main, Side side) {
  const size_t count = sizes.size();
  if (!count) return;
  const size_t rows = rows_for(sizes);
  const bool lanes = rows < count;
  std::vector<float> begin(rows + 1);  // of rows; their tags stand side by side, so that there is a lane after each
  for (size_t r = 0; r < rows; ++r) {
    float longest = 0;
    for (size_t i = r; i < count; i += rows) longest = std::max(longest, sizes[i].main);
    begin[r + 1] = begin[r] + longest + (lanes ? kLaneGap : kRowGap);
  }
  const float main = lanes ? begin.back() : begin.back() - kRowGap, more = main - box_main;
  // Labels of values stand behind the box: what leaves it reaches beyond its start alone.
  const float start = side == Side::Out && more > 0 ? -more : -more / 2;
  before_ = std::max(0.f, -start);
  after_ = std::max(0.f, start + main - box_main);

  const float margin = std::min(kPortMargin, box_main / 4), outward = side == Side::In ? -1.f : 1.f;
  auto port = [&](float at) {
    return more <= 0 ? std::clamp(start + at, margin, box_main - margin) : margin + at / main * (box_main - 2 * margin);
  };
  const float nearest = kColumnGap + std::clamp(more / 8, 0.f, kColumnGap);  // long ways along the box need some room to turn
  float near = nearest, widest = 0;
  for (size_t i = 0; i < count; ++i) {
    const size_t row = i % rows;
    if (i && row == 0) near += std::exchange(widest, 0.f) + kColumnGap;
    const FlowSize size = sizes[i];
    widest = std::max(widest, size.cross);
    const float middle = begin[row] + size.main / 2, lane = begin[row + 1] - kLaneGap / 2;
    PlacedTag tag{{side == Side::In ? -near - size.cross : near, start + begin[row], size}, {{outward * near, start + middle}}};
    if (i >= rows) {
      across(tag.line, {outward * (near - kColumnGap), start + lane});
      across(tag.line, {outward * nearest, start + lane});
    }
    across(tag.line, {0, port(i >= rows ? lane : middle)});
    if (side == Side::Out) std::reverse(tag.line.begin(), tag.line.end());
    tags_.push_back(std::move(tag));
  }
  cross_ = near + widest + kRowGap;
}

std::vector<PlacedTag> TagBlock::placed(FlowPoint corner) const {
  std::vector<PlacedTag> tags = tags_;
  for (PlacedTag& tag : tags) {
    tag.rect.cross += corner.cross, tag.rect.main += corner.main;
    for (FlowPoint& p : tag.line) p.cross += corner.cross, p.main += corner.main;
  }
  return tags;
}

}  // namespace pt2
