#pragma once
// A tensor as a picture: one channel, three as colours, or all channels as tiles. Made in a job; pixels are RGBA, bytes in that order.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor.h"
#include "views/workspace/colors.h"

namespace pt2::views {

enum class ImageMode : uint8_t { Single, Rgb, Tiles };
enum class Palette : uint8_t { Gray, Viridis, Diverging };  // Diverging: blue below, orange above the middle of the range

struct ImageOptions {
  ImageMode mode = ImageMode::Single;
  int64_t batch = 0;            // index over all dimensions before the channels, flattened
  int64_t channel = 0;          // Single: the one
  std::array<int64_t, 3> rgb{0, 1, 2};  // Rgb: the channels of red, green and blue
  bool channels_last = false;   // [.., H, W, C] instead of [.., C, H, W]
  double low = 0, high = 1;     // values drawn as the palette's ends
  Palette palette = Palette::Gray;
  ThemeName theme = ThemeName::Dark;    // whose colours NaN and infinities have: those of the grid
  friend bool operator==(const ImageOptions&, const ImageOptions&) = default;
  std::string text() const;     // for cache keys
};

// How a tensor's dimensions are read; sizes are 1 where it has fewer.
struct ImageShape { int64_t batches = 1, channels = 1, height = 1, width = 1; };
ImageShape image_shape(const Tensor& tensor, bool channels_last);

struct TensorImage {
  int width = 0, height = 0;
  std::vector<uint32_t> pixels;
  int64_t step = 1;             // each step-th element of a row and column is drawn
  int64_t nan = 0, positive_inf = 0, negative_inf = 0;  // of the elements drawn
  int64_t tile_width = 0, tile_height = 0, columns = 1;  // in pixels, with a border of one between tiles
};

inline constexpr int kMaxImageSide = 2048, kTileColumns = 8;

// NaN and infinities have the colours they have in the grid. `minus`, of the same shape: the picture of the difference.
TensorImage tensor_image(const Tensor& tensor, const ImageOptions& options, const Tensor* minus = nullptr);
// The index in the tensor of a pixel; empty: between tiles.
std::vector<int64_t> pixel_index(const Tensor& tensor, const ImageOptions& options, const TensorImage& image, int x, int y);

uint32_t palette_color(Palette palette, double part);  // part 0 … 1

}  // namespace pt2::views
