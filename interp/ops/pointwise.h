#pragma once
// What the element-by-element families share.
#include <cmath>

#include "interp/kernels/vector_math.h"
#include "interp/op_table.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

// Integers wrap around; signed overflow would be undefined.
template <class T>
T wrapping_add(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t>) return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else return a + b;
}
template <class T>
T wrapping_multiply(T a, T b) {
  if constexpr (std::is_same_v<T, int64_t>) return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else return a * b;
}
template <class T>
T wrapping_negate(T a) {
  if constexpr (std::is_same_v<T, int64_t>) return static_cast<int64_t>(-static_cast<uint64_t>(a));
  else return -a;
}
// Complex division as NumPy and PyTorch do it: scaled, and infinite or NaN by parts where the divisor is zero.
template <class T>
T quotient(T a, T b) {
  if constexpr (std::is_same_v<T, Complex>) {
    const double size_c = std::abs(b.real()), size_d = std::abs(b.imag());
    if (size_c >= size_d) {
      if (size_c == 0 && size_d == 0) return {a.real() / size_c, a.imag() / size_d};
      const double ratio = b.imag() / b.real(), scale = 1 / (b.real() + b.imag() * ratio);
      return {(a.real() + a.imag() * ratio) * scale, (a.imag() - a.real() * ratio) * scale};
    }
    const double ratio = b.real() / b.imag(), scale = 1 / (b.real() * ratio + b.imag());
    return {(a.real() * ratio + a.imag()) * scale, (a.imag() * ratio - a.real()) * scale};
  } else {
    return a / b;
  }
}
template <class T>
bool is_nan(T x) {
  if constexpr (std::is_floating_point_v<T>) return x != x;
  else if constexpr (std::is_same_v<T, Complex>) return is_nan(x.real()) || is_nan(x.imag());
  else return false;
}
// A Python number as it is once it has been an element of a dtype; throws where it does not fit.
Scalar converted(const Scalar& number, DType dtype);
// The larger or smaller of two, NaN if one is.
template <class T>
T nan_max(T a, T b) { return is_nan(a) || a > b ? a : b; }
template <class T>
T nan_min(T a, T b) { return is_nan(a) || a < b ? a : b; }

// Computes and gives the same dtype.
inline Signature in_type(std::string_view name, DType dtype) { return {name, dtype, dtype}; }
// Computes in float32 where the operands are integers.
inline Signature in_floating(std::string_view name, DType dtype) { return in_type(name, floating_result(dtype)); }
// Kernels PyTorch has for all integers but not for bool.
inline void no_bool(std::string_view name, DType dtype) { check(dtype != DType::Bool, "\"", name, "\" not implemented for 'Bool'"); }

// A vectorised function of the elements, computed in a floating type. `complex`: null where there is none for complex numbers.
Tensor vector_unary(std::string_view name, const Tensor& self, const VectorFunction& function, Complex (*complex)(const Complex&) = nullptr);
void vector_unary_into(const Tensor& result, std::string_view name, const Tensor& self, const VectorFunction& function, Complex (*complex)(const Complex&) = nullptr);
// The same for two operands that were promoted to `common`.
Tensor vector_binary(std::string_view name, DType common, const Tensor& a, const Tensor& b, const VectorFunction2& function);

// Kernels of an operator `f(Tensor self, Scalar other)` that is `g(Tensor self, Tensor other)` with a Python number.
template <Tensor (*with_tensor)(const Tensor&, const Tensor&)>
Tensor with_scalar(const Tensor& self, Scalar other) { return with_tensor(self, wrapped_scalar(other)); }
template <Tensor (*with_tensor)(const Tensor&, const Tensor&)>
Tensor scalar_with(Scalar self, const Tensor& other) { return with_tensor(wrapped_scalar(self), other); }

}  // namespace pt2::interp
