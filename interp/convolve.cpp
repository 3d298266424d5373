#include "interp/convolve.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/tensor/float_formats.h"
#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/convolve_integers.h"
#include "interp/convolve_patches.h"
#include "interp/kernel_context.h"
#include "interp/matrix.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

constexpr int64_t kPatchBytes = 512 * 1024;  // of a block's patch matrix: it stays in the cache until it is multiplied
constexpr int64_t kBlockStep = 16;            // columns the product kernels take at once

// The reverse: adds patch values to the positions they were taken from. `round` is what becomes of each sum.
template <class T, class Round>
void scatter_patches(const T* patches, const Geometry& g, int64_t count, const Image& image, int64_t batch, int64_t channel, Round round) {
  T* plane = reinterpret_cast<T*>(image.data) + batch * image.batch_stride + channel * image.channel_stride;
  for (int64_t kd = 0; kd < g.kernel[0]; ++kd)
    for (int64_t kh = 0; kh < g.kernel[1]; ++kh)
      for (int64_t kw = 0; kw < g.kernel[2]; ++kw) {
        int64_t position = 0;
        for (int64_t od = 0; od < g.out[0]; ++od)
          for (int64_t oh = 0; oh < g.out[1]; ++oh, position += g.out[2]) {
            const int64_t id = od * g.stride[0] - g.padding[0] + kd * g.dilation[0], ih = oh * g.stride[1] - g.padding[1] + kh * g.dilation[1];
            if (id < 0 || id >= image.sizes[0] || ih < 0 || ih >= image.sizes[1]) continue;
            T* line = plane + id * image.strides[0] + ih * image.strides[1];
            for (int64_t ow = 0; ow < g.out[2]; ++ow) {
              const int64_t iw = ow * g.stride[2] - g.padding[2] + kw * g.dilation[2];
              if (iw >= 0 && iw < image.sizes[2]) line[iw * image.strides[2]] = round(line[iw * image.strides[2]] + patches[position + ow]);
            }
          }
        patches += count;
      }
}

void call_product(const MatrixProduct<float>& p) { matrix_kernels().product_f32(p); }
void call_product(const MatrixProduct<double>& p) { matrix_kernels().product_f64(p); }
void call_product(const PanelProduct<float>& p) { matrix_kernels().panel_product_f32(p); }
void call_product(const PanelProduct<double>& p) { matrix_kernels().panel_product_f64(p); }

template <class T>
const PanelLayout& panel_layout() {
  return std::is_same_v<T, float> ? matrix_kernels().panels_f32 : matrix_kernels().panels_f64;
}

// Where a kernel of one position meets all positions of the input, and these lie at one distance: they are one line. False where they are not.
bool make_line(Image& in, Geometry& g) {
  if (g.volume() != 1 || g.stride != Spatial{1, 1, 1} || g.padding != Spatial{0, 0, 0}) return false;
  const int64_t step = in.strides[2];
  if (in.sizes[1] > 1 && in.strides[1] != in.sizes[2] * step) return false;
  if (in.sizes[0] > 1 && in.strides[0] != in.sizes[1] * in.sizes[2] * step) return false;
  in.sizes = g.out = {1, 1, in.positions()};
  in.strides = {0, 0, step};
  return true;
}

// How the products of one image are cut into tasks: blocks of output positions, of which the last takes what is left, and slices of channels.
struct Cut {
  int64_t block, blocks, slice, slices;
  int64_t last_block(int64_t positions) const { return positions - (blocks - 1) * block; }
  int64_t largest_block(int64_t positions) const { return std::max(block, last_block(positions)); }
};

int64_t rounded_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

Cut cut_into(int64_t positions, int64_t channels, int64_t blocks, int64_t slices) {
  Cut cut;
  const int64_t share = positions / blocks / kBlockStep * kBlockStep;
  const bool few_left = share > 0 && positions - share * blocks <= PanelLayout::kFewColumns;  // the last block takes them at little cost
  cut.block = few_left ? share : std::min(positions, rounded_up((positions + blocks - 1) / blocks, kBlockStep));
  cut.blocks = few_left ? blocks : (positions + cut.block - 1) / cut.block;
  cut.slice = std::min(channels, std::max<int64_t>(32, rounded_up((channels + slices - 1) / slices, 16)));
  cut.slices = (channels + cut.slice - 1) / cut.slice;
  return cut;
}

