// torch.special, window functions, and a few operators of small matrices.
#include "interp/special_functions.h"

#include <numbers>

#include "interp/ops/all_ops.h"
#include "interp/ops/call.h"
#include "interp/ops/pointwise.h"
#include "interp/ops/reduction.h"
#include "interp/ops/view.h"

namespace pt2::interp {

namespace {

// Functions PyTorch has only for float and double.
void no_half(DType dtype) {
  check(dtype != DType::Float16 && dtype != DType::BFloat16, "this function is not implemented for '", scalar_type_name(dtype), "'");
}
template <double (*function)(double), bool half = true>
Tensor special(const Tensor& self) {
  if (!half) no_half(self.dtype);
  return map<FloatTypes>(in_floating("special function", self.dtype), []<class T>(T x) { return static_cast<T>(function(x)); }, self);
}
Tensor ndtr(const Tensor& self) {
  const Tensor erf = call("aten.erf.default", call("aten.mul.Scalar", self, std::numbers::sqrt2 / 2));
  return call("aten.mul.Scalar", call("aten.add.Scalar", erf, 1), 0.5);
}
// PyTorch multiplies by the exponential in the element type, so that it overflows where that does; at infinity the product with zero is no number.
template <double (*scaled)(double), bool half = true>
Tensor modified_bessel(const Tensor& self) {
  if (!half) no_half(self.dtype);
  return map<FloatTypes>(in_floating("special function", self.dtype), []<class T>(T x) { return static_cast<T>(std::isinf(x) ? NAN : scaled(x) * std::exp(std::fabs(x))); }, self);
}
template <double (*function)(double, double)>
Tensor special2(const Tensor& self, const Tensor& other) {
  const DType common = result_type(self, other);
  no_half(common);
  return map<FloatTypes>(in_floating("special function", common), []<class T>(T a, T b) { return static_cast<T>(function(a, b)); }, self, other);
}
template <double (*function)(double, double)>
Tensor special2_float(const Tensor& self, const Tensor& other) {  // not for integers
  return map<FloatTypes>(in_type("igamma", result_type(self, other)), []<class T>(T a, T b) { return static_cast<T>(function(a, b)); }, self, other);
}

double entropy(double x) { return x != x ? x : x > 0 ? -x * std::log(x) : x == 0 ? 0 : -INFINITY; }
double spherical_j0(double x) { return std::isinf(x) ? 0 : std::fabs(x) < 0.5 ? 1 + x * x * (-1.0 / 6 + x * x * (1.0 / 120 + x * x * (-1.0 / 5040 + x * x / 362880))) : std::sin(x) / x; }
double j0_of(double x) { return std::isinf(x) ? NAN : ::j0(x); }
double j1_of(double x) { return std::isinf(x) ? NAN : ::j1(x); }
double y0_of(double x) { return x < 0 || std::isinf(x) ? NAN : ::y0(x); }
double y1_of(double x) { return x < 0 || std::isinf(x) ? NAN : ::y1(x); }

Tensor polygamma_op(int64_t n, const Tensor& self) {
  check(n >= 0, "polygamma(n, x) does not support negative n.");
  return map<FloatTypes>(in_floating("polygamma", self.dtype), [n]<class T>(T x) {
    return n == 1 ? trigamma(x) : static_cast<T>(polygamma(static_cast<int>(std::min<int64_t>(n, 1000)), x));
  }, self);
}
Tensor mvlgamma(const Tensor& self, int64_t p) {
  check(p >= 1, "p has to be greater than or equal to 1");
  check(p <= 1'000'000, "mvlgamma: p is too large: ", p);
  return map<FloatTypes>(in_floating("mvlgamma", self.dtype), [p]<class T>(T x) {
    double total = static_cast<double>(p) * static_cast<double>(p - 1) / 4 * std::log(std::numbers::pi);
    for (int64_t i = 0; i < p; ++i) total += log_gamma(static_cast<double>(x) - static_cast<double>(i) / 2);
    return static_cast<T>(total);
  }, self);
}

// ---- Orthogonal polynomials, by their recurrences in the element type, which overflows and rounds as PyTorch's does

// Rounded towards 0; a degree that is no number, or too large for one, counts as negative.
int64_t degree_of(double n) { return n > -1 && n < 0x1p63 ? static_cast<int64_t>(n) : -1; }

// pₙ(x) for pₖ₊₁ = next(k, pₖ, pₖ₋₁).
template <class T, class Recurrence>
T polynomial(int64_t n, T first, Recurrence next) {
  T before = 1, now = first;
  if (n == 0) return before;
  for (int64_t k = 1; k < n && now == now; ++k) {
    if (k % 4096 == 0) throw_if_stopped();
    const T following = next(static_cast<T>(k), now, before);
    before = now;
    now = following;
  }
  return now;
}
template <class T>
T chebyshev(T x, int64_t n, T first) {
  return polynomial(n, first, [x](T, T p, T q) { return (x + x) * p - q; });
}
template <class T>
T alternating(int64_t n, T size) { return n % 2 == 0 ? size : -size; }
template <class T>
bool by_angle(T x, int64_t n, int64_t beyond) { return n > beyond && std::fabs(x) < 1; }  // where the recurrence would lose digits

constexpr auto kChebyshevT = []<class T>(T x, int64_t n) -> T {
  if (std::fabs(x) == 1) return x > 0 ? T(1) : alternating(n, T(1));
  return by_angle(x, n, 6) ? std::cos(static_cast<T>(n) * std::acos(x)) : chebyshev(x, n, x);
};
constexpr auto kChebyshevU = []<class T>(T x, int64_t n) -> T {
  const T following = static_cast<T>(n) + 1;
  if (std::fabs(x) == 1) return x > 0 ? following : alternating(n, following);
  return by_angle(x, n, 8) ? std::sin(following * std::acos(x)) / std::sin(std::acos(x)) : chebyshev(x, n, x + x);
};
constexpr auto kChebyshevV = []<class T>(T x, int64_t n) -> T {
  const bool angle = by_angle(x, n, 8);
  const T half = std::acos(x) / 2;
  if (std::fabs(x) == 1 || (angle && std::sin(half) == 1)) return x > 0 ? T(1) : alternating(n, static_cast<T>(n + n + 1));
  return angle ? std::cos((static_cast<T>(n) + T(0.5)) * std::acos(x)) / std::cos(half) : chebyshev(x, n, x + x - 1);
};
constexpr auto kChebyshevW = []<class T>(T x, int64_t n) -> T {
  const bool angle = by_angle(x, n, 8);
  const T half = std::acos(x) / 2;
  if (std::fabs(x) == 1 || (angle && std::cos(half) == 1)) return x > 0 ? static_cast<T>(n + n + 1) : alternating(n, T(1));
  return angle ? std::sin((static_cast<T>(n) + T(0.5)) * std::acos(x)) / std::sin(half) : chebyshev(x, n, x + x + 1);
};
template <class Polynomial>
constexpr auto shifted(Polynomial) {
  return []<class T>(T x, int64_t n) -> T { return Polynomial{}(x + x - 1, n); };
}
// PyTorch gives no Hermite polynomial of a degree beyond these.
template <class T>
constexpr int64_t kLargestHermite = sizeof(T) == sizeof(float) ? 128 : 512;
constexpr auto kHermiteH = []<class T>(T x, int64_t n) -> T {
  return n > kLargestHermite<T> ? T(NAN) : polynomial(n, x + x, [x](T k, T p, T q) { return (x + x) * p - (k + k) * q; });
};
constexpr auto kHermiteHe = []<class T>(T x, int64_t n) -> T {
  return n > kLargestHermite<T> ? T(NAN) : polynomial(n, x, [x](T k, T p, T q) { return x * p - k * q; });
};
constexpr auto kLaguerre = []<class T>(T x, int64_t n) -> T {
  return x == 0 ? T(1) : polynomial(n, 1 - x, [x](T k, T p, T q) { return (((k + k) + (1 - x)) * p - k * q) / (k + 1); });
};
constexpr auto kLegendre = []<class T>(T x, int64_t n) -> T {
  if (std::fabs(x) == 1) return x > 0 ? T(1) : alternating(n, T(1));
  return polynomial(n, x, [x](T k, T p, T q) { return ((k + k + 1) * x * p - k * q) / (k + 1); });
};

template <class Polynomial>
Tensor polynomials(const Tensor& x, const Tensor& n) {
  const DType common = result_type(x, n);
  no_half(common);
  return map<FloatTypes>(in_floating("special function", common), []<class T>(T at, T degree) {
    const int64_t whole = degree_of(static_cast<double>(degree));
    return whole < 0 ? T(0) : Polynomial{}(at, whole);
  }, x, n);
}
template <class Polynomial>
void add_polynomial(OpTable& ops, const std::string& name, Polynomial) {
  ops.add("aten::special_" + name + "(Tensor x, Tensor n) -> Tensor", polynomials<Polynomial>);
  ops.add("aten::special_" + name + ".x_scalar(Scalar x, Tensor n) -> Tensor", scalar_with<polynomials<Polynomial>>);
  ops.add("aten::special_" + name + ".n_scalar(Tensor x, Scalar n) -> Tensor", with_scalar<polynomials<Polynomial>>);
}

// ---- Windows

using MaybeDType = std::optional<DType>;

template <class Value>
Tensor window(int64_t length, bool periodic, MaybeDType dtype, Value value) {
  check(length >= 0, "window_length: expected a non-negative length, got ", length);
  const DType type = dtype.value_or(DType::Float32);
  check(is_floating(type), "window: expects floating point dtypes, got: ", type);
  if (length == 1) return full(Shape{1}, type, 1);
  Tensor result = empty(Shape{length}, DType::Float64);
  const auto span = static_cast<double>(periodic ? length : length - 1);
  for (int64_t i = 0; i < length; ++i) result.data<double>()[i] = value(static_cast<double>(i), span);
  return to_dtype(result, type);
}
Tensor cosine_window(int64_t length, bool periodic, MaybeDType dtype, double a, double b, double c) {
  return window(length, periodic, dtype, [=](double i, double span) {
    return a - b * std::cos(2 * std::numbers::pi * i / span) + c * std::cos(4 * std::numbers::pi * i / span);
  });
}
Tensor hamming_window_coefficients(int64_t length, bool periodic, double alpha, double beta, MaybeDType dtype, Unused, Unused, Unused) {
  return cosine_window(length, periodic, dtype, alpha, beta, 0);
}
Tensor kaiser_window_beta(int64_t length, bool periodic, double beta, MaybeDType dtype, Unused, Unused, Unused) {
  return window(length, periodic, dtype, [beta](double i, double span) {
    const double x = 2 * i / span - 1;
    return bessel_i0(beta * std::sqrt(std::max(0.0, 1 - x * x))) / bessel_i0(beta);
  });
}
Tensor kaiser_window_periodic(int64_t length, bool periodic, MaybeDType dtype, Unused a, Unused b, Unused c) { return kaiser_window_beta(length, periodic, 12, dtype, a, b, c); }
Tensor kaiser_window(int64_t length, MaybeDType dtype, Unused a, Unused b, Unused c) { return kaiser_window_beta(length, true, 12, dtype, a, b, c); }

// ---- Small matrices

Tensor trace(const Tensor& self) {
  check(self.dim() == 2, "trace: expected a matrix, but got tensor with dim ", self.dim());
  return sum(diagonal(self, 0, 0, 1), {}, false);
}
Tensor cross_along(const Tensor& self, const Tensor& other, int64_t dim) {
  check(self.dim() == other.dim(), "linalg.cross: inputs must have the same number of dimensions.");
  dim = normalize_dim(dim, self.dim());
  check(self.dim() > 0 && self.sizes[dim] == 3 && other.sizes[dim] == 3, "linalg.cross: inputs dimension ", dim, " must have length 3. Got ", self.dim() ? self.sizes[dim] : 0,
        " and ", other.dim() ? other.sizes[dim] : 0);
  const DType common = result_type(self, other);
  std::vector<Tensor> parts;
  for (int64_t i = 0; i < 3; ++i) {
    const int64_t j = (i + 1) % 3, k = (i + 2) % 3;
    parts.push_back(map<NumberTypes>(in_type("cross", common), [](auto a, auto b, auto c, auto d) {
      return wrapping_add(wrapping_multiply(a, b), wrapping_negate(wrapping_multiply(c, d)));
    }, select(self, dim, j), select(other, dim, k), select(self, dim, k), select(other, dim, j)));
  }
  return stack(parts, dim);
}
Tensor linalg_cross(const Tensor& self, const Tensor& other, int64_t dim) { return cross_along(self, other, dim); }
Tensor cross(const Tensor& self, const Tensor& other, std::optional<int64_t> dim) {
  if (dim) return cross_along(self, other, *dim);
  for (int64_t d = 0; d < self.dim(); ++d)
    if (self.sizes[d] == 3) return cross_along(self, other, d);
  fail("no dimension of size 3 in input");
}

}  // namespace

void add_special_ops(OpTable& ops) {
  for (const char* name : {"lgamma", "special_gammaln"}) ops.add("aten::" + std::string(name) + "(Tensor self) -> Tensor", special<log_gamma>);
  for (const char* name : {"digamma", "special_digamma", "special_psi"}) ops.add("aten::" + std::string(name) + "(Tensor self) -> Tensor", special<digamma>);
  for (const char* name : {"polygamma", "special_polygamma"}) ops.add("aten::" + std::string(name) + "(int n, Tensor self) -> Tensor", polygamma_op);
  for (const char* name : {"mvlgamma", "special_multigammaln"}) ops.add("aten::" + std::string(name) + "(Tensor self, int p) -> Tensor", mvlgamma);
  for (const char* name : {"erfinv", "special_erfinv"}) ops.add("aten::" + std::string(name) + "(Tensor self) -> Tensor", special<inverse_erf>);
  ops.add("aten::special_modified_bessel_i0(Tensor self) -> Tensor", modified_bessel<bessel_i0_scaled, false>);
  ops.add("aten::special_modified_bessel_i1(Tensor self) -> Tensor", modified_bessel<bessel_i1_scaled, false>);
  for (const char* name : {"i0", "special_i0"}) ops.add("aten::" + std::string(name) + "(Tensor self) -> Tensor", modified_bessel<bessel_i0_scaled>);
  ops.add("aten::special_i1(Tensor self) -> Tensor", modified_bessel<bessel_i1_scaled>);
  for (const char* name : {"igamma", "special_gammainc"}) ops.add("aten::" + std::string(name) + "(Tensor self, Tensor other) -> Tensor", special2_float<incomplete_gamma>);
  for (const char* name : {"igammac", "special_gammaincc"}) ops.add("aten::" + std::string(name) + "(Tensor self, Tensor other) -> Tensor", special2_float<incomplete_gamma_upper>);
  ops.add("aten::special_i0e(Tensor self) -> Tensor", special<bessel_i0_scaled>);
  ops.add("aten::special_i1e(Tensor self) -> Tensor", special<bessel_i1_scaled>);
  ops.add("aten::special_modified_bessel_k0(Tensor self) -> Tensor", special<bessel_k0, false>);
  ops.add("aten::special_modified_bessel_k1(Tensor self) -> Tensor", special<bessel_k1, false>);
  ops.add("aten::special_scaled_modified_bessel_k0(Tensor x) -> Tensor", special<bessel_k0_scaled, false>);
  ops.add("aten::special_scaled_modified_bessel_k1(Tensor x) -> Tensor", special<bessel_k1_scaled, false>);
  ops.add("aten::special_bessel_j0(Tensor self) -> Tensor", special<j0_of, false>);
  ops.add("aten::special_bessel_j1(Tensor self) -> Tensor", special<j1_of, false>);
  ops.add("aten::special_bessel_y0(Tensor self) -> Tensor", special<y0_of, false>);
  ops.add("aten::special_bessel_y1(Tensor self) -> Tensor", special<y1_of, false>);
  ops.add("aten::special_spherical_bessel_j0(Tensor x) -> Tensor", special<spherical_j0, false>);
  ops.add("aten::special_airy_ai(Tensor x) -> Tensor", special<airy, false>);
  ops.add("aten::special_entr(Tensor self) -> Tensor", special<entropy>);
  ops.add("aten::special_ndtr(Tensor self) -> Tensor", ndtr);
  ops.add("aten::special_ndtri(Tensor self) -> Tensor", special<normal_quantile, false>);
  ops.add("aten::special_log_ndtr(Tensor self) -> Tensor", special<log_normal_distribution, false>);
  ops.add("aten::special_erfcx(Tensor self) -> Tensor", special<scaled_erfc, false>);
  ops.add("aten::special_zeta(Tensor self, Tensor other) -> Tensor", special2<hurwitz_zeta>);
  ops.add("aten::special_zeta.self_scalar(Scalar self, Tensor other) -> Tensor", scalar_with<special2<hurwitz_zeta>>);
  ops.add("aten::special_zeta.other_scalar(Tensor self, Scalar other) -> Tensor", with_scalar<special2<hurwitz_zeta>>);
  add_polynomial(ops, "chebyshev_polynomial_t", kChebyshevT);
  add_polynomial(ops, "chebyshev_polynomial_u", kChebyshevU);
  add_polynomial(ops, "chebyshev_polynomial_v", kChebyshevV);
  add_polynomial(ops, "chebyshev_polynomial_w", kChebyshevW);
  add_polynomial(ops, "shifted_chebyshev_polynomial_t", shifted(kChebyshevT));
  add_polynomial(ops, "shifted_chebyshev_polynomial_u", shifted(kChebyshevU));
  add_polynomial(ops, "shifted_chebyshev_polynomial_v", shifted(kChebyshevV));
  add_polynomial(ops, "shifted_chebyshev_polynomial_w", shifted(kChebyshevW));
  add_polynomial(ops, "hermite_polynomial_h", kHermiteH);
  add_polynomial(ops, "hermite_polynomial_he", kHermiteHe);
  add_polynomial(ops, "laguerre_polynomial_l", kLaguerre);
  add_polynomial(ops, "legendre_polynomial_p", kLegendre);

  const std::string options = ", *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor";
  ops.add("aten::hamming_window.periodic_alpha_beta(int window_length, bool periodic, float alpha, float beta" + options, hamming_window_coefficients);
  ops.add("aten::kaiser_window(int window_length" + options, kaiser_window);
  ops.add("aten::kaiser_window.periodic(int window_length, bool periodic" + options, kaiser_window_periodic);
  ops.add("aten::kaiser_window.beta(int window_length, bool periodic, float beta" + options, kaiser_window_beta);
  ops.add("aten::trace(Tensor self) -> Tensor", trace);
  ops.add("aten::cross(Tensor self, Tensor other, int? dim=None) -> Tensor", cross);
  ops.add("aten::linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", linalg_cross);
}

}  // namespace pt2::interp
