// Fractional pooling: windows of one size at places that a random number shifts.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using Two = std::tuple<Tensor, Tensor>;

// Where the windows of one dimension start. Computed in the type of the elements, as PyTorch does.
template <class T>
std::vector<int64_t> window_starts(T sample, int64_t in, int64_t out, int64_t window) {
  std::vector<int64_t> starts;
  const T step = out > 1 ? static_cast<T>(in - window) / static_cast<T>(out - 1) : T(0);
  for (int64_t i = 0; i + 1 < out; ++i) starts.push_back(static_cast<int64_t>((static_cast<T>(i) + sample) * step) - static_cast<int64_t>(sample * step));
  starts.push_back(in - window);
  return starts;
}

// [.., C, spatial…] with `spatial` dimensions, two-dimensional images with a leading depth of 1.
template <size_t spatial>
Two fractional_max_pool(const Tensor& self, Ints kernel_size, Ints output_size, const Tensor& random_samples) {
  constexpr auto kRank = static_cast<int64_t>(spatial);
  check(self.dim() == kRank + 1 || self.dim() == kRank + 2, "fractional_max_pool", kRank, "d(): Expected ", kRank + 1, "D or ", kRank + 2, "D tensor, but got: ", self.sizes);
  check(kernel_size.size() == spatial && output_size.size() == spatial, "fractional_max_pool", kRank, "d: kernel_size and output_size must each be ", kRank, " ints");
  const bool batched = self.dim() == kRank + 2;
  const int64_t batch = batched ? self.sizes[0] : 1, channels = self.sizes[batched ? 1 : 0];
  check(random_samples.dim() == 3 && random_samples.sizes[0] >= batch && random_samples.sizes[1] == channels && random_samples.sizes[2] == kRank,
        "fractional_max_pool: expected _random_samples of [", batch, ", ", channels, ", ", kRank, "], got ", random_samples.sizes);
  check(random_samples.dtype == self.dtype, "Expect _random_samples to have the same dtype as input");
  std::array<int64_t, 3> in{1, 1, 1}, out{1, 1, 1}, window{1, 1, 1};
  Shape sizes(self.sizes.begin(), self.sizes.end() - kRank);
  for (size_t d = 0; d < spatial; ++d) {
    const size_t at = 3 - spatial + d;
    in[at] = self.sizes[self.sizes.size() - spatial + d], out[at] = output_size[d], window[at] = kernel_size[d];
    check(out[at] > 0 && window[at] > 0 && out[at] <= in[at] && window[at] <= in[at] && out[at] + window[at] - 1 <= in[at], "fractional_max_pool: pool size ", window[at], " is too large for input of size ", in[at]);
    sizes.push_back(out[at]);
  }
  const DType compute = native_dtype(compute_type(self.dtype));
  const Tensor x = as_contiguous(self, compute), samples = as_contiguous(random_samples, compute);
  const Tensor values = empty(sizes, compute), indices = empty(sizes, DType::Int64);
  const int64_t volume = in[0] * in[1] * in[2], results = out[0] * out[1] * out[2];
  dispatch(FloatTypes(), compute, "fractional_max_pool", [&]<class T>() {
    for (int64_t plane = 0; plane < batch * channels; ++plane) {
      throw_if_stopped();
      const T* image = x.data<T>() + plane * volume;
      const T* sample = samples.data<T>() + plane * kRank;
      // Two dimensions take their numbers from the last to the first, three from the first.
      std::array<std::vector<int64_t>, 3> starts{std::vector<int64_t>{0}, {}, {}};
      if (spatial == 3) starts[0] = window_starts(sample[0], in[0], out[0], window[0]);
      starts[1] = window_starts(sample[1], in[1], out[1], window[1]);
      starts[2] = window_starts(sample[spatial == 3 ? 2 : 0], in[2], out[2], window[2]);
      int64_t to = plane * results;
      for (int64_t z0 : starts[0])
        for (int64_t y0 : starts[1])
          for (int64_t x0 : starts[2]) {
            T best = -std::numeric_limits<T>::infinity();
            int64_t where = (z0 * in[1] + y0) * in[2] + x0;
            for (int64_t z = z0; z < z0 + window[0]; ++z)
              for (int64_t y = y0; y < y0 + window[1]; ++y)
                for (int64_t w = x0; w < x0 + window[2]; ++w) {
                  const int64_t at = (z * in[1] + y) * in[2] + w;
                  if (image[at] > best || std::isnan(image[at])) best = image[at], where = at;
                }
            values.data<T>()[to] = best;
            indices.data<int64_t>()[to++] = where;
          }
    }
  });
  return {to_dtype(values, self.dtype), indices};
}

}  // namespace

void add_sampled_pooling_ops(OpTable& ops) {
  ops.add("aten::fractional_max_pool2d(Tensor self, int[2] kernel_size, int[2] output_size, Tensor random_samples) -> (Tensor, Tensor)", fractional_max_pool<2>);
  ops.add("aten::fractional_max_pool3d(Tensor self, int[3] kernel_size, int[3] output_size, Tensor random_samples) -> (Tensor, Tensor)", fractional_max_pool<3>);
}

}  // namespace pt2::interp
