// Quantization: quantized_decomposed (what PT2E leaves in programs) and fake quantization. Rounding is half to even.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/item.h"
#include "interp/matrix.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;
using Pair = std::tuple<Tensor, Tensor>;

struct Bounds { double min, max; };

// float16 and bfloat16 are quantized as float32; anything else is refused, as PyTorch does.
Tensor as_float32(const Tensor& input) {
  if (input.dtype == DType::Float16 || input.dtype == DType::BFloat16) return to_dtype(input, DType::Float32);
  check(input.dtype == DType::Float32, "Expecting input to have dtype torch.float32, but got dtype: ", input.dtype);
  return input;
}

// A vector of one value per index along `axis`, shaped to broadcast over `rank` dimensions.
Tensor along_axis(const Tensor& vector, int64_t axis, int64_t rank) {
  Shape sizes(static_cast<size_t>(rank), 1), strides(static_cast<size_t>(rank), 0);
  const int64_t d = normalize_dim(axis, rank);
  sizes[static_cast<size_t>(d)] = vector.numel();
  const Tensor dense = as_contiguous(vector);
  strides[static_cast<size_t>(d)] = 1;
  return make_view(dense, sizes, strides, dense.offset);
}

// clamp(round(x · (1 / scale)) + zero point), in the type that input and scales promote to.
Tensor quantize(const Tensor& input, const Tensor& scales, const Tensor& zero_points, Bounds bounds, DType dtype, DType compute) {
  return map<FloatTypes>({"quantize", compute, dtype}, [bounds](auto x, auto scale, auto zero) {
    using T = decltype(x);
    const T q = std::nearbyint(x * (T(1) / scale)) + zero;
    return std::min(std::max(q, static_cast<T>(bounds.min)), static_cast<T>(bounds.max));
  }, input, scales, to_dtype(zero_points, compute));
}
Tensor dequantize(const Tensor& input, const Tensor& scales, const MaybeTensor& zero_points, DType result, DType compute) {
  if (!zero_points)
    return map<FloatTypes>({"dequantize", compute, result}, [](auto x, auto scale) { return x * scale; }, to_dtype(input, compute), scales);
  return map<FloatTypes>({"dequantize", compute, result}, [](auto x, auto scale, auto zero) { return (x - zero) * scale; }, to_dtype(input, compute), scales,
                         to_dtype(*zero_points, compute));
}

Tensor quantize_per_tensor(const Tensor& input, double scale, int64_t zero_point, int64_t quant_min, int64_t quant_max, DType dtype) {
  check(scale != 0, "ZeroDivisionError: float division by zero");
  const float inverse = static_cast<float>(1.0 / scale);
  const float zero = static_cast<float>(zero_point), low = static_cast<float>(quant_min), high = static_cast<float>(quant_max);
  return map<Types<float>>({"quantize_per_tensor", DType::Float32, dtype},
                           [=](float x) { return std::min(std::max(std::nearbyint(x * inverse) + zero, low), high); }, as_float32(input));
}
Tensor quantize_per_tensor_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point, int64_t quant_min, int64_t quant_max, DType dtype) {
  return quantize_per_tensor(input, item(scale).to_double(), item(zero_point).to_int(), quant_min, quant_max, dtype);
}
Tensor quantize_per_tensor_tensor2(const Tensor& input, const Tensor& scale, const Tensor& zero_point, const Tensor& quant_min, const Tensor& quant_max, DType dtype) {
  return quantize_per_tensor(input, item(scale).to_double(), item(zero_point).to_int(), item(quant_min).to_int(), item(quant_max).to_int(), dtype);
}

void check_quantized(const Tensor& input, DType dtype) { check(input.dtype == dtype, "Expecting input to have dtype: ", dtype, ", but got ", input.dtype); }

