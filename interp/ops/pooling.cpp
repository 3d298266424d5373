// Pooling of one to three dimensions: all are windows over [planes, depth, height, width], with leading sizes of 1 where there are fewer.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using Triple = std::array<int64_t, 3>;


// Planes × volume, dense and in the compute type, with what is needed to give the result its shape back.
struct Planes {
  Tensor dense;
  int64_t planes = 1;
  Triple sizes{1, 1, 1};
  size_t rank = 0;
  MemoryFormat format = MemoryFormat::Contiguous;
  int64_t volume() const { return sizes[0] * sizes[1] * sizes[2]; }
};

Planes planes_of(const Tensor& input, size_t rank, std::string_view name) {
  const int64_t dims = input.dim();
  check(dims == static_cast<int64_t>(rank) + 1 || dims == static_cast<int64_t>(rank) + 2, name, ": Expected ", rank + 1, "D or ", rank + 2,
        "D tensor for input, but got: ", input.sizes);
  Planes p;
  p.rank = rank;
  if (dims == static_cast<int64_t>(rank) + 2 && rank >= 2) p.format = suggested_format(input);
  p.dense = as_contiguous(input, native_dtype(compute_type(input.dtype)));
  for (size_t i = 0; i < rank; ++i) p.sizes[3 - rank + i] = input.sizes[static_cast<size_t>(dims) - rank + i];
  for (size_t i = 0; i < static_cast<size_t>(dims) - rank; ++i) p.planes *= input.sizes[i];
  return p;
}

Shape result_shape(const Tensor& input, const Triple& out, size_t rank) {
  Shape sizes(input.sizes.begin(), input.sizes.end() - static_cast<long>(rank));
  for (size_t i = 0; i < rank; ++i) sizes.push_back(out[3 - rank + i]);
  return sizes;
}

Triple triple(Ints values, size_t rank, int64_t other, std::string_view name) {
  check(values.size() == rank || values.size() == 1, name, " must be one int or ", rank, " ints, found ", values.size());
  Triple t{other, other, other};
  for (size_t i = 0; i < rank; ++i) t[3 - rank + i] = checked_extent(values[values.size() == 1 ? 0 : i]);
  return t;
}

struct Pool {
  Triple kernel, stride, padding, dilation{1, 1, 1}, out{1, 1, 1};
};

Pool pool_settings(const Planes& in, Ints kernel, Ints stride, Ints padding, Ints dilation, bool ceil_mode) {
  Pool p;
  p.kernel = triple(kernel, in.rank, 1, "kernel_size");
  p.stride = stride.empty() ? p.kernel : triple(stride, in.rank, 1, "stride");
  p.padding = triple(padding, in.rank, 0, "padding");
  p.dilation = triple(dilation, in.rank, 1, "dilation");
  for (int d = 0; d < 3; ++d) {
    check(p.kernel[d] > 0 && p.stride[d] > 0 && p.dilation[d] > 0, "pooling: kernel size, stride and dilation should be greater than zero");
    check(p.padding[d] >= 0 && p.padding[d] <= (p.dilation[d] * (p.kernel[d] - 1) + 1) / 2, "pad should be at most half of effective kernel size, but got pad=", p.padding[d], ", kernel_size=", p.kernel[d]);
    const int64_t span = in.sizes[d] + 2 * p.padding[d] - p.dilation[d] * (p.kernel[d] - 1) - 1 + (ceil_mode ? p.stride[d] - 1 : 0);
    int64_t out = (span >= 0 ? span / p.stride[d] : -((-span + p.stride[d] - 1) / p.stride[d])) + 1;
    if (ceil_mode && (out - 1) * p.stride[d] >= in.sizes[d] + p.padding[d]) --out;
    check(out >= 1 || in.sizes[d] == 0, "Given input size ", in.sizes[d], ", the calculated output size ", out, " is too small");
    p.out[d] = out;
  }
  return p;
}

