#pragma once
// What one wants to know about a tensor at a glance. Numbers are those of its finite elements; NaN and infinities are counted apart.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/element.h"
#include "core/tensor/tensor.h"

namespace pt2 {

struct Histogram {
  std::vector<double> edges;    // one more than counts; a bin holds its left edge, the last one both
  std::vector<int64_t> counts;  // empty: no finite elements
};

struct TensorStats {
  int64_t count = 0, finite = 0, nan = 0, positive_inf = 0, negative_inf = 0, zeros = 0;
  // Of the same kind as the elements: integers stay exact. monostate: none (no finite elements; complex numbers have no order).
  Element min, max;
  std::optional<double> mean, std;  // std: unbiased, as torch gives it; none for fewer than two
  std::optional<std::complex<double>> complex_mean;
  double max_magnitude = 0;  // largest |x|
  Histogram histogram;       // of values; of magnitudes for complex numbers

  int64_t inf() const { return positive_inf + negative_inf; }
};

inline constexpr int kHistogramBins = 64;

// Any strides; a stride of 0 is counted, not walked. Stops early (Stopped) when asked to. Without bins there is no `std` either, and the
// elements are walked once instead of twice.
Result<TensorStats> tensor_stats(const Tensor& tensor, std::stop_token stop = {}, int bins = kHistogramBins);

// Elements (magnitudes of complex numbers) counted into bins of any ascending edges; those outside and what is not finite are counted
// apart.
struct BinCounts {
  Histogram histogram;
  int64_t below = 0, above = 0, nan = 0, infinite = 0;
};
Result<BinCounts> count_into_bins(const Tensor& tensor, std::vector<double> edges, std::stop_token stop = {});
// Edges that are evenly apart on the scale sign(x) log(1 + |x| / linear): like a logarithm far from zero, and zero has a place.
std::vector<double> symlog_edges(double low, double high, double linear, int bins = kHistogramBins);
std::vector<double> linear_edges(double low, double high, int bins = kHistogramBins);

}  // namespace pt2
