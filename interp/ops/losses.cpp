// Losses and distances.
#include <algorithm>
#include <cmath>
#include <limits>

#include "interp/allocation.h"
#include "interp/check.h"
#include "interp/kernels/row_kernels.h"
#include "interp/op_table.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/rows.h"
#include "interp/parallel.h"
#include "interp/promote.h"
#include "interp/shapes.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

using MaybeTensor = std::optional<Tensor>;

enum class Reduction : int64_t { None, Mean, Sum };

double sum_in_double(const Tensor& t) {
  const Tensor dense = as_contiguous(t, DType::Float64);
  const double* from = dense.data<double>();
  double sum = 0;
  for (int64_t i = 0; i < dense.numel(); ++i) sum += from[i];
  return sum;
}
// Element losses as the reduction wants them. They are summed before they are rounded to a half type.
Tensor reduced(const Tensor& losses, int64_t reduction, DType result) {
  if (static_cast<Reduction>(reduction) == Reduction::None) return to_dtype(losses, result);
  const double sum = sum_in_double(losses), count = static_cast<double>(losses.numel());
  return full({}, result, Scalar(static_cast<Reduction>(reduction) == Reduction::Mean ? sum / count : sum));
}
// The type element losses are kept in until they are reduced.
DType wide(DType dtype) { return dtype == DType::Float64 ? DType::Float64 : DType::Float32; }

template <class Op, class... In>
Tensor elementwise(std::string_view name, int64_t reduction, Op op, const In&... inputs) {
  const DType common = result_type(inputs...);
  check(is_floating(common), "\"", name, "\" not implemented for '", scalar_type_name(common), "'");
  return reduced(map<FloatTypes>({name, common, wide(common)}, op, inputs...), reduction, common);
}