Tensor dequantize_per_tensor(const Tensor& input, double scale, int64_t zero_point, int64_t, int64_t, DType dtype, std::optional<DType> out_dtype) {
  check_quantized(input, dtype);
  const DType result = out_dtype.value_or(DType::Float32);
  return map<FloatTypes>({"dequantize_per_tensor", result, result}, [=](auto x) {
    using T = decltype(x);
    return (x - static_cast<T>(zero_point)) * static_cast<T>(scale);
  }, to_dtype(input, result));
}
Tensor dequantize_per_tensor_tensor(const Tensor& input, const Tensor& scale, const Tensor& zero_point, int64_t quant_min, int64_t quant_max, DType dtype,
                                    std::optional<DType> out_dtype) {
  return dequantize_per_tensor(input, item(scale).to_double(), item(zero_point).to_int(), quant_min, quant_max, dtype, out_dtype);
}
Tensor dequantize_per_tensor_tensor2(const Tensor& input, const Tensor& scale, const Tensor& zero_point, const Tensor&, const Tensor&, DType dtype,
                                     std::optional<DType> out_dtype) {
  return dequantize_per_tensor(input, item(scale).to_double(), item(zero_point).to_int(), 0, 0, dtype, out_dtype);
}

Tensor quantize_per_channel(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t axis, int64_t quant_min, int64_t quant_max, DType dtype) {
  const Tensor x = as_float32(input);
  const DType compute = promote_types(DType::Float32, scales.dtype);
  return quantize(x, along_axis(scales, axis, x.dim()), along_axis(zero_points, axis, x.dim()), {double(quant_min), double(quant_max)}, dtype, compute);
}
Tensor convert_element_type(const Tensor& input, DType dtype) { return to_dtype(input, dtype); }
Tensor dequantize_per_channel(const Tensor& input, const Tensor& scales, const MaybeTensor& zero_points, int64_t axis, int64_t, int64_t, DType dtype,
                              std::optional<DType> out_dtype) {
  check_quantized(input, dtype);
  MaybeTensor zeros_along;
  if (zero_points) zeros_along = along_axis(*zero_points, axis, input.dim());
  return dequantize(input, along_axis(scales, axis, input.dim()), zeros_along, out_dtype.value_or(DType::Float32), scales.dtype);
}

// Parameters with a last dimension of 1, one for each row.
Tensor quantize_per_token(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t quant_min, int64_t quant_max, DType dtype) {
  const DType compute = result_type(input, scales);
  return map<FloatTypes>({"quantize_per_token", compute, dtype}, [=](auto x, auto scale, auto zero) {
    using T = decltype(x);
    return std::clamp(std::nearbyint(x * (T(1) / scale) + zero), static_cast<T>(quant_min), static_cast<T>(quant_max));
  }, input, scales, to_dtype(zero_points, compute));
}
Tensor dequantize_per_token(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t, int64_t, DType, DType output_dtype) {
  return dequantize(input, scales, zero_points, output_dtype, result_type(input, scales));
}

// Groups of `group_size` neighbours of a row share their parameters.
Tensor grouped(const Tensor& t, int64_t group_size) {
  const Tensor dense = as_contiguous(t);
  check(group_size > 1 && t.dim() == 2 && t.sizes[1] % group_size == 0, "the last dimension ", t.sizes.empty() ? 0 : t.sizes.back(),
        " must be divisible by group_size ", group_size);
  const Shape sizes{dense.numel() / group_size, group_size};
  return make_view(dense, sizes, contiguous_strides(sizes), dense.offset);
}
Tensor column_of(const Tensor& t) {
  const Tensor dense = as_contiguous(t);
  const Shape sizes{dense.numel(), 1};
  return make_view(dense, sizes, contiguous_strides(sizes), dense.offset);
}
Tensor quantize_per_channel_group(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t quant_min, int64_t quant_max, DType dtype, int64_t group_size) {
  if (group_size > input.sizes.back() && scales.sizes.back() == 1) group_size = input.sizes.back();
  const Tensor q = quantize_per_token(grouped(input, group_size), column_of(scales), column_of(zero_points), quant_min, quant_max, dtype);
  return make_view(q, input.sizes, contiguous_strides(input.sizes), q.offset);
}
Tensor dequantize_per_channel_group(const Tensor& input, const Tensor& scales, const MaybeTensor& zero_points, int64_t, int64_t, DType, int64_t group_size, DType output_dtype) {
  if (group_size > input.sizes.back() && scales.sizes.back() == 1) group_size = input.sizes.back();
  MaybeTensor zero;
  if (zero_points) zero = column_of(*zero_points);
  const Tensor x = dequantize(grouped(input, group_size), column_of(scales), zero, output_dtype, result_type(input, scales));
  return make_view(x, input.sizes, contiguous_strides(input.sizes), x.offset);
}

