#include "views/workspace/tensor_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/tensor/element.h"

namespace pt2::views {
namespace {

constexpr uint32_t rgba(uint32_t rgb) { return 0xFF000000u | ((rgb & 0xFF) << 16) | (rgb & 0xFF00) | (rgb >> 16); }
constexpr uint32_t kBorder = rgba(0x404850);

// Stops of viridis (matplotlib, CC0) and of a blue–white–orange scale.
constexpr std::array<uint32_t, 9> kViridis{0x440154, 0x472D7B, 0x3B528B, 0x2C728E, 0x21918C, 0x28AE80, 0x5EC962, 0xADDC30, 0xFDE725};
constexpr std::array<uint32_t, 5> kDiverging{0x1F4E9E, 0x7FB2E5, 0xF7F7F7, 0xF7A35C, 0xA34700};

template <size_t N>
uint32_t blended(const std::array<uint32_t, N>& stops, double part) {
  const double at = part * double(N - 1);
  const size_t i = std::min(size_t(at), N - 2);
  const double t = at - double(i);
  uint32_t out = 0;
  for (int shift : {16, 8, 0}) {
    const double a = double((stops[i] >> shift) & 255), b = double((stops[i + 1] >> shift) & 255);
    out |= uint32_t(std::lround(a + (b - a) * t)) << shift;
  }
  return rgba(out);
}

// The place of an element: batch dimensions flattened, then channel, row, column.
struct Planes {
  ImageShape shape;
  int64_t channel_stride = 0, row_stride = 0, column_stride = 0, base = 0;  // in elements
};

// Position of a flattened batch index in the leading dimensions.
std::vector<int64_t> batch_index(const Tensor& tensor, size_t leading, int64_t batch) {
  std::vector<int64_t> index(leading, 0);
  for (size_t d = leading; d-- > 0;) {
    const int64_t size = std::max<int64_t>(tensor.sizes[d], 1);
    index[d] = batch % size;
    batch /= size;
  }
  return index;
}

struct Roles { int row = -1, column = -1, channel = -1; size_t leading = 0; };
Roles roles_of(const Tensor& tensor, bool channels_last) {
  const int rank = int(tensor.sizes.size());
  Roles roles;
  if (rank == 1) roles.column = 0;
  if (rank == 2) roles.row = 0, roles.column = 1;
  if (rank >= 3) {
    roles.leading = size_t(rank - 3);
    if (channels_last) roles.row = rank - 3, roles.column = rank - 2, roles.channel = rank - 1;
    else roles.channel = rank - 3, roles.row = rank - 2, roles.column = rank - 1;
  }
  return roles;
}

Planes planes_of(const Tensor& tensor, const ImageOptions& options) {
  const Roles roles = roles_of(tensor, options.channels_last);
  Planes planes;
  planes.shape = image_shape(tensor, options.channels_last);
  auto stride = [&](int dim) { return dim < 0 ? 0 : tensor.strides[size_t(dim)]; };
  planes.channel_stride = stride(roles.channel);
  planes.row_stride = stride(roles.row);
  planes.column_stride = stride(roles.column);
  const auto index = batch_index(tensor, roles.leading, std::clamp<int64_t>(options.batch, 0, planes.shape.batches - 1));
  for (size_t d = 0; d < index.size(); ++d) planes.base += index[d] * tensor.strides[d];
  return planes;
}

Element element_of(const Tensor& tensor, const Planes& planes, int64_t channel, int64_t row, int64_t column) {
  const int64_t at = planes.base + channel * planes.channel_stride + row * planes.row_stride + column * planes.column_stride;
  return read_element(tensor.dtype, tensor.bytes() + at * item_size(tensor.dtype));
}

// The colour of NaN or an infinity, which it counts.
uint32_t nonfinite(double value, ThemeName theme, TensorImage& image) {
  ++(std::isnan(value) ? image.nan : value > 0 ? image.positive_inf : image.negative_inf);
  return rgba(color_rgb(theme, nonfinite_role(value)));
}

}  // namespace

std::string ImageOptions::text() const {
  char out[256];
  const auto number = [](int64_t n) { return static_cast<long long>(n); };
  std::snprintf(out, sizeof out, "%d,%lld,%lld,%lld,%lld,%lld,%d,%.17g,%.17g,%d,%d", int(mode), number(batch), number(channel), number(rgb[0]), number(rgb[1]), number(rgb[2]), int(channels_last), low,
                high, int(palette), int(theme));
  return out;
}

ImageShape image_shape(const Tensor& tensor, bool channels_last) {
  const Roles roles = roles_of(tensor, channels_last);
  auto size = [&](int dim) { return dim < 0 ? 1 : tensor.sizes[size_t(dim)]; };
  ImageShape shape{1, size(roles.channel), size(roles.row), size(roles.column)};
  for (size_t d = 0; d < roles.leading; ++d) shape.batches *= tensor.sizes[d];
  return shape;
}

uint32_t palette_color(Palette palette, double part) {
  part = std::clamp(part, 0.0, 1.0);
  if (palette == Palette::Viridis) return blended(kViridis, part);
  if (palette == Palette::Diverging) return blended(kDiverging, part);
  const auto v = uint32_t(std::lround(part * 255));
  return rgba(v << 16 | v << 8 | v);
}

TensorImage tensor_image(const Tensor& tensor, const ImageOptions& options, const Tensor* minus) {
  TensorImage image;
  if (tensor.numel() == 0) return image;
  const Planes planes = planes_of(tensor, options);
  const ImageShape& shape = planes.shape;
  const bool tiles = options.mode == ImageMode::Tiles;
  image.columns = tiles ? std::min<int64_t>(shape.channels, kTileColumns) : 1;
  const int64_t lines = tiles ? (shape.channels + image.columns - 1) / image.columns : 1;
  // The largest that fits; where even one pixel for each tile does not, the last tiles are left out.
  while ((shape.width / image.step + 1) * image.columns > kMaxImageSide || (shape.height / image.step + 1) * std::min<int64_t>(lines, kMaxImageSide / 2) > kMaxImageSide) {
    if (image.step >= std::max(shape.width, shape.height)) break;
    image.step *= 2;
  }
  image.tile_width = (shape.width + image.step - 1) / image.step;
  image.tile_height = (shape.height + image.step - 1) / image.step;
  const int64_t border = tiles ? 1 : 0;
  const int64_t shown_lines = std::min<int64_t>(lines, std::max<int64_t>(1, kMaxImageSide / (image.tile_height + border)));
  image.width = int(image.columns * (image.tile_width + border) - border);
  image.height = int(shown_lines * (image.tile_height + border) - border);
  image.pixels.assign(size_t(image.width) * size_t(image.height), kBorder);

  const Planes other = minus ? planes_of(*minus, options) : Planes();
  const double scale = options.high > options.low ? 1 / (options.high - options.low) : 0;
  auto value = [&](int64_t channel, int64_t row, int64_t column) {
    const Element element = element_of(tensor, planes, channel, row, column);
    if (minus) return element_difference(element, element_of(*minus, other, channel, row, column));
    return std::holds_alternative<std::monostate>(element) ? 0.0 : as_double(element);
  };
  auto part = [&](double v) { return scale > 0 ? (v - options.low) * scale : 0.5; };
  const int64_t first = tiles ? 0 : std::clamp<int64_t>(options.channel, 0, shape.channels - 1);
  const int64_t last = tiles ? std::min(shape.channels, shown_lines * image.columns) : first + 1;
  for (int64_t channel = first; channel < last; ++channel) {
    const int64_t tile = channel - first, x0 = tile % image.columns * (image.tile_width + border), y0 = tile / image.columns * (image.tile_height + border);
    for (int64_t y = 0; y < image.tile_height; ++y)
      for (int64_t x = 0; x < image.tile_width; ++x) {
        uint32_t& pixel = image.pixels[size_t(y0 + y) * size_t(image.width) + size_t(x0 + x)];
        if (options.mode == ImageMode::Rgb) {
          pixel = 0xFF000000u;
          for (int64_t c = 0; c < 3; ++c) {
            const double v = value(std::clamp<int64_t>(options.rgb[size_t(c)], 0, shape.channels - 1), y * image.step, x * image.step);
            if (!std::isfinite(v)) {
              pixel = nonfinite(v, options.theme, image);
              break;
            }
            pixel |= uint32_t(std::lround(std::clamp(part(v), 0.0, 1.0) * 255)) << (8 * c);
          }
        } else {
          const double v = value(channel, y * image.step, x * image.step);
          pixel = std::isfinite(v) ? palette_color(options.palette, part(v)) : nonfinite(v, options.theme, image);
        }
      }
  }
  return image;
}

std::vector<int64_t> pixel_index(const Tensor& tensor, const ImageOptions& options, const TensorImage& image, int x, int y) {
  if (x < 0 || y < 0 || x >= image.width || y >= image.height) return {};
  const bool tiles = options.mode == ImageMode::Tiles;
  const int64_t border = tiles ? 1 : 0, tile_x = x / (image.tile_width + border), tile_y = y / (image.tile_height + border);
  const int64_t in_x = x % (image.tile_width + border), in_y = y % (image.tile_height + border);
  if (in_x >= image.tile_width || in_y >= image.tile_height) return {};
  const Roles roles = roles_of(tensor, options.channels_last);
  const ImageShape shape = image_shape(tensor, options.channels_last);
  const int64_t chosen = options.mode == ImageMode::Rgb ? options.rgb[0] : options.channel;
  const int64_t channel = tiles ? tile_y * image.columns + tile_x : std::clamp<int64_t>(chosen, 0, shape.channels - 1);
  if (channel >= shape.channels) return {};
  std::vector<int64_t> index = batch_index(tensor, roles.leading, std::clamp<int64_t>(options.batch, 0, shape.batches - 1));
  index.resize(tensor.sizes.size(), 0);
  if (roles.channel >= 0) index[size_t(roles.channel)] = channel;
  if (roles.row >= 0) index[size_t(roles.row)] = in_y * image.step;
  if (roles.column >= 0) index[size_t(roles.column)] = in_x * image.step;
  return index;
}

}  // namespace pt2::views