// Each task reads its patches and its weights anew, and all wait for the last: no more of both than keep the cores busy and the patches in the
// cache, and cut where the tasks that take longest cost least.
Cut cut(int64_t positions, int64_t channels, int64_t depth_at_once, int64_t depth, int64_t item, int64_t images) {
  constexpr int64_t kReadPatch = 32, kReadWeight = 32;  // multiplications that take as long as reading one
  const int64_t fitting = std::max<int64_t>(2 * kBlockStep, kPatchBytes / item / std::max<int64_t>(depth_at_once, 1) / kBlockStep * kBlockStep);
  const int64_t fewest = (positions + fitting - 1) / fitting, threads = thread_count();
  Cut best{};
  int64_t best_cost = std::numeric_limits<int64_t>::max();
  for (int64_t blocks = fewest; blocks <= fewest + threads; ++blocks) {
    const Cut cut = cut_into(positions, channels, blocks, std::max<int64_t>(1, (threads + images * blocks - 1) / (images * blocks)));
    const int64_t rounds = (images * cut.blocks * cut.slices + threads - 1) / threads, block = cut.largest_block(positions);
    const int64_t cost = rounds * (block * cut.slice + kReadPatch * block + kReadWeight * cut.slice);
    if (cost >= best_cost) continue;
    best_cost = cost;
    best = cut;
  }
  const int64_t quick = std::max<int64_t>(32, kLongProduct / best.block / std::max<int64_t>(depth, 1) / 16 * 16);
  if (best.slice > quick) best.slice = quick, best.slices = (channels + quick - 1) / quick;
  return best;
}

// A block of output positions and a slice of output channels, of one image and one group.
struct Piece { int64_t batch, group, first, count, channel, channels; };

// What is multiplied: weight [out channels, depth] and patches [depth, positions]. `accumulate`: the bias is there already.
template <class T>
struct Convolution {
  const Image& in;
  const Image& out;
  const Geometry& g;
  const T* weight;
  int64_t in_channels, out_channels, depth;  // of a group
  bool accumulate;

  const T* weights(const Piece& piece) const { return weight + (piece.group * out_channels + piece.channel) * depth; }
  T* result(const Piece& piece) const {
    return reinterpret_cast<T*>(out.data) + piece.batch * out.batch_stride + (piece.group * out_channels + piece.channel) * out.channel_stride + piece.first * out.strides[2];
  }
};

// `matrix`: the piece's patches, [depth, count].
template <class T>
void multiply_piece(const Convolution<T>& c, const Piece& piece, const T* matrix, int64_t matrix_row, int64_t matrix_column) {
  MatrixProduct<T> p;
  p.k = c.depth;
  p.accumulate = c.accumulate;
  p.c = c.result(piece);
  if (c.out.channel_stride == 1 && c.out.channels > 1) {  // channels last
    p.m = piece.count, p.n = piece.channels;
    p.a = matrix, p.a_row = matrix_column, p.a_column = matrix_row;
    p.b = c.weights(piece), p.b_row = 1, p.b_column = c.depth;
    p.c_row = c.out.strides[2];
  } else {
    p.m = piece.channels, p.n = piece.count;
    p.a = c.weights(piece), p.a_row = c.depth, p.a_column = 1;
    p.b = matrix, p.b_row = matrix_row, p.b_column = matrix_column;
    p.c_row = c.out.channel_stride;
  }
  call_product(p);
}

// Patches are read a part of the depth at a time, as the kernel wants them.
template <class T>
void multiply_panels(const Convolution<T>& c, const Piece& piece, T* patches) {
  PatchReader<T> reader(c.in, c.g, piece.first, piece.count, panel_layout<T>());
  const int64_t parts = (c.depth + kPanelDepth - 1) / kPanelDepth;
  PanelProduct<T> p;
  p.m = piece.channels, p.n = piece.count;
  p.a_row = c.depth;
  p.panels = patches;
  p.c = c.result(piece), p.c_row = c.out.channel_stride;
  for (int64_t part = 0; part < parts; ++part) {
    const int64_t begin = c.depth * part / parts, end = c.depth * (part + 1) / parts;
    reader.read(piece.batch, piece.group * c.in_channels, begin, end, patches);
    p.k = end - begin;
    p.a = c.weights(piece) + begin;
    p.accumulate = c.accumulate || part > 0;
    call_product(p);
  }
}

