#include "app/icon.h"

#include <cstddef>
#include <cstdint>

namespace pt2::app {

namespace {

struct Shape { float x0, y0, x1, y1; uint32_t rgb; };
// In units of the icon's side: edges first, then boxes in the colours of convolution, normalisation and activation.
constexpr Shape kShapes[] = {{0.47f, 0.20f, 0.53f, 0.80f, 0xA9B2BF}, {0.16f, 0.06f, 0.84f, 0.28f, 0x0B6FA4}, {0.16f, 0.39f, 0.84f, 0.61f, 0xFFD54A}, {0.16f, 0.72f, 0.84f, 0.94f, 0x00775A}};

}  // namespace

std::vector<unsigned char> icon_pixels(int size) {
  std::vector<unsigned char> pixels(std::size_t(size) * std::size_t(size) * 4, 0);
  for (const Shape& shape : kShapes)
    for (int y = int(shape.y0 * float(size)); y < int(shape.y1 * float(size)); ++y)
      for (int x = int(shape.x0 * float(size)); x < int(shape.x1 * float(size)); ++x) {
        unsigned char* p = &pixels[(std::size_t(y) * std::size_t(size) + std::size_t(x)) * 4];
        p[0] = shape.rgb >> 16 & 0xFF, p[1] = shape.rgb >> 8 & 0xFF, p[2] = shape.rgb & 0xFF, p[3] = 255;
      }
  return pixels;
}

}  // namespace pt2::app
