// Batch, layer, group, instance and RMS normalization. Statistics are accumulated in double; half types compute in float.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/tensor/float_formats.h"
#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/kernels/row_kernels.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;
using Ints = std::span<const int64_t>;
using Triple = std::tuple<Tensor, Tensor, Tensor>;

// What half types compute in.
DType accumulate_type(DType dtype) { return dtype == DType::Float64 ? DType::Float64 : DType::Float32; }

// What statistics come out in: the input's dtype, but float where a half input has float parameters.
DType statistics_type(const Tensor& input, const MaybeTensor& parameter) {
  return parameter && parameter->dtype != input.dtype ? accumulate_type(input.dtype) : input.dtype;
}

Tensor dense(const Tensor& t, DType dtype) { return as_contiguous(t, dtype); }
MaybeTensor dense(const MaybeTensor& t, DType dtype) {
  if (!t) return std::nullopt;
  return dense(*t, dtype);
}
template <class T>
T at(const MaybeTensor& t, int64_t i, T other) { return t ? t->data<T>()[i] : other; }

// ---- Batch normalization --------------------------------------------------------------------------------------------------------------

// [N, C, positions…]
struct Channels {
  int64_t batch, channels, positions;
  explicit Channels(const Tensor& t) : batch(t.sizes[0]), channels(t.sizes.size() > 1 ? t.sizes[1] : 1), positions(1) {
    for (size_t i = 2; i < t.sizes.size(); ++i) positions *= t.sizes[i];
  }
  int64_t count() const { return batch * positions; }
};

MemoryFormat layout_of(const Tensor& t) { return t.dim() == 4 || t.dim() == 5 ? suggested_format(t) : MemoryFormat::Contiguous; }

// y = x · scale[c] + shift[c]
Tensor scale_channels(const Tensor& input, const Tensor& scale, const Tensor& shift, DType compute) {
  const Channels shape(input);
  const MemoryFormat format = layout_of(input);
  Tensor x = as_dtype(input, compute);
  const bool channels_last = format != MemoryFormat::Contiguous && is_contiguous_as(x, format);
  if (!channels_last) x = as_contiguous(x);
  Tensor y = empty(input.sizes, compute, channels_last ? format : MemoryFormat::Contiguous);
  dispatch(FloatTypes(), compute, "batch_norm", [&]<class T>() {
    const RowFunctions<T>& rows = row_kernels().of<T>();
    if (channels_last) {
      parallel_for(shape.count(), grain_for(shape.channels), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          rows.scale_shift_each(x.data<T>() + i * shape.channels, y.data<T>() + i * shape.channels, shape.channels, scale.data<T>(), shift.data<T>());
      });
    } else {
      parallel_for(shape.batch * shape.channels, grain_for(shape.positions), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i)
          rows.scale_shift(x.data<T>() + i * shape.positions, y.data<T>() + i * shape.positions, shape.positions, scale.data<T>()[i % shape.channels],
                           shift.data<T>()[i % shape.channels]);
      });
    }
  });
  const Tensor typed = as_dtype(y, input.dtype);
  return format == MemoryFormat::Contiguous || channels_last ? typed : to_dtype(typed, input.dtype, format);
}