// out[n, group's channels, positions] = weight · patches, or += where the bias is there already, for all blocks of output positions on all cores.
template <class T>
void convolve_blocks(Image in, const Tensor& weight, const Image& out, Geometry g, int64_t groups, bool accumulate) {
  const bool line = make_line(in, g);
  const Convolution<T> c{in, out, g, weight.data<T>(), in.channels / groups, out.channels / groups, in.channels / groups * g.volume(), accumulate};
  const int64_t positions = out.positions(), position_step = in.strides[2];
  if (positions == 0 || in.batch == 0 || c.out_channels == 0) return;
  const bool in_panels = c.depth > 0 && (out.channel_stride > 1 || out.channels == 1);
  const bool direct = !in_panels && line && (position_step == 1 || in.channel_stride == 1);
  const int64_t depth_at_once = in_panels ? std::min(c.depth, kPanelDepth) : c.depth;
  const Cut pieces = cut(positions, c.out_channels, depth_at_once, c.depth, static_cast<int64_t>(sizeof(T)), in.batch * groups);
  const int64_t block = pieces.block, blocks = pieces.blocks, slice = pieces.slice, slices = pieces.slices;
  const int64_t largest = pieces.largest_block(positions), kept_columns = in_panels ? panel_layout<T>().columns(largest) : largest;
  parallel_for(in.batch * groups * blocks * slices, grain_for(block * c.depth * slice / 8), [&](int64_t begin, int64_t end) {
    const Scratch<T> patches(direct ? 1 : depth_at_once * kept_columns);
    int64_t gathered = -1;
    for (int64_t task = begin; task < end; ++task) {
      const int64_t place = task / slices, channel = task % slices * slice, first = place % blocks * block;
      const int64_t count = place % blocks + 1 < blocks ? block : positions - first;
      const Piece piece{place / (groups * blocks), place / blocks % groups, first, count, channel, std::min(slice, c.out_channels - channel)};
      if (in_panels) {
        multiply_panels(c, piece, patches.data());
      } else if (direct) {
        const T* plane = reinterpret_cast<const T*>(in.data) + piece.batch * in.batch_stride + piece.group * c.in_channels * in.channel_stride;
        multiply_piece(c, piece, plane + first * position_step, in.channel_stride, position_step);
      } else {
        if (gathered != place) PatchReader<T>(in, g, first, piece.count, PanelLayout{piece.count}).read(piece.batch, piece.group * c.in_channels, 0, c.depth, patches.data());
        gathered = place;
        multiply_piece<T>(c, piece, patches.data(), piece.count, 1);
      }
    }
  });
}

// One filter per channel: no matrix to multiply, so straight sums over the kernel.
template <class T>
void convolve_depthwise(const Image& in, const Tensor& weight, const Image& out, const Geometry& g) {
  const int64_t multiplier = out.channels / in.channels, volume = g.volume(), positions = out.positions();
  parallel_for(in.batch * out.channels, grain_for(positions * volume), [&](int64_t begin, int64_t end) {
    const Scratch<T> line(g.out[2]);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t n = task / out.channels, channel = task % out.channels;
      const T* plane = reinterpret_cast<const T*>(in.data) + n * in.batch_stride + channel / multiplier * in.channel_stride;
      T* result = reinterpret_cast<T*>(out.data) + n * out.batch_stride + channel * out.channel_stride;
      for (int64_t od = 0; od < g.out[0]; ++od)
        for (int64_t oh = 0; oh < g.out[1]; ++oh) {
          std::fill(line.begin(), line.end(), T(0));
          const T* w = weight.data<T>() + channel * volume;
          for (int64_t kd = 0; kd < g.kernel[0]; ++kd)
            for (int64_t kh = 0; kh < g.kernel[1]; ++kh, w += g.kernel[2]) {
              const int64_t id = od * g.stride[0] - g.padding[0] + kd * g.dilation[0], ih = oh * g.stride[1] - g.padding[1] + kh * g.dilation[1];
              if (id < 0 || id >= in.sizes[0] || ih < 0 || ih >= in.sizes[1]) continue;
              const T* row = plane + id * in.strides[0] + ih * in.strides[1];
              for (int64_t kw = 0; kw < g.kernel[2]; ++kw) {
                const int64_t first = kw * g.dilation[2] - g.padding[2], step = g.stride[2], width = in.sizes[2];
                const int64_t low = first >= 0 ? 0 : std::min(g.out[2], (-first + step - 1) / step);
                const int64_t high = first >= width ? 0 : std::clamp((width - 1 - first) / step + 1, low, g.out[2]);
                const T factor = w[kw];
                const T* from = row + first * in.strides[2];
                const int64_t stride = step * in.strides[2];
                for (int64_t i = low; i < high; ++i) line[i] += factor * from[i * stride];
              }
            }
          T* to = result + od * out.strides[0] + oh * out.strides[1];
          for (int64_t i = 0; i < g.out[2]; ++i) to[i * out.strides[2]] += line[i];
        }
    }
  });
}

