// Images sampled at the places of a grid, the gradients, and affine grids.
#include <algorithm>
#include <array>
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/cubic.h"
#include "interp/parallel.h"
#include "interp/shapes.h"
#include "interp/stepwise.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using std::abs, std::floor, std::fmod, std::nearbyint, std::trunc;

enum class Interpolation : int64_t { Bilinear, Nearest, Bicubic };
enum class OutOfBounds : int64_t { Zeros, Border, Reflection };

// A place along one axis and how it changes with the grid's coordinate.
template <class T>
struct Place { T at, slope; };

// A neighbour of a place along one axis: where it lies, its weight and how that changes with the grid's coordinate.
template <class T>
struct Tap { int64_t index = 0; T weight{}, slope{}; };
template <class T>
struct Taps {
  std::array<Tap<T>, 4> taps;
  size_t count = 1;
  const Tap<T>* begin() const { return taps.data(); }
  const Tap<T>* end() const { return taps.data() + count; }
};

constexpr int64_t kNowhere = -100;

template <class T>
int64_t index_of(T at) { return at > T(-1e9) && at < T(1e9) ? static_cast<int64_t>(at) : kNowhere; }

// One axis of an image. PyTorch's kernels for two and three dimensions part where a place is no number.
template <class T>
struct Axis {
  int64_t size;
  OutOfBounds rule;
  bool align_corners, three_dimensional;

  Place<T> unnormalized(T x) const {
    const T last = T(static_cast<float>(size - 1)), all = T(static_cast<float>(size));
    if (three_dimensional) return align_corners ? Place<T>{(x + T(1)) / T(2) * last, last / T(2)} : Place<T>{((x + T(1)) * all - T(1)) / T(2), all / T(2)};
    return align_corners ? Place<T>{(x + T(1)) * (last / T(2)), last / T(2)} : Place<T>{(x + T(1)) * (all / T(2)) - T(0.5f), all / T(2)};
  }
  Place<T> reflected(Place<T> p) const {
    const T low = align_corners ? T(0) : T(-0.5f), span = T(static_cast<float>(align_corners ? size - 1 : size));
    if (span == T(0)) return {T(0), T(0)};
    if (three_dimensional) {
      const T away = abs(p.at - low), extra = fmod(away, span);
      const bool back = fmod(floor(away / span), T(2)) == T(1);
      return {(back ? span - extra : extra) + low, (p.at < low) == back ? p.slope : -p.slope};
    }
    const T away = abs(p.at - low), turn = span * T(2), extra = away - trunc(away / turn) * turn;
    const bool back = extra > turn - extra;
    return {(back ? turn - extra : extra) + low, (p.at < low) == back ? p.slope : -p.slope};
  }
  Place<T> clipped(Place<T> p) const {
    const T last = T(static_cast<float>(size - 1));
    if (p.at > T(0) && p.at < last) return p;
    const bool far = p.at >= last || (three_dimensional && p.at != p.at);
    return {far ? last : T(0), T(0)};
  }
  Place<T> bounded(Place<T> p) const {
    if (rule == OutOfBounds::Reflection) p = reflected(p);
    if (rule != OutOfBounds::Zeros) p = clipped(p);
    if (three_dimensional && index_of(p.at) == kNowhere) p = {T(static_cast<float>(kNowhere)), p.slope};
    return p;
  }

  Taps<T> taps(T coordinate, Interpolation mode) const {
    const Place<T> raw = unnormalized(coordinate);
    if (mode == Interpolation::Bicubic) return cubic_taps(raw);
    const Place<T> place = bounded(raw);
    if (mode == Interpolation::Nearest) return {{Tap<T>{index_of(nearbyint(place.at)), T(1), T(0)}}, 1};
    const T low = floor(place.at), part = place.at - low;
    const int64_t first = index_of(low);
    return {{Tap<T>{first, three_dimensional ? low + T(1) - place.at : T(1) - part, -place.slope}, Tap<T>{first + 1, part, place.slope}}, 2};
  }
  Taps<T> cubic_taps(Place<T> raw) const {
    const T low = floor(raw.at);
    const auto weights = cubic_weights<T>(raw.at - low), slopes = cubic_slopes<T>(raw.at - low);
    Taps<T> result;
    result.count = 4;
    for (size_t i = 0; i < 4; ++i)
      result.taps[i] = {index_of(bounded({low + T(static_cast<float>(i) - 1), T(1)}).at), weights[i], slopes[i] * raw.slope};
    return result;
  }
};

// What a call samples, as dense tensors: input [N, C, (D,) H, W], grid [N, (D,) H, W, 2 or 3] with x first.
struct Sampling {
  Interpolation mode;
  OutOfBounds rule;
  bool align_corners;
  size_t spatial;
  int64_t batch, channels, points = 1, volume = 1;
  std::array<int64_t, 3> in{1, 1, 1};  // depth, height, width
  Shape result;