template <class Visit>
void for_planes(const Planes& in, int64_t out_volume, Visit visit) {
  parallel_for(in.planes, grain_for(std::max(in.volume(), out_volume) * 4), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) visit(p);
  });
}

// Calls visit(output index, od, oh, ow).
template <class Visit>
void for_outputs(const Triple& out, Visit visit) {
  int64_t index = 0;
  for (int64_t d = 0; d < out[0]; ++d)
    for (int64_t h = 0; h < out[1]; ++h)
      for (int64_t w = 0; w < out[2]; ++w) visit(index++, Triple{d, h, w});
}

Tensor finished(const Tensor& result, const Tensor& input, const Planes& in) {
  const Tensor typed = as_dtype(result, input.dtype);
  return in.format == MemoryFormat::Contiguous ? typed : to_dtype(typed, input.dtype, in.format);
}
Tensor finished_indices(const Tensor& indices, const Planes& in) {
  return in.format == MemoryFormat::Contiguous ? indices : to_dtype(indices, DType::Int64, in.format);
}

// ---- Maximum --------------------------------------------------------------------------------------------------------------------------

using Pair = std::tuple<Tensor, Tensor>;

template <class T>
bool beats(T value, T best) {
  if constexpr (std::is_floating_point_v<T>) return (value > best) | (value != value);
  else return value > best;
}

template <class T>
constexpr T kLeast = std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();

// `positions(d, o)`: first input position, one past the last, and step along dimension d for output position o.
struct Steps { int64_t begin, end, step; };
template <class Positions>
Pair maximum(const Tensor& input, const Planes& in, const Triple& out, Positions positions) {
  const Shape sizes = result_shape(input, out, in.rank);
  const Tensor values = empty(sizes, in.dense.dtype), indices = empty(sizes, DType::Int64);
  const int64_t out_volume = out[0] * out[1] * out[2];
  dispatch(RealTypes(), in.dense.dtype, "max_pool", [&]<class T>() {
    for_planes(in, out_volume, [&](int64_t plane) {
      const T* from = in.dense.data<T>() + plane * in.volume();
      T* to = values.data<T>() + plane * out_volume;
      int64_t* at = indices.data<int64_t>() + plane * out_volume;
      for_outputs(out, [&](int64_t index, const Triple& o) {
        const Steps d = positions(0, o[0]), h = positions(1, o[1]), w = positions(2, o[2]);
        int64_t where = (d.begin * in.sizes[1] + h.begin) * in.sizes[2] + w.begin;
        T best = kLeast<T>;
        for (int64_t i = d.begin; i < d.end; i += d.step)
          for (int64_t j = h.begin; j < h.end; j += h.step)
            for (int64_t k = w.begin; k < w.end; k += w.step) {
              const int64_t flat = (i * in.sizes[1] + j) * in.sizes[2] + k;
              if (beats(from[flat], best)) best = from[flat], where = flat;
            }
        to[index] = best;
        at[index] = where;
      });
    });
  });
  return {finished(values, input, in), finished_indices(indices, in)};
}

// The positions under each window.
auto window_positions(const Planes& in, const Pool& p) {
  return [&in, &p](int d, int64_t o) {
    int64_t begin = o * p.stride[d] - p.padding[d];
    const int64_t end = std::min(begin + (p.kernel[d] - 1) * p.dilation[d] + 1, in.sizes[d]);
    if (begin < 0) begin += (-begin + p.dilation[d] - 1) / p.dilation[d] * p.dilation[d];
    return Steps{begin, end, p.dilation[d]};
  };
}

// Their maximum at each column that windows begin at, `count` of them: column by column of the windows, so that neighbours go side by side.
template <class T, int64_t kStride>
void widen(const T* line, int64_t stride, int64_t kernel, int64_t dilation, T* to, int64_t count) {
  const int64_t step = kStride ? kStride : stride;
  for (int64_t k = 0; k < kernel; ++k)
    for (int64_t o = 0; o < count; ++o) to[o] = beats(line[o * step + k * dilation], to[o]) ? line[o * step + k * dilation] : to[o];
}

