// Resizing of images: nearest, linear, cubic, with and without anti-aliasing.
#include <algorithm>
#include <array>
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/cubic.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using Ints = std::span<const int64_t>;
using MaybeInts = std::optional<std::vector<int64_t>>;
using MaybeFloats = std::optional<std::vector<double>>;
using MaybeScale = std::optional<double>;

// ---- Separable resizing: along each dimension an output element is a weighted sum of input elements ------------------------------------

struct Taps {
  std::vector<int64_t> begin;                 // per output element, where its inputs start in `index` and `weight`; one more at the end
  std::vector<int64_t> index;
  std::vector<double> weight;
};

enum class Method { Nearest, NearestExact, Linear, Cubic };

// Input elements per output element.
double scale_of(int64_t in, int64_t out, bool align_corners, const MaybeScale& scale) {
  if (align_corners) return out > 1 ? static_cast<double>(in - 1) / static_cast<double>(out - 1) : 0;
  return scale && *scale > 0 ? 1 / *scale : static_cast<double>(in) / static_cast<double>(out);
}

// PyTorch computes positions in the type of the elements: in float they round differently.
template <class T>
T source_position(T scale, int64_t o, bool align_corners, bool cubic) {
  if (align_corners) return scale * static_cast<T>(o);
  const T position = scale * (static_cast<T>(o) + T(0.5)) - T(0.5);
  return !cubic && position < 0 ? T(0) : position;
}

template <class T>
Taps make_taps(Method method, int64_t in, int64_t out, bool align_corners, const MaybeScale& scale) {
  const T s = static_cast<T>(scale_of(in, out, align_corners, scale));
  Taps taps;
  auto add = [&](int64_t index, T weight) {
    taps.index.push_back(std::clamp<int64_t>(index, 0, in - 1));
    taps.weight.push_back(static_cast<double>(weight));
  };
  for (int64_t o = 0; o < out; ++o) {
    taps.begin.push_back(static_cast<int64_t>(taps.index.size()));
    switch (method) {
      // The nearest forms compute positions in float whatever the elements are.
      case Method::Nearest: add(static_cast<int64_t>(std::floor(static_cast<float>(o) * static_cast<float>(scale_of(in, out, false, scale)))), 1); break;
      case Method::NearestExact:
        add(static_cast<int64_t>(std::floor((static_cast<float>(o) + 0.5f) * static_cast<float>(scale_of(in, out, false, scale)))), 1);
        break;
      case Method::Linear: {
        const T position = source_position(s, o, align_corners, false);
        const int64_t first = std::min(static_cast<int64_t>(position), in - 1);
        const T fraction = std::clamp(position - static_cast<T>(first), T(0), T(1));
        add(first, 1 - fraction);
        add(first + 1, fraction);
        break;
      }
      case Method::Cubic: {
        const T position = source_position(s, o, align_corners, true);
        const T floor = std::floor(position);
        const auto w = cubic_weights<T>(position - floor);
        for (int k = 0; k < 4; ++k) add(static_cast<int64_t>(floor) - 1 + k, w[static_cast<size_t>(k)]);
        break;
      }
    }
  }
  taps.begin.push_back(static_cast<int64_t>(taps.index.size()));
  return taps;
}