// Mean and Σ(x - mean)² of each channel, in double.
struct ChannelMoments { std::vector<double> mean, squares; };
ChannelMoments channel_moments(const Tensor& input, DType compute) {
  const Channels shape(input);
  const Tensor x = dense(input, compute);
  ChannelMoments m{std::vector<double>(shape.channels), std::vector<double>(shape.channels)};
  dispatch(FloatTypes(), compute, "batch_norm", [&]<class T>() {
    parallel_for(shape.channels, grain_for(shape.count()), [&](int64_t begin, int64_t end) {
      for (int64_t c = begin; c < end; ++c) {
        double squares = 0;  // combined over the batch (Chan et al.)
        int64_t n = 0;
        double mean = 0;
        for (int64_t b = 0; b < shape.batch; ++b) {
          double row_mean, row_squares;
          row_kernels().of<T>().moments(x.data<T>() + (b * shape.channels + c) * shape.positions, shape.positions, &row_mean, &row_squares);
          const double delta = row_mean - mean;
          const int64_t total = n + shape.positions;
          if (total == 0) continue;
          squares += row_squares + delta * delta * static_cast<double>(n) * static_cast<double>(shape.positions) / static_cast<double>(total);
          // PyTorch adds all up: an Inf stays one, whatever comes after it.
          mean += std::isfinite(delta) ? delta * static_cast<double>(shape.positions) / static_cast<double>(total) : row_mean;
          n = total;
        }
        m.mean[c] = mean;
        m.squares[c] = squares;
      }
    });
  });
  return m;
}

void fold(const Channels& shape, const MaybeTensor& weight, const MaybeTensor& bias, auto mean, auto invstd, Tensor& scale, Tensor& shift, DType compute) {
  scale = empty(std::vector<int64_t>{shape.channels}, compute);
  shift = empty(std::vector<int64_t>{shape.channels}, compute);
  const MaybeTensor w = dense(weight, compute), b = dense(bias, compute);
  dispatch(FloatTypes(), compute, "batch_norm", [&]<class T>() {
    for (int64_t c = 0; c < shape.channels; ++c) {
      const T factor = static_cast<T>(invstd(c)) * at<T>(w, c, T(1));
      scale.data<T>()[c] = factor;
      shift.data<T>()[c] = at<T>(b, c, T(0)) - static_cast<T>(mean(c)) * factor;
    }
  });
}

double element(const Tensor& dense_double, int64_t i) { return dense_double.data<double>()[i]; }

void check_input(const Tensor& input) { check(input.dim() >= 2, "batch_norm: expected 2D or more input, got ", input.dim(), "D"); }

Tensor normalize_with(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const Tensor& running_mean, const Tensor& running_var, double eps) {
  check_input(input);
  const DType compute = accumulate_type(input.dtype);
  const Channels shape(input);
  check(running_mean.numel() == shape.channels && running_var.numel() == shape.channels, "running_mean should contain ", shape.channels,
        " elements not ", running_mean.numel());
  const Tensor mean = dense(running_mean, DType::Float64), var = dense(running_var, DType::Float64);
  Tensor scale, shift;
  fold(shape, weight, bias, [&](int64_t c) { return element(mean, c); }, [&](int64_t c) { return 1 / std::sqrt(element(var, c) + eps); }, scale, shift, compute);
  return scale_channels(input, scale, shift, compute);
}

// Sums and variances PyTorch keeps in bfloat16 where the statistics are, though not in float16.
double rounded(double value, DType stats) {
  return stats == DType::BFloat16 ? float_from_bfloat16(bfloat16_from_float(static_cast<float>(value))) : value;
}

struct BatchNorm { Tensor output, mean, invstd, running_mean, running_var; };