// The same without saying where: the maximum of each column under a row of windows first, then along that line.
Tensor largest(const Tensor& input, const Planes& in, const Pool& p) {
  const Tensor values = empty(result_shape(input, p.out, in.rank), in.dense.dtype);
  const int64_t out_volume = p.out[0] * p.out[1] * p.out[2], width = in.sizes[2];
  const auto positions = window_positions(in, p);
  // Windows that lie inside as a whole: [whole, whole_end).
  const int64_t extent = (p.kernel[2] - 1) * p.dilation[2] + 1;
  const int64_t whole = std::min(p.out[2], (p.padding[2] + p.stride[2] - 1) / p.stride[2]);
  const int64_t whole_end = width + p.padding[2] < extent ? whole : std::clamp((width + p.padding[2] - extent) / p.stride[2] + 1, whole, p.out[2]);
  dispatch(RealTypes(), in.dense.dtype, "max_pool", [&]<class T>() {
    for_planes(in, out_volume, [&](int64_t plane) {
      const T* from = in.dense.data<T>() + plane * in.volume();
      T* to = values.data<T>() + plane * out_volume;
      std::vector<T> columns(static_cast<size_t>(width));
      T* const line = columns.data();
      for (int64_t od = 0; od < p.out[0]; ++od)
        for (int64_t oh = 0; oh < p.out[1]; ++oh, to += p.out[2]) {
          const Steps d = positions(0, od), h = positions(1, oh);
          std::fill_n(line, width, kLeast<T>);
          for (int64_t i = d.begin; i < d.end; i += d.step)
            for (int64_t j = h.begin; j < h.end; j += h.step) widen<T, 1>(from + (i * in.sizes[1] + j) * width, 1, 1, 1, line, width);
          std::fill_n(to, p.out[2], kLeast<T>);
          const T* const first = line + whole * p.stride[2] - p.padding[2];
          const auto inside = p.stride[2] == 1 ? widen<T, 1> : p.stride[2] == 2 ? widen<T, 2> : widen<T, 0>;
          inside(first, p.stride[2], p.kernel[2], p.dilation[2], to + whole, whole_end - whole);
          auto at_edge = [&](int64_t o) {
            const Steps w = positions(2, o);
            for (int64_t k = w.begin; k < w.end; k += w.step) to[o] = beats(line[k], to[o]) ? line[k] : to[o];
          };
          for (int64_t o = 0; o < whole; ++o) at_edge(o);
          for (int64_t o = whole_end; o < p.out[2]; ++o) at_edge(o);
        }
    });
  });
  return finished(values, input, in);
}

template <size_t Rank>
Pair max_pool_with_indices(const Tensor& self, Ints kernel_size, Ints stride, Ints padding, Ints dilation, bool ceil_mode) {
  const Planes in = planes_of(self, Rank, "max_pool");
  const Pool p = pool_settings(in, kernel_size, stride, padding, dilation, ceil_mode);
  return maximum(self, in, p.out, window_positions(in, p));
}
template <size_t Rank>
Tensor max_pool(const Tensor& self, Ints kernel_size, Ints stride, Ints padding, Ints dilation, bool ceil_mode) {
  const Planes in = planes_of(self, Rank, "max_pool");
  const Pool p = pool_settings(in, kernel_size, stride, padding, dilation, ceil_mode);
  return largest(self, in, p);
}

int64_t adaptive_begin(int64_t o, int64_t out, int64_t in) { return o / out * in + o % out * in / out; }
int64_t adaptive_end(int64_t o, int64_t out, int64_t in) { return 1 + ((o + 1) * in - 1) / out; }