Tensor reduced_composition(const Tensor& losses, int64_t reduction) {
  const auto how = static_cast<Reduction>(reduction);
  if (how == Reduction::None) return losses;
  return call(how == Reduction::Mean ? "aten.mean.default" : "aten.sum.default", losses);
}
Tensor mse_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  return elementwise("mse_loss", reduction, [](auto a, auto b) { return (a - b) * (a - b); }, self, target);
}
Tensor l1_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  if (is_complex(result_type(self, target))) return reduced_composition(call("aten.abs.default", call("aten.sub.Tensor", self, target)), reduction);
  return elementwise("l1_loss", reduction, [](auto a, auto b) { return std::abs(a - b); }, self, target);
}
Tensor smooth_l1_loss(const Tensor& self, const Tensor& target, int64_t reduction, double beta) {
  check(beta >= 0, "smooth_l1_loss does not support negative values for beta.");
  if (beta == 0) return l1_loss(self, target, reduction);
  return elementwise("smooth_l1_loss", reduction, [beta](auto a, auto b) {
    using T = decltype(a);
    const T d = std::abs(a - b), limit = static_cast<T>(beta);
    return d < limit ? T(0.5) * d * d / limit : d - T(0.5) * limit;
  }, self, target);
}
Tensor huber_loss(const Tensor& self, const Tensor& target, int64_t reduction, double delta) {
  check(delta > 0, "huber_loss does not support non-positive values for delta.");
  return elementwise("huber_loss", reduction, [delta](auto a, auto b) {
    using T = decltype(a);
    const T d = std::abs(a - b), limit = static_cast<T>(delta);
    return d <= limit ? T(0.5) * d * d : limit * (d - T(0.5) * limit);
  }, self, target);
}
// What a composition of operators gives, reduced by operators as well.
// Step by step in the type of the input, as PyTorch computes it in place.
Tensor soft_margin_loss(const Tensor& self, const Tensor& target, int64_t reduction) {
  const Tensor product = to_dtype(call("aten.mul.Tensor", to_dtype(call("aten.neg.default", target), self.dtype), self), self.dtype);
  return reduced_composition(call("aten.log1p.default", call("aten.exp.default", product)), reduction);
}
Tensor kl_div(const Tensor& self, const Tensor& target, int64_t reduction, bool log_target) {
  check(is_floating(self.dtype) && is_floating(target.dtype), "kl_div: Integral inputs not supported.");
  if (log_target)
    return elementwise("kl_div", reduction, [](auto a, auto b) { return std::exp(b) * (b - a); }, self, target);
  return elementwise("kl_div", reduction, [](auto a, auto b) {
    using T = decltype(a);
    if (std::isnan(b)) return b;
    return (b == 0 ? T(0) : b * std::log(b)) - b * a;
  }, self, target);
}
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input, bool whole, double eps, int64_t reduction) {
  auto minus = [](const Tensor& a, const Tensor& b) { return call("aten.sub.Tensor", a, b); };
  auto times = [](const Tensor& a, const Tensor& b) { return call("aten.mul.Tensor", a, b); };
  auto log = [](const Tensor& t) { return call("aten.log.default", t); };
  Tensor loss = log_input ? minus(call("aten.exp.default", input), times(target, input)) : minus(input, times(target, log(call("aten.add.Scalar", input, eps))));
  if (whole) {  // Stirling's approximation of the logarithm of the factorial
    const Tensor half_log = call("aten.mul.Scalar", log(call("aten.mul.Scalar", target, 2 * 3.14159265358979323846)), 0.5);
    const Tensor stirling = call("aten.add.Tensor", minus(times(target, log(target)), target), half_log);
    loss = call("aten.add.Tensor", loss, call("aten.masked_fill.Scalar", stirling, call("aten.le.Scalar", target, 1), 0));
  }
  return reduced_composition(loss, reduction);
}
Tensor binary_cross_entropy(const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction) {
  auto loss = [](auto x, auto t) {
    using T = decltype(x);
    if (!(x >= 0 && x <= 1)) fail("all elements of input should be between 0 and 1");
    return (t - 1) * std::max(std::log1p(-x), T(-100)) - t * std::max(std::log(x), T(-100));
  };
  if (weight) return elementwise("binary_cross_entropy", reduction, [loss](auto x, auto t, auto w) { return loss(x, t) * w; }, self, target, *weight);
  return elementwise("binary_cross_entropy", reduction, loss, self, target);
}
Tensor binary_cross_entropy_with_logits(const Tensor& self, const Tensor& target, const MaybeTensor& weight, const MaybeTensor& pos_weight, int64_t reduction) {
  const Tensor one = wrapped_scalar(Scalar(1.0));
  return elementwise("binary_cross_entropy_with_logits", reduction, [](auto x, auto t, auto w, auto p) {
    using T = decltype(x);
    const T log_sigmoid = std::min(x, T(0)) - std::log1p(std::exp(-std::abs(x)));
    const T log_weight = (p - 1) * t + 1;
    return ((1 - t) * x - log_weight * log_sigmoid) * w;
  }, self, target, weight.value_or(one), pos_weight.value_or(one));
}
Tensor hinge_embedding_loss(const Tensor& self, const Tensor& target, double margin, int64_t reduction) {
  const Tensor zero = zeros_like(self), inside = call("aten.clamp_min.default", call("aten.rsub.Scalar", self, margin), 0);
  const Tensor apart = call("aten.where.self", call("aten.ne.Scalar", target, 1), inside, zero), alike = call("aten.where.self", call("aten.ne.Scalar", target, -1), self, zero);
  return reduced_composition(call("aten.add.Tensor", apart, alike), reduction);
}
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin, int64_t reduction) {
  const Tensor product = call("aten.mul.Tensor", call("aten.neg.default", target), call("aten.sub.Tensor", input1, input2));
  return reduced_composition(call("aten.clamp_min.default", call("aten.add.Scalar", product, margin), 0), reduction);
}