// With the batch's own statistics; running ones are moved towards them: new tensors, of which in-place forms write back.
BatchNorm normalize_batch(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& running_mean,
                          const MaybeTensor& running_var, double momentum, double eps) {
  check_input(input);
  const DType compute = accumulate_type(input.dtype);
  const Channels shape(input);
  check(shape.count() > 0, "Expected more than 1 value per channel when training, got input size ", input.sizes);
  const ChannelMoments m = channel_moments(input, compute);
  const double n = static_cast<double>(shape.count());
  BatchNorm result;
  const Shape sizes{shape.channels};
  const DType stats = statistics_type(input, weight ? weight : running_mean);
  Tensor mean = empty(sizes, DType::Float64), invstd = empty(sizes, DType::Float64);
  for (int64_t c = 0; c < shape.channels; ++c) {
    mean.data<double>()[c] = m.mean[c];
    invstd.data<double>()[c] = 1 / std::sqrt(rounded(rounded(m.squares[c], stats) / n, stats) + eps);
  }
  // PyTorch normalizes with the statistics as it saves them: rounded, where all parameters are of a half type.
  mean = to_dtype(to_dtype(mean, stats), DType::Float64), invstd = to_dtype(to_dtype(invstd, stats), DType::Float64);
  Tensor scale, shift;
  fold(shape, weight, bias, [&](int64_t c) { return element(mean, c); }, [&](int64_t c) { return element(invstd, c); }, scale, shift, compute);
  result.output = scale_channels(input, scale, shift, compute);
  result.mean = as_dtype(mean, stats);
  result.invstd = as_dtype(invstd, stats);
  auto moved = [&](const Tensor& running, auto value) {
    Tensor next = to_dtype(running, DType::Float64, MemoryFormat::Contiguous);
    const Tensor out = empty(running.sizes, DType::Float64);
    for (int64_t c = 0; c < shape.channels; ++c) out.data<double>()[c] = momentum * value(c) + (1 - momentum) * element(next, c);
    return to_dtype(out, running.dtype);
  };
  if (running_mean) result.running_mean = moved(*running_mean, [&](int64_t c) { return m.mean[c]; });
  if (running_var) result.running_var = moved(*running_var, [&](int64_t c) { return m.squares[c] / (n - 1); });
  return result;
}

Tensor none(const Tensor& statistics) { return empty(std::vector<int64_t>{0}, statistics.dtype); }

Tensor batch_norm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& running_mean, const MaybeTensor& running_var,
                  bool training, double momentum, double eps, Unused) {
  if (!training) {
    check(running_mean && running_var, "batch_norm: expected running_mean and running_var to be defined in evaluation mode");
    return normalize_with(input, weight, bias, *running_mean, *running_var, eps);
  }
  const BatchNorm r = normalize_batch(input, weight, bias, running_mean, running_var, momentum, eps);
  if (running_mean) copy_into(*running_mean, r.running_mean);
  if (running_var) copy_into(*running_var, r.running_var);
  return r.output;
}
Triple native_batch_norm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& running_mean,
                         const MaybeTensor& running_var, bool training, double momentum, double eps) {
  if (!training) {
    check(running_mean && running_var, "batch_norm: expected running_mean and running_var to be defined in evaluation mode");
    return {normalize_with(input, weight, bias, *running_mean, *running_var, eps), none(*running_mean), none(*running_mean)};
  }
  const BatchNorm r = normalize_batch(input, weight, bias, running_mean, running_var, momentum, eps);
  if (running_mean) copy_into(*running_mean, r.running_mean);
  if (running_var) copy_into(*running_var, r.running_var);
  return {r.output, r.mean, r.invstd};
}
Triple legit(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const Tensor& running_mean, const Tensor& running_var, bool training,
             double momentum, double eps) {
  return native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps);
}
Triple legit_no_stats(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, bool training, double momentum, double eps) {
  return native_batch_norm(input, weight, bias, std::nullopt, std::nullopt, training, momentum, eps);
}
Triple legit_no_training(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const Tensor& running_mean, const Tensor& running_var,
                         double, double eps) {
  return {normalize_with(input, weight, bias, running_mean, running_var, eps), none(running_mean), none(running_mean)};
}
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> legit_functional(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias,
                                                                    const Tensor& running_mean, const Tensor& running_var, bool training,
                                                                    double momentum, double eps) {
  if (!training)
    return {normalize_with(input, weight, bias, running_mean, running_var, eps), none(running_mean), none(running_mean), to_dtype(running_mean, running_mean.dtype),
            to_dtype(running_var, running_var.dtype)};
  BatchNorm r = normalize_batch(input, weight, bias, running_mean, running_var, momentum, eps);
  return {r.output, r.mean, r.invstd, r.running_mean, r.running_var};
}