// out += the transposed convolution of `in`: weight [in, out/groups, kernel]. `g` is the geometry of the convolution whose gradient this is:
// its "out" is our input. The products and each sum of them are rounded by `round`.
template <class T, class Round>
void convolve_transposed(const Image& in, const Tensor& weight, const Image& out, const Geometry& g, int64_t groups, Round round) {
  const int64_t in_channels = in.channels / groups, out_channels = out.channels / groups, volume = g.volume(), positions = in.positions();
  if (positions == 0 || out_channels == 0) return;
  const Tensor packed = as_contiguous(weight);
  // Each output channel is a task of its own: nothing is written by two.
  parallel_for(in.batch * groups * out_channels, grain_for(positions * volume * in_channels), [&](int64_t begin, int64_t end) {
    const Scratch<T> columns(volume * positions);
    const Scratch<T> filter(in_channels * volume);
    for (int64_t task = begin; task < end; ++task) {
      const int64_t n = task / (groups * out_channels), group = task / out_channels % groups, channel = task % out_channels;
      for (int64_t c = 0; c < in_channels; ++c)
        std::memcpy(filter.data() + c * volume, packed.data<T>() + ((group * in_channels + c) * out_channels + channel) * volume,
                    static_cast<size_t>(volume) * sizeof(T));
      MatrixProduct<T> p;
      p.m = volume, p.n = positions, p.k = in_channels;
      p.a = filter.data(), p.a_row = 1, p.a_column = volume;
      p.b = reinterpret_cast<const T*>(in.data) + n * in.batch_stride + group * in_channels * in.channel_stride;
      p.b_row = in.channel_stride, p.b_column = 1;
      p.c = columns.data(), p.c_row = positions;
      call_product(p);
      std::transform(columns.data(), columns.data() + volume * positions, columns.data(), round);
      scatter_patches(columns.data(), g, positions, out, n, group * out_channels + channel, round);
    }
  });
}

Geometry geometry(const Tensor& weight, const ConvolutionSettings& s, const Spatial& out) {
  Geometry g;
  const size_t spatial = weight.sizes.size() - 2;
  for (size_t i = 0; i < spatial; ++i) g.kernel[3 - spatial + i] = weight.sizes[2 + i];
  g.stride = s.stride, g.padding = s.padding, g.dilation = s.dilation, g.out = out;
  return g;
}

DType compute_dtype(DType dtype) { return native_dtype(compute_type(dtype)); }

MemoryFormat result_format(const Tensor& input, const Tensor& weight) {
  if (input.dim() == 4 || input.dim() == 5) {
    const MemoryFormat last = input.dim() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d;
    if (suggested_format(input) == last || suggested_format(weight) == last) return last;
  }
  return MemoryFormat::Contiguous;
}

Shape output_sizes(const Tensor& input, const Tensor& weight, const ConvolutionSettings& s) {
  const size_t spatial = weight.sizes.size() - 2;
  Shape sizes{input.sizes[0], s.transposed ? weight.sizes[1] * s.groups : weight.sizes[0]};
  for (size_t i = 0; i < spatial; ++i) {
    const size_t d = 3 - spatial + i;
    const int64_t extent = s.dilation[d] * (weight.sizes[2 + i] - 1) + 1, in = input.sizes[2 + i];
    const int64_t out = s.transposed ? (in - 1) * s.stride[d] - 2 * s.padding[d] + extent + s.output_padding[d]
                                     : (in + 2 * s.padding[d] - extent) / s.stride[d] + 1;
    check(s.transposed || in + 2 * s.padding[d] >= extent, "Calculated padded input size per channel: ", in + 2 * s.padding[d], ". Kernel size: ",
          extent, ". Kernel size can't be greater than actual input size");
    check(out >= 0, "Given input size per channel: ", in, ". Calculated output size per channel: ", out, ". Output size is too small");
    sizes.push_back(out);
  }
  return sizes;
}

Spatial spatial_sizes(const Tensor& t) { return image_of(t).sizes; }