// Anti-aliased: the filter is as wide as the output element is on the input.
template <class T>
Taps make_antialias_taps(Method method, int64_t in, int64_t out, bool align_corners, const MaybeScale& scale_factor) {
  const T scale = static_cast<T>(scale_of(in, out, align_corners, scale_factor));
  const T width = method == Method::Linear ? T(2) : T(4);
  const T support = scale >= 1 ? width / 2 * scale : width / 2;
  const T inverse = scale >= 1 ? 1 / scale : T(1);
  auto filter = [&](T x) -> T {
    x = std::abs(x);
    if (method == Method::Linear) return x < 1 ? 1 - x : T(0);
    const T a = T(-0.5);
    if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
    return T(0);
  };
  Taps taps;
  const auto most = static_cast<int64_t>(std::min<T>(static_cast<T>(in), 2 * support + 2));
  const int64_t sizes[] = {out, most, 2};
  empty(sizes, DType::Int64);  // the room the taps take
  for (int64_t o = 0; o < out; ++o) {
    taps.begin.push_back(static_cast<int64_t>(taps.index.size()));
    const T center = scale * (static_cast<T>(o) + T(0.5));
    const int64_t low = std::max<int64_t>(static_cast<int64_t>(center - support + T(0.5)), 0);
    const int64_t high = std::min<int64_t>(static_cast<int64_t>(center + support + T(0.5)), in);
    T total = 0;
    const size_t first = taps.weight.size();
    for (int64_t i = low; i < high; ++i) {
      const T w = filter((static_cast<T>(i) - center + T(0.5)) * inverse);
      taps.index.push_back(i);
      taps.weight.push_back(static_cast<double>(w));
      total += w;
    }
    for (size_t i = first; i < taps.weight.size() && total != 0; ++i) taps.weight[i] = static_cast<double>(static_cast<T>(taps.weight[i]) / total);
  }
  taps.begin.push_back(static_cast<int64_t>(taps.index.size()));
  return taps;
}

// Images of bytes are resized in whole numbers: weights are rounded to as many binary places as keep the largest in 16 bits. The number of places.
int round_weights(Taps& taps) {
  Taps merged;
  double largest = 0;
  for (size_t o = 0; o + 1 < taps.begin.size(); ++o) {
    merged.begin.push_back(static_cast<int64_t>(merged.index.size()));
    for (auto k = static_cast<size_t>(taps.begin[o]); k < static_cast<size_t>(taps.begin[o + 1]); ++k) {
      const bool again = static_cast<int64_t>(merged.index.size()) > merged.begin.back() && merged.index.back() == taps.index[k];  // at the border
      if (again) merged.weight.back() += taps.weight[k];
      else merged.index.push_back(taps.index[k]), merged.weight.push_back(taps.weight[k]);
      largest = std::max(largest, merged.weight.back());
    }
  }
  merged.begin.push_back(static_cast<int64_t>(merged.index.size()));
  int places = 0;
  while (places < 22 && std::floor(0.5 + std::ldexp(largest, places + 1)) < 1 << 15) ++places;
  for (double& weight : merged.weight) weight = std::round(std::ldexp(weight, places));
  taps = std::move(merged);
  return places;
}
// Sums of weights with so many places become bytes again.
void round_to_bytes(const Tensor& sums, int places) {
  int64_t* const values = sums.data<int64_t>();
  const int64_t half = places > 0 ? int64_t{1} << (places - 1) : 0;
  parallel_for(sums.numel(), kElementGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) values[i] = std::clamp<int64_t>((values[i] + half) >> places, 0, 255);
  });
}

// Dense [outer, in, inner] → [outer, out, inner].
template <class T>
Tensor apply_taps(const Tensor& input, size_t dim, int64_t out, const Taps& taps) {
  Shape sizes = input.sizes;
  sizes[dim] = out;
  const Tensor result = empty(sizes, input.dtype);
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < dim; ++d) outer *= sizes[d];
  for (size_t d = dim + 1; d < sizes.size(); ++d) inner *= sizes[d];
  const int64_t in = input.sizes[dim];
  parallel_for(outer * out, grain_for(inner * 4), [&](int64_t begin, int64_t end) {
    for (int64_t task = begin; task < end; ++task) {
      const int64_t o = task % out;
      const T* from = input.data<T>() + task / out * in * inner;
      T* to = result.data<T>() + task * inner;
      const int64_t first = taps.begin[static_cast<size_t>(o)], last = taps.begin[static_cast<size_t>(o) + 1];
      if (last - first == 1 && taps.weight[static_cast<size_t>(first)] == 1) {
        std::copy_n(from + taps.index[static_cast<size_t>(first)] * inner, inner, to);
        continue;
      }
      std::fill(to, to + inner, T(0));
      for (int64_t k = first; k < last; ++k) {
        const T w = static_cast<T>(taps.weight[static_cast<size_t>(k)]);
        const T* line = from + taps.index[static_cast<size_t>(k)] * inner;
        for (int64_t i = 0; i < inner; ++i) to[i] += w * line[i];
      }
    }
  });
  return result;
}

