// Elementary functions, rounding, signs, and functions of two numbers.
#include <limits>
#include <numbers>

#include "core/tensor/float_formats.h"
#include "interp/ops/all_ops.h"
#include "interp/ops/pointwise.h"
#include "interp/stepwise.h"

namespace pt2::interp {

namespace {

using ComplexFunction = Complex (*)(const Complex&);

// exp, sin …: vectorised for real numbers, the library's for complex ones.
template <VectorFunction VectorMath::*function, ComplexFunction complex = nullptr>
Tensor unary(const Tensor& self) {
  return vector_unary("unary function", self, vector_math().*function, complex);
}

Complex complex_sigmoid(const Complex& x) { return 1.0 / (1.0 + std::exp(-x)); }
Complex complex_rsqrt(const Complex& x) { return 1.0 / std::sqrt(x); }
Complex complex_exp2(const Complex& x) { return std::exp(x * std::numbers::ln2); }
Complex complex_log2(const Complex& x) { return std::log(x) / std::numbers::ln2; }
Complex complex_log1p(const Complex& x) { return std::log(1.0 + x); }
Complex complex_expm1(const Complex& x) {  // without cancellation near zero
  const double sine = std::sin(x.imag() / 2), rest = std::expm1(x.real());
  return {rest * std::cos(x.imag()) - 2 * sine * sine, std::exp(x.real()) * std::sin(x.imag())};
}

Tensor neg(const Tensor& self) {
  check(self.dtype != DType::Bool,
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  return map<NumberTypes>(in_type("neg", self.dtype), [](auto x) { return wrapping_negate(x); }, self);
}

Tensor abs(const Tensor& self) {
  no_bool("abs_cpu", self.dtype);
  if (is_complex(self.dtype)) return map<Types<Complex>>({"abs", self.dtype, real_of(self.dtype)}, [](Complex x) { return std::abs(x); }, self);
  return map<RealTypes>(in_type("abs", self.dtype), [](auto x) {
    if constexpr (std::is_same_v<decltype(x), int64_t>) return x < 0 ? wrapping_negate(x) : x;
    else return std::abs(x);
  }, self);
}

Tensor sign(const Tensor& self) {
  check(!is_complex(self.dtype), "Unlike NumPy, torch.sign doesn't allow complex inputs. Use torch.sgn instead.");
  return map<RealTypes>(in_type("sign", self.dtype), []<class T>(T x) { return static_cast<T>((x > 0) - (x < 0)); }, self);
}
Tensor sgn(const Tensor& self) {
  if (!is_complex(self.dtype)) return sign(self);
  return map<Types<Complex>>(in_type("sgn", self.dtype), [](Complex x) { return x == 0.0 ? Complex() : x / std::abs(x); }, self);
}

// Rounding keeps integers as they are.
template <class Round>
Tensor rounded(std::string_view name, const Tensor& self, Round round) {
  check(!is_complex(self.dtype), name, " is not supported for complex inputs");
  no_bool(name, self.dtype);
  if (!is_floating(self.dtype)) return to_dtype(self, self.dtype);
  return map<FloatTypes>(in_type(name, self.dtype), round, self);
}
Tensor floor(const Tensor& self) { return rounded("floor", self, [](auto x) { return std::floor(x); }); }
Tensor ceil(const Tensor& self) { return rounded("ceil", self, [](auto x) { return std::ceil(x); }); }
Tensor trunc(const Tensor& self) { return rounded("trunc", self, [](auto x) { return std::trunc(x); }); }
Tensor round(const Tensor& self) { return rounded("round", self, [](auto x) { return std::nearbyint(x); }); }
Tensor round_decimals(const Tensor& self, int64_t decimals) {
  return rounded("round", self, [decimals]<class T>(T x) {
    const T power = static_cast<T>(std::pow(10.0, std::fabs(static_cast<double>(decimals))));
    return decimals < 0 ? std::nearbyint(x / power) * power : std::nearbyint(x * power) / power;
  });
}
Tensor frac(const Tensor& self) { return map<FloatTypes>(in_type("frac_cpu", self.dtype), [](auto x) { return x - std::trunc(x); }, self); }

Tensor reciprocal(const Tensor& self) {
  return map<FieldTypes>(in_floating("reciprocal", self.dtype), []<class T>(T x) { return T(1) / x; }, self);
}
Tensor positive(const Tensor& self) {
  check(self.dtype != DType::Bool, "The `+` operator, on a bool tensor is not supported.");
  return self;
}
Tensor scaled(std::string_view name, const Tensor& self, double factor) {
  check(!is_complex(self.dtype), name, " is not supported for complex tensors.");
  return map<FloatTypes>(in_floating(name, self.dtype), [factor]<class T>(T x) { return x * static_cast<T>(factor); }, self);
}
Tensor deg2rad(const Tensor& self) { return scaled("deg2rad", self, std::numbers::pi / 180); }
Tensor rad2deg(const Tensor& self) { return scaled("rad2deg", self, 180 / std::numbers::pi); }

Tensor logit(const Tensor& self, std::optional<double> eps) {
  return map<FloatTypes>(in_floating("logit", self.dtype), [eps, rounded = half_steps(self.dtype)]<class T>(T x) {
    const T low = rounded(static_cast<T>(eps.value_or(0))), high = rounded(1 - low);
    const T z = !eps ? x : x < low ? low : x > high ? high : x;
    return std::log(rounded(z / rounded(1 - z)));
  }, self);
}
Tensor sinc(const Tensor& self) {
  return map<FieldTypes>(in_floating("sinc", self.dtype), []<class T>(T x) {
    const T scaled = x * T(std::numbers::pi);
    return x == T(0) ? T(1) : std::sin(scaled) / scaled;
  }, self);
}

Tensor nan_to_num(const Tensor& self, std::optional<double> nan, std::optional<double> posinf, std::optional<double> neginf) {
  if (!is_floating(self.dtype) && !is_complex(self.dtype)) return to_dtype(self, self.dtype);
  const DType real = real_of(self.dtype);
  const double largest = real == DType::Float64    ? std::numeric_limits<double>::max()
                         : real == DType::Float16  ? 65504.0
                         : real == DType::BFloat16 ? 0x1.FEp127
                                                   : static_cast<double>(std::numeric_limits<float>::max());
  const auto replaced = [=]<class T>(T x) -> T {
    if (x != x) return static_cast<T>(nan.value_or(0));
    if (x == std::numeric_limits<T>::infinity()) return static_cast<T>(posinf.value_or(largest));
    if (x == -std::numeric_limits<T>::infinity()) return static_cast<T>(neginf.value_or(-largest));
    return x;
  };
  if (is_complex(self.dtype))
    return map<Types<Complex>>(in_type("nan_to_num", self.dtype), [=](Complex x) { return Complex(replaced(x.real()), replaced(x.imag())); }, self);
  return map<FloatTypes>(in_type("nan_to_num", self.dtype), replaced, self);
}

// ---- Two numbers

Signature promoted(std::string_view name, const Tensor& a, const Tensor& b) { return in_type(name, result_type(a, b)); }
Signature promoted_floating(std::string_view name, const Tensor& a, const Tensor& b) { return in_floating(name, result_type(a, b)); }

Tensor maximum(const Tensor& self, const Tensor& other) {
  check(!is_complex(self.dtype) && !is_complex(other.dtype), "maximum not implemented for complex tensors.");
  return map<RealTypes>(promoted("maximum", self, other), [](auto a, auto b) { return nan_max(a, b); }, self, other);
}
Tensor minimum(const Tensor& self, const Tensor& other) {
  check(!is_complex(self.dtype) && !is_complex(other.dtype), "minimum not implemented for complex tensors.");
  return map<RealTypes>(promoted("minimum", self, other), [](auto a, auto b) { return nan_min(a, b); }, self, other);
}
Tensor fmax(const Tensor& self, const Tensor& other) {
  return map<RealTypes>(promoted("fmax", self, other), [](auto a, auto b) { return is_nan(b) || a > b ? a : b; }, self, other);
}
Tensor fmin(const Tensor& self, const Tensor& other) {
  return map<RealTypes>(promoted("fmin", self, other), [](auto a, auto b) { return is_nan(b) || a < b ? a : b; }, self, other);
}

Tensor atan2(const Tensor& self, const Tensor& other) {
  return vector_binary("atan2", floating_result(result_type(self, other)), self, other, vector_math().atan2);
}
Tensor hypot(const Tensor& self, const Tensor& other) { return vector_binary("hypot_cpu", result_type(self, other), self, other, vector_math().hypot); }
Tensor copysign(const Tensor& self, const Tensor& other) {
  return map<FloatTypes>(promoted_floating("copysign", self, other), [](auto a, auto b) { return std::copysign(a, b); }, self, other);
}
Tensor nextafter(const Tensor& self, const Tensor& other) {
  const DType common = result_type(self, other);
  if (common == DType::BFloat16 || common == DType::Float16) {  // the neighbour among the values of the dtype
    const bool half = common == DType::Float16;
    return map<FloatTypes>(in_type("nextafter", common), [half]<class T>(T a, T b) -> T {
      if (a != a || b != b) return std::numeric_limits<T>::quiet_NaN();
      if (a == b) return b;
      if (a == 0) return std::copysign(static_cast<T>(half ? 0x1p-24 : 0x1p-133), b);
      const uint16_t bits = half ? half_from_float(static_cast<float>(a)) : bfloat16_from_float(static_cast<float>(a));
      const auto next = static_cast<uint16_t>((a < b) == (a > 0) ? bits + 1 : bits - 1);
      return static_cast<T>(half ? float_from_half(next) : float_from_bfloat16(next));
    }, self, other);
  }
  return map<FloatTypes>(in_type("nextafter_cpu", common), [](auto a, auto b) { return std::nextafter(a, b); }, self, other);
}

uint64_t magnitude(int64_t x) { return x < 0 ? -static_cast<uint64_t>(x) : static_cast<uint64_t>(x); }
uint64_t greatest_common_divisor(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}
Tensor gcd(const Tensor& self, const Tensor& other) {
  const Signature signature = promoted("gcd_cpu", self, other);
  no_bool("gcd_cpu", signature.common);
  return map<IntTypes>(signature, [](int64_t a, int64_t b) { return static_cast<int64_t>(greatest_common_divisor(magnitude(a), magnitude(b))); }, self, other);
}
Tensor lcm(const Tensor& self, const Tensor& other) {
  const Signature signature = promoted("lcm_cpu", self, other);
  no_bool("lcm_cpu", signature.common);
  const int unused_bits = is_signed(signature.common) ? 64 - item_size(signature.common) * 8 : 0;
  return map<IntTypes>(signature, [unused_bits](int64_t a, int64_t b) {
    const uint64_t divisor = greatest_common_divisor(magnitude(a), magnitude(b));
    if (divisor == 0) return int64_t{0};
    // The product wraps around in its own width before its sign goes.
    const auto product = static_cast<int64_t>((magnitude(a) / divisor * magnitude(b)) << unused_bits) >> unused_bits;
    return static_cast<int64_t>(magnitude(product));
  }, self, other);
}

Tensor heaviside(const Tensor& self, const Tensor& values) {
  check(self.dtype == values.dtype, "heaviside is not yet implemented for tensors with different dtypes.");
  check(!is_complex(self.dtype), "heaviside is not yet implemented for complex tensors.");
  return map<RealTypes>(in_type("heaviside", self.dtype), []<class T>(T a, T b) { return a == 0 ? b : static_cast<T>(a > 0); }, self, values);
}

// log(baseᵃ + baseᵇ) without overflow.
template <class T, class Log1pOfExp>
T log_sum(T a, T b, Log1pOfExp log1p_of_exp) {
  if (std::isinf(a) && a == b) return a;
  const T larger = nan_max(a, b);
  return larger + log1p_of_exp(-std::abs(a - b));
}
Tensor complex_logaddexp(const Tensor& self, const Tensor& other) {
  return map<Types<Complex>>(promoted("logaddexp", self, other), [](Complex a, Complex b) -> Complex {
    if (is_nan(a) || is_nan(b)) return {NAN, NAN};
    const Complex low = a.real() < b.real() ? a : b, high = a.real() < b.real() ? b : a;
    if (!std::isfinite(low.real()) && low.real() == high.real()) {
      if (low.real() < 0) return low;
      return std::log(std::exp(low) + std::exp(high));
    }
    return std::log(1.0 + std::exp(low - high)) + high;
  }, self, other);
}
Tensor logaddexp(const Tensor& self, const Tensor& other) {
  if (is_complex(result_type(self, other))) return complex_logaddexp(self, other);
  return map<FloatTypes>(promoted("logaddexp_cpu", self, other), [](auto a, auto b) {
    return log_sum(a, b, [](auto d) { return std::log1p(std::exp(d)); });
  }, self, other);
}
Tensor logaddexp2(const Tensor& self, const Tensor& other) {
  return map<FloatTypes>(promoted("logaddexp2_cpu", self, other), []<class T>(T a, T b) {
    return log_sum(a, b, [](T d) { return std::log1p(std::exp2(d)) * static_cast<T>(1 / std::numbers::ln2); });
  }, self, other);
}

// x · log(y), rounded after each step in half types.
template <class Log>
Tensor times_log(std::string_view name, const Tensor& self, const Tensor& other, Log log) {
  const Signature signature = promoted_floating(name, self, other);
  return map<FloatTypes>(signature, [log, rounded = half_steps(signature.common)]<class T>(T x, T y) { return y != y ? y : x == 0 ? T(0) : x * rounded(log(y)); },
                         self, other);
}
Tensor xlogy(const Tensor& self, const Tensor& other) { return times_log("xlogy_cpu", self, other, [](auto y) { return std::log(y); }); }
Tensor xlog1py(const Tensor& self, const Tensor& other) { return times_log("xlog1py_cpu", self, other, [](auto y) { return std::log1p(y); }); }
Tensor ldexp(const Tensor& self, const Tensor& other) {  // self · 2^other, by multiplication as PyTorch does
  const DType exponent = floating_result(result_type(wrapped_scalar(2.0), other));
  const Tensor power = vector_unary("ldexp", to_dtype(other, exponent), vector_math().exp2, complex_exp2);
  return map<FieldTypes>(in_type("ldexp", result_type(self, power)), [](auto a, auto b) { return a * b; }, self, power);
}

}  // namespace

void add_math_ops(OpTable& ops) {
  ops.add("aten::exp(Tensor self) -> Tensor", unary<&VectorMath::exp, std::exp<double>>);
  ops.add("aten::exp2(Tensor self) -> Tensor", unary<&VectorMath::exp2, complex_exp2>);
  ops.add("aten::special_exp2(Tensor self) -> Tensor", unary<&VectorMath::exp2, complex_exp2>);
  ops.add("aten::expm1(Tensor self) -> Tensor", unary<&VectorMath::expm1, complex_expm1>);
  ops.add("aten::special_expm1(Tensor self) -> Tensor", unary<&VectorMath::expm1, complex_expm1>);
  ops.add("aten::log(Tensor self) -> Tensor", unary<&VectorMath::log, std::log<double>>);
  ops.add("aten::log2(Tensor self) -> Tensor", unary<&VectorMath::log2, complex_log2>);
  ops.add("aten::log10(Tensor self) -> Tensor", unary<&VectorMath::log10, std::log10<double>>);
  ops.add("aten::log1p(Tensor self) -> Tensor", unary<&VectorMath::log1p, complex_log1p>);
  ops.add("aten::special_log1p(Tensor self) -> Tensor", unary<&VectorMath::log1p, complex_log1p>);
  ops.add("aten::sin(Tensor self) -> Tensor", unary<&VectorMath::sin, std::sin<double>>);
  ops.add("aten::cos(Tensor self) -> Tensor", unary<&VectorMath::cos, std::cos<double>>);
  ops.add("aten::tan(Tensor self) -> Tensor", unary<&VectorMath::tan, std::tan<double>>);
  ops.add("aten::asin(Tensor self) -> Tensor", unary<&VectorMath::asin, std::asin<double>>);
  ops.add("aten::acos(Tensor self) -> Tensor", unary<&VectorMath::acos, std::acos<double>>);
  ops.add("aten::atan(Tensor self) -> Tensor", unary<&VectorMath::atan, std::atan<double>>);
  ops.add("aten::arcsin(Tensor self) -> Tensor", unary<&VectorMath::asin, std::asin<double>>);
  ops.add("aten::arccos(Tensor self) -> Tensor", unary<&VectorMath::acos, std::acos<double>>);
  ops.add("aten::arctan(Tensor self) -> Tensor", unary<&VectorMath::atan, std::atan<double>>);
  ops.add("aten::sinh(Tensor self) -> Tensor", unary<&VectorMath::sinh, std::sinh<double>>);
  ops.add("aten::cosh(Tensor self) -> Tensor", unary<&VectorMath::cosh, std::cosh<double>>);
  ops.add("aten::tanh(Tensor self) -> Tensor", unary<&VectorMath::tanh, std::tanh<double>>);
  ops.add("aten::asinh(Tensor self) -> Tensor", unary<&VectorMath::asinh, std::asinh<double>>);
  ops.add("aten::acosh(Tensor self) -> Tensor", unary<&VectorMath::acosh, std::acosh<double>>);
  ops.add("aten::atanh(Tensor self) -> Tensor", unary<&VectorMath::atanh, std::atanh<double>>);
  ops.add("aten::arcsinh(Tensor self) -> Tensor", unary<&VectorMath::asinh, std::asinh<double>>);
  ops.add("aten::arccosh(Tensor self) -> Tensor", unary<&VectorMath::acosh, std::acosh<double>>);
  ops.add("aten::arctanh(Tensor self) -> Tensor", unary<&VectorMath::atanh, std::atanh<double>>);
  ops.add("aten::erf(Tensor self) -> Tensor", unary<&VectorMath::erf>);
  ops.add("aten::special_erf(Tensor self) -> Tensor", unary<&VectorMath::erf>);
  ops.add("aten::erfc(Tensor self) -> Tensor", unary<&VectorMath::erfc>);
  ops.add("aten::special_erfc(Tensor self) -> Tensor", unary<&VectorMath::erfc>);
  ops.add("aten::sqrt(Tensor self) -> Tensor", unary<&VectorMath::sqrt, std::sqrt<double>>);
  ops.add("aten::rsqrt(Tensor self) -> Tensor", unary<&VectorMath::rsqrt, complex_rsqrt>);
  ops.add("aten::sigmoid(Tensor self) -> Tensor", unary<&VectorMath::sigmoid, complex_sigmoid>);
  ops.add("aten::special_expit(Tensor self) -> Tensor", unary<&VectorMath::sigmoid, complex_sigmoid>);

  ops.add("aten::neg(Tensor self) -> Tensor", neg);
  ops.add("aten::negative(Tensor self) -> Tensor", neg);
  ops.add("aten::abs(Tensor self) -> Tensor", abs);
  ops.add("aten::absolute(Tensor self) -> Tensor", abs);
  ops.add("aten::sign(Tensor self) -> Tensor", sign);
  ops.add("aten::sgn(Tensor self) -> Tensor", sgn);
  ops.add("aten::floor(Tensor self) -> Tensor", floor);
  ops.add("aten::ceil(Tensor self) -> Tensor", ceil);
  ops.add("aten::trunc(Tensor self) -> Tensor", trunc);
  ops.add("aten::fix(Tensor self) -> Tensor", trunc);
  ops.add("aten::round(Tensor self) -> Tensor", round);
  ops.add("aten::special_round(Tensor self, *, int decimals=0) -> Tensor", round_decimals);
  ops.add("aten::round.decimals(Tensor self, *, int decimals) -> Tensor", round_decimals);
  ops.add("aten::frac(Tensor self) -> Tensor", frac);
  ops.add("aten::reciprocal(Tensor self) -> Tensor", reciprocal);
  ops.add("aten::positive(Tensor(a) self) -> Tensor(a)", positive);
  ops.add("aten::deg2rad(Tensor self) -> Tensor", deg2rad);
  ops.add("aten::rad2deg(Tensor self) -> Tensor", rad2deg);
  ops.add("aten::logit(Tensor self, float? eps=None) -> Tensor", logit);
  ops.add("aten::special_logit(Tensor self, float? eps=None) -> Tensor", logit);
  ops.add("aten::sinc(Tensor self) -> Tensor", sinc);
  ops.add("aten::special_sinc(Tensor self) -> Tensor", sinc);
  ops.add("aten::nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None) -> Tensor", nan_to_num);

  ops.add("aten::maximum(Tensor self, Tensor other) -> Tensor", maximum);
  ops.add("aten::minimum(Tensor self, Tensor other) -> Tensor", minimum);
  ops.add("aten::max.other(Tensor self, Tensor other) -> Tensor", maximum);
  ops.add("aten::min.other(Tensor self, Tensor other) -> Tensor", minimum);
  ops.add("aten::fmax(Tensor self, Tensor other) -> Tensor", fmax);
  ops.add("aten::fmin(Tensor self, Tensor other) -> Tensor", fmin);
  ops.add("aten::atan2(Tensor self, Tensor other) -> Tensor", atan2);
  ops.add("aten::arctan2(Tensor self, Tensor other) -> Tensor", atan2);
  ops.add("aten::hypot(Tensor self, Tensor other) -> Tensor", hypot);
  ops.add("aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor", copysign);
  ops.add("aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor", with_scalar<copysign>);
  ops.add("aten::nextafter(Tensor self, Tensor other) -> Tensor", nextafter);
  ops.add("aten::gcd(Tensor self, Tensor other) -> Tensor", gcd);
  ops.add("aten::lcm(Tensor self, Tensor other) -> Tensor", lcm);
  ops.add("aten::heaviside(Tensor self, Tensor values) -> Tensor", heaviside);
  ops.add("aten::logaddexp(Tensor self, Tensor other) -> Tensor", logaddexp);
  ops.add("aten::logaddexp2(Tensor self, Tensor other) -> Tensor", logaddexp2);
  ops.add("aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor", xlogy);
  ops.add("aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor", scalar_with<xlogy>);
  ops.add("aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor", with_scalar<xlogy>);
  ops.add("aten::special_xlogy(Tensor self, Tensor other) -> Tensor", xlogy);
  ops.add("aten::special_xlog1py(Tensor self, Tensor other) -> Tensor", xlog1py);
  ops.add("aten::ldexp.Tensor(Tensor self, Tensor other) -> Tensor", ldexp);
}

}  // namespace pt2::interp
