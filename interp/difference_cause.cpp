#include "interp/difference_cause.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "interp/element_math.h"
#include "interp/tensor_map.h"

namespace pt2::interp {

namespace {

// Of each element: 0 where it is finite, else NaN or ±inf.
std::vector<double> nonfinite(const Tensor& tensor) {
  const Tensor dense = as_contiguous(to_dtype(tensor, DType::Float64));
  std::vector<double> kinds(dense.data<double>(), dense.data<double>() + dense.numel());
  for (double& kind : kinds)
    if (std::isfinite(kind)) kind = 0;
  return kinds;
}

// NaN where one side has it alone, else infinities; None: both are alike.
Cause nonfinite_cause(const Tensor& left, const Tensor& right) {
  const std::vector<double> a = nonfinite(left), b = nonfinite(right);
  bool differ = false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return Cause::Nan;
    differ = differ || (a[i] != b[i] && !std::isnan(a[i]));
  }
  return differ ? Cause::Inf : Cause::None;
}

// The same numbers, each as often: in another order, or in the same one but in another shape.
Cause moved_elements(const Tensor& left, const Tensor& right) {
  if (left.numel() != right.numel() || left.numel() < 2 || is_complex(left.dtype)) return Cause::None;
  auto numbers = [](const Tensor& tensor) {
    const Tensor dense = as_contiguous(to_dtype(tensor, DType::Float64));
    std::vector<double> values(dense.data<double>(), dense.data<double>() + dense.numel());
    std::erase_if(values, [](double value) { return std::isnan(value); });  // which has no order; as many on both sides, if all else is equal
    return values;
  };
  std::vector<double> a = numbers(left), b = numbers(right);
  if (left.sizes != right.sizes && a == b) return Cause::Shape;
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b ? Cause::Layout : Cause::None;
}

}  // namespace

Cause cause_of(const Tensor& left, const Tensor& right, const ValueDifference& difference, bool random) {
  constexpr double kRoundingUnits = 256;  // of the largest value: what reordering a long sum can do
  if (difference.equal) return Cause::None;
  if (random) return Cause::Random;
  if (left.dtype != right.dtype) return Cause::DType;
  if (const Cause cause = moved_elements(left, right); cause != Cause::None) return cause;
  if (left.sizes != right.sizes) return Cause::Shape;
  if (is_floating(left.dtype)) {
    if (const Cause cause = nonfinite_cause(left, right); cause != Cause::None) return cause;
    const Tensor dense = as_contiguous(to_dtype(left, DType::Float64));
    double largest = 0;
    for (int64_t i = 0; i < dense.numel(); ++i)
      if (std::isfinite(dense.data<double>()[i])) largest = std::max(largest, std::abs(dense.data<double>()[i]));
    return difference.max_abs <= kRoundingUnits * precision_of(left.dtype).epsilon() * largest ? Cause::Rounding : Cause::Values;
  }
  if (left.dtype == DType::Int8 || left.dtype == DType::UInt8 || left.dtype == DType::Int16) {
    const double low = left.dtype == DType::UInt8 ? 0 : left.dtype == DType::Int8 ? -128 : -32768;
    const double high = left.dtype == DType::UInt8 ? 255 : left.dtype == DType::Int8 ? 127 : 32767;
    const Tensor a = as_contiguous(to_dtype(left, DType::Float64)), b = as_contiguous(to_dtype(right, DType::Float64));
    auto at_end = [&](double v) { return v == low || v == high; };
    int64_t different = 0, ended = 0;
    for (int64_t i = 0; i < a.numel(); ++i) {
      const double x = a.data<double>()[i], y = b.data<double>()[i];
      if (x == y) continue;
      ++different;
      ended += at_end(x) != at_end(y);
    }
    if (ended * 2 > different) return Cause::Saturation;
  }
  return Cause::Values;
}

std::string_view cause_name(Cause cause) {
  switch (cause) {
    case Cause::None: return "none";
    case Cause::Rounding: return "rounding";
    case Cause::Nan: return "nan";
    case Cause::Inf: return "inf";
    case Cause::DType: return "dtype";
    case Cause::Shape: return "shape";
    case Cause::Layout: return "layout";
    case Cause::Missing: return "missing";
    case Cause::Saturation: return "saturation";
    case Cause::Random: return "random";
    case Cause::Values: return "values";
  }
  return "";
}

std::string_view cause_explanation(Cause cause) {
  switch (cause) {
    case Cause::None: return "";
    case Cause::Rounding: return "What is at most 256 units in the last place of the largest value counts as rounding.";
    case Cause::Nan: return "One side has NaN where the other has none.";
    case Cause::Inf: return "One side has an infinity where the other has another value.";
    case Cause::DType: return "The element types differ.";
    case Cause::Shape: return "The shapes differ.";
    case Cause::Layout: return "Both sides have the same numbers in another order.";
    case Cause::Missing: return "One side has no such value.";
    case Cause::Saturation: return "Most differing elements are at the end of the type's range on one side only.";
    case Cause::Random: return "The group draws random numbers or returns uninitialised memory.";
    case Cause::Values: return "The values differ by more than rounding explains.";
  }
  return "";
}

}  // namespace pt2::interp