struct Resize {
  Method method;
  bool antialias = false, align_corners = false;
};

// The same products, seen from the inputs: what each input element gives to which output elements.
Taps transposed(const Taps& taps, int64_t in) {
  Taps result;
  std::vector<int64_t> next(static_cast<size_t>(in) + 1, 0);
  for (int64_t i : taps.index) ++next[static_cast<size_t>(i) + 1];
  for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
  result.begin = next;
  result.index.resize(taps.index.size()), result.weight.resize(taps.index.size());
  for (size_t o = 0; o + 1 < taps.begin.size(); ++o)
    for (int64_t k = taps.begin[o]; k < taps.begin[o + 1]; ++k) {
      const auto at = static_cast<size_t>(next[static_cast<size_t>(taps.index[static_cast<size_t>(k)])]++);
      result.index[at] = static_cast<int64_t>(o), result.weight[at] = taps.weight[static_cast<size_t>(k)];
    }
  return result;
}

enum class Pass { Forward, Backward };

// `from`: the images, or the gradients of their resized forms; `input_size` and `output_size` are the spatial sizes before and after resizing.
Tensor resize_pass(Pass pass, const Tensor& from, Ints input_size, Ints output_size, const Resize& how, std::span<const MaybeScale> scales) {
  const bool nearest = how.method == Method::Nearest || how.method == Method::NearestExact;
  const bool bytes = from.dtype == DType::UInt8 && !nearest && output_size.size() == 2 && pass == Pass::Forward;
  check(!how.antialias || bytes || from.dtype == DType::Float32 || from.dtype == DType::Float64, "\"compute_index_ranges_weights\" not implemented for '",
        scalar_type_name(from.dtype), "'");
  const DType compute = native_dtype(compute_type(from.dtype));
  const bool keeps_layout = output_size.size() >= 2 && (pass == Pass::Forward || how.method != Method::Cubic);
  const MemoryFormat format = keeps_layout ? suggested_format(from) : MemoryFormat::Contiguous;
  Tensor x = as_contiguous(from, compute);
  auto along_all = [&]<class T>() {
    using Position = std::conditional_t<std::is_same_v<T, float>, float, double>;
    for (size_t i = output_size.size(); i-- > 0;) {  // the last dimension first, as PyTorch's kernels go
      const size_t d = 2 + i;
      const int64_t in = input_size[i], out = output_size[i];
      Shape grown = x.sizes;
      grown[d] = std::max(in, out);
      for (int64_t& n : grown) n = std::max<int64_t>(n, 1);
      empty(grown, compute);  // what the budget refuses is refused before the taps are made
      check(out > 0 && in > 0, "Input and output sizes should be greater than 0, but got input ", input_size, " output ", output_size);
      if (bytes && in == out && from.sizes[1] <= 4) continue;  // whatever the scale is
      Taps taps = how.antialias ? make_antialias_taps<Position>(how.method, in, out, how.align_corners, scales[i])
                                : make_taps<Position>(how.method, in, out, how.align_corners, scales[i]);
      const int places = bytes ? round_weights(taps) : 0;
      x = pass == Pass::Forward ? apply_taps<T>(x, d, out, taps) : apply_taps<T>(x, d, in, transposed(taps, in));
      if (bytes) round_to_bytes(x, places);
    }
  };
  if (nearest || bytes) dispatch(RealTypes(), from.dtype, "upsample", along_all);
  else dispatch(FloatTypes(), from.dtype, "upsample", along_all);
  return to_dtype(as_dtype(x, from.dtype), from.dtype, format);
}