template <size_t Rank>
Pair adaptive_max_pool(const Tensor& self, Ints output_size) {
  const Planes in = planes_of(self, Rank, "adaptive_max_pool");
  check(is_floating(self.dtype), "\"adaptive_max_pool\" not implemented for '", scalar_type_name(self.dtype), "'");
  const Triple out = triple(output_size, Rank, 1, "output_size");
  return maximum(self, in, out, [&](int d, int64_t o) { return Steps{adaptive_begin(o, out[d], in.sizes[d]), adaptive_end(o, out[d], in.sizes[d]), 1}; });
}

// Gradients go where the indices say; also max_unpool.
Tensor scatter_planes(const Tensor& values, const Tensor& indices, const Shape& sizes, size_t rank, bool accumulate) {
  const Planes in = planes_of(values, rank, "max_unpool");
  const Tensor where = as_contiguous(indices);
  Tensor result = zeros(sizes, in.dense.dtype);
  const int64_t out_volume = result.numel() / std::max<int64_t>(1, in.planes);
  dispatch(RealTypes(), in.dense.dtype, "max_unpool", [&]<class T>() {
    for_planes(in, out_volume, [&](int64_t plane) {
      const T* from = in.dense.data<T>() + plane * in.volume();
      const int64_t* at = where.data<int64_t>() + plane * in.volume();
      T* to = result.data<T>() + plane * out_volume;
      for (int64_t i = 0; i < in.volume(); ++i) {
        check(at[i] >= 0 && at[i] < out_volume, "Found an invalid max index: ", at[i], " (output volumes are of size ", out_volume, ")");
        if (accumulate) to[at[i]] += from[i];
        else to[at[i]] = from[i];
      }
    });
  });
  return finished(result, values, in);
}

template <size_t Rank>
Tensor max_pool_backward(const Tensor& grad_output, const Tensor& self, Ints, Ints, Ints, Ints, bool, const Tensor& indices) {
  return scatter_planes(grad_output, indices, self.sizes, Rank, /*accumulate=*/true);
}
template <size_t Rank>
Tensor adaptive_max_pool_backward(const Tensor& grad_output, const Tensor& self, const Tensor& indices) {
  return scatter_planes(grad_output, indices, self.sizes, Rank, /*accumulate=*/true);
}
Tensor max_unpool2d(const Tensor& self, const Tensor& indices, Ints output_size) {
  check(output_size.size() == 2, "There should be exactly two elements (height, width) in output_size");
  return scatter_planes(self, indices, result_shape(self, triple(output_size, 2, 1, "output_size"), 2), 2, /*accumulate=*/false);
}
Tensor max_unpool3d(const Tensor& self, const Tensor& indices, Ints output_size, Ints, Ints) {
  return scatter_planes(self, indices, result_shape(self, triple(output_size, 3, 1, "output_size"), 3), 3, /*accumulate=*/false);
}

// ---- Average --------------------------------------------------------------------------------------------------------------------------

struct AverageWindow { Triple begin, end; double divisor; };

AverageWindow average_window(const Pool& p, const Planes& in, const Triple& o, bool count_include_pad, const std::optional<int64_t>& divisor_override) {
  AverageWindow w;
  int64_t padded = 1, clipped = 1;
  for (int d = 0; d < 3; ++d) {
    const int64_t begin = o[d] * p.stride[d] - p.padding[d], end = std::min(begin + p.kernel[d], in.sizes[d] + p.padding[d]);
    padded *= end - begin;
    w.begin[d] = std::max<int64_t>(begin, 0);
    w.end[d] = std::min(end, in.sizes[d]);
    clipped *= std::max<int64_t>(0, w.end[d] - w.begin[d]);
  }
  w.divisor = static_cast<double>(divisor_override ? *divisor_override : count_include_pad ? padded : clipped);
  return w;
}