// ---- Parameters from values ------------------------------------------------------------------------------------------------------------

struct Range { double min, max; };
Range range_of(const float* from, int64_t count) {
  Range r{from[0], from[0]};
  for (int64_t i = 1; i < count; ++i) r = {std::min<double>(r.min, from[i]), std::max<double>(r.max, from[i])};
  return r;
}
Pair one_parameter(double scale, int64_t zero_point) {
  return {full(Shape{1}, DType::Float64, Scalar(scale)), full(Shape{1}, DType::Int64, Scalar(zero_point))};
}

template <bool symmetric>
Pair choose_qparams(const Tensor& input, int64_t quant_min, int64_t quant_max, double eps, DType dtype) {
  const Tensor x = as_contiguous(as_float32(input));
  check(x.numel() > 0, "choose_qparams: the input has no elements");
  const Range r = range_of(x.data<float>(), x.numel());
  if (std::isinf(r.min) && std::isinf(r.max) && r.min > 0 && r.max < 0) return one_parameter(1, 0);
  const float low = static_cast<float>(std::min(r.min, 0.0)), high = static_cast<float>(std::max(r.max, 0.0)), smallest = static_cast<float>(eps);
  if (symmetric) {
    const float reach = std::max(-low, high);
    const float scale = std::max(reach / (static_cast<float>(quant_max - quant_min) / 2), smallest);
    return one_parameter(scale, dtype == DType::UInt8 ? 128 : 0);
  }
  const float scale = std::max((high - low) / static_cast<float>(quant_max - quant_min), smallest);
  const auto zero = quant_min - static_cast<int64_t>(std::nearbyint(low / scale));
  return one_parameter(scale, std::clamp(zero, quant_min, quant_max));
}

// One pair of parameters for each row.
template <class Function>
Pair for_rows(const Tensor& input, DType scale_dtype, DType zero_dtype, Function function) {
  const Tensor x = as_contiguous(input, DType::Float32);
  check(x.dim() > 0 && x.sizes.back() > 0, "choose_qparams_per_token: the input has no rows");
  Shape sizes = x.sizes;
  const int64_t count = sizes.back();
  sizes.back() = 1;
  const Tensor scales = empty(sizes, DType::Float64), zeros = empty(sizes, DType::Float64);
  for (int64_t r = 0; r < scales.numel(); ++r) {
    const Range range = range_of(x.data<float>() + r * count, count);
    const auto [scale, zero] = function(range);
    scales.data<double>()[r] = scale;
    zeros.data<double>()[r] = zero;
  }
  return {to_dtype(scales, scale_dtype), to_dtype(zeros, zero_dtype)};
}
Pair choose_qparams_per_token(const Tensor& input, DType dtype) {
  check(dtype == DType::Int8, "unsupported dtype in choose_qparams_per_token: ", dtype);
  const DType result = input.dtype == DType::Float16 ? DType::Float32 : input.dtype;
  return for_rows(input, result, result, [](const Range& r) {
    const float reach = static_cast<float>(std::max(std::abs(r.min), std::abs(r.max)));
    return std::pair<double, double>(std::max(reach, 1e-5f) / 127.0f, 0.0);
  });
}
Pair choose_qparams_per_token_asymmetric(const Tensor& input, DType) {
  return for_rows(input, DType::Float64, DType::Int64, [](const Range& r) {
    constexpr float kMin = -128, kMax = 127;
    const float low = static_cast<float>(std::min(r.min, 0.0)), high = static_cast<float>(std::max(r.max, 0.0));
    const float scale = std::max((high - low) / (kMax - kMin), std::numeric_limits<float>::epsilon());
    const float from_min = low / scale, from_max = high / scale;
    const float zero = (kMin + from_min) + (kMax + from_max) > 0 ? kMin - from_min : kMax - from_max;
    return std::pair<double, double>(scale, std::nearbyint(std::clamp(zero, kMin, kMax)));
  });
}