// ---- Groups of dense elements: layer, group and instance normalization -----------------------------------------------------------------

struct Normalized { Tensor output, mean, rstd; };

constexpr int64_t kEachElement = 0;

// `rows` groups of `count` elements. Element i of a row has weight[i] where `run` is kEachElement, else each run of that many elements from i on
// has weight[parameter(row, i)].
template <class Parameter>
Normalized normalize_rows(const Tensor& input, int64_t rows, int64_t count, const MaybeTensor& weight, const MaybeTensor& bias, double eps,
                          int64_t run, Parameter parameter) {
  const DType compute = accumulate_type(input.dtype);
  const Tensor x = dense(input, compute);
  Normalized n{empty(input.sizes, compute), empty(std::vector<int64_t>{rows}, compute), empty(std::vector<int64_t>{rows}, compute)};
  const MaybeTensor w = dense(weight, compute), b = dense(bias, compute);
  dispatch(FloatTypes(), input.dtype, "layer_norm", [&]<class T>() {
    const RowFunctions<T>& functions = row_kernels().of<T>();
    parallel_for(rows, grain_for(count * 4), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const T* from = x.data<T>() + r * count;
        T* to = n.output.data<T>() + r * count;
        double mean, squares;
        functions.moments(from, count, &mean, &squares);
        // As PyTorch's own way to it, which subtracts means from each other.
        if (std::isinf(mean)) mean = std::numeric_limits<double>::quiet_NaN();
        const double rstd = 1 / std::sqrt(squares / static_cast<double>(count) + eps);
        n.mean.data<T>()[r] = static_cast<T>(mean);
        n.rstd.data<T>()[r] = static_cast<T>(rstd);
        if (run == 0) {  // a weight for each element of the row
          functions.center_scale(from, to, count, static_cast<T>(mean), static_cast<T>(rstd));
          if (w && b) functions.scale_shift_each(to, to, count, w->data<T>(), b->data<T>());
          else if (w || b)
            for (int64_t i = 0; i < count; ++i) to[i] = to[i] * at<T>(w, i, T(1)) + at<T>(b, i, T(0));
          continue;
        }
        for (int64_t i = 0; i < count; i += run) {  // a weight for each run of elements
          const int64_t p = parameter(r, i);
          const T scale = static_cast<T>(rstd) * at<T>(w, p, T(1));
          functions.scale_shift(from + i, to + i, run, scale, at<T>(b, p, T(0)) - static_cast<T>(mean) * scale);
        }
      }
    });
  });
  n.output = as_dtype(n.output, input.dtype);
  const DType stats = statistics_type(input, weight);
  n.mean = as_dtype(n.mean, stats);
  n.rstd = as_dtype(n.rstd, stats);
  return n;
}

Tensor reshaped(const Tensor& t, const Shape& sizes) { return make_view(t, sizes, contiguous_strides(sizes), t.offset); }

Triple native_layer_norm(const Tensor& input, Ints normalized_shape, const MaybeTensor& weight, const MaybeTensor& bias, double eps) {
  const size_t outer = input.sizes.size() - normalized_shape.size();
  check(input.sizes.size() >= normalized_shape.size() && std::equal(normalized_shape.begin(), normalized_shape.end(), input.sizes.begin() + static_cast<long>(outer)),
        "Given normalized_shape=", normalized_shape, ", expected input with shape [*, …], but got input of size", input.sizes);
  check(!weight || weight->numel() == checked_numel(normalized_shape), "Expected weight to be of same shape as normalized_shape");
  const int64_t count = checked_numel(normalized_shape);
  Shape stats(input.sizes.begin(), input.sizes.begin() + static_cast<long>(outer));
  const int64_t rows = checked_numel(stats);
  Normalized n = normalize_rows(input, rows, count, weight, bias, eps, kEachElement, [](int64_t, int64_t i) { return i; });
  stats.resize(input.sizes.size(), 1);
  return {n.output, reshaped(n.mean, stats), reshaped(n.rstd, stats)};
}
Tensor layer_norm(const Tensor& input, Ints normalized_shape, const MaybeTensor& weight, const MaybeTensor& bias, double eps, Unused) {
  return std::get<0>(native_layer_norm(input, normalized_shape, weight, bias, eps));
}