template <class Windows>
Tensor average(const Tensor& input, const Planes& in, const Triple& out, Windows windows) {
  const Tensor result = empty(result_shape(input, out, in.rank), in.dense.dtype);
  const int64_t out_volume = out[0] * out[1] * out[2];
  dispatch(RealTypes(), in.dense.dtype, "avg_pool", [&]<class T>() {
    for_planes(in, out_volume, [&](int64_t plane) {
      const T* from = in.dense.data<T>() + plane * in.volume();
      T* to = result.data<T>() + plane * out_volume;
      for_outputs(out, [&](int64_t index, const Triple& o) {
        const AverageWindow w = windows(o);
        T sum = 0;
        for (int64_t i = w.begin[0]; i < w.end[0]; ++i)
          for (int64_t j = w.begin[1]; j < w.end[1]; ++j)
            for (int64_t k = w.begin[2]; k < w.end[2]; ++k) sum += from[(i * in.sizes[1] + j) * in.sizes[2] + k];
        to[index] = w.divisor == 0 ? T(0) : sum / static_cast<T>(w.divisor);
      });
    });
  });
  return finished(result, input, in);
}

template <size_t Rank>
Tensor avg_pool(const Tensor& self, Ints kernel_size, Ints stride, Ints padding, bool ceil_mode, bool count_include_pad,
                std::optional<int64_t> divisor_override) {
  check(!divisor_override || *divisor_override != 0, "divisor must be not zero");
  const Planes in = planes_of(self, Rank, "avg_pool");
  const Pool p = pool_settings(in, kernel_size, stride, padding, std::vector<int64_t>{1}, ceil_mode);
  return average(self, in, p.out, [&](const Triple& o) { return average_window(p, in, o, count_include_pad, divisor_override); });
}
Tensor avg_pool1d(const Tensor& self, Ints kernel_size, Ints stride, Ints padding, bool ceil_mode, bool count_include_pad) {
  return avg_pool<1>(self, kernel_size, stride, padding, ceil_mode, count_include_pad, std::nullopt);
}

AverageWindow adaptive_window(const Planes& in, const Triple& out, const Triple& o) {
  AverageWindow w;
  w.divisor = 1;
  for (int d = 0; d < 3; ++d) {
    w.begin[d] = adaptive_begin(o[d], out[d], in.sizes[d]);
    w.end[d] = adaptive_end(o[d], out[d], in.sizes[d]);
    w.divisor *= static_cast<double>(w.end[d] - w.begin[d]);
  }
  return w;
}
template <size_t Rank>
Tensor adaptive_avg_pool(const Tensor& self, Ints output_size) {
  const Planes in = planes_of(self, Rank, "adaptive_avg_pool");
  check(is_floating(self.dtype), "\"adaptive_avg_pool\" not implemented for '", scalar_type_name(self.dtype), "'");
  const Triple out = triple(output_size, Rank, 1, "output_size");
  return average(self, in, out, [&](const Triple& o) { return adaptive_window(in, out, o); });
}

// Each output's gradient goes in equal parts to its window.
template <class Windows>
Tensor average_backward(const Tensor& grad_output, const Tensor& self, size_t rank, const Planes& shape, const Triple& out, Windows windows) {
  const Planes gradient = planes_of(grad_output, rank, "avg_pool_backward");
  Tensor result = zeros(self.sizes, gradient.dense.dtype);
  const int64_t out_volume = out[0] * out[1] * out[2];
  dispatch(FloatTypes(), gradient.dense.dtype, "avg_pool_backward", [&]<class T>() {
    for_planes(shape, out_volume, [&](int64_t plane) {
      const T* from = gradient.dense.data<T>() + plane * out_volume;
      T* to = result.data<T>() + plane * shape.volume();
      for_outputs(out, [&](int64_t index, const Triple& o) {
        const AverageWindow w = windows(o);
        const T part = from[index] / static_cast<T>(w.divisor);
        for (int64_t i = w.begin[0]; i < w.end[0]; ++i)
          for (int64_t j = w.begin[1]; j < w.end[1]; ++j)
            for (int64_t k = w.begin[2]; k < w.end[2]; ++k) to[(i * shape.sizes[1] + j) * shape.sizes[2] + k] += part;
      });
    });
  });
  return finished(result, self, shape);
}
template <size_t Rank>
Tensor avg_pool_backward(const Tensor& grad_output, const Tensor& self, Ints kernel_size, Ints stride, Ints padding, bool ceil_mode,
                         bool count_include_pad, std::optional<int64_t> divisor_override) {
  const Planes in = planes_of(self, Rank, "avg_pool_backward");
  const Pool p = pool_settings(in, kernel_size, stride, padding, std::vector<int64_t>{1}, ceil_mode);
  return average_backward(grad_output, self, Rank, in, p.out,
                          [&](const Triple& o) { return average_window(p, in, o, count_include_pad, divisor_override); });
}
template <size_t Rank>
Tensor adaptive_avg_pool_backward(const Tensor& grad_output, const Tensor& self) {
  const Planes in = planes_of(self, Rank, "adaptive_avg_pool_backward");
  const Triple out = planes_of(grad_output, Rank, "adaptive_avg_pool_backward").sizes;
  return average_backward(grad_output, self, Rank, in, out, [&](const Triple& o) { return adaptive_window(in, out, o); });
}

