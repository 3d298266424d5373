#include "core/tensor/tensor_image.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/tensor/element.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

constexpr int64_t kLargestSide = 16384;

using Colour = std::array<double, 3>;

// A point on a line through colours at equal distances.
std::array<uint8_t, 3> between(std::span<const Colour> stops, double t) {
  const double at = std::clamp(t, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const size_t i = std::min(static_cast<size_t>(at), stops.size() - 2);
  std::array<uint8_t, 3> colour{};
  for (size_t c = 0; c < 3; ++c) colour[c] = static_cast<uint8_t>(std::lround(stops[i][c] + (stops[i + 1][c] - stops[i][c]) * (at - static_cast<double>(i))));
  return colour;
}

constexpr Colour kViridis[] = {{68, 1, 84}, {71, 44, 122}, {59, 81, 139}, {44, 113, 142}, {33, 144, 141}, {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
constexpr Colour kDiverging[] = {{33, 78, 157}, {120, 163, 213}, {247, 247, 247}, {244, 165, 96}, {200, 84, 14}};

std::array<uint8_t, 3> colour_of(double value, double low, double high) {
  if (std::isnan(value)) return {255, 0, 255};
  if (std::isinf(value)) return value > 0 ? std::array<uint8_t, 3>{255, 255, 255} : std::array<uint8_t, 3>{0, 0, 0};
  if (low < 0 && high > 0) return between(kDiverging, value / std::max(-low, high) / 2 + 0.5);
  return between(kViridis, high > low ? value / (high - low) - low / (high - low) : 0.5);
}

}  // namespace

Result<TensorImage> tensor_image(const Tensor& tensor, double low, double high) {
  const auto numel = checked_numel(tensor.sizes);
  if (!numel || *numel == 0) return Error{ErrorKind::Failed, "a tensor " + shape_text(tensor.sizes) + " has no picture", "", ""};
  const size_t dims = tensor.sizes.size();
  const int64_t rows = dims > 1 ? tensor.sizes[dims - 2] : 1, columns = dims > 0 ? tensor.sizes[dims - 1] : 1;
  const int64_t tiles = *numel / (rows * columns);
  // Tiles in a grid that is about as wide as high, with a line of a pixel between.
  const int64_t across = std::clamp<int64_t>(std::llround(std::sqrt(static_cast<double>(tiles) * static_cast<double>(rows) / static_cast<double>(columns))), 1, tiles);
  const int64_t down = (tiles + across - 1) / across;
  if (columns > kLargestSide || rows > kLargestSide || across * (columns + 1) > kLargestSide || down * (rows + 1) > kLargestSide)
    return Error{ErrorKind::Limit, "the picture of a tensor " + shape_text(tensor.sizes) + " would have more than " + std::to_string(kLargestSide) + " pixels at a side", "", "Take a part with --slice."};
  TensorImage image;
  image.width = static_cast<int>(across * (columns + 1) - 1);
  image.height = static_cast<int>(down * (rows + 1) - 1);
  image.rgba.assign(static_cast<size_t>(image.width) * static_cast<size_t>(image.height) * 4, 0);
  int64_t row = 0;
  const auto run = [&](const std::byte* at, int64_t count, int64_t step) {
    const int64_t tile = row / rows, y = tile / across * (rows + 1) + row % rows, x = tile % across * (columns + 1);
    uint8_t* pixel = image.rgba.data() + (y * image.width + x) * 4;
    for (int64_t i = 0; i < count; ++i, at += step, pixel += 4) {
      const auto colour = colour_of(as_double(read_element(tensor.dtype, at)), low, high);
      std::copy(colour.begin(), colour.end(), pixel);
      pixel[3] = 255;
    }
    ++row;
  };
  for_each_run(tensor, run);
  return image;
}

}  // namespace pt2
