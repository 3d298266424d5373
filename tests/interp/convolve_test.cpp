// Convolution and max pooling against their definitions, summed one by one, over geometries that cut blocks, panels and depths unevenly.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "interp/allocation.h"
#include "interp/convert.h"
#include "interp/convolve.h"
#include "interp/op_table.h"
#include "interp/tensor_map.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

// Small whole numbers: every order of adding them up gives the same sum.
Tensor whole_numbers(std::mt19937& random, const Shape& sizes, DType dtype, MemoryFormat format) {
  const Tensor tensor = empty(sizes, DType::Float32);
  for (int64_t i = 0; i < tensor.numel(); ++i) tensor.data<float>()[i] = float(int(random() % 9) - 4);
  return to_dtype(tensor, dtype, format);
}

std::vector<double> numbers(const Tensor& tensor) {
  const Tensor dense = as_contiguous(tensor, DType::Float64);
  return {dense.data<double>(), dense.data<double>() + dense.numel()};
}

struct Case {
  int64_t batch, channels, height, width, out_channels, kernel_height, kernel_width;
  ConvolutionSettings settings;
};

std::vector<double> by_definition(const Case& c, const std::vector<double>& input, const std::vector<double>& weight, const std::vector<double>& bias) {
  const ConvolutionSettings& s = c.settings;
  const int64_t per_group = c.channels / s.groups, out_per_group = c.out_channels / s.groups;
  const int64_t rows = (c.height + 2 * s.padding[1] - s.dilation[1] * (c.kernel_height - 1) - 1) / s.stride[1] + 1;
  const int64_t columns = (c.width + 2 * s.padding[2] - s.dilation[2] * (c.kernel_width - 1) - 1) / s.stride[2] + 1;
  std::vector<double> out;
  for (int64_t n = 0; n < c.batch; ++n)
    for (int64_t o = 0; o < c.out_channels; ++o)
      for (int64_t y = 0; y < rows; ++y)
        for (int64_t x = 0; x < columns; ++x) {
          double sum = bias.empty() ? 0 : bias[size_t(o)];
          for (int64_t i = 0; i < per_group; ++i)
            for (int64_t v = 0; v < c.kernel_height; ++v)
              for (int64_t u = 0; u < c.kernel_width; ++u) {
                const int64_t row = y * s.stride[1] - s.padding[1] + v * s.dilation[1], column = x * s.stride[2] - s.padding[2] + u * s.dilation[2];
                if (row < 0 || row >= c.height || column < 0 || column >= c.width) continue;
                const int64_t channel = o / out_per_group * per_group + i;
                sum += input[size_t(((n * c.channels + channel) * c.height + row) * c.width + column)] *
                       weight[size_t(((o * per_group + i) * c.kernel_height + v) * c.kernel_width + u)];
              }
          out.push_back(sum);
        }
  return out;
}

}  // namespace

TEST_CASE("a convolution is the sum of its definition, however it is cut") {
  std::mt19937 random(7);
  auto from = [&](int64_t low, int64_t high) { return low + int64_t(random() % uint32_t(high - low + 1)); };
  for (int round = 0; round < 120; ++round) {
    Case c{};
    ConvolutionSettings& s = c.settings;
    s.groups = from(0, 3) ? 1 : from(2, 3);
    // Now and then deep enough for several parts of the depth, now and then large enough for several blocks of positions.
    const bool deep = round % 5 == 0, large = round % 7 == 0;
    c.batch = from(1, 2), c.channels = s.groups * (deep ? from(60, 90) : from(1, 6)), c.out_channels = s.groups * (large ? from(40, 70) : from(1, 20));
    c.kernel_height = from(1, 4), c.kernel_width = from(1, 4);
    for (int d = 1; d < 3; ++d) s.stride[size_t(d)] = from(1, 3), s.padding[size_t(d)] = from(0, 4), s.dilation[size_t(d)] = from(1, 2);
    c.height = from(8, large ? 60 : 17), c.width = from(8, large ? 60 : 17);
    const DType dtype = round % 4 == 3 ? DType::Float64 : DType::Float32;
    const MemoryFormat format = round % 6 == 5 ? MemoryFormat::ChannelsLast : MemoryFormat::Contiguous;
    const Tensor input = whole_numbers(random, {c.batch, c.channels, c.height, c.width}, dtype, format);
    const Tensor weight = whole_numbers(random, {c.out_channels, c.channels / s.groups, c.kernel_height, c.kernel_width}, dtype, MemoryFormat::Contiguous);
    std::optional<Tensor> bias;
    if (round % 2) bias = whole_numbers(random, {c.out_channels}, dtype, MemoryFormat::Contiguous);
    KernelContext context;
    context.memory = std::make_shared<MemoryBudget>(size_t{256} << 20);
    context.threads = 1 + round % 4;
    ContextScope scope(context);
    CAPTURE(round);
    CHECK(numbers(convolve(input, weight, bias, s)) == by_definition(c, numbers(input), numbers(weight), bias ? numbers(*bias) : std::vector<double>()));
  }
}

TEST_CASE("max pooling gives the greatest number under each window, NaN before all") {
  std::mt19937 random(11);
  auto from = [&](int64_t low, int64_t high) { return low + int64_t(random() % uint32_t(high - low + 1)); };
  const Op* op = builtin_ops().find("aten.max_pool2d.default");
  REQUIRE(op);
  for (int round = 0; round < 200; ++round) {
    const int64_t kernel = from(1, 4), stride = from(1, 4), dilation = from(1, 2), padding = from(0, kernel / 2), height = from(8, 13), width = from(8, 40);
    const bool ceil_mode = round % 3 == 0;
    const Tensor input = whole_numbers(random, {1, 2, height, width}, DType::Float32, MemoryFormat::Contiguous);
    for (int64_t i = 0; i < input.numel(); ++i)
      if (random() % 50 == 0) input.data<float>()[i] = std::numeric_limits<float>::quiet_NaN();
    KernelContext context;
    context.memory = std::make_shared<MemoryBudget>(size_t{64} << 20);
    ContextScope scope(context);
    const RuntimeValue arguments[] = {input, make_list({kernel}), make_list({stride}), make_list({padding}), make_list({dilation}), ceil_mode};
    const Tensor result = *op->call(context, arguments)[0].as<Tensor>();
    const int64_t rows = result.sizes[2], columns = result.sizes[3];
    size_t wrong = 0;
    for (int64_t plane = 0; plane < 2; ++plane)
      for (int64_t y = 0; y < rows; ++y)
        for (int64_t x = 0; x < columns; ++x) {
          float best = -std::numeric_limits<float>::infinity();
          for (int64_t v = 0; v < kernel; ++v)
            for (int64_t u = 0; u < kernel; ++u) {
              const int64_t row = y * stride - padding + v * dilation, column = x * stride - padding + u * dilation;
              if (row < 0 || row >= height || column < 0 || column >= width) continue;
              const float value = input.data<float>()[(plane * height + row) * width + column];
              if (std::isnan(value) || value > best) best = value;
            }
          const float found = result.data<float>()[(plane * rows + y) * columns + x];
          wrong += !(found == best || (std::isnan(found) && std::isnan(best)));
        }
    CAPTURE(round);
    CHECK(wrong == 0);
  }
}