Tensor max_pool1d(const Tensor& self, Ints kernel_size, Ints stride, Ints padding, Ints dilation, bool ceil_mode) {
  check(is_floating(self.dtype), "\"max_pool1d_impl\" not implemented for '", scalar_type_name(self.dtype), "'");
  return max_pool<1>(self, kernel_size, stride, padding, dilation, ceil_mode);
}

}  // namespace

void add_pooling_ops(OpTable& ops) {
  ops.add("aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> Tensor", max_pool1d);
  ops.add("aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, int[1] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", max_pool_with_indices<1>);
  ops.add("aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor", max_pool<2>);
  ops.add("aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", max_pool_with_indices<2>);
  ops.add("aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor", max_pool<3>);
  ops.add("aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)", max_pool_with_indices<3>);
  ops.add("aten::max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool ceil_mode, Tensor indices) -> Tensor", max_pool_backward<2>);
  ops.add("aten::max_pool3d_with_indices_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, int[3] dilation, bool ceil_mode, Tensor indices) -> Tensor", max_pool_backward<3>);
  ops.add("aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)", adaptive_max_pool<1>);
  ops.add("aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)", adaptive_max_pool<2>);
  ops.add("aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)", adaptive_max_pool<3>);
  ops.add("aten::adaptive_max_pool2d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor", adaptive_max_pool_backward<2>);
  ops.add("aten::adaptive_max_pool3d_backward(Tensor grad_output, Tensor self, Tensor indices) -> Tensor", adaptive_max_pool_backward<3>);
  ops.add("aten::max_unpool2d(Tensor self, Tensor indices, SymInt[2] output_size) -> Tensor", max_unpool2d);
  ops.add("aten::max_unpool3d(Tensor self, Tensor indices, SymInt[3] output_size, int[3] stride, int[3] padding) -> Tensor", max_unpool3d);
  ops.add("aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=0, bool ceil_mode=False, bool count_include_pad=True) -> Tensor", avg_pool1d);
  ops.add("aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", avg_pool<2>);
  ops.add("aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor", avg_pool<3>);
  ops.add("aten::avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", avg_pool_backward<2>);
  ops.add("aten::avg_pool3d_backward(Tensor grad_output, Tensor self, int[3] kernel_size, int[3] stride, int[3] padding, bool ceil_mode, bool count_include_pad, int? divisor_override) -> Tensor", avg_pool_backward<3>);
  ops.add("aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", adaptive_avg_pool<1>);
  ops.add("aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", adaptive_avg_pool<2>);
  ops.add("aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", adaptive_avg_pool<2>);
  ops.add("aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", adaptive_avg_pool<3>);
  ops.add("aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", adaptive_avg_pool<3>);
  ops.add("aten::_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor", adaptive_avg_pool_backward<2>);
  ops.add("aten::_adaptive_avg_pool3d_backward(Tensor grad_output, Tensor self) -> Tensor", adaptive_avg_pool_backward<3>);
}

}  // namespace pt2::interp
