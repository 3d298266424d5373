// Two passes: sums, extremes and the worst elements; then, with the range of errors known, their histogram.
#include "interp/value_errors.h"

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
constexpr int64_t kBlock = 512;

class Stopped {};

double signed_error(double a, double b) { return a - b; }
double signed_error(std::complex<double> a, std::complex<double> b) { return std::abs(a - b); }
// Large integers lose their last digits as double: their distance is taken before.
double distance(double a, double b) { return std::abs(a - b); }
double distance(std::complex<double> a, std::complex<double> b) { return std::abs(a - b); }
double distance(int64_t a, int64_t b) { return double(a > b ? uint64_t(a) - uint64_t(b) : uint64_t(b) - uint64_t(a)); }
double signed_error(int64_t a, int64_t b) { return a < b ? -distance(a, b) : distance(a, b); }
double magnitude(int64_t x) { return std::abs(double(x)); }
double magnitude(double x) { return std::abs(x); }
double magnitude(std::complex<double> x) { return std::abs(x); }

// Both tensors in row-major order as runs along the last dimension: run(a, step of a, b, step of b, count), steps in bytes.
template <class Run>
void for_each_pair_run(const Tensor& a, const Tensor& b, Run&& run) {
  const int64_t item_a = item_size(a.dtype), item_b = item_size(b.dtype), numel = a.numel();
  if (numel == 0) return;
  if (a.sizes.empty() || (is_contiguous(a) && is_contiguous(b))) return run(a.bytes(), item_a, b.bytes(), item_b, numel);
  const size_t dims = a.sizes.size();
  Shape index(dims, 0);
  const std::byte *at_a = a.bytes(), *at_b = b.bytes();
  while (true) {
    run(at_a, a.strides[dims - 1] * item_a, at_b, b.strides[dims - 1] * item_b, a.sizes[dims - 1]);
    size_t d = dims - 1;
    while (true) {
      if (d == 0) return;
      --d;
      at_a += a.strides[d] * item_a;
      at_b += b.strides[d] * item_b;
      if (++index[d] < a.sizes[d]) break;
      at_a -= a.strides[d] * item_a * a.sizes[d];
      at_b -= b.strides[d] * item_b * b.sizes[d];
      index[d] = 0;
    }
  }
}

// Quantized numbers are compared as the integers that are stored.
DType stored_type(DType dtype) {
  switch (dtype) {
    case DType::QInt8: return DType::Int8;
    case DType::QUInt8:
    case DType::QUInt4x2:
    case DType::QUInt2x4: return DType::UInt8;
    case DType::QInt32: return DType::Int32;
    default: return dtype;
  }
}

template <class T>
class Measure {
 public:
  Measure(const Tensor& actual, const Tensor& expected, Compute compute, std::stop_token stop, ValueErrors& out)
      : actual_(actual), expected_(expected), load_a_(loader(actual.dtype, compute)), load_b_(loader(expected.dtype, compute)), stop_(std::move(stop)), out_(out) {}

  void run() {
    each([this](const T& a, const T& b, int64_t flat, const std::byte* bytes_a, const std::byte* bytes_b) { add(a, b, flat, bytes_a, bytes_b); });
    finish();
    if (!any_error_) return;
    out_.errors.edges = linear_edges(low_, high_);
    out_.errors.counts.assign(kHistogramBins, 0);
    const double first = out_.errors.edges.front(), width = (out_.errors.edges.back() - first) / kHistogramBins;
    each([&](const T& a, const T& b, int64_t, const std::byte*, const std::byte*) {
      if (!is_finite(a) || !is_finite(b)) return;
      const double error = signed_error(a, b);
      if (std::isfinite(error)) ++out_.errors.counts[size_t(std::clamp((error - first) / width, 0.0, double(kHistogramBins - 1)))];
    });
  }

 private:
  template <class Visit>
  void each(Visit&& visit) {
    std::array<T, kBlock> block_a, block_b;
    int64_t flat = 0;
    for_each_pair_run(actual_, expected_, [&](const std::byte* a, int64_t step_a, const std::byte* b, int64_t step_b, int64_t count) {
      for (int64_t at = 0; at < count; at += kBlock) {
        if (stop_.stop_requested()) throw Stopped();
        const int64_t n = std::min(kBlock, count - at);
        const std::byte *from_a = a + at * step_a, *from_b = b + at * step_b;
        load_a_(from_a, step_a, block_a.data(), n);
        load_b_(from_b, step_b, block_b.data(), n);
        for (int64_t i = 0; i < n; ++i) visit(block_a[size_t(i)], block_b[size_t(i)], flat + i, from_a + i * step_a, from_b + i * step_b);
        flat += n;
      }
    });
  }

