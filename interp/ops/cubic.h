#pragma once
// Cubic interpolation between four neighbours.
#include <array>

namespace pt2::interp {

// Their weights at the fraction `t` of the way from the second to the third.
template <class T>
std::array<T, 4> cubic_weights(T t) {
  const T a = T(-0.75f);
  auto near = [a](T x) { return ((a + T(2)) * x - (a + T(3))) * x * x + T(1); };
  auto far = [a](T x) { return ((a * x - T(5) * a) * x + T(8) * a) * x - T(4) * a; };
  return {far(t + T(1)), near(t), near(T(1) - t), far(T(2) - t)};
}
// How the weights change with t.
template <class T>
std::array<T, 4> cubic_slopes(T t) {
  const T a = T(-0.75f);
  auto near = [a](T x) { return (T(3) * (a + T(2)) * x - T(2) * (a + T(3))) * x; };
  auto far = [a](T x) { return (T(3) * a * x - T(10) * a) * x + T(8) * a; };
  return {far(t + T(1)), near(t), -near(T(1) - t), -far(T(2) - t)};
}

}  // namespace pt2::interp
