#pragma once
// Numbers of half precision that are rounded after every operation, as PyTorch's kernels without a wider type for what they compute do.
#include <cmath>
#include <type_traits>

#include "interp/convert.h"

namespace pt2::interp {

template <DType dtype>
class Stepwise {
 public:
  Stepwise() = default;
  explicit Stepwise(float value) : value_(value) { round_to(dtype, Compute::F32, &value_, 1); }
  explicit Stepwise(int value) : Stepwise(static_cast<float>(value)) {}
  explicit Stepwise(double value) : Stepwise(static_cast<float>(value)) {}
  explicit operator float() const { return value_; }
  explicit operator int64_t() const { return static_cast<int64_t>(value_); }

  friend Stepwise operator+(Stepwise a, Stepwise b) { return Stepwise(a.value_ + b.value_); }
  friend Stepwise operator-(Stepwise a, Stepwise b) { return Stepwise(a.value_ - b.value_); }
  friend Stepwise operator*(Stepwise a, Stepwise b) { return Stepwise(a.value_ * b.value_); }
  friend Stepwise operator/(Stepwise a, Stepwise b) { return Stepwise(a.value_ / b.value_); }
  friend Stepwise operator-(Stepwise a) { return Stepwise(-a.value_); }
  friend auto operator<=>(Stepwise a, Stepwise b) = default;

  friend Stepwise abs(Stepwise a) { return Stepwise(std::abs(a.value_)); }
  friend Stepwise fmod(Stepwise a, Stepwise b) { return Stepwise(std::fmod(a.value_, b.value_)); }
  friend Stepwise floor(Stepwise a) { return Stepwise(std::floor(a.value_)); }
  friend Stepwise trunc(Stepwise a) { return Stepwise(std::trunc(a.value_)); }
  friend Stepwise nearbyint(Stepwise a) { return Stepwise(std::nearbyint(a.value_)); }

 private:
  float value_ = 0;
};

// Rounds float values to a half type between the steps of a computation. Unknown: not at all.
struct StepRounding {
  DType dtype = DType::Unknown;
  template <class T>
  T operator()(T x) const {
    if constexpr (std::is_same_v<T, float>)
      if (dtype != DType::Unknown) round_to(dtype, Compute::F32, &x, 1);
    return x;
  }
};
inline StepRounding half_steps(DType common) { return {common == DType::Float16 || common == DType::BFloat16 ? common : DType::Unknown}; }

}  // namespace pt2::interp
