// Gradients of layer, group and batch normalization, accumulated in double; weight normalization.
#include <algorithm>
#include <cmath>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;
using Ints = std::span<const int64_t>;
using Gradients = std::tuple<std::optional<Tensor>, std::optional<Tensor>, std::optional<Tensor>>;

Tensor in_double(const Tensor& t) { return as_contiguous(t, DType::Float64); }

struct Normalization {
  int64_t rows, count;               // groups that share a mean, elements of each
  int64_t parameters;                // weights
  const double *gradient, *input, *mean, *rstd;
  const double* weight = nullptr;    // null: all 1
};

// d input, d weight, d bias of y = (x - mean) · rstd · weight + bias, as far as `mask` asks.
// parameter(row, i): the weight of element i of a row.
template <class Parameter>
Gradients normalization_gradients(const Normalization& n, const Tensor& like, const MaybeTensor& weight, const std::vector<bool>& mask, Parameter parameter) {
  check(mask.size() == 3, "output_mask must have three values, found ", mask.size());
  const Tensor dx = empty(like.sizes, DType::Float64);
  const Tensor dw = zeros(Shape{n.parameters}, DType::Float64), db = zeros(Shape{n.parameters}, DType::Float64);
  for (int64_t r = 0; r < n.rows; ++r) {
    const double *g = n.gradient + r * n.count, *x = n.input + r * n.count;
    double sum = 0, with_normalized = 0;
    for (int64_t i = 0; i < n.count; ++i) {
      const int64_t p = parameter(r, i);
      const double normalized = (x[i] - n.mean[r]) * n.rstd[r], weighted = g[i] * (n.weight ? n.weight[p] : 1);
      sum += weighted;
      with_normalized += weighted * normalized;
      dw.data<double>()[p] += g[i] * normalized;
      db.data<double>()[p] += g[i];
    }
    const double count = static_cast<double>(n.count);
    for (int64_t i = 0; i < n.count; ++i) {
      const double normalized = (x[i] - n.mean[r]) * n.rstd[r], weighted = g[i] * (n.weight ? n.weight[parameter(r, i)] : 1);
      dx.data<double>()[r * n.count + i] = n.rstd[r] * (weighted - sum / count - normalized * with_normalized / count);
    }
  }
  Gradients result;
  const DType parameter_type = weight ? weight->dtype : like.dtype;
  auto shaped = [&](const Tensor& t) {
    const Tensor typed = to_dtype(t, parameter_type);
    return weight ? make_view(typed, weight->sizes, contiguous_strides(weight->sizes), typed.offset) : typed;
  };
  if (mask[0]) std::get<0>(result) = to_dtype(dx, like.dtype);
  if (mask[1]) std::get<1>(result) = shaped(dw);
  if (mask[2]) std::get<2>(result) = shaped(db);
  return result;
}

Gradients native_layer_norm_backward(const Tensor& grad_out, const Tensor& input, Ints normalized_shape, const Tensor& mean, const Tensor& rstd,
                                     const MaybeTensor& weight, const MaybeTensor&, const std::vector<bool>& output_mask) {
  const Tensor g = in_double(grad_out), x = in_double(input), m = in_double(mean), s = in_double(rstd);
  MaybeTensor w;
  if (weight) w = in_double(*weight);
  const int64_t count = checked_numel(normalized_shape);
  const Normalization n{m.numel(), count, count, g.data<double>(), x.data<double>(), m.data<double>(), s.data<double>(), w ? w->data<double>() : nullptr};
  return normalization_gradients(n, input, weight, output_mask, [](int64_t, int64_t i) { return i; });
}

Gradients native_group_norm_backward(const Tensor& grad_out, const Tensor& input, const Tensor& mean, const Tensor& rstd, const MaybeTensor& weight, int64_t N,
                                     int64_t C, int64_t HxW, int64_t group, const std::vector<bool>& output_mask) {
  const Tensor g = in_double(grad_out), x = in_double(input), m = in_double(mean), s = in_double(rstd);
  MaybeTensor w;
  if (weight) w = in_double(*weight);
  const int64_t per_group = C / group;
  const Normalization n{N * group, per_group * HxW, C, g.data<double>(), x.data<double>(), m.data<double>(), s.data<double>(), w ? w->data<double>() : nullptr};
  return normalization_gradients(n, input, weight, output_mask, [&](int64_t r, int64_t i) { return r % group * per_group + i / HxW; });
}

// Channels are the groups: transposed to the front, then as the others. Fixed statistics pass the gradient straight through.
Gradients native_batch_norm_backward(const Tensor& grad_out, const Tensor& input, const MaybeTensor& weight, const MaybeTensor& running_mean,
                                     const MaybeTensor& running_var, const MaybeTensor& save_mean, const MaybeTensor& save_invstd, bool train, double eps,
                                     const std::vector<bool>& output_mask) {
  auto channels_first = [](const Tensor& t) {
    Shape sizes = t.sizes, strides = t.strides;
    std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
    return in_double(make_view(t, sizes, strides, t.offset));
  };
  const int64_t channels = input.sizes[1], count = input.numel() / std::max<int64_t>(1, channels);
  const Tensor g = channels_first(grad_out), x = channels_first(input);
  Tensor mean, invstd;
  if (train) {
    check(save_mean && save_invstd, "native_batch_norm_backward: save_mean and save_invstd are needed when training");
    mean = in_double(*save_mean), invstd = in_double(*save_invstd);
  } else {
    check(running_mean && running_var, "native_batch_norm_backward: running_mean and running_var are needed in evaluation mode");
    mean = in_double(*running_mean), invstd = in_double(*running_var);
    invstd = map<Types<double>>({"rsqrt", DType::Float64, DType::Float64}, [eps](double v) { return 1 / std::sqrt(v + eps); }, invstd);
  }
  MaybeTensor w;
  if (weight) w = in_double(*weight);
  const Normalization n{channels, count, channels, g.data<double>(), x.data<double>(), mean.data<double>(), invstd.data<double>(), w ? w->data<double>() : nullptr};
  MaybeTensor like_weight = weight;
  Gradients result = normalization_gradients(n, x, like_weight, output_mask, [](int64_t r, int64_t) { return r; });
  if (!output_mask[0]) return result;
  Tensor dx = *std::get<0>(result);
  if (!train)
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = 0; i < count; ++i)
        dx.data<double>()[c * count + i] = g.data<double>()[c * count + i] * invstd.data<double>()[c] * (w ? w->data<double>()[c] : 1);
  Shape sizes = dx.sizes, strides = dx.strides;
  std::swap(sizes[0], sizes[1]), std::swap(strides[0], strides[1]);
  const MemoryFormat format = input.dim() == 4 || input.dim() == 5 ? suggested_format(input) : MemoryFormat::Contiguous;
  std::get<0>(result) = to_dtype(make_view(dx, sizes, strides, dx.offset), input.dtype, format);
  return result;
}

