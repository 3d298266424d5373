#include "interp/compare_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "core/tensor/view.h"
#include "interp/convert.h"
#include "interp/element_math.h"

namespace pt2::interp {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Sums {
  double dot = 0, actual = 0, expected = 0;
  double noise = 0;
  double excess = 0;  // the largest |a - b| over what is allowed
};

template <class T>
void compare_elements(const T* actual, const T* expected, int64_t count, int64_t first, double rtol, double atol, const Precision& precision, ValueDifference& out,
                      Sums& sums) {
  for (int64_t i = 0; i < count; ++i) {
    const T a = actual[i], b = expected[i];
    if (is_nan(a) && is_nan(b)) {
      ++out.both_nan;
    } else if (!(a == b)) {
      const bool finite = is_finite(a) && is_finite(b);
      const double gap = finite ? std::abs(a - b) : kInfinity, size = std::abs(b);
      const double allowed = atol + rtol * (is_finite(b) ? size : 0);
      out.max_abs = std::max(out.max_abs, gap);
      out.max_rel = std::max(out.max_rel, size > 0 && finite ? gap / size : kInfinity);
      out.max_ulp = std::max(out.max_ulp, !finite ? kInfinity : precision.digits ? precision.ulp_distance(a, b) : 0);
      sums.noise += finite ? gap * gap : kInfinity;
      const double excess = gap == 0 ? 0 : allowed > 0 ? gap / allowed : kInfinity;
      if (excess > 1) ++out.different;
      if (out.worst < 0 || excess > sums.excess) {
        sums.excess = excess;
        out.worst = first + i;
      }
    }
    if (is_finite(a) && is_finite(b)) {
      sums.dot += product(a, b);
      sums.actual += product(a, a);
      sums.expected += product(b, b);
    }
  }
}

// 64-bit integers do not fit into double: compared as they are.
void compare_integers(const int64_t* actual, const int64_t* expected, int64_t count, int64_t first, double rtol, double atol, ValueDifference& out,
                      Sums& sums) {
  for (int64_t i = 0; i < count; ++i) {
    const double a = static_cast<double>(actual[i]), b = static_cast<double>(expected[i]);
    if (actual[i] != expected[i]) {
      const double gap = std::max(std::abs(a - b), 1.0), allowed = atol + rtol * std::abs(b);
      out.max_abs = std::max(out.max_abs, gap);
      sums.noise += gap * gap;
      out.max_rel = std::max(out.max_rel, b != 0 ? gap / std::abs(b) : kInfinity);
      const double excess = allowed > 0 ? gap / allowed : kInfinity;
      if (excess > 1) ++out.different;
      if (out.worst < 0 || excess > sums.excess) {
        sums.excess = excess;
        out.worst = first + i;
      }
    }
    sums.dot += a * b;
    sums.actual += a * a;
    sums.expected += b * b;
  }
}

ValueDifference incomparable(std::string reason) {
  ValueDifference d;
  d.comparable = false;
  d.reason = std::move(reason);
  d.max_abs = d.max_rel = d.cosine = d.max_ulp = d.snr_db = kNaN;
  return d;
}

}  // namespace

bool is_pairs_of(const Tensor& pairs, const Tensor& complex) {
  const DType real = complex.dtype == DType::Complex128 ? DType::Float64 : complex.dtype == DType::Complex64 ? DType::Float32 : DType::Float16;
  return is_complex(complex.dtype) && pairs.dtype == real && pairs.dim() == complex.dim() + 1 && pairs.sizes.back() == 2 &&
         std::equal(complex.sizes.begin(), complex.sizes.end(), pairs.sizes.begin());
}

Tensor as_complex(const Tensor& pairs) {
  Tensor complex = pairs;
  complex.dtype = pairs.dtype == DType::Float64 ? DType::Complex128 : pairs.dtype == DType::Float32 ? DType::Complex64 : DType::Complex32;
  complex.sizes.pop_back();
  complex.strides = contiguous_strides(complex.sizes);
  complex.offset = pairs.offset / 2;
  return complex;
}

std::pair<double, double> tolerance_of(DType dtype, const Tolerance& tolerance) {
  std::pair<double, double> result{0, 0};
  switch (dtype) {
    case DType::Float16:
    case DType::Complex32: result = {1e-3, 1e-5}; break;
    case DType::BFloat16: result = {1.6e-2, 1e-5}; break;
    case DType::Float32:
    case DType::Complex64: result = {1.3e-6, 1e-5}; break;
    case DType::Float64:
    case DType::Complex128: result = {1e-7, 1e-7}; break;
    default: break;
  }
  if (tolerance.rtol) result.first = *tolerance.rtol;
  if (tolerance.atol) result.second = *tolerance.atol;
  return result;
}

ValueDifference compare_tensors(const Tensor& actual, const Tensor& given, const Tolerance& tolerance) {
  const Result<Tensor> a = contiguous(actual), b = contiguous(given);
  if (!a || !b) return incomparable("there is not enough memory to compare");
  Tensor expected = *b;
  if (is_pairs_of(expected, *a) && expected.offset % 2 == 0) expected = as_complex(expected);
  if (a->dtype != expected.dtype) return incomparable("dtype " + std::string(dtype_name(a->dtype)) + ", expected " + std::string(dtype_name(expected.dtype)));
  if (a->sizes != expected.sizes) return incomparable("shape " + shape_text(a->sizes) + ", expected " + shape_text(expected.sizes));

  ValueDifference out;
  out.elements = a->numel();
  const std::pair<double, double> limits = tolerance_of(a->dtype, tolerance);
  const double rtol = limits.first, atol = limits.second;
  const Compute compute = is_complex(a->dtype) ? Compute::C128 : is_floating(a->dtype) ? Compute::F64 : Compute::I64;
  const LoadFunction load = loader(a->dtype, compute);
  const int64_t item = item_size(a->dtype);
  constexpr int64_t kBlock = 512;
  alignas(16) std::array<std::byte, kBlock * 16> actual_block, expected_block;
  Sums sums;
  const Precision precision = precision_of(a->dtype);
  for (int64_t first = 0; first < out.elements; first += kBlock) {
    const int64_t count = std::min(kBlock, out.elements - first);
    load(a->bytes() + first * item, item, actual_block.data(), count);
    load(expected.bytes() + first * item, item, expected_block.data(), count);
    auto block = [&]<class T>(T*) {
      compare_elements(reinterpret_cast<const T*>(actual_block.data()), reinterpret_cast<const T*>(expected_block.data()), count, first, rtol, atol, precision, out, sums);
    };
    if (compute == Compute::C128) block(static_cast<std::complex<double>*>(nullptr));
    else if (compute == Compute::F64) block(static_cast<double*>(nullptr));
    else
      compare_integers(reinterpret_cast<const int64_t*>(actual_block.data()), reinterpret_cast<const int64_t*>(expected_block.data()), count, first, rtol,
                       atol, out, sums);
  }
  out.equal = out.different == 0;
  const double norms = std::sqrt(sums.actual) * std::sqrt(sums.expected);
  out.cosine = norms > 0 ? sums.dot / norms : sums.actual == sums.expected ? 1 : 0;
  out.snr_db = sums.noise == 0 ? kInfinity : 10 * std::log10(sums.expected / sums.noise);
  return out;
}

}  // namespace pt2::interp
