#pragma once
// What comparisons ask of single elements, alike for real and complex numbers, and of the types that hold them.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>

#include "core/tensor/dtype.h"

namespace pt2::interp {

inline bool is_nan(double x) { return std::isnan(x); }
inline bool is_nan(std::complex<double> x) { return std::isnan(x.real()) || std::isnan(x.imag()); }
inline bool is_nan(int64_t) { return false; }
inline bool is_finite(double x) { return std::isfinite(x); }
inline bool is_finite(std::complex<double> x) { return std::isfinite(x.real()) && std::isfinite(x.imag()); }
inline bool is_finite(int64_t) { return true; }
// Of complex numbers: of the vectors (real, imaginary).
inline double product(double a, double b) { return a * b; }
inline double product(std::complex<double> a, std::complex<double> b) { return a.real() * b.real() + a.imag() * b.imag(); }
inline double product(int64_t a, int64_t b) { return double(a) * double(b); }

// The distance of neighbours of a value, by the digits of its type.
struct Precision {
  int digits = 0;    // of the mantissa, the leading one not counted; 0: no floating-point type
  int lowest = 0;    // the exponent below which numbers are subnormal
  double epsilon() const { return std::ldexp(1.0, -digits); }
  // How many numbers of the type there are from zero to this one.
  int64_t steps(double magnitude) const {
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    const int power = magnitude == 0 ? lowest : std::max(exponent - 1, lowest);
    return int64_t(std::ldexp(magnitude, digits - power)) + int64_t(power - lowest) * (int64_t(1) << digits);
  }
  double ulp_distance(double a, double b) const {
    const int64_t from = steps(std::abs(a)), to = steps(std::abs(b));
    return std::signbit(a) == std::signbit(b) ? double(std::abs(from - to)) : double(from) + double(to);
  }
  double ulp_distance(const std::complex<double>& a, const std::complex<double>& b) const { return std::max(ulp_distance(a.real(), b.real()), ulp_distance(a.imag(), b.imag())); }
};
inline Precision precision_of(DType dtype) {
  switch (dtype) {
    case DType::Float64: case DType::Complex128: return {52, -1022};
    case DType::Float32: case DType::Complex64: return {23, -126};
    case DType::Float16: case DType::Complex32: return {10, -14};
    case DType::BFloat16: return {7, -126};
    case DType::Float8E4M3Fn: case DType::Float8E4M3Fnuz: return {3, -6};
    case DType::Float8E5M2: case DType::Float8E5M2Fnuz: return {2, -14};
    default: return {};
  }
}

}  // namespace pt2::interp
