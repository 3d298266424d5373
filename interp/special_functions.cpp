#include "interp/special_functions.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>

namespace pt2::interp {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

// Hankel's expansion: Σ ± aₖ(order) / xᵏ, for large x.
double hankel_series(int order, double x, double sign) {
  double term = 1, total = 1;
  for (int k = 1; k < 30; ++k) {
    const double next = term * sign * (4.0 * order * order - (2.0 * k - 1) * (2.0 * k - 1)) / (8.0 * k * x);
    if (std::fabs(next) >= std::fabs(term)) break;
    term = next;
    total += term;
    if (std::fabs(term) < kEpsilon * std::fabs(total)) break;
  }
  return total;
}
constexpr double kLargeBessel = 40;

double scaled_i(int order, double x) {
  if (std::isnan(x)) return x;
  const double size = std::fabs(x);
  double value;
  if (std::isinf(size)) value = 0;
  else if (size > kLargeBessel) value = hankel_series(order, size, -1) / std::sqrt(2 * std::numbers::pi * size);
  else {  // the power series: all terms are positive
    const double quarter = size * size / 4;
    double term = order == 0 ? 1 : size / 2, total = term;
    for (int k = 1; k < 200 && term > kEpsilon * total / 4; ++k) total += term *= quarter / (static_cast<double>(k) * (k + order));
    value = total * std::exp(-size);
  }
  return order == 1 && x < 0 ? -value : value;
}
double scaled_k(int order, double x) {
  if (std::isnan(x) || x < 0) return kNaN;
  if (x == 0) return kInfinity;
  if (x > kLargeBessel) return std::isinf(x) ? 0 : hankel_series(order, x, 1) * std::sqrt(std::numbers::pi / (2 * x));
  return std::cyl_bessel_k(static_cast<double>(order), x) * std::exp(x);
}

}  // namespace

double log_gamma(double x) {
  int sign = 1;
  return ::lgamma_r(x, &sign);
}