// ---- Fake quantization -----------------------------------------------------------------------------------------------------------------

// How a quotient becomes an integer, by what PyTorch's kernels do. Per tensor it stays a number of floating point until it is clamped, and NaN
// becomes quant_min. Per channel it is an int64 first: NaN and what is too large become quant_min. A zero point of floating point is added before
// rounding.
enum class Rounding { Tensor, Channel, ChannelFloat };
template <Rounding R, class T>
T fake_quotient(T x, T scale, T zero_point) {
  const T scaled = x * (T(1) / scale);
  if constexpr (R == Rounding::Tensor) return std::nearbyint(scaled) + zero_point;
  const T q = R == Rounding::Channel ? std::nearbyint(scaled) + zero_point : std::nearbyint(scaled + zero_point);
  constexpr T kTooLarge = T(9223372036854775808.0), kLowest = -kTooLarge;
  return q > kLowest && q < kTooLarge ? q : kLowest;
}
template <Rounding R>
Pair fake_quantize(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t quant_min, int64_t quant_max) {
  check(quant_min <= quant_max, "`quant_min` should be less than or equal to `quant_max`.");
  const DType compute = self.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
  const Tensor s = to_dtype(scale, compute), z = to_dtype(zero_point, compute);
  const Tensor output = map<FloatTypes>({"fake_quantize", compute, self.dtype}, [=](auto x, auto sc, auto zp) {
    using T = decltype(x);
    const T q = std::fmin(std::fmax(fake_quotient<R>(x, sc, zp), static_cast<T>(quant_min)), static_cast<T>(quant_max));
    return static_cast<T>(static_cast<float>(q - zp) * static_cast<float>(sc));  // also of doubles
  }, self, s, z);
  const Tensor mask = map<FloatTypes>({"fake_quantize", compute, DType::Bool}, [=](auto x, auto sc, auto zp) {
    using T = decltype(x);
    const T q = fake_quotient<R>(x, sc, zp);
    return q >= static_cast<T>(quant_min) && q <= static_cast<T>(quant_max);
  }, self, s, z);
  return {output, mask};
}
Pair fake_quantize_cachemask(const Tensor& self, double scale, int64_t zero_point, int64_t quant_min, int64_t quant_max) {
  return fake_quantize<Rounding::Tensor>(self, wrapped_scalar(Scalar(static_cast<double>(static_cast<float>(scale)))), wrapped_scalar(Scalar(zero_point)), quant_min, quant_max);
}
Tensor fake_quantize_per_tensor(const Tensor& self, double scale, int64_t zero_point, int64_t quant_min, int64_t quant_max) {
  return std::get<0>(fake_quantize_cachemask(self, scale, zero_point, quant_min, quant_max));
}
Pair fake_quantize_tensor_cachemask(const Tensor& self, const Tensor& scale, const Tensor& zero_point, const Tensor& fake_quant_enabled, int64_t quant_min,
                                    int64_t quant_max) {
  if (!item(fake_quant_enabled).to_bool()) return {to_dtype(self, self.dtype), full(self.sizes, DType::Bool, Scalar(true))};
  return fake_quantize<Rounding::Tensor>(self, wrapped_scalar(item(scale)), wrapped_scalar(item(zero_point)), quant_min, quant_max);
}
Tensor fake_quantize_tensor(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t quant_min, int64_t quant_max) {
  return std::get<0>(fake_quantize<Rounding::Tensor>(self, wrapped_scalar(item(scale)), wrapped_scalar(item(zero_point)), quant_min, quant_max));
}
Pair fake_quantize_channel_cachemask(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t axis, int64_t quant_min, int64_t quant_max) {
  check(scale.dim() == 1 && zero_point.dim() == 1 && scale.numel() == self.sizes[static_cast<size_t>(normalize_dim(axis, self.dim()))],
        "dimensions of scale and zero-point are not consistent with input tensor");
  const auto kernel = is_floating(zero_point.dtype) ? fake_quantize<Rounding::ChannelFloat> : fake_quantize<Rounding::Channel>;
  return kernel(self, along_axis(scale, axis, self.dim()), along_axis(zero_point, axis, self.dim()), quant_min, quant_max);
}
Tensor fake_quantize_channel(const Tensor& self, const Tensor& scale, const Tensor& zero_point, int64_t axis, int64_t quant_min, int64_t quant_max) {
  return std::get<0>(fake_quantize_channel_cachemask(self, scale, zero_point, axis, quant_min, quant_max));
}
Tensor fake_quant_per_channel(const Tensor& input, const Tensor& scales, const Tensor& zero_points, int64_t axis, int64_t quant_min, int64_t quant_max) {
  return fake_quantize_channel(as_float32(input), scales, zero_points, axis, quant_min, quant_max);
}

