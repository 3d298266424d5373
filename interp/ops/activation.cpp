// Activations, forward. Each is PyTorch's formula, elements in float for half precision.
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/view.h"
#include "interp/stepwise.h"

namespace pt2::interp {

namespace {

template <class Op>
Tensor activated(std::string_view name, const Tensor& self, Op op) {
  return map<FloatTypes>(in_type(name, self.dtype), op, self);
}
void check_floating(std::string_view name, const Tensor& self) {
  check(is_floating(self.dtype), "\"", name, "\" not implemented for '", scalar_type_name(self.dtype), "'");
}

void relu_into(const Tensor& result, const Tensor& self) {
  check(self.dtype != DType::Bool, "Boolean inputs not supported for relu");
  map_into<RealTypes>(result, in_type("relu", self.dtype), []<class T>(T x) { return x < 0 ? T(0) : x; }, self);
}
Tensor relu(const Tensor& self) {
  Tensor result = map_result(self.dtype, self);
  relu_into(result, self);
  return result;
}
void relu_(const Tensor& self) {
  check_writable(self);
  relu_into(self, self);
}

Tensor hardtanh(const Tensor& self, Scalar min_val, Scalar max_val) {
  check(self.dtype != DType::Bool, "Bool inputs not supported for hardtanh");
  if (!is_floating(self.dtype) && !is_complex(self.dtype) && !is_signed(self.dtype))
    check(min_val.to_double() >= 0 && max_val.to_double() >= 0, "cannot do hardtanh on an unsigned type with negative limits");
  const Scalar low = converted(min_val, self.dtype), high = converted(max_val, self.dtype);
  return map<RealTypes>(in_type("hardtanh", self.dtype), [=]<class T>(T x) { return nan_min(nan_max(x, low.to<T>()), high.to<T>()); }, self);
}
Tensor relu6(const Tensor& self) { return hardtanh(self, 0, 6); }

Tensor leaky_relu(const Tensor& self, Scalar negative_slope) {
  return activated("leaky_relu_cpu", self, [=]<class T>(T x) { return x > 0 ? x : x * negative_slope.to<T>(); });
}
Tensor elu(const Tensor& self, Scalar alpha, Scalar scale, Scalar input_scale) {
  return activated("elu_cpu", self, [=]<class T>(T x) {
    const T s = scale.to<T>();
    return x < 0 ? std::expm1(x * input_scale.to<T>()) * (alpha.to<T>() * s) : x * s;
  });
}
Tensor selu(const Tensor& self) { return elu(self, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1.0); }
Tensor celu(const Tensor& self, Scalar alpha) {
  check(alpha.to_double() != 0, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return elu(self, alpha, 1.0, 1.0 / alpha.to_double());
}

// PyTorch hands dense tensors of these types to oneDNN, whose gelu makes NaN of +Inf, too.
constexpr VectorFunction kDenseGelu{[](const float* from, float* to, int64_t count) {
                                      vector_math().gelu(from, to, count);
                                      for (int64_t i = 0; i < count; ++i) to[i] += to[i] - to[i];
                                    },
                                    nullptr};
bool is_dense_gelu(const Tensor& self) { return (self.dtype == DType::Float32 || self.dtype == DType::BFloat16) && self.numel() > 1 && is_contiguous(self); }
Tensor gelu(const Tensor& self, std::string_view approximate) {
  check_floating("GeluKernelImpl", self);
  check(approximate == "none" || approximate == "tanh", "approximate argument must be either none or tanh.");
  if (approximate == "tanh") return vector_unary("gelu", self, vector_math().gelu_tanh);
  return vector_unary("gelu", self, is_dense_gelu(self) ? kDenseGelu : vector_math().gelu);
}
Complex complex_silu(const Complex& x) { return x / (1.0 + std::exp(-x)); }
Tensor silu(const Tensor& self) {
  if (!is_complex(self.dtype)) check_floating("silu_cpu", self);
  return vector_unary("silu", self, vector_math().silu, complex_silu);
}
Tensor mish(const Tensor& self) {
  check_floating("mish_cpu", self);
  return vector_unary("mish", self, vector_math().mish);
}

Tensor softplus(const Tensor& self, Scalar beta, Scalar threshold) {
  return activated("softplus_cpu", self, [=]<class T>(T x) {
    const T scaled = x * beta.to<T>();
    return scaled > threshold.to<T>() ? x : std::log1p(std::exp(scaled)) / beta.to<T>();
  });
}
Tensor hardsigmoid(const Tensor& self) {
  return activated("hardsigmoid_cpu", self, []<class T>(T x) { return nan_min(nan_max(x + 3, T(0)), T(6)) / 6; });
}
Tensor hardswish(const Tensor& self) {
  return activated("hardswish_cpu", self, []<class T>(T x) { return x * nan_min(nan_max(x + 3, T(0)), T(6)) / 6; });
}
Tensor hardshrink(const Tensor& self, Scalar lambd) {
  return activated("hardshrink_cpu", self, [lambd, rounded = half_steps(self.dtype)]<class T>(T x) {
    const T l = rounded(lambd.to<T>());
    return x >= -l && x <= l ? T(0) : x;
  });
}
Tensor softshrink(const Tensor& self, Scalar lambd) {
  check(lambd.to_double() >= 0, "lambda must be greater or equal to 0, but found to be ", lambd.to_double(), ".");
  return activated("softshrink_cpu", self, [=]<class T>(T x) {
    const T l = lambd.to<T>();
    return x > l ? x - l : x < -l ? x + l : x * T(0);
  });
}
Tensor threshold(const Tensor& self, Scalar limit, Scalar value) {
  if (half_steps(self.dtype).dtype == DType::Unknown) limit = converted(limit, self.dtype);  // half types are compared with it as it is
  return map<RealTypes>(in_type("threshold_cpu", self.dtype), [=]<class T>(T x) { return x <= limit.to<T>() ? value.to<T>() : x; }, self);
}
template <class T>
T log_sigmoid_of(T x) { return std::min(x, T(0)) - std::log1p(std::exp(-std::abs(x))); }
Tensor log_sigmoid(const Tensor& self) {
  return activated("log_sigmoid_cpu", as_contiguous(self), [](auto x) { return is_nan(x) ? x : log_sigmoid_of(x); });
}
std::tuple<Tensor, Tensor> log_sigmoid_forward(const Tensor& self) {
  return {log_sigmoid(self), activated("log_sigmoid_cpu", as_contiguous(self), [](auto x) { return std::exp(-std::abs(x)); })};
}

// A weight for each channel (dimension 1), or one for all.
Tensor prelu_weight(const Tensor& self, const Tensor& weight) {
  check(self.dtype == weight.dtype, "prelu: Type promoting not supported. Got ", scalar_type_name(self.dtype), " and ", scalar_type_name(weight.dtype));
  check(weight.dim() <= 1, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = ", weight.dim());
  if (weight.numel() != 1) {
    check(self.dim() > 0, "Not allow zero-dim input tensor.");
    const int64_t channels = self.dim() > 1 ? self.sizes[1] : 1;
    check(channels == weight.numel(), "Mismatch of parameter numbers and input channel size. Found parameter numbers = ", weight.numel(),
          " and channel size = ", channels, ".");
  }
  if (self.dim() == 0) return reshape(weight, Shape{});
  Shape sizes(self.sizes.size(), 1);
  sizes[self.dim() > 1 ? 1 : 0] = weight.numel();
  return reshape(weight, sizes);
}
Tensor prelu_kernel(const Tensor& self, const Tensor& weight) {
  return map<FloatTypes>(in_type("prelu_cpu", result_type(self, weight)), [](auto x, auto w) { return x > 0 ? x : w * x; }, self, weight);
}
Tensor prelu(const Tensor& self, const Tensor& weight) { return prelu_kernel(self, prelu_weight(self, weight)); }

std::pair<Tensor, Tensor> halves(const Tensor& self, int64_t dim) {
  check(self.dim() > 0, "glu does not support 0-dimensional tensors");
  dim = normalize_dim(dim, self.dim());
  const int64_t size = self.sizes[dim];
  check(size % 2 == 0, "Halving dimension must be even, but dimension ", dim, " is size ", size);
  return {narrow(self, dim, 0, size / 2), narrow(self, dim, size / 2, size / 2)};
}
Tensor glu(const Tensor& self, int64_t dim) {
  const auto [a, b] = halves(self, dim);
  return map<FloatTypes>(in_type("glu_cpu", self.dtype), []<class T>(T x, T gate) { return x * (T(1) / (T(1) + std::exp(-gate))); }, a, b);
}

}  // namespace

void add_activation_ops(OpTable& ops) {
  ops.add("aten::relu(Tensor self) -> Tensor", relu);
  ops.add("aten::relu_(Tensor(a!) self) -> Tensor(a!)", relu_);
  ops.add("aten::relu6(Tensor self) -> Tensor", relu6);
  ops.add("aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor", hardtanh);
  ops.add("aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor", leaky_relu);
  ops.add("aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", elu);
  ops.add("aten::selu(Tensor self) -> Tensor", selu);
  ops.add("aten::celu(Tensor self, Scalar alpha=1.0) -> Tensor", celu);
  ops.add("aten::gelu(Tensor self, *, str approximate='none') -> Tensor", gelu);
  ops.add("aten::silu(Tensor self) -> Tensor", silu);
  ops.add("aten::mish(Tensor self) -> Tensor", mish);
  ops.add("aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", softplus);
  ops.add("aten::hardsigmoid(Tensor self) -> Tensor", hardsigmoid);
  ops.add("aten::hardswish(Tensor self) -> Tensor", hardswish);
  ops.add("aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", hardshrink);
  ops.add("aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", softshrink);
  ops.add("aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor", threshold);
  ops.add("aten::log_sigmoid(Tensor self) -> Tensor", log_sigmoid);
  ops.add("aten::log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", log_sigmoid_forward);
  ops.add("aten::prelu(Tensor self, Tensor weight) -> Tensor", prelu);
  ops.add("aten::_prelu_kernel(Tensor self, Tensor weight) -> Tensor", prelu_kernel);
  ops.add("aten::glu(Tensor self, int dim=-1) -> Tensor", glu);
}

}  // namespace pt2::interp