double digamma(double x) {
  if (x == 0) return std::copysign(kInfinity, -x);
  if (std::isinf(x)) return x < 0 ? kNaN : x;
  if (std::isnan(x)) return x;
  if (x < 0) {
    if (x == std::trunc(x)) return kNaN;
    double whole;
    return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * std::modf(x, &whole));
  }
  double result = 0;
  for (; x < 10; ++x) result -= 1 / x;
  if (x == 10) return result + 2.25175258906672110764;
  const double z = 1 / (x * x);
  const double series = z < 1e-17 ? 0 : z * (1.0 / 12 - z * (1.0 / 120 - z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
  return result + std::log(x) - 0.5 / x - series;
}

double hurwitz_zeta(double x, double q) {
  if (x == 1) return kInfinity;
  if (x < 1) return kNaN;
  if (q <= 0) {  // before a look at whether x is a number, as PyTorch does
    if (q == std::floor(q)) return kInfinity;
    if (x != std::floor(x)) return kNaN;
  }
  // Euler and Maclaurin: some terms, then the integral with its corrections.
  double s = std::pow(q, -x), a = q, b = 0;
  for (int i = 0; i < 9 || a <= 9; ++i) {
    a += 1;
    b = std::pow(a, -x);
    s += b;
    if (-kEpsilon * s < b && b < kEpsilon * s) return s;
  }
  s += b * a / (x - 1) - 0.5 * b;
  static constexpr double kBernoulli[] = {12.0,
                                          -720.0,
                                          30240.0,
                                          -1209600.0,
                                          47900160.0,
                                          -1.8924375803183791606e9,
                                          7.47242496e10,
                                          -2.950130727918164224e12,
                                          1.1646782814350067249e14,
                                          -4.5979787224074726105e15,
                                          1.8152105401943546773e17,
                                          -7.1661652561756670113e18};
  double factor = 1, k = 0;
  for (double coefficient : kBernoulli) {
    factor *= x + k;
    b /= a;
    const double term = factor * b / coefficient;
    s += term;
    if (std::fabs(term / s) < kEpsilon) break;
    k += 1;
    factor *= x + k;
    b /= a;
    k += 1;
  }
  return s;
}

template <class T>
T trigamma_of(T x) {
  if (x < T(0.5)) {  // by reflection, as PyTorch extends it: at the poles what the sine of a rounded π is not
    const T sine = std::sin(std::numbers::pi_v<T> * x);
    return std::numbers::pi_v<T> * std::numbers::pi_v<T> / (sine * sine) - trigamma_of(1 - x);
  }
  return static_cast<T>(hurwitz_zeta(2, x));
}
float trigamma(float x) { return trigamma_of(x); }
double trigamma(double x) { return trigamma_of(x); }

double polygamma(int n, double x) {
  if (n == 0) return digamma(x);
  return (n % 2 ? 1.0 : -1.0) * std::exp(log_gamma(n + 1.0)) * hurwitz_zeta(n + 1, x);
}

double inverse_erf(double x) {
  if (std::isnan(x) || std::fabs(x) > 1) return kNaN;
  if (std::fabs(x) == 1) return std::copysign(kInfinity, x);
  // Giles' approximation, then Newton's method to full precision.
  double w = -std::log((1 - x) * (1 + x)), p;
  if (w < 5) {
    w -= 2.5;
    p = 2.81022636e-08;
    for (double c : {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941}) p = c + p * w;
  } else {
    w = std::sqrt(w) - 3;
    p = -0.000200214257;
    for (double c : {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682}) p = c + p * w;
  }
  double y = p * x;
  for (int i = 0; i < 3; ++i) {
    // Near ±1 the difference of complements keeps its digits.
    const double gap = std::fabs(y) > 0.5 ? std::copysign(1.0, x) * ((1 - std::fabs(x)) - std::erfc(std::fabs(y))) : std::erf(y) - x;
    y -= gap / (2 * std::numbers::inv_sqrtpi * std::exp(-y * y));
  }
  return y;
}

double scaled_erfc(double x) {
  if (std::isnan(x)) return x;
  if (x < -26.7) return kInfinity;
  if (x < 20) {
    const double square = x * x;
    return std::exp(square) * std::erfc(x) * std::exp(std::fma(x, x, -square));
  }
  if (x > 5e7) return std::numbers::inv_sqrtpi / x;
  double fraction = 0;  // Laplace's continued fraction
  for (int k = 30; k > 0; --k) fraction = (k * 0.5) / (x + fraction);
  return std::numbers::inv_sqrtpi / (x + fraction);
}

double normal_quantile(double p) {
  if (p == 0) return -kInfinity;
  if (p == 1) return kInfinity;
  if (!(p > 0 && p < 1)) return kNaN;
  if (p > 0.02 && p < 0.98) return std::numbers::sqrt2 * inverse_erf(2 * p - 1);
  // In the tails by Newton's method on log Φ.
  const double tail = std::min(p, 1 - p), log_tail = std::log(tail);
  double z = -std::sqrt(-2 * log_tail);
  for (int i = 0; i < 30; ++i) {
    const double value = log_normal_distribution(z), slope = std::exp(-z * z / 2 - value) / std::sqrt(2 * std::numbers::pi);
    const double step = (value - log_tail) / slope;
    z -= step;
    if (std::fabs(step) < 1e-15 * std::fabs(z)) break;
  }
  return p < 0.5 ? z : -z;
}

double log_normal_distribution(double x) {
  const double t = x / std::numbers::sqrt2;
  return x < -1 ? std::log(scaled_erfc(-t) / 2) - t * t : std::log1p(-std::erfc(t) / 2);
}

namespace {

// x^a e^−x / Γ(a + 1), without the overflow of its parts.
double gamma_prefix(double a, double x) {
  if (a < 30) return std::exp(a * std::log(x) - x - log_gamma(a + 1));
  // log1p keeps the digits where x is near a; Stirling's series for the rest.
  const double difference = (x - a) / a;
  const double exponent = std::fabs(difference) < 0.5 ? a * (std::log1p(difference) - difference) : a * std::log(x / a) - (x - a);
  const double inverse = 1 / (a * a), stirling = (1.0 / 12 - inverse * (1.0 / 360 - inverse * (1.0 / 1260 - inverse / 1680))) / a;
  return std::exp(exponent - stirling) / std::sqrt(2 * std::numbers::pi * a);
}
double lower_series(double a, double x) {
  double term = 1, total = 1;
  for (int k = 1; k < 100000 && term > total * kEpsilon; ++k) total += term *= x / (a + k);
  return total * gamma_prefix(a, x);
}
double upper_fraction(double a, double x) {  // Lentz
  const double tiny = 1e-300;
  double b = x + 1 - a, c = 1 / tiny, d = 1 / (b == 0 ? tiny : b), h = d;
  for (int k = 1; k < 100000; ++k) {
    const double an = -k * (k - a);
    b += 2;
    d = an * d + b;
    c = b + an / c;
    d = 1 / (d == 0 ? tiny : d);
    c = c == 0 ? tiny : c;
    h *= d * c;
    if (std::fabs(d * c - 1) < kEpsilon) break;
  }
  return h * gamma_prefix(a, x) * a;
}

}  // namespace

// PyTorch looks at the limits first: some have a value though the other argument is no number.
double incomplete_gamma(double a, double x) {
  if (x < 0 || a < 0) return kNaN;
  if (a == 0) return x > 0 ? 1 : kNaN;
  if (x == 0) return 0;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : 0;
  if (std::isinf(x)) return 1;
  if (std::isnan(a) || std::isnan(x)) return kNaN;
  return x < a + 1 ? lower_series(a, x) : 1 - upper_fraction(a, x);
}
double incomplete_gamma_upper(double a, double x) {
  if (x < 0 || a < 0) return kNaN;
  if (a == 0) return x > 0 ? 0 : kNaN;
  if (x == 0) return 1;
  if (std::isinf(a)) return std::isinf(x) ? kNaN : 1;
  if (std::isinf(x)) return 0;
  if (std::isnan(a) || std::isnan(x)) return kNaN;
  return x < a + 1 ? 1 - lower_series(a, x) : upper_fraction(a, x);
}

double airy(double x) {
  if (!std::isfinite(x)) return kNaN;
  if (x > 103.892) return 0;  // from where PyTorch gives zero
  const double cube = x * x * x;
  if (std::fabs(x) < 0.01) return 0.355028053887817239 * (1 + cube / 6) - 0.258819403792806798 * x * (1 + cube / 12);
  const double root = std::sqrt(std::fabs(x)), order = 1.0 / 3, at = 2.0 / 3 * std::fabs(x) * root;
  if (x > 0) return root * std::numbers::inv_sqrt3 * std::numbers::inv_pi * std::cyl_bessel_k(order, at);
  return root / 2 * (std::cyl_bessel_j(order, at) - std::cyl_neumann(order, at) * std::numbers::inv_sqrt3);
}

double bessel_i0_scaled(double x) { return scaled_i(0, x); }
double bessel_i1_scaled(double x) { return scaled_i(1, x); }
// At infinity PyTorch's product of infinity and zero is no number.
double bessel_i0(double x) { return std::isinf(x) ? kNaN : scaled_i(0, x) * std::exp(std::fabs(x)); }
double bessel_k0_scaled(double x) { return scaled_k(0, x); }
double bessel_k1_scaled(double x) { return scaled_k(1, x); }
double bessel_k0(double x) { return x > 0 && std::isfinite(x) ? scaled_k(0, x) * std::exp(-x) : scaled_k(0, x); }
double bessel_k1(double x) { return x > 0 && std::isfinite(x) ? scaled_k(1, x) * std::exp(-x) : scaled_k(1, x); }

}  // namespace pt2::interp