Tensor mse_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, int64_t reduction) {
  const double norm = static_cast<Reduction>(reduction) == Reduction::Mean ? 2.0 / static_cast<double>(self.numel()) : 2.0;
  return map<FloatTypes>({"mse_loss_backward", self.dtype, self.dtype},
                         [norm](auto a, auto b, auto g) { return static_cast<decltype(a)>(norm) * (a - b) * g; }, self, target, grad_output);
}

// ---- Classification --------------------------------------------------------------------------------------------------------------------

struct Nll { Tensor output, total_weight; };

// log-probabilities [N, C, positions…] or [C]; targets [N, positions…] or [].
Nll nll(const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction, int64_t ignore_index) {
  check(self.dim() > 0, "input tensor should be at least 1D, found a scalar");
  check(target.dtype == DType::Int64 || target.dtype == DType::UInt8, "nll_loss: expected scalar type Long but found ", scalar_type_name(target.dtype));
  const int64_t batch = self.dim() == 1 ? 1 : self.sizes[0], classes = self.dim() == 1 ? self.sizes[0] : self.sizes[1];
  check(target.dim() == self.dim() - 1 || (self.dim() == 1 && target.numel() == 1), "nll_loss: target ", target.sizes, " does not fit input ", self.sizes);
  const int64_t positions = target.numel() / std::max<int64_t>(1, batch);
  const DType compute = wide(self.dtype);
  const Tensor x = as_contiguous(self, compute), t = as_contiguous(target, DType::Int64);
  const Tensor w = weight ? as_contiguous(*weight, compute) : Tensor();
  check(!weight || (weight->dim() == 1 && weight->sizes[0] == classes), "weight tensor should be defined either for all ", classes, " classes or no classes");
  const Tensor losses = zeros(target.sizes, compute);
  double sum = 0, total = 0;
  dispatch(FloatTypes(), compute, "nll_loss", [&]<class T>() {
    for (int64_t n = 0; n < batch; ++n)
      for (int64_t p = 0; p < positions; ++p) {
        const int64_t c = t.data<int64_t>()[n * positions + p];
        if (c == ignore_index) continue;
        check(c >= 0 && c < classes, "Target ", c, " is out of bounds.");
        const T factor = weight ? w.data<T>()[c] : T(1);
        const T loss = -x.data<T>()[(n * classes + c) * positions + p] * factor;
        losses.data<T>()[n * positions + p] = loss;
        sum += static_cast<double>(loss);
        total += static_cast<double>(factor);
      }
  });
  Nll result;
  const auto how = static_cast<Reduction>(reduction);
  if (how == Reduction::None) {
    result.output = to_dtype(losses, self.dtype);
    result.total_weight = full({}, self.dtype, Scalar(0.0));
  } else {
    result.output = full({}, self.dtype, Scalar(how == Reduction::Mean ? sum / total : sum));
    result.total_weight = full({}, self.dtype, Scalar(total));
  }
  return result;
}
Tensor nll_loss(const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction, int64_t ignore_index) {
  return nll(self, target, weight, reduction, ignore_index).output;
}
std::tuple<Tensor, Tensor> nll_loss_forward(const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction, int64_t ignore_index) {
  Nll r = nll(self, target, weight, reduction, ignore_index);
  return {r.output, r.total_weight};
}
Tensor nll_loss_backward(const Tensor& grad_output, const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction,
                         int64_t ignore_index, const Tensor& total_weight) {
  const int64_t batch = self.dim() == 1 ? 1 : self.sizes[0], classes = self.dim() == 1 ? self.sizes[0] : self.sizes[1];
  const int64_t positions = target.numel() / std::max<int64_t>(1, batch);
  const DType compute = wide(self.dtype);
  const auto how = static_cast<Reduction>(reduction);
  const Tensor t = as_contiguous(target, DType::Int64), g = as_contiguous(grad_output, compute);
  const Tensor w = weight ? as_contiguous(*weight, compute) : Tensor();
  const Tensor result = zeros(self.sizes, compute);
  const double total = how == Reduction::Mean ? sum_in_double(total_weight) : 1;
  dispatch(FloatTypes(), compute, "nll_loss_backward", [&]<class T>() {
    for (int64_t i = 0; i < batch * positions; ++i) {
      const int64_t c = t.data<int64_t>()[i];
      if (c == ignore_index) continue;
      check(c >= 0 && c < classes, "Target ", c, " is out of bounds.");
      const T factor = weight ? w.data<T>()[c] : T(1);
      const T gradient = how == Reduction::None ? g.data<T>()[i] : g.data<T>()[0] / static_cast<T>(total);
      result.data<T>()[(i / positions * classes + c) * positions + i % positions] = -factor * gradient;
    }
  });
  return to_dtype(result, self.dtype);
}