// Norms of the slices of v along `dim`, with the other dimensions of size 1.
Tensor norms_except(const Tensor& v, int64_t dim) {
  const Tensor x = in_double(v);
  Shape sizes(v.sizes.size(), 1);
  const bool whole = dim == -1;
  const auto d = static_cast<size_t>(whole ? 0 : normalize_dim(dim, v.dim()));
  if (!whole) sizes[d] = v.sizes[d];
  const Tensor sums = zeros(sizes, DType::Float64);
  int64_t inner = 1;
  for (size_t i = d + 1; i < v.sizes.size(); ++i) inner *= v.sizes[i];
  for (int64_t i = 0; i < x.numel(); ++i) {
    const int64_t slice = whole ? 0 : i / inner % v.sizes[d];
    sums.data<double>()[slice] += x.data<double>()[i] * x.data<double>()[i];
  }
  for (int64_t i = 0; i < sums.numel(); ++i) sums.data<double>()[i] = std::sqrt(sums.data<double>()[i]);
  return sums;
}
std::tuple<Tensor, Tensor> weight_norm_interface(const Tensor& v, const Tensor& g, int64_t dim) {
  const Tensor norms = norms_except(v, dim);
  const Tensor w = map<Types<double>>({"_weight_norm", DType::Float64, v.dtype}, [](double x, double gain, double norm) { return x * (gain / norm); },
                                      to_dtype(v, DType::Float64), to_dtype(g, DType::Float64), norms);
  return {w, to_dtype(norms, g.dtype)};
}
Tensor weight_norm(const Tensor& v, const Tensor& g, int64_t dim) { return std::get<0>(weight_norm_interface(v, g, dim)); }

Tensor norm_except_dim(const Tensor& v, int64_t pow, int64_t dim) {
  check(pow == 2, "norm_except_dim: only pow = 2 is evaluated, found ", pow);
  return to_dtype(norms_except(v, dim), v.dtype);
}

// Slices along `dim` with a larger p-norm are scaled down to maxnorm.
Tensor renorm(const Tensor& self, Scalar p_scalar, int64_t dim, Scalar maxnorm) {
  const double p = p_scalar.to_double(), limit = maxnorm.to_double();
  check(is_floating(self.dtype) || is_complex(self.dtype), "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ", scalar_type_name(self.dtype));
  check(self.dim() > 1, "renorm: input needs at least 2 dimensions, got ", self.dim(), " dimensions");
  check(p > 0 && limit >= 0, "renorm: non-positive-norm not supported");
  const auto d = static_cast<size_t>(normalize_dim(dim, self.dim()));
  const Tensor x = in_double(is_complex(self.dtype) ? call("aten.abs.default", self) : self), scale = empty(self.sizes, DType::Float64);
  int64_t inner = 1;
  for (size_t i = d + 1; i < self.sizes.size(); ++i) inner *= self.sizes[i];
  std::vector<double> norms(static_cast<size_t>(self.sizes[d]), 0.0);
  for (int64_t i = 0; i < x.numel(); ++i) {
    double& norm = norms[static_cast<size_t>(i / inner % self.sizes[d])];
    const double v = std::abs(x.data<double>()[i]);
    norm = std::isinf(p) ? std::max(norm, v) : norm + std::pow(v, p);
  }
  for (double& norm : norms) norm = std::isinf(p) ? norm : std::pow(norm, 1 / p);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double norm = norms[static_cast<size_t>(i / inner % self.sizes[d])];
    scale.data<double>()[i] = norm > limit ? limit / (norm + 1e-7) : 1;
  }
  const DType compute = is_complex(self.dtype) ? DType::Complex128 : DType::Float64;
  return to_dtype(call("aten.mul.Tensor", to_dtype(self, compute), scale), self.dtype);
}

}  // namespace

void add_normalization_backward_ops(OpTable& ops) {
  ops.add("aten::native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", native_layer_norm_backward);
  ops.add("aten::native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", native_group_norm_backward);
  ops.add("aten::native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, Tensor, Tensor)", native_batch_norm_backward);
  ops.add("aten::_weight_norm(Tensor v, Tensor g, int dim=0) -> Tensor", weight_norm);
  ops.add("aten::_weight_norm_interface(Tensor v, Tensor g, int dim=0) -> (Tensor, Tensor)", weight_norm_interface);
  ops.add("aten::norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor", norm_except_dim);
  ops.add("aten::renorm(Tensor self, Scalar p, int dim, Scalar maxnorm) -> Tensor", renorm);
}

}  // namespace pt2::interp
