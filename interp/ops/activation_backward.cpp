// Derivatives of the activations, as they stand in programs exported with their backward pass.
#include <numbers>

#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"

namespace pt2::interp {

namespace {

template <class Op>
Tensor derived(std::string_view name, const Tensor& grad, const Tensor& value, Op op) {
  return map<FloatTypes>(in_type(name, result_type(grad, value)), op, grad, value);
}
template <class T>
T sigmoid_of(T x) { return T(1) / (T(1) + std::exp(-x)); }

Tensor threshold_backward(const Tensor& grad_output, const Tensor& self, Scalar threshold) {
  return map<RealTypes>(in_type("threshold_cpu", result_type(grad_output, self)), [=]<class T>(T g, T x) { return x <= threshold.to<T>() ? T(0) : g; },
                        grad_output, self);
}
Tensor sigmoid_backward(const Tensor& grad_output, const Tensor& output) {
  return map<FieldTypes>(in_type("sigmoid_backward_cpu", result_type(grad_output, output)),
                         []<class T>(T g, T y) {
                           if constexpr (std::is_same_v<T, Complex>) return g * std::conj((T(1) - y) * y);
                           else return g * (T(1) - y) * y;
                         },
                         grad_output, output);
}
Tensor tanh_backward(const Tensor& grad_output, const Tensor& output) {
  return map<FieldTypes>(in_type("tanh_backward_cpu", result_type(grad_output, output)),
                         []<class T>(T g, T y) {
                           if constexpr (std::is_same_v<T, Complex>) return g * std::conj(T(1) - y * y);
                           else return g * (T(1) - y * y);
                         },
                         grad_output, output);
}
Tensor gelu_backward(const Tensor& grad, const Tensor& self, std::string_view approximate) {
  if (approximate == "tanh")
    return derived("GeluBackwardKernelImpl", grad, self, []<class T>(T g, T x) {
      const T beta = T(std::numbers::sqrt2 * std::numbers::inv_sqrtpi), kappa = T(0.044715);
      const T tanh_inner = std::tanh(beta * (x + kappa * x * x * x));
      const T left = T(0.5) * x, right = 1 + tanh_inner;
      return g * (T(0.5) * right + left * (1 - tanh_inner * tanh_inner) * beta * (1 + 3 * kappa * x * x));
    });
  check(approximate == "none", "approximate argument must be either none or tanh.");
  return derived("GeluBackwardKernelImpl", grad, self, []<class T>(T g, T x) {
    const T cdf = T(0.5) * (1 + std::erf(x * T(1 / std::numbers::sqrt2)));
    const T pdf = T(0.5) * T(std::numbers::sqrt2 * std::numbers::inv_sqrtpi) * std::exp(x * x * T(-0.5));
    return g * (cdf + x * pdf);
  });
}
Tensor silu_backward(const Tensor& grad_output, const Tensor& self) {
  return derived("silu_backward_cpu", grad_output, self, []<class T>(T g, T x) {
    const T s = sigmoid_of(x);
    return g * s * (1 + x * (1 - s));
  });
}
Tensor mish_backward(const Tensor& grad_output, const Tensor& self) {
  return derived("mish_backward_cpu", grad_output, self, []<class T>(T g, T x) {
    const T s = sigmoid_of(x), t = std::tanh(std::log1p(std::exp(x)));
    return g * (t + x * s * (1 - t * t));
  });
}
Tensor leaky_relu_backward(const Tensor& grad_output, const Tensor& self, Scalar negative_slope, bool self_is_result) {
  check(!self_is_result || negative_slope.to_double() >= 0, "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported.");
  return derived("leaky_relu_backward_cpu", grad_output, self, [=]<class T>(T g, T x) { return x > 0 ? g : g * negative_slope.to<T>(); });
}
Tensor hardtanh_backward(const Tensor& grad_output, const Tensor& self, Scalar min_val, Scalar max_val) {
  return derived("hardtanh_backward_cpu", grad_output, self,
                 [=]<class T>(T g, T x) { return x <= min_val.to<T>() || x >= max_val.to<T>() ? T(0) : g; });
}
Tensor elu_backward(const Tensor& grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, const Tensor& self_or_result) {
  check(!is_result || alpha.to_double() >= 0, "In-place elu backward calculation is triggered with a negative slope which is not supported.");
  return derived("elu_backward_cpu", grad_output, self_or_result, [=]<class T>(T g, T x) {
    const T negative = alpha.to<T>() * scale.to<T>(), positive = scale.to<T>(), inner = input_scale.to<T>();
    if (x > 0) return g * positive;
    return is_result ? g * inner * (x + negative) : g * inner * negative * std::exp(x * inner);
  });
}
Tensor softplus_backward(const Tensor& grad_output, const Tensor& self, Scalar beta, Scalar threshold) {
  return derived("softplus_backward_cpu", grad_output, self, [=]<class T>(T g, T x) {
    const T scaled = x * beta.to<T>();
    if (scaled > threshold.to<T>()) return g;
    const T z = std::exp(scaled);
    return g * z / (z + 1);
  });
}
Tensor hardsigmoid_backward(const Tensor& grad_output, const Tensor& self) {
  return derived("hardsigmoid_backward", grad_output, self, []<class T>(T g, T x) { return x > -3 && x < 3 ? g * T(1.0f / 6.0f) : T(0); });
}
Tensor hardswish_backward(const Tensor& grad_output, const Tensor& self) {
  return derived("hardswish_backward_cpu", grad_output, self, []<class T>(T g, T x) { return x <= -3 ? T(0) : x < 3 ? g * (x / 3 + T(0.5)) : g; });
}
Tensor shrink_backward(const Tensor& grad, const Tensor& self, Scalar lambd) {
  return derived("shrink_backward_cpu", grad, self, [=]<class T>(T g, T x) { return x >= -lambd.to<T>() && x <= lambd.to<T>() ? T(0) : g; });
}
Tensor log_sigmoid_backward(const Tensor& grad_output, const Tensor& self, const Tensor& buffer) {  // buffer: exp(−|x|)
  return map<FloatTypes>(in_type("log_sigmoid_backward_cpu", result_type(grad_output, self)), []<class T>(T g, T x, T z) {
    const T maximum = x < 0 ? T(1) : T(0), sign = x < 0 ? T(1) : T(-1);
    return g * (maximum - sign * (z / (1 + z)));
  }, grad_output, self, buffer);
}
Tensor logit_backward(const Tensor& grad_output, const Tensor& self, std::optional<double> eps) {
  return derived("logit_backward", grad_output, self, [eps]<class T>(T g, T x) {
    const T low = static_cast<T>(eps.value_or(0)), high = 1 - low;
    if (x < low || x > high) return eps ? T(0) : T(NAN);
    return x == 0 || x == 1 ? g * T(INFINITY) : g / (x * (1 - x));
  });
}
Tensor glu_backward(const Tensor& grad_output, const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "glu does not support 0-dimensional tensors");
  dim = normalize_dim(dim, self.dim());
  const int64_t half = self.sizes[dim] / 2;
  check(self.sizes[dim] % 2 == 0, "Halving dimension must be even, but dimension ", dim, " is size ", self.sizes[dim]);
  const Tensor a = narrow(self, dim, 0, half), b = narrow(self, dim, half, half);
  Tensor result = empty(self.sizes, self.dtype);
  const Signature signature = in_type("glu_backward_cpu", self.dtype);
  map_into<FloatTypes>(narrow(result, dim, 0, half), signature, [](auto g, auto, auto gate) { return g * sigmoid_of(gate); }, grad_output, a, b);
  map_into<FloatTypes>(narrow(result, dim, half, half), signature, [](auto g, auto x, auto gate) {
    const auto s = sigmoid_of(gate);
    return (1 - s) * s * g * x;
  }, grad_output, a, b);
  return result;
}
std::tuple<Tensor, Tensor> prelu_kernel_backward(const Tensor& grad_output, const Tensor& self, const Tensor& weight) {
  const Signature signature = in_type("prelu_backward_cpu", self.dtype);
  return {map<FloatTypes>(signature, [](auto g, auto x, auto w) { return x > 0 ? g : w * g; }, grad_output, self, weight),
          map<FloatTypes>(signature, []<class T>(T g, T x, T) { return x > 0 ? T(0) : x * g; }, grad_output, self, weight)};
}

}  // namespace

void add_activation_backward_ops(OpTable& ops) {
  ops.add("aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor", threshold_backward);
  ops.add("aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", sigmoid_backward);
  ops.add("aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor", tanh_backward);
  ops.add("aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor", gelu_backward);
  ops.add("aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor", silu_backward);
  ops.add("aten::mish_backward(Tensor grad_output, Tensor self) -> Tensor", mish_backward);
  ops.add("aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor", leaky_relu_backward);
  ops.add("aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor", hardtanh_backward);
  ops.add("aten::elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor", elu_backward);
  ops.add("aten::softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor", softplus_backward);
  ops.add("aten::hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor", hardsigmoid_backward);
  ops.add("aten::hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", hardswish_backward);
  ops.add("aten::hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor", shrink_backward);
  ops.add("aten::softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor", shrink_backward);
  ops.add("aten::log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor", log_sigmoid_backward);
  ops.add("aten::logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor", logit_backward);
  ops.add("aten::glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", glu_backward);
  ops.add("aten::_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)", prelu_kernel_backward);
}

}  // namespace pt2::interp