  Sampling(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align)
      : mode(static_cast<Interpolation>(interpolation_mode)), rule(static_cast<OutOfBounds>(padding_mode)), align_corners(align), spatial(input.sizes.size() - 2) {
    check((spatial == 2 || spatial == 3) && grid.dim() == input.dim() && grid.sizes.back() == static_cast<int64_t>(spatial) && grid.sizes[0] == input.sizes[0],
          "grid_sampler(): expected a grid of size [N, …, ", spatial, "] for input ", input.sizes, ", but got ", grid.sizes);
    check(mode != Interpolation::Bicubic || spatial == 2, "grid_sampler(): bicubic interpolation only supports 4D input");
    check(std::find(input.sizes.begin() + 2, input.sizes.end(), 0) == input.sizes.end(), "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes ",
          input.sizes);
    batch = input.sizes[0], channels = input.sizes[1];
    result = {batch, channels};
    for (size_t i = 0; i < spatial; ++i) {
      result.push_back(grid.sizes[1 + i]);
      points *= grid.sizes[1 + i];
      in[3 - spatial + i] = input.sizes[2 + i];
      volume *= input.sizes[2 + i];
    }
  }

  // The neighbours of a place along depth, height and width. Without depth: one, which is everything.
  template <class T, class Stored>
  std::array<Taps<T>, 3> neighbours(const Stored* at) const {
    std::array<Taps<T>, 3> axes;
    axes[0].taps[0].weight = T(1);
    for (size_t i = 0; i < spatial; ++i) axes[2 - i] = Axis<T>{in[2 - i], rule, align_corners, spatial == 3}.taps(T(at[i]), mode);
    return axes;
  }
  // Where neighbours meet in a channel; -1: outside.
  template <class T>
  int64_t position(const Tap<T>& z, const Tap<T>& y, const Tap<T>& x) const {
    const bool inside = z.index >= 0 && z.index < in[0] && y.index >= 0 && y.index < in[1] && x.index >= 0 && x.index < in[2];
    return inside ? (z.index * in[1] + y.index) * in[2] + x.index : -1;
  }
  // The value of one channel. What lies outside is 0, but its weight counts: it may be no number.
  template <class T, class Stored>
  T sample(const std::array<Taps<T>, 3>& axes, const Stored* channel) const {
    T sum = T(0);
    for (const Tap<T>& z : axes[0])
      for (const Tap<T>& y : axes[1]) {
        T row = T(0);
        for (const Tap<T>& x : axes[2]) {
          const int64_t p = position(z, y, x);
          const T value = p < 0 ? T(0) : T(channel[p]);
          if (mode == Interpolation::Bicubic) row = row + value * x.weight;
          else sum = sum + value * (x.weight * y.weight * z.weight);
        }
        if (mode == Interpolation::Bicubic) sum = sum + row * y.weight;
      }
    return sum;
  }
};

// T: what is computed with; Stored: what it is kept in.
template <class T, class Stored>
void sample_all(const Sampling& s, const Tensor& input, const Tensor& grid, const Tensor& result) {
  parallel_for(s.batch * s.points, grain_for(s.channels * 16), [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t n = task / s.points, point = task % s.points;
      const auto axes = s.neighbours<T>(grid.data<Stored>() + task * static_cast<int64_t>(s.spatial));
      for (int64_t c = n * s.channels; c < (n + 1) * s.channels; ++c)
        result.data<Stored>()[c * s.points + point] = static_cast<Stored>(s.sample(axes, static_cast<const Stored*>(input.data<Stored>() + c * s.volume)));
    }
  });
}

Tensor grid_sample(const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners) {
  const Sampling s(input, grid, interpolation_mode, padding_mode, align_corners);
  const DType compute = native_dtype(compute_type(input.dtype));
  const Tensor x = as_contiguous(input, compute), g = as_contiguous(grid, compute), result = empty(s.result, compute);
  check(is_floating(input.dtype), "\"grid_sampler\" not implemented for '", scalar_type_name(input.dtype), "'");
  if (input.dtype == DType::Float64) sample_all<double, double>(s, x, g, result);
  else if (input.dtype == DType::Float16) sample_all<Stepwise<DType::Float16>, float>(s, x, g, result);
  else if (input.dtype == DType::BFloat16) sample_all<Stepwise<DType::BFloat16>, float>(s, x, g, result);
  else sample_all<float, float>(s, x, g, result);
  return to_dtype(result, input.dtype);
}

// Adds what the gradient of one place gives its neighbours in the image, and to the gradient of the place itself.
template <class T>
void add_gradients(const Sampling& s, const std::array<Taps<T>, 3>& axes, T gradient, const T* channel, T* image_gradient, T* place_gradient) {
  for (const Tap<T>& z : axes[0])
    for (const Tap<T>& y : axes[1])
      for (const Tap<T>& x : axes[2]) {
        const int64_t p = s.position(z, y, x);
        if (p < 0) continue;
        if (image_gradient) image_gradient[p] += gradient * (x.weight * y.weight * z.weight);
        const T product = gradient * channel[p];
        place_gradient[0] += product * x.slope * y.weight * z.weight;
        place_gradient[1] += product * x.weight * y.slope * z.weight;
        if (s.spatial == 3) place_gradient[2] += product * x.weight * y.weight * z.slope;
      }
}