// Moves the observed range, derives scale and zero point from it, and quantizes with them.
Pair moving_average_fake_quant(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on, const Tensor& running_min, const Tensor& running_max,
                               const Tensor& scale, const Tensor& zero_point, double averaging_const, int64_t quant_min, int64_t quant_max, int64_t ch_axis,
                               bool per_row_fake_quant, bool symmetric_quant) {
  const int64_t channels = per_row_fake_quant ? self.sizes[static_cast<size_t>(normalize_dim(ch_axis, self.dim()))] : 1;
  if (item(observer_on).to_bool()) {
    Tensor x = to_dtype(self, DType::Float32);
    if (per_row_fake_quant) {
      const auto d = static_cast<size_t>(normalize_dim(ch_axis, self.dim()));
      Shape sizes = x.sizes, strides = x.strides;
      std::swap(sizes[0], sizes[d]), std::swap(strides[0], strides[d]);
      x = make_view(x, sizes, strides, x.offset);
    }
    x = as_contiguous(x);
    const int64_t count = x.numel() / channels;
    const Tensor lows = empty(Shape{channels}, DType::Float32), highs = empty(Shape{channels}, DType::Float32);
    const Tensor old_lows = as_contiguous(expand_to(to_dtype(running_min, DType::Float32), Shape{channels}));
    const Tensor old_highs = as_contiguous(expand_to(to_dtype(running_max, DType::Float32), Shape{channels}));
    const Tensor scales = empty(Shape{channels}, DType::Float32), zero_points = empty(Shape{channels}, DType::Int64);
    for (int64_t c = 0; c < channels; ++c) {
      const Range r = range_of(x.data<float>() + c * count, count);
      auto moved = [&](float old, double now) {
        const float v = static_cast<float>(now);
        return std::isinf(old) ? v : old + static_cast<float>(averaging_const) * (v - old);
      };
      float low = moved(old_lows.data<float>()[c], r.min), high = moved(old_highs.data<float>()[c], r.max);
      lows.data<float>()[c] = low, highs.data<float>()[c] = high;
      low = std::min(low, 0.0f), high = std::max(high, 0.0f);
      if (symmetric_quant) high = std::max(high, -low), low = -high;
      double s = (static_cast<double>(high) - low) / static_cast<double>(quant_max - quant_min);
      if (static_cast<float>(s) == 0.0f || std::isinf(1.0f / static_cast<float>(s))) s = 0.1;
      s = std::max(s, 1.1920928955078125e-07);
      int64_t zero = quant_min - static_cast<int64_t>(std::nearbyint(static_cast<double>(low) / s));
      if (symmetric_quant) zero = (quant_min + quant_max + 1) / 2;
      scales.data<float>()[c] = static_cast<float>(s);
      zero_points.data<int64_t>()[c] = std::clamp(zero, quant_min, quant_max);
    }
    auto write = [](const Tensor& to, const Tensor& from) {
      const Tensor typed = to_dtype(from, to.dtype);
      copy_into(to, to.dim() == 0 ? make_view(typed, {}, {}, typed.offset) : typed);
    };
    write(running_min, lows), write(running_max, highs), write(scale, scales), write(zero_point, zero_points);
  }
  if (!item(fake_quant_on).to_bool()) return {to_dtype(self, self.dtype), full(self.sizes, DType::Bool, Scalar(true))};
  if (per_row_fake_quant) return fake_quantize_channel_cachemask(self, scale, zero_point, ch_axis, quant_min, quant_max);
  return fake_quantize<Rounding::Tensor>(self, wrapped_scalar(item(scale)), wrapped_scalar(item(zero_point)), quant_min, quant_max);
}
Tensor moving_average_fake_quant_output(const Tensor& self, const Tensor& observer_on, const Tensor& fake_quant_on, const Tensor& running_min,
                                        const Tensor& running_max, const Tensor& scale, const Tensor& zero_point, double averaging_const, int64_t quant_min,
                                        int64_t quant_max, int64_t ch_axis, bool per_row_fake_quant, bool symmetric_quant) {
  return std::get<0>(moving_average_fake_quant(self, observer_on, fake_quant_on, running_min, running_max, scale, zero_point, averaging_const, quant_min, quant_max,
                                               ch_axis, per_row_fake_quant, symmetric_quant));
}