Tensor resize(const Tensor& input, Ints out, const Resize& how, std::span<const MaybeScale> scales) {
  check(input.dim() == static_cast<int64_t>(out.size()) + 2, "upsample: It is expected input_size equals to ", out.size() + 2, ", but got size ", input.dim());
  return resize_pass(Pass::Forward, input, Ints(input.sizes).subspan(2), out, how, scales);
}
Tensor resize_backward(const Tensor& gradient, Ints output_size, Ints input_size, const Resize& how, std::span<const MaybeScale> scales) {
  check(input_size.size() == output_size.size() + 2, "upsample: It is expected input_size equals to ", output_size.size() + 2, ", but got size ", input_size.size());
  Shape expected{input_size[0], input_size[1]};
  expected.insert(expected.end(), output_size.begin(), output_size.end());
  check(gradient.sizes == expected, "Expected grad_output to have the shape of the output, ", expected, ", but got ", gradient.sizes);
  return resize_pass(Pass::Backward, gradient, input_size.subspan(2), output_size, how, scales);
}

// The .vec overloads give either sizes or factors.
Tensor resize_vec(const Tensor& input, const MaybeInts& output_size, const MaybeFloats& scale_factors, const Resize& how) {
  const size_t spatial = input.sizes.size() - 2;
  check(output_size.has_value() != scale_factors.has_value(), "Must specify exactly one of output_size and scale_factors");
  std::vector<int64_t> out;
  std::vector<MaybeScale> scales(spatial);
  for (size_t i = 0; i < spatial; ++i) {
    if (output_size) {
      out.push_back(output_size->at(output_size->size() == 1 ? 0 : i));
    } else {
      scales[i] = scale_factors->at(scale_factors->size() == 1 ? 0 : i);
      out.push_back(static_cast<int64_t>(static_cast<double>(input.sizes[2 + i]) * *scales[i]));
    }
  }
  return resize(input, out, how, scales);
}

template <Method method>
Tensor nearest_vec(const Tensor& input, const MaybeInts& output_size, const MaybeFloats& scale_factors) {
  return resize_vec(input, output_size, scale_factors, {method});
}
template <Method method, bool antialias>
Tensor smooth_vec(const Tensor& input, const MaybeInts& output_size, bool align_corners, const MaybeFloats& scale_factors) {
  return resize_vec(input, output_size, scale_factors, {method, antialias, align_corners});
}
template <Method method>
Tensor nearest1(const Tensor& self, Ints size, MaybeScale s) { return resize(self, size, {method}, std::array{s}); }
template <Method method>
Tensor nearest2(const Tensor& self, Ints size, MaybeScale h, MaybeScale w) { return resize(self, size, {method}, std::array{h, w}); }
template <Method method>
Tensor nearest3(const Tensor& self, Ints size, MaybeScale d, MaybeScale h, MaybeScale w) { return resize(self, size, {method}, std::array{d, h, w}); }
template <Method method, bool antialias>
Tensor smooth1(const Tensor& self, Ints size, bool align, MaybeScale s) { return resize(self, size, {method, antialias, align}, std::array{s}); }
template <Method method, bool antialias>
Tensor smooth2(const Tensor& self, Ints size, bool align, MaybeScale h, MaybeScale w) { return resize(self, size, {method, antialias, align}, std::array{h, w}); }
Tensor smooth3(const Tensor& self, Ints size, bool align, MaybeScale d, MaybeScale h, MaybeScale w) {
  return resize(self, size, {Method::Linear, false, align}, std::array{d, h, w});
}

template <Method method>
Tensor nearest1_backward(const Tensor& g, Ints out, Ints in, MaybeScale s) { return resize_backward(g, out, in, {method}, std::array{s}); }
template <Method method>
Tensor nearest2_backward(const Tensor& g, Ints out, Ints in, MaybeScale h, MaybeScale w) { return resize_backward(g, out, in, {method}, std::array{h, w}); }
template <Method method>
Tensor nearest3_backward(const Tensor& g, Ints out, Ints in, MaybeScale d, MaybeScale h, MaybeScale w) {
  return resize_backward(g, out, in, {method}, std::array{d, h, w});
}
Tensor smooth1_backward(const Tensor& g, Ints out, Ints in, bool align, MaybeScale s) { return resize_backward(g, out, in, {Method::Linear, false, align}, std::array{s}); }
template <Method method, bool antialias>
Tensor smooth2_backward(const Tensor& g, Ints out, Ints in, bool align, MaybeScale h, MaybeScale w) {
  return resize_backward(g, out, in, {method, antialias, align}, std::array{h, w});
}
Tensor smooth3_backward(const Tensor& g, Ints out, Ints in, bool align, MaybeScale d, MaybeScale h, MaybeScale w) {
  return resize_backward(g, out, in, {Method::Linear, false, align}, std::array{d, h, w});
}

}  // namespace