Tensor cross_entropy_loss(const Tensor& self, const Tensor& target, const MaybeTensor& weight, int64_t reduction, int64_t ignore_index, double label_smoothing) {
  const int64_t class_dim = self.dim() == 1 ? 0 : 1;
  const DType compute = wide(self.dtype);
  const Tensor log_probability =
      as_dtype(along_rows(self, class_dim, compute, []<class T>(const T* from, T* to, int64_t n) { row_kernels().of<T>().log_softmax(from, to, n); }), self.dtype);
  const bool probabilities = target.sizes == self.sizes && is_floating(target.dtype);
  if (!probabilities && label_smoothing == 0) return nll(log_probability, target, weight, reduction, ignore_index).output;

  // Everything as class probabilities: -Σ_c weight[c] · p[c] · log_probability[c].
  const int64_t batch = self.dim() == 1 ? 1 : self.sizes[0], classes = self.sizes[class_dim];
  const int64_t positions = self.numel() / std::max<int64_t>(1, batch * classes);
  const Tensor x = as_contiguous(log_probability, DType::Float64);
  const Tensor w = weight ? as_contiguous(*weight, DType::Float64) : Tensor();
  const Tensor p = as_contiguous(target, probabilities ? DType::Float64 : DType::Int64);
  Shape sizes = self.sizes;
  sizes.erase(sizes.begin() + class_dim);
  const Tensor losses = zeros(sizes, DType::Float64);
  double sum = 0, total = 0;
  for (int64_t n = 0; n < batch; ++n)
    for (int64_t q = 0; q < positions; ++q) {
      const int64_t label = probabilities ? -1 : p.data<int64_t>()[n * positions + q];
      if (!probabilities && label == ignore_index) continue;
      check(probabilities || (label >= 0 && label < classes), "Target ", label, " is out of bounds.");
      double loss = 0;
      for (int64_t c = 0; c < classes; ++c) {
        const int64_t at = (n * classes + c) * positions + q;
        double target_p = probabilities ? p.data<double>()[at] : c == label;
        target_p = target_p * (1 - label_smoothing) + label_smoothing / static_cast<double>(classes);
        if (target_p != 0) loss -= target_p * (weight ? w.data<double>()[c] : 1) * x.data<double>()[at];
      }
      losses.data<double>()[n * positions + q] = loss;
      sum += loss;
      // The mean is over the batch for probabilities, over the weights of the labels else.
      total += probabilities || !weight ? 1 : w.data<double>()[label];
    }
  const auto how = static_cast<Reduction>(reduction);
  if (how == Reduction::None) return to_dtype(losses, self.dtype);
  return full({}, self.dtype, Scalar(how == Reduction::Mean ? sum / total : sum));
}

// ---- Distances -------------------------------------------------------------------------------------------------------------------------