void check_arguments(const Tensor& input, const Tensor& weight, const ConvolutionSettings& s) {
  check(weight.dim() >= 3 && weight.dim() <= 5, "convolution: expected a weight of 3 to 5 dimensions, found ", weight.dim());
  check(input.dim() == weight.dim(), "Expected ", weight.dim(), "D (batched) input to convolution, but got input of size: ", input.sizes);
  check(s.groups > 0, "non-positive groups is not supported");
  // PyTorch's kernels take int64 in every form, other integers in the plain one, and anything where there is nothing to compute.
  const bool plain = !s.transposed && s.dilation == Spatial{1, 1, 1};
  check(is_floating(input.dtype) || input.dtype == DType::Int64 || (plain && is_integral(input.dtype)) || input.sizes[0] == 0,
        "\"convolution\" not implemented for '", scalar_type_name(input.dtype), "'");
  for (int d = 0; d < 3; ++d)
    for (const int64_t extent : {s.stride[d], s.dilation[d], s.padding[d], s.output_padding[d]}) checked_extent(extent);
  for (int d = 0; d < 3; ++d) check(s.stride[d] > 0 && s.dilation[d] > 0 && s.padding[d] >= 0, "convolution: stride and dilation must be positive, padding not negative");
  check(input.dtype == weight.dtype, "Input type (", scalar_type_name(input.dtype), ") and weight type (", scalar_type_name(weight.dtype), ") should be the same");
  const int64_t expected = s.transposed ? weight.sizes[0] : weight.sizes[1] * s.groups;
  check(input.sizes[1] == expected, "Given groups=", s.groups, ", weight of size ", weight.sizes, ", expected input", input.sizes, " to have ", expected,
        " channels, but got ", input.sizes[1], " channels instead");
  check(s.transposed || weight.sizes[0] % s.groups == 0, "expected weight to be divisible by ", s.groups, " at dimension 0");
}

void add_bias(const Tensor& result, const std::optional<Tensor>& bias, DType compute) {
  if (!bias) return fill(result, Scalar(0.0));
  check(bias->dim() == 1 && bias->sizes[0] == result.sizes[1], "expected bias to be 1-dimensional with ", result.sizes[1], " elements, but got ", bias->sizes);
  Shape strides(result.sizes.size(), 0);
  const Tensor values = as_dtype(*bias, compute);
  strides[1] = values.strides[0];
  copy_into(result, make_view(values, result.sizes, strides, values.offset));
}

template <class T>
void run(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const Tensor& result, const ConvolutionSettings& s) {
  const Image in = image_of(input), out = image_of(result);
  const bool depthwise = s.groups == in.channels && in.channels > 1;
  if (bias || s.transposed || depthwise) add_bias(result, bias, result.dtype);
  if (s.transposed) return convolve_transposed<T>(in, weight, out, geometry(weight, s, in.sizes), s.groups, [](T value) { return value; });
  const Geometry g = geometry(weight, s, out.sizes);
  if (depthwise) convolve_depthwise<T>(in, weight, out, g);
  else convolve_blocks<T>(in, weight, out, g, s.groups, bias.has_value());
}

// PyTorch's own kernel of the transposed form sums in the half type itself, and adds the bias to that. It takes what its library does not: all of
// float16, and of bfloat16 what has an output padding as large as the stride.
bool sums_in_half(DType dtype, const ConvolutionSettings& s) {
  bool large_padding = false;
  for (size_t d = 0; d < 3; ++d) large_padding |= s.output_padding[d] >= s.stride[d];
  return s.transposed && (dtype == DType::Float16 || (dtype == DType::BFloat16 && large_padding));
}
Tensor run_in_half(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const Tensor& sums, const ConvolutionSettings& s, DType dtype) {
  const Image in = image_of(input), out = image_of(sums);
  const Geometry g = geometry(weight, s, in.sizes);
  fill(sums, Scalar(0.0));
  if (dtype == DType::Float16) convolve_transposed<float>(in, weight, out, g, s.groups, [](float value) { return float_from_half(half_from_float(value)); });
  else convolve_transposed<float>(in, weight, out, g, s.groups, [](float value) { return float_from_bfloat16(bfloat16_from_float(value)); });
  const Tensor result = to_dtype(sums, dtype);
  if (!bias) return result;
  const Tensor biases = empty_like(sums);
  add_bias(biases, bias, sums.dtype);
  return map<FloatTypes>({"convolution", dtype, dtype}, [](auto a, auto b) { return a + b; }, result, to_dtype(biases, dtype));
}

