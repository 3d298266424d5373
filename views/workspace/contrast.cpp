#include "views/workspace/contrast.h"

#include <algorithm>
#include <cmath>

namespace pt2::views {
namespace {

double luminance(uint32_t rgb) {
  auto linear = [](uint32_t part) {
    const double v = double(part) / 255;
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * linear(rgb >> 16 & 255) + 0.7152 * linear(rgb >> 8 & 255) + 0.0722 * linear(rgb & 255);
}

}  // namespace

double contrast(uint32_t a, uint32_t b) {
  const double x = luminance(a), y = luminance(b);
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

uint32_t text_on(uint32_t fill) { return contrast(fill, 0xFFFFFF) >= contrast(fill, 0) ? 0xFFFFFF : 0; }

}  // namespace pt2::views