template <class T>
T minkowski(const T* a, const T* b, int64_t count, double p) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
    if (p == 0) sum += d != 0;
    else if (std::isinf(p)) sum = std::isnan(d) ? d : std::max(sum, d);
    else if (p == 1) sum += d;
    else if (p == 2) sum += d * d;
    else sum += std::pow(d, p);
  }
  if (p == 2) return static_cast<T>(std::sqrt(sum));
  return static_cast<T>(p == 0 || p == 1 || std::isinf(p) ? sum : std::pow(sum, 1 / p));
}

Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<int64_t>) {
  check(x1.dim() >= 2 && x2.dim() >= 2 && x1.sizes.back() == x2.sizes.back(), "X1 and X2 must have the same number of columns. X1: ", x1.sizes, " X2: ", x2.sizes);
  check(p >= 0, "cdist only supports non-negative p values");
  const DType dtype = result_type(x1, x2);
  const Shape batch = broadcast_shapes(std::span(x1.sizes).first(x1.sizes.size() - 2), std::span(x2.sizes).first(x2.sizes.size() - 2));
  const int64_t m = x1.sizes[x1.sizes.size() - 2], n = x2.sizes[x2.sizes.size() - 2], k = x1.sizes.back();
  auto expanded = [&](const Tensor& t, int64_t rows) {
    Shape sizes = batch;
    sizes.push_back(rows);
    sizes.push_back(k);
    return as_contiguous(expand_to(to_dtype(t, dtype), sizes));
  };
  const Tensor a = expanded(x1, m), b = expanded(x2, n);
  Shape sizes = batch;
  sizes.push_back(m);
  sizes.push_back(n);
  const Tensor result = empty(sizes, dtype);
  dispatch(FloatTypes(), dtype, "cdist", [&]<class T>() {
    parallel_for(checked_numel(batch) * m, grain_for(n * k), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i)
        for (int64_t j = 0; j < n; ++j)
          result.data<T>()[i * n + j] = minkowski(a.data<T>() + i * k, b.data<T>() + (i / m * n + j) * k, k, p);
    });
  });
  return result;
}
Tensor pdist(const Tensor& self, double p) {
  check(self.dim() == 2, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  const int64_t n = self.sizes[0], k = self.sizes[1];
  const Tensor x = as_contiguous(self), result = empty(Shape{n * (n - 1) / 2}, self.dtype);
  dispatch(FloatTypes(), self.dtype, "pdist", [&]<class T>() {
    T* to = result.data<T>();
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j) *to++ = minkowski(x.data<T>() + i * k, x.data<T>() + j * k, k, p);
  });
  return result;
}

Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  const Tensor apart = call("aten.add.Scalar", call("aten.sub.Tensor", x1, x2), eps);
  return call("aten.norm.ScalarOpt_dim", apart, p, Shape{std::max(x1.dim(), x2.dim()) - 1}, keepdim);
}
Tensor dist(const Tensor& self, const Tensor& other, Scalar p) {
  if (is_complex(result_type(self, other))) return call("aten.linalg_vector_norm.default", call("aten.sub.Tensor", self, other), p);
  const Shape sizes = broadcast_shapes(self.sizes, other.sizes);
  const DType dtype = result_type(self, other), compute = wide(dtype);
  const Tensor a = as_contiguous(expand_to(to_dtype(self, compute), sizes)), b = as_contiguous(expand_to(to_dtype(other, compute), sizes));
  Tensor result = empty({}, compute);
  dispatch(FloatTypes(), dtype, "dist", [&]<class T>() { *result.data<T>() = minkowski(a.data<T>(), b.data<T>(), a.numel(), p.to_double()); });
  return to_dtype(result, dtype);
}
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  const DType dtype = result_type(x1, x2);
  check(is_floating(dtype), "expected common_dtype to be floating point, yet common_dtype is ", scalar_type_name(dtype));
  const Shape sizes = broadcast_shapes(x1.sizes, x2.sizes);
  const auto normalized = [&](const Tensor& t) {
    const Tensor x = expand_to(to_dtype(t, dtype), sizes);
    return call("aten.div.Tensor", x, call("aten.clamp_min.default", call("aten.linalg_vector_norm.default", x, 2, Shape{dim}, true), eps));
  };
  return call("aten.sum.dim_IntList", call("aten.mul.Tensor", normalized(x1), normalized(x2)), Shape{dim});
}
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin, int64_t reduction) {
  const int64_t dim = target.dim() == 1 ? 1 : 0;
  const auto product = [&](const Tensor& a, const Tensor& b) { return call("aten.sum.dim_IntList", call("aten.mul.Tensor", a, b), Shape{dim}); };
  const auto length = [&](const Tensor& a) { return call("aten.add.Scalar", product(a, a), 1e-12); };  // squared
  const Tensor lengths = call("aten.sqrt.default", call("aten.mul.Tensor", length(input1), length(input2)));
  const Tensor cosine = call("aten.div.Tensor", product(input1, input2), lengths), zero = zeros_like(cosine);
  const Tensor alike = call("aten.rsub.Scalar", cosine, 1), apart = call("aten.clamp_min.default", call("aten.sub.Scalar", cosine, margin), 0);
  return reduced_composition(call("aten.add.Tensor", call("aten.where.self", call("aten.eq.Scalar", target, 1), alike, zero),
                                  call("aten.where.self", call("aten.eq.Scalar", target, -1), apart, zero)), reduction);
}
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative, double margin, double p, double eps, bool swap, int64_t reduction) {
  const Tensor to_positive = pairwise_distance(anchor, positive, p, eps, false);
  Tensor to_negative = pairwise_distance(anchor, negative, p, eps, false);
  if (swap) to_negative = call("aten.minimum.default", to_negative, pairwise_distance(positive, negative, p, eps, false));
  return reduced_composition(call("aten.clamp_min.default", call("aten.sub.Tensor", call("aten.add.Scalar", to_positive, margin), to_negative), 0), reduction);
}

}  // namespace