// Integers wrap around.
void run_integers(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const Tensor& result, const ConvolutionSettings& s) {
  const Image in = image_of(input), out = image_of(result);
  add_bias(result, bias, result.dtype);
  convolve_integers(in, weight.data<uint64_t>(), out, geometry(weight, s, s.transposed ? in.sizes : out.sizes), s.groups, s.transposed);
}

// The convolution whose gradient with respect to its input is this transposed one, and the other way round.
ConvolutionSettings reversed(const ConvolutionSettings& s) {
  ConvolutionSettings r = s;
  r.transposed = !s.transposed;
  return r;
}

}  // namespace

Tensor convolve(const Tensor& input, const Tensor& weight, const std::optional<Tensor>& bias, const ConvolutionSettings& settings) {
  check_arguments(input, weight, settings);
  const DType compute = compute_dtype(input.dtype);
  const MemoryFormat format = result_format(input, weight);
  Tensor result = empty(output_sizes(input, weight, settings), compute, format);
  // The transposed form reads positions as dense rows.
  const Tensor in = settings.transposed ? as_contiguous(input, compute) : as_dtype(input, compute);
  const Tensor w = as_contiguous(weight, compute);
  if (compute == DType::Int64) run_integers(in, w, bias, result, settings);
  else if (compute == DType::Float64) run<double>(in, w, bias, result, settings);
  else if (sums_in_half(input.dtype, settings)) return run_in_half(in, w, bias, result, settings, input.dtype);
  else run<float>(in, w, bias, result, settings);
  return as_dtype(result, input.dtype);
}

Tensor convolve_input_gradient(const Tensor& gradient, const Tensor& input, const Tensor& weight, const ConvolutionSettings& settings) {
  ConvolutionSettings s = reversed(settings);
  if (settings.transposed) return convolve(gradient, weight, std::nullopt, s);
  // What the strides left over at the far edge comes back as output padding.
  const Spatial in = spatial_sizes(input), out = spatial_sizes(gradient), kernel = spatial_sizes(weight);
  for (int d = 0; d < 3; ++d)
    s.output_padding[d] = in[d] - ((out[d] - 1) * s.stride[d] - 2 * s.padding[d] + s.dilation[d] * (kernel[d] - 1) + 1);
  return convolve(gradient, weight, std::nullopt, s);
}

Tensor convolve_weight_gradient(const Tensor& gradient, const Tensor& input, const Tensor& weight, const ConvolutionSettings& settings) {
  const DType compute = compute_dtype(input.dtype);
  // weight[o, c·k] = Σ over batch and positions of gradient[o, position] · patches[c·k, position]; for the transposed form the roles swap.
  const Tensor& read = settings.transposed ? gradient : input;
  const Tensor& driving = settings.transposed ? input : gradient;
  const Tensor from = as_dtype(read, compute), over = as_contiguous(driving, compute);
  Tensor result = zeros(weight.sizes, compute);
  const Image in = image_of(from);
  const Geometry g = geometry(weight, settings, spatial_sizes(over));
  const int64_t positions = image_of(over).positions(), in_channels = in.channels / settings.groups;
  const int64_t out_channels = over.sizes[1] / settings.groups, depth = in_channels * g.volume();
  auto accumulate = [&]<class T>() {
    parallel_for(settings.groups, 1, [&](int64_t begin, int64_t end) {
      const Scratch<T> patches(depth * positions);
      for (int64_t group = begin; group < end; ++group)
        for (int64_t n = 0; n < in.batch; ++n) {
          throw_if_stopped();
          PatchReader<T>(in, g, 0, positions, PanelLayout{positions}).read(n, group * in_channels, 0, depth, patches.data());
          MatrixProduct<T> p;
          p.m = out_channels, p.n = depth, p.k = positions;
          p.a = over.data<T>() + (n * over.sizes[1] + group * out_channels) * positions, p.a_row = positions, p.a_column = 1;
          p.b = patches.data(), p.b_row = 1, p.b_column = positions;
          p.c = result.data<T>() + group * out_channels * depth, p.c_row = depth;
          p.accumulate = true;
          call_product(p);
        }
    });
  };
  if (positions > 0 && compute == DType::Float64) accumulate.template operator()<double>();
  else if (positions > 0) accumulate.template operator()<float>();
  return as_dtype(result, weight.dtype);
}

}  // namespace pt2::interp
