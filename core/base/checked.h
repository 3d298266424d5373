#pragma once
// Arithmetic on numbers that come from files: nullopt where the result does not fit.
#include <cstdint>
#include <optional>
#include <span>

namespace pt2 {

template <class T>
std::optional<T> checked_add(T a, T b) {
  T sum;
  return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional<T>(sum);
}
template <class T>
std::optional<T> checked_multiply(T a, T b) {
  T product;
  return __builtin_mul_overflow(a, b, &product) ? std::nullopt : std::optional<T>(product);
}

// [offset, offset + size) lies inside [0, limit).
inline bool fits(uint64_t offset, uint64_t size, uint64_t limit) { return offset <= limit && size <= limit - offset; }

}  // namespace pt2