void add_loss_ops(OpTable& ops) {
  ops.add("aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", mse_loss);
  ops.add("aten::mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor", mse_loss_backward);
  ops.add("aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", l1_loss);
  ops.add("aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.0) -> Tensor", smooth_l1_loss);
  ops.add("aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.0) -> Tensor", huber_loss);
  ops.add("aten::soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor", soft_margin_loss);
  ops.add("aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor", kl_div);
  ops.add("aten::poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction) -> Tensor", poisson_nll_loss);
  ops.add("aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor", binary_cross_entropy);
  ops.add("aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor", binary_cross_entropy_with_logits);
  ops.add("aten::hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, int reduction=1) -> Tensor", hinge_embedding_loss);
  ops.add("aten::margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> Tensor", margin_ranking_loss);
  ops.add("aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor", nll_loss);
  ops.add("aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor", nll_loss);
  ops.add("aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor", nll_loss);
  ops.add("aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)", nll_loss_forward);
  ops.add("aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)", nll_loss_forward);
  ops.add("aten::nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor", nll_loss_backward);
  ops.add("aten::nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor", nll_loss_backward);
  ops.add("aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.0) -> Tensor", cross_entropy_loss);
  ops.add("aten::cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor", cdist);
  ops.add("aten::_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor", cdist);
  ops.add("aten::pdist(Tensor self, float p=2) -> Tensor", pdist);
  ops.add("aten::_pdist_forward(Tensor self, float p=2) -> Tensor", pdist);
  ops.add("aten::pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) -> Tensor", pairwise_distance);
  ops.add("aten::dist(Tensor self, Tensor other, Scalar p=2) -> Tensor", dist);
  ops.add("aten::cosine_similarity(Tensor x1, Tensor x2, int dim=1, float eps=1e-08) -> Tensor", cosine_similarity);
  ops.add("aten::cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, int reduction=1) -> Tensor", cosine_embedding_loss);
  ops.add("aten::triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, float p=2, float eps=1e-06, bool swap=False, int reduction=1) -> Tensor", triplet_margin_loss);
}

}  // namespace pt2::interp