void add_upsample_ops(OpTable& ops) {
  ops.add("aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", nearest_vec<Method::Nearest>);
  ops.add("aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", nearest_vec<Method::Nearest>);
  ops.add("aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", nearest_vec<Method::Nearest>);
  ops.add("aten::_upsample_nearest_exact1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", nearest_vec<Method::NearestExact>);
  ops.add("aten::_upsample_nearest_exact2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", nearest_vec<Method::NearestExact>);
  ops.add("aten::_upsample_nearest_exact3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor", nearest_vec<Method::NearestExact>);
  ops.add("aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", smooth_vec<Method::Linear, false>);
  ops.add("aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", smooth_vec<Method::Linear, false>);
  ops.add("aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", smooth_vec<Method::Linear, false>);
  ops.add("aten::upsample_bicubic2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", smooth_vec<Method::Cubic, false>);
  ops.add("aten::_upsample_bilinear2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", smooth_vec<Method::Linear, true>);
  ops.add("aten::_upsample_bicubic2d_aa.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor", smooth_vec<Method::Cubic, true>);
  ops.add("aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor", nearest1<Method::Nearest>);
  ops.add("aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor", nearest2<Method::Nearest>);
  ops.add("aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor", nearest3<Method::Nearest>);
  ops.add("aten::_upsample_nearest_exact1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor", nearest1<Method::NearestExact>);
  ops.add("aten::_upsample_nearest_exact2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor", nearest2<Method::NearestExact>);
  ops.add("aten::_upsample_nearest_exact3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor", nearest3<Method::NearestExact>);
  ops.add("aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor", smooth1<Method::Linear, false>);
  ops.add("aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2<Method::Linear, false>);
  ops.add("aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor", smooth3);
  ops.add("aten::upsample_bicubic2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2<Method::Cubic, false>);
  ops.add("aten::_upsample_bilinear2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2<Method::Linear, true>);
  ops.add("aten::_upsample_bicubic2d_aa(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2<Method::Cubic, true>);
  ops.add("aten::upsample_nearest1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None) -> Tensor", nearest1_backward<Method::Nearest>);
  ops.add("aten::upsample_nearest2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor", nearest2_backward<Method::Nearest>);
  ops.add("aten::upsample_nearest3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor", nearest3_backward<Method::Nearest>);
  ops.add("aten::_upsample_nearest_exact1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, float? scales=None) -> Tensor", nearest1_backward<Method::NearestExact>);
  ops.add("aten::_upsample_nearest_exact2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, float? scales_h=None, float? scales_w=None) -> Tensor", nearest2_backward<Method::NearestExact>);
  ops.add("aten::_upsample_nearest_exact3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor", nearest3_backward<Method::NearestExact>);
  ops.add("aten::upsample_linear1d_backward(Tensor grad_output, SymInt[1] output_size, SymInt[3] input_size, bool align_corners, float? scales=None) -> Tensor", smooth1_backward);
  ops.add("aten::upsample_bilinear2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2_backward<Method::Linear, false>);
  ops.add("aten::_upsample_bilinear2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2_backward<Method::Linear, true>);
  ops.add("aten::upsample_bicubic2d_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2_backward<Method::Cubic, false>);
  ops.add("aten::_upsample_bicubic2d_aa_backward(Tensor grad_output, SymInt[2] output_size, SymInt[4] input_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor", smooth2_backward<Method::Cubic, true>);
  ops.add("aten::upsample_trilinear3d_backward(Tensor grad_output, SymInt[3] output_size, SymInt[5] input_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor", smooth3_backward);
}

}  // namespace pt2::interp