// ---- Products with quantized weights ---------------------------------------------------------------------------------------------------

Tensor int_mm(const Tensor& self, const Tensor& mat2) {
  check(self.dtype == DType::Int8 && mat2.dtype == DType::Int8, "Expected self.dtype to be of type torch.int8, found ", self.dtype, " and ", mat2.dtype);
  return to_dtype(matrix_product(to_dtype(self, DType::Int64), to_dtype(mat2, DType::Int64)), DType::Int32);
}
Tensor weight_int8pack_mm(const Tensor& self, const Tensor& mat2, const Tensor& scales) {
  const Tensor weight = to_dtype(mat2, DType::Float32);
  const Tensor product = linear(to_dtype(self, DType::Float32), weight, std::nullopt);
  return map<FloatTypes>({"_weight_int8pack_mm", DType::Float32, self.dtype}, [](auto x, auto s) { return x * s; }, product, to_dtype(scales, DType::Float32));
}

}  // namespace

void add_quantized_ops(OpTable& ops) {
  ops.add("quantized_decomposed::quantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor", quantize_per_tensor);
  ops.add("quantized_decomposed::quantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, ScalarType dtype) -> Tensor", quantize_per_tensor_tensor);
  ops.add("quantized_decomposed::quantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype) -> Tensor", quantize_per_tensor_tensor2);
  ops.add("quantized_decomposed::dequantize_per_tensor(Tensor input, float scale, int zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor", dequantize_per_tensor);
  ops.add("quantized_decomposed::dequantize_per_tensor.tensor(Tensor input, Tensor scale, Tensor zero_point, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor", dequantize_per_tensor_tensor);
  ops.add("quantized_decomposed::dequantize_per_tensor.tensor2(Tensor input, Tensor scale, Tensor zero_point, Tensor quant_min, Tensor quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor", dequantize_per_tensor_tensor2);
  ops.add("quantized_decomposed::quantize_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max, ScalarType dtype) -> Tensor", quantize_per_channel);
  ops.add("quantized_decomposed::dequantize_per_channel(Tensor input, Tensor scales, Tensor? zero_points, int axis, int quant_min, int quant_max, ScalarType dtype, *, ScalarType? out_dtype=None) -> Tensor", dequantize_per_channel);
  ops.add("quantized_decomposed::quantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype) -> Tensor", quantize_per_token);
  ops.add("quantized_decomposed::dequantize_per_token(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, ScalarType output_dtype) -> Tensor", dequantize_per_token);
  ops.add("quantized_decomposed::quantize_per_channel_group(Tensor input, Tensor scales, Tensor zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size) -> Tensor", quantize_per_channel_group);
  ops.add("quantized_decomposed::dequantize_per_channel_group(Tensor input, Tensor scales, Tensor? zero_points, int quant_min, int quant_max, ScalarType dtype, int group_size, ScalarType output_dtype) -> Tensor", dequantize_per_channel_group);
  ops.add("quantized_decomposed::choose_qparams.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> (Tensor, Tensor)", choose_qparams<false>);
  ops.add("quantized_decomposed::choose_qparams_symmetric.tensor(Tensor input, int quant_min, int quant_max, float eps, ScalarType dtype) -> (Tensor, Tensor)", choose_qparams<true>);
  ops.add("quantized_decomposed::choose_qparams_per_token(Tensor input, ScalarType dtype) -> (Tensor, Tensor)", choose_qparams_per_token);
  ops.add("quantized_decomposed::choose_qparams_per_token_asymmetric(Tensor input, ScalarType dtype) -> (Tensor, Tensor)", choose_qparams_per_token_asymmetric);
  ops.add("quantized_decomposed::_choose_qparams_per_token_asymmetric_impl(Tensor input, ScalarType dtype) -> (Tensor, Tensor)", choose_qparams_per_token_asymmetric);
  ops.add("quantized_decomposed::convert_element_type.no_fuse(Tensor input, ScalarType dtype) -> Tensor", convert_element_type);
  ops.add("quantized_decomposed::fake_quant_per_channel(Tensor input, Tensor scales, Tensor zero_points, int axis, int quant_min, int quant_max) -> Tensor", fake_quant_per_channel);
  ops.add("aten::fake_quantize_per_tensor_affine(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> Tensor", fake_quantize_per_tensor);
  ops.add("aten::fake_quantize_per_tensor_affine.tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, int quant_min, int quant_max) -> Tensor", fake_quantize_tensor);
  ops.add("aten::fake_quantize_per_tensor_affine_cachemask(Tensor self, float scale, int zero_point, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", fake_quantize_cachemask);
  ops.add("aten::_fake_quantize_per_tensor_affine_cachemask_tensor_qparams(Tensor self, Tensor scale, Tensor zero_point, Tensor fake_quant_enabled, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", fake_quantize_tensor_cachemask);
  ops.add("aten::fake_quantize_per_channel_affine(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> Tensor", fake_quantize_channel);
  ops.add("aten::fake_quantize_per_channel_affine_cachemask(Tensor self, Tensor scale, Tensor zero_point, int axis, int quant_min, int quant_max) -> (Tensor output, Tensor mask)", fake_quantize_channel_cachemask);
  ops.add("aten::_fused_moving_avg_obs_fq_helper(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> (Tensor output, Tensor mask)", moving_average_fake_quant);
  ops.add("aten::fused_moving_avg_obs_fake_quant(Tensor self, Tensor observer_on, Tensor fake_quant_on, Tensor(a!) running_min, Tensor(b!) running_max, Tensor(c!) scale, Tensor(d!) zero_point, float averaging_const, int quant_min, int quant_max, int ch_axis, bool per_row_fake_quant=False, bool symmetric_quant=False) -> Tensor", moving_average_fake_quant_output);
  ops.add("aten::_int_mm(Tensor self, Tensor mat2) -> Tensor", int_mm);
  ops.add("aten::_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor", weight_int8pack_mm);
}

}  // namespace pt2::interp