using Gradients = std::tuple<std::optional<Tensor>, Tensor>;
Gradients grid_sample_backward(const Tensor& grad_output, const Tensor& input, const Tensor& grid, int64_t interpolation_mode, int64_t padding_mode, bool align_corners,
                               const std::vector<bool>& output_mask) {
  const Sampling s(input, grid, interpolation_mode, padding_mode, align_corners);
  check(grad_output.sizes == s.result, "grid_sampler_backward(): expected a gradient of size ", s.result, ", but got ", grad_output.sizes);
  check(output_mask.size() == 2, "grid_sampler_backward(): expected output_mask of 2 values, found ", output_mask.size());
  const DType compute = native_dtype(compute_type(input.dtype));
  const Tensor x = as_contiguous(input, compute), g = as_contiguous(grid, compute), gradient = as_contiguous(grad_output, compute);
  const std::optional<Tensor> image_gradient = output_mask[0] ? std::optional(zeros(input.sizes, compute)) : std::nullopt;
  const Tensor grid_gradient = zeros(grid.sizes, compute);
  dispatch(FloatTypes(), input.dtype, "grid_sampler_backward", [&]<class T>() {
    parallel_for(s.batch, 1, [&](int64_t begin, int64_t end) {  // an image each: nothing is written by two
      for (int64_t task = begin * s.points; task < end * s.points; ++task) {
        if (task % 4096 == 0) throw_if_stopped();
        const int64_t n = task / s.points, at = task * static_cast<int64_t>(s.spatial);
        const auto axes = s.neighbours<T>(g.data<T>() + at);
        for (int64_t c = n * s.channels; c < (n + 1) * s.channels; ++c)
          add_gradients(s, axes, gradient.data<T>()[c * s.points + task % s.points], static_cast<const T*>(x.data<T>() + c * s.volume),
                        image_gradient ? image_gradient->data<T>() + c * s.volume : nullptr, grid_gradient.data<T>() + at);
      }
    });
  });
  return {image_gradient ? std::optional(to_dtype(*image_gradient, input.dtype)) : std::nullopt, to_dtype(grid_gradient, grid.dtype)};
}

Tensor affine_grid(const Tensor& theta, Ints size, bool align_corners) {
  const size_t spatial = size.size() - 2;
  check((spatial == 2 || spatial == 3) && theta.dim() == 3 && theta.sizes[1] == static_cast<int64_t>(spatial) && theta.sizes[2] == static_cast<int64_t>(spatial) + 1,
        "Expected a batch of affine matrices for size ", size, ", but got ", theta.sizes);
  Shape sizes{size[0]};
  int64_t points = 1;
  for (size_t i = 0; i < spatial; ++i) sizes.push_back(size[2 + i]), points *= size[2 + i];
  sizes.push_back(static_cast<int64_t>(spatial));
  const DType compute = native_dtype(compute_type(theta.dtype));
  const Tensor t = as_contiguous(theta, compute), result = empty(sizes, compute);
  dispatch(FloatTypes(), theta.dtype, "affine_grid_generator", [&]<class T>() {
    auto coordinate = [&](int64_t i, int64_t steps) -> T {
      if (steps <= 1) return T(0);
      const T linear = T(-1) + T(2) * static_cast<T>(i) / static_cast<T>(steps - 1);
      return align_corners ? linear : linear * static_cast<T>(steps - 1) / static_cast<T>(steps);
    };
    for (int64_t n = 0; n < size[0]; ++n)
      for (int64_t p = 0; p < points; ++p) {
        std::array<T, 4> base{0, 0, 0, 0};  // x, y, (z,) 1
        int64_t rest = p;
        for (size_t i = 0; i < spatial; ++i) {
          const int64_t steps = size[size.size() - 1 - i];
          base[i] = coordinate(rest % steps, steps);
          rest /= steps;
        }
        base[spatial] = 1;
        for (size_t row = 0; row < spatial; ++row) {
          T sum = 0;
          for (size_t k = 0; k <= spatial; ++k) sum += base[k] * t.data<T>()[(static_cast<size_t>(n) * spatial + row) * (spatial + 1) + k];
          result.data<T>()[(static_cast<size_t>(n * points + p)) * spatial + row] = sum;
        }
      }
  });
  return to_dtype(result, theta.dtype);
}

}  // namespace

void add_grid_sample_ops(OpTable& ops) {
  ops.add("aten::grid_sampler(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", grid_sample);
  ops.add("aten::grid_sampler_2d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", grid_sample);
  ops.add("aten::grid_sampler_3d(Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners) -> Tensor", grid_sample);
  ops.add("aten::affine_grid_generator(Tensor theta, SymInt[] size, bool align_corners) -> Tensor", affine_grid);
  ops.add("aten::grid_sampler_2d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)", grid_sample_backward);
  ops.add("aten::grid_sampler_3d_backward(Tensor grad_output, Tensor input, Tensor grid, int interpolation_mode, int padding_mode, bool align_corners, bool[2] output_mask) -> (Tensor, Tensor)", grid_sample_backward);
}

}  // namespace pt2::interp