Triple native_group_norm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, int64_t N, int64_t C, int64_t HxW, int64_t group, double eps) {
  check(group > 0 && C % group == 0, "Expected number of channels in input to be divisible by num_groups, but got input of shape ", input.sizes,
        " and num_groups=", group);
  const int64_t per_group = C / group;
  const MemoryFormat format = layout_of(input);
  Normalized n = normalize_rows(input, N * group, per_group * HxW, weight, bias, eps, HxW,
                                [&](int64_t r, int64_t i) { return r % group * per_group + i / HxW; });
  if (format != MemoryFormat::Contiguous) n.output = to_dtype(n.output, input.dtype, format);
  const Shape stats{N, group};
  return {n.output, reshaped(n.mean, stats), reshaped(n.rstd, stats)};
}
Tensor group_norm(const Tensor& input, int64_t num_groups, const MaybeTensor& weight, const MaybeTensor& bias, double eps, Unused) {
  const Channels shape(input);
  return std::get<0>(native_group_norm(input, weight, bias, shape.batch, shape.channels, shape.positions, num_groups, eps));
}

Tensor instance_norm(const Tensor& input, const MaybeTensor& weight, const MaybeTensor& bias, const MaybeTensor& running_mean, const MaybeTensor& running_var,
                     bool use_input_stats, double momentum, double eps, Unused) {
  const Channels shape(input);
  if (!use_input_stats) {
    check(running_mean && running_var, "Expected running_mean and running_var to be defined when use_input_stats is false");
    return normalize_with(input, weight, bias, *running_mean, *running_var, eps);
  }
  check(running_mean.has_value() == running_var.has_value(), "running_mean and running_var must either both be None or neither be None");
  const Tensor x = as_contiguous(input);
  if (running_mean && running_var) {
    // The running statistics move by the mean over the batch of each instance's.
    const Shape as_one{1, shape.batch * shape.channels, shape.positions};
    const ChannelMoments m = channel_moments(reshaped(x, as_one), accumulate_type(input.dtype));
    auto moved = [&](const Tensor& running, auto value) {
      const Tensor out = to_dtype(running, DType::Float64, MemoryFormat::Contiguous);
      const Tensor next = empty(running.sizes, DType::Float64);
      for (int64_t c = 0; c < shape.channels; ++c) {
        double sum = 0;
        for (int64_t b = 0; b < shape.batch; ++b) sum += value(b * shape.channels + c);
        next.data<double>()[c] = momentum * sum / static_cast<double>(shape.batch) + (1 - momentum) * element(out, c);
      }
      copy_into(running, to_dtype(next, running.dtype));
    };
    moved(*running_mean, [&](int64_t i) { return m.mean[i]; });
    moved(*running_var, [&](int64_t i) { return m.squares[i] / static_cast<double>(shape.positions - 1); });
  }
  const MemoryFormat format = layout_of(input);
  if (shape.channels == 0) return zeros(input.sizes, input.dtype, format);
  const Tensor out = std::get<0>(native_group_norm(x, weight, bias, shape.batch, shape.channels, shape.positions, shape.channels, eps));
  return format == MemoryFormat::Contiguous ? out : to_dtype(out, input.dtype, format);
}

// ---- RMS ------------------------------------------------------------------------------------------------------------------------------