  void add(const T& a, const T& b, int64_t flat, const std::byte* bytes_a, const std::byte* bytes_b) {
    const bool identical = a == b || (is_nan(a) && is_nan(b)), finite = is_finite(a) && is_finite(b);
    const double size = magnitude(b), gap = identical ? 0 : finite ? distance(a, b) : kInfinity;
    out_.identical += identical;
    out_.within += identical || (finite && gap <= out_.atol + out_.rtol * size);
    if (finite) {
      ++out_.finite;
      const double error = signed_error(a, b);
      low_ = any_error_ ? std::min(low_, error) : error;
      high_ = any_error_ ? std::max(high_, error) : error;
      any_error_ = true;
      sum_abs_ += gap;
      sum_squares_ += gap * gap;
      dot_ += product(a, b);
      power_a_ += product(a, a);
      power_b_ += product(b, b);
    } else {
      count_nonfinite(a, out_.actual_nan, out_.actual_infinite);
      count_nonfinite(b, out_.expected_nan, out_.expected_infinite);
      out_.nonfinite_differ += !identical;
    }
    if (identical) {
      out_.max_ulp = has_ulp() ? std::optional(out_.max_ulp.value_or(0)) : std::nullopt;
      return;
    }
    const double relative = size > 0 && finite ? gap / size : kInfinity;
    if (out_.max_abs_at < 0 || gap > out_.max_abs) out_.max_abs = gap, out_.max_abs_at = flat;
    if (out_.max_rel_at < 0 || relative > out_.max_rel) out_.max_rel = relative, out_.max_rel_at = flat;
    const auto ulp = has_ulp() ? ulp_distance(actual_.dtype, bytes_a, bytes_b) : std::nullopt;
    if (ulp) {
      sum_ulp_ += double(*ulp);
      if (!out_.max_ulp || *ulp > *out_.max_ulp) out_.max_ulp = ulp, out_.max_ulp_at = flat;
    }
    // A heap whose top is the least of the worst.
    auto& worst = out_.worst;
    if (worst.size() == kWorstElements && !(gap > worst.front().abs_error)) return;
    if (worst.size() == kWorstElements) {
      std::pop_heap(worst.begin(), worst.end(), worse);
      worst.pop_back();
    }
    worst.push_back({flat, gap, relative, ulp});
    std::push_heap(worst.begin(), worst.end(), worse);
  }

  static void count_nonfinite(const T& value, int64_t& nan, int64_t& infinite) {
    nan += is_nan(value);
    infinite += !is_nan(value) && !is_finite(value);
  }

  void finish() {
    std::sort(out_.worst.begin(), out_.worst.end(), worse);
    const double n = std::max<double>(double(out_.finite), 1);
    out_.mean_abs = sum_abs_ / n;
    out_.mean_ulp = sum_ulp_ / n;
    out_.rmse = std::sqrt(sum_squares_ / n);
    const double norms = std::sqrt(power_a_) * std::sqrt(power_b_);
    out_.cosine = norms > 0 ? dot_ / norms : power_a_ == power_b_ ? 1 : 0;
    out_.snr_db = sum_squares_ > 0 ? 10 * std::log10(power_b_ / sum_squares_) : kInfinity;
  }

  bool has_ulp() const { return actual_.dtype == expected_.dtype && is_floating(actual_.dtype); }
  // Equal errors in the order of the elements.
  static bool worse(const WorstElement& a, const WorstElement& b) { return a.abs_error != b.abs_error ? a.abs_error > b.abs_error : a.flat < b.flat; }

  const Tensor &actual_, &expected_;
  LoadFunction load_a_, load_b_;
  std::stop_token stop_;
  ValueErrors& out_;
  double low_ = 0, high_ = 0, sum_abs_ = 0, sum_squares_ = 0, sum_ulp_ = 0, dot_ = 0, power_a_ = 0, power_b_ = 0;
  bool any_error_ = false;
};

}  // namespace

Result<ValueErrors> value_errors(const Tensor& value, const Tensor& given, const Tolerance& tolerance, std::stop_token stop) {
  Tensor actual = value, expected = given;
  if (is_pairs_of(expected, actual) && expected.offset % 2 == 0 && is_contiguous(expected)) expected = as_complex(expected);
  if (actual.sizes != expected.sizes)
    return Error{ErrorKind::Failed, "the shapes differ: " + shape_text(actual.sizes) + " and " + shape_text(expected.sizes), "", ""};
  actual.dtype = stored_type(actual.dtype);
  expected.dtype = stored_type(expected.dtype);
  for (const DType dtype : {actual.dtype, expected.dtype})
    if (dtype == DType::Unknown || dtype == DType::Float4E2M1FnX2) return Error{ErrorKind::Failed, "values of type " + std::string(dtype_name(dtype)) + " cannot be compared", "", ""};
  ValueErrors out;
  out.elements = actual.numel();
  const auto own = tolerance_of(actual.dtype, tolerance), other = tolerance_of(expected.dtype, tolerance);
  out.rtol = std::max(own.first, other.first);
  out.atol = std::max(own.second, other.second);
  const bool complex = is_complex(actual.dtype) || is_complex(expected.dtype), floating = is_floating(actual.dtype) || is_floating(expected.dtype);
  try {
    if (complex) Measure<std::complex<double>>(actual, expected, Compute::C128, stop, out).run();
    else if (floating) Measure<double>(actual, expected, Compute::F64, stop, out).run();
    else Measure<int64_t>(actual, expected, Compute::I64, stop, out).run();
  } catch (const Stopped&) {
    return Error{ErrorKind::Stopped, "stopped", "", ""};
  }
  return out;
}

}  // namespace pt2::interp
