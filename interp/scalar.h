#pragma once
// A Python number as an operator's `Scalar` argument. Its kind takes part in type promotion (bool < int < float < complex), its
// size does not.
#include <complex>
#include <cstdint>
#include <type_traits>

namespace pt2::interp {

class Scalar {
 public:
  enum class Kind : uint8_t { Bool, Int, Float, Complex };

  Scalar() : Scalar(int64_t{0}) {}
  Scalar(bool value) : kind_(Kind::Bool), integer_(value) {}
  Scalar(int value) : kind_(Kind::Int), integer_(value) {}
  Scalar(int64_t value) : kind_(Kind::Int), integer_(value) {}
  Scalar(double value) : kind_(Kind::Float), real_(value) {}
  Scalar(std::complex<double> value) : kind_(Kind::Complex), real_(value.real()), imaginary_(value.imag()) {}

  Kind kind() const { return kind_; }
  bool is_bool() const { return kind_ == Kind::Bool; }
  bool is_integral() const { return kind_ <= Kind::Int; }
  bool is_floating() const { return kind_ == Kind::Float; }
  bool is_complex() const { return kind_ == Kind::Complex; }

  double to_double() const { return is_integral() ? static_cast<double>(integer_) : real_; }
  // Floats outside the range of int64 give INT64_MIN, as the processor's conversion does.
  int64_t to_int() const;
  bool to_bool() const { return is_integral() ? integer_ != 0 : real_ != 0 || imaginary_ != 0; }
  std::complex<double> to_complex() const { return {to_double(), imaginary_}; }

  // The value as element type T (any arithmetic, half or complex type constructible from double or int64_t).
  template <class T>
  T to() const {
    if constexpr (std::is_same_v<T, bool>) return to_bool();
    else if constexpr (std::is_integral_v<T>) return static_cast<T>(to_int());
    else if constexpr (std::is_same_v<T, std::complex<double>> || std::is_same_v<T, std::complex<float>>) return T(to_complex());
    else return static_cast<T>(to_double());
  }

 private:
  Kind kind_;
  int64_t integer_ = 0;
  double real_ = 0, imaginary_ = 0;
};

inline int64_t Scalar::to_int() const {
  if (is_integral()) return integer_;
  return real_ >= -0x1p63 && real_ < 0x1p63 ? static_cast<int64_t>(real_) : INT64_MIN;
}

}  // namespace pt2::interp
