#include <doctest/doctest.h>

#include <limits>
#include <numeric>

#include "core/tensor/element.h"
#include "tests/support/tensors.h"
#include "views/workspace/tensor_image.h"

using namespace pt2;
using namespace pt2::views;
using pt2::test::floats;

namespace {

Tensor counting(Shape sizes) {
  const int64_t count = std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>());
  std::vector<float> values(static_cast<size_t>(count));
  std::iota(values.begin(), values.end(), 0.0f);
  return floats(std::move(sizes), std::move(values));
}
constexpr uint32_t gray(uint32_t v) { return 0xFF000000u | v << 16 | v << 8 | v; }

}  // namespace

TEST_CASE("one channel of a tensor is drawn between black and white") {
  ImageOptions options;
  options.high = 255;
  options.batch = 1;
  options.channel = 1;
  const Tensor t = counting({2, 2, 3, 4});  // batch 1, channel 1 begins at 36
  const TensorImage image = tensor_image(t, options);
  CHECK(image.width == 4);
  CHECK(image.height == 3);
  CHECK(image.pixels[0] == gray(36));
  CHECK(image.pixels[11] == gray(47));
  CHECK(pixel_index(t, options, image, 3, 2) == std::vector<int64_t>{1, 1, 2, 3});
  options.channels_last = true;             // [2, 3, 4] as H, W, C
  CHECK(image_shape(t, true).channels == 4);
  CHECK(tensor_image(t, options).pixels[1] == gray(24 + 4 + 1));
}

TEST_CASE("all channels are tiles with a line between them") {
  ImageOptions options;
  options.mode = ImageMode::Tiles;
  options.high = 255;
  const Tensor t = counting({10, 2, 2});
  const TensorImage image = tensor_image(t, options);
  CHECK(image.width == 8 * 3 - 1);
  CHECK(image.height == 2 * 3 - 1);
  CHECK(image.pixels[3] == gray(4));                                       // channel 1
  CHECK(image.pixels[size_t(3 * image.width)] == gray(32));                // channel 8, second line
  CHECK(pixel_index(t, options, image, 2, 0).empty());                     // between tiles
  CHECK(pixel_index(t, options, image, 3, 3) == std::vector<int64_t>{9, 0, 0});
  CHECK(pixel_index(t, options, image, 6, 3).empty());                     // no channel 10
}

TEST_CASE("NaN and infinities have the grid's colours in either theme, and are counted") {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor t = floats({1, 4}, {std::numeric_limits<float>::quiet_NaN(), inf, -inf, 1});
  for (const ThemeName theme : {ThemeName::Dark, ThemeName::Light}) {
    ImageOptions options;
    options.theme = theme;
    const TensorImage image = tensor_image(t, options);
    auto rgb = [&](size_t pixel) { return (image.pixels[pixel] & 0xFF) << 16 | (image.pixels[pixel] & 0xFF00) | (image.pixels[pixel] >> 16 & 0xFF); };
    CHECK(rgb(0) == color_rgb(theme, Role::NonFinite));
    CHECK(rgb(1) == color_rgb(theme, Role::Warning));
    CHECK(rgb(2) == color_rgb(theme, nonfinite_role(-inf)));
    CHECK(rgb(2) != rgb(1));
    CHECK(image.pixels[3] == gray(255));
    CHECK(image.nan == 1);
    CHECK(image.positive_inf == 1);
    CHECK(image.negative_inf == 1);
  }
}

TEST_CASE("a large tensor is drawn with a step, an empty one not at all") {
  const Tensor t = counting({3000, 5});
  const TensorImage image = tensor_image(t, {});
  CHECK(image.step == 2);
  CHECK(image.height == 1500);
  CHECK(pixel_index(t, {}, image, 1, 1000) == std::vector<int64_t>{2000, 2});
  CHECK(tensor_image(counting({0, 3}), {}).pixels.empty());
  CHECK(tensor_image(counting({}), {}).pixels.size() == 1);
}

TEST_CASE("palettes have their ends where they should be") {
  CHECK(palette_color(Palette::Gray, 0) == gray(0));
  CHECK(palette_color(Palette::Gray, 2) == gray(255));
  CHECK(palette_color(Palette::Viridis, 0) == 0xFF540144u);
  CHECK(palette_color(Palette::Diverging, 0.5) == 0xFFF7F7F7u);
}

TEST_CASE("red, green and blue are any three channels") {
  ImageOptions options;
  options.mode = ImageMode::Rgb;
  options.high = 255;
  options.rgb = {2, 0, 1};
  const Tensor t = floats({3, 1, 1}, {10, 20, 30});
  CHECK(tensor_image(t, options).pixels[0] == (0xFF000000u | 20 << 16 | 10 << 8 | 30));
}

TEST_CASE("the picture of a difference") {
  ImageOptions options;
  options.low = -1;
  const Tensor a = floats({1, 3}, {5, 7, 1}), b = floats({1, 3}, {5, 6, 2});
  const TensorImage image = tensor_image(a, options, &b);
  CHECK(image.pixels[0] == gray(128));
  CHECK(image.pixels[1] == gray(255));
  CHECK(image.pixels[2] == gray(0));
}