std::tuple<Tensor, Tensor> fused_rms_norm(const Tensor& input, Ints normalized_shape, const MaybeTensor& weight, std::optional<double> eps) {
  const size_t outer = input.sizes.size() - normalized_shape.size();
  check(input.sizes.size() >= normalized_shape.size() && std::equal(normalized_shape.begin(), normalized_shape.end(), input.sizes.begin() + static_cast<long>(outer)),
        "Given normalized_shape=", normalized_shape, ", expected input with shape [*, …], but got input of size", input.sizes);
  const DType compute = accumulate_type(input.dtype);
  // The default is the epsilon of the type the computation is in.
  const double epsilon = eps.value_or(compute == DType::Float64 ? 2.220446049250313e-16 : 1.1920928955078125e-07);
  const int64_t count = checked_numel(normalized_shape);
  Shape stats(input.sizes.begin(), input.sizes.begin() + static_cast<long>(outer));
  const int64_t rows = checked_numel(stats);
  const Tensor x = dense(input, compute), y = empty(input.sizes, compute), rstds = empty(std::vector<int64_t>{rows}, compute);
  const MaybeTensor w = dense(weight, compute);
  dispatch(FloatTypes(), input.dtype, "rms_norm", [&]<class T>() {
    parallel_for(rows, grain_for(count * 4), [&](int64_t begin, int64_t end) {
      for (int64_t r = begin; r < end; ++r) {
        const T* from = x.data<T>() + r * count;
        T* to = y.data<T>() + r * count;
        const T rstd = static_cast<T>(1 / std::sqrt(row_kernels().of<T>().sum_of_squares(from, count) / static_cast<double>(count) + epsilon));
        rstds.data<T>()[r] = rstd;
        row_kernels().of<T>().scale_shift(from, to, count, rstd, T(0));
        if (w)
          for (int64_t i = 0; i < count; ++i) to[i] *= w->data<T>()[i];
      }
    });
  });
  stats.resize(input.sizes.size(), 1);
  const DType result = weight ? result_type(input, *weight) : input.dtype;
  return {as_dtype(y, result), reshaped(rstds, stats)};
}
// The square of a complex number is not that of its size.
Tensor complex_rms_norm(const Tensor& input, Ints normalized_shape, const MaybeTensor& weight, std::optional<double> eps) {
  std::vector<int64_t> dims;
  for (size_t i = 0; i < normalized_shape.size(); ++i) dims.push_back(-1 - static_cast<int64_t>(i));
  const Tensor squares = call("aten.mean.dim", call("aten.mul.Tensor", input, input), dims, true);
  const Tensor epsilon = wrapped_scalar(eps.value_or(input.dtype == DType::Complex128 ? 2.220446049250313e-16 : 1.1920928955078125e-07));
  const Tensor result = call("aten.mul.Tensor", input, call("aten.rsqrt.default", call("aten.add.Tensor", squares, epsilon)));
  return weight ? call("aten.mul.Tensor", result, *weight) : result;
}
Tensor rms_norm(const Tensor& input, Ints normalized_shape, const MaybeTensor& weight, std::optional<double> eps) {
  if (is_complex(input.dtype)) return complex_rms_norm(input, normalized_shape, weight, eps);
  return std::get<0>(fused_rms_norm(input, normalized_shape, weight, eps));
}

}  // namespace

void add_normalization_ops(OpTable& ops) {
  ops.add("aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor", batch_norm);
  ops.add("aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", native_batch_norm);
  ops.add("aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", legit);
  ops.add("aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)", legit_no_stats);
  ops.add("aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)", legit_no_training);
  ops.add("aten::_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, Tensor running_var_out)", legit_functional);
  ops.add("aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enable=True) -> Tensor", layer_norm);
  ops.add("aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)", native_layer_norm);
  ops.add("aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1e-05, bool cudnn_enabled=True) -> Tensor", group_norm);
  ops.add("aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)", native_group_norm);
  ops.add("aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor", instance_norm);
  ops.add("aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor", rms_norm);
  ops.add("aten::_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps) -> (Tensor, Tensor)", fused_rms_norm);
}

}  // namespace pt2::interp
