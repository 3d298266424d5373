// Two passes over the elements: counts, extremes and the sum; then, with the mean and the range known, deviations and the histogram.
// Order does not matter to any of it, so dimensions are sorted and joined first: most views become one long run.
#include "core/tensor/tensor_stats.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/tensor/mapped_storage.h"
#include "core/tensor/float_formats.h"
#include "core/tensor/view.h"

namespace pt2 {

namespace {

constexpr int64_t kBlock = 1 << 16;  // elements between two looks at the stop token

// The same multiset of elements with fewer dimensions: those of stride 0 give a factor, neighbours in memory are joined.
struct Walk {
  Tensor tensor;
  int64_t repeats = 1;
};
Walk simplified(const Tensor& tensor) {
  Walk walk{tensor};
  std::vector<std::pair<int64_t, int64_t>> dims;  // stride, size
  for (size_t d = 0; d < tensor.sizes.size(); ++d) {
    if (tensor.sizes[d] == 1) continue;
    if (tensor.strides[d] == 0) walk.repeats *= tensor.sizes[d];
    else dims.emplace_back(tensor.strides[d], tensor.sizes[d]);
  }
  std::sort(dims.begin(), dims.end(), std::greater<>());
  walk.tensor.sizes.clear();
  walk.tensor.strides.clear();
  for (const auto& [stride, size] : dims) {
    if (!walk.tensor.sizes.empty() && walk.tensor.strides.back() == stride * size) {
      walk.tensor.sizes.back() *= size;
      walk.tensor.strides.back() = stride;
    } else {
      walk.tensor.sizes.push_back(size);
      walk.tensor.strides.push_back(stride);
    }
  }
  return walk;
}

// How an element is read: `Value` as it is compared, to_double() as it is summed.
template <class T>
struct Plain {
  using Value = T;
  static T load(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  }
};
struct BoolReader {
  using Value = uint8_t;
  static uint8_t load(const std::byte* bytes) { return *bytes != std::byte{0}; }
};
struct HalfReader {
  using Value = float;
  static float load(const std::byte* bytes) { return float_from_half(Plain<uint16_t>::load(bytes)); }
};
struct BFloat16Reader {
  using Value = float;
  static float load(const std::byte* bytes) { return float_from_bfloat16(Plain<uint16_t>::load(bytes)); }
};
template <DType dtype>
struct Float8Reader {
  using Value = float;
  static float load(const std::byte* bytes) {
    static const auto table = [] {
      std::array<float, 256> values{};
      for (unsigned i = 0; i < 256; ++i) values[i] = float_from_float8(dtype, static_cast<uint8_t>(i));
      return values;
    }();
    return table[std::to_integer<unsigned>(*bytes)];
  }
};

template <class T>
bool finite(T value) {
  if constexpr (std::is_floating_point_v<T>) return std::isfinite(value);
  else return true;
}

class Stopped {};

template <class Visit>
void for_each_block(const Walk& walk, const std::stop_token& stop, Visit&& visit) {
  for_each_run(walk.tensor, [&](const std::byte* first, int64_t count, int64_t step) {
    for (int64_t at = 0; at < count; at += kBlock) {
      if (stop.stop_requested()) throw Stopped();
      visit(first + at * step, std::min(kBlock, count - at), step);
    }
  });
}

Histogram empty_histogram(double low, double high, int bins) {
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  Histogram histogram;
  histogram.edges.resize(static_cast<size_t>(bins) + 1);
  const double width = (high - low) / bins;
  for (int i = 0; i <= bins; ++i)  // where the range is wider than a double, by another formula
    histogram.edges[static_cast<size_t>(i)] = i == bins ? high : std::isfinite(width) ? low + width * i : std::lerp(low, high, static_cast<double>(i) / bins);
  histogram.counts.assign(static_cast<size_t>(bins), 0);
  return histogram;
}

class Binner {
 public:
  explicit Binner(Histogram& histogram) : histogram_(histogram), low_(histogram.edges.front()) {
    const double width = histogram.edges[1] - low_;
    scale_ = width > 0 ? 1 / width : 0;
    last_ = static_cast<int64_t>(histogram.counts.size()) - 1;
  }
  // The quotient may be off by one at an edge, or by more in a range too narrow to divide; the edges decide.
  void add(double value) {
    const double quotient = value * scale_ - low_ * scale_;  // the difference itself may be too large
    auto bin = static_cast<int64_t>(quotient > 0 ? std::min(quotient, static_cast<double>(last_)) : 0);
    while (bin > 0 && value < histogram_.edges[static_cast<size_t>(bin)]) --bin;
    while (bin < last_ && value >= histogram_.edges[static_cast<size_t>(bin) + 1]) ++bin;
    ++histogram_.counts[static_cast<size_t>(bin)];
  }

 private:
  Histogram& histogram_;
  double low_, scale_;
  int64_t last_;
};

template <class Value>
Element element_of(DType dtype, Value value) {
  if (dtype == DType::Bool) return value != Value(0);
  if constexpr (std::is_floating_point_v<Value>) return double{value};
  else if constexpr (std::is_same_v<Value, uint64_t>) return value;
  else return static_cast<int64_t>(value);
}

// Counts, extremes and sum of elements side by side that are all finite, in lanes that the compiler turns into vectors.
struct FiniteRun {
  static constexpr int64_t kLanes = 16, kLength = 256;
  std::array<float, kLanes> low, high;
  std::array<double, kLanes> sum{};
  std::array<int32_t, kLanes> zeros{};

  // False: some of the kLength elements are not finite.
  bool take(const std::byte* at) {
    std::array<float, kLength> values;
    std::memcpy(values.data(), at, sizeof values);
    constexpr uint32_t kExponent = 0x7f800000;
    uint32_t nonfinite = 0;
    for (size_t i = 0; i < kLength; ++i) nonfinite |= uint32_t((std::bit_cast<uint32_t>(values[i]) & kExponent) == kExponent);
    if (nonfinite) return false;
    std::copy_n(values.begin(), kLanes, low.begin());
    high = low;
    sum = {};
    zeros = {};
    for (size_t i = 0; i < kLength; i += kLanes)
      for (size_t k = 0; k < kLanes; ++k) {
        const float value = values[i + k];
        low[k] = value < low[k] ? value : low[k];
        high[k] = value > high[k] ? value : high[k];
        sum[k] += double(value);
        zeros[k] += value == 0;
      }
    return true;
  }
};

template <class Reader>
void real_stats(const Walk& walk, const std::stop_token& stop, int bins, TensorStats& stats) {
  using Value = typename Reader::Value;
  Value low{}, high{};
  double sum = 0;
  bool any = false;
  for_each_block(walk, stop, [&](const std::byte* at, int64_t count, int64_t step) {
    double block_sum = 0;  // one sum per block keeps the error small
    for (int64_t i = 0; i < count; ++i, at += step) {
      if constexpr (std::is_same_v<Reader, Plain<float>>) {
        FiniteRun run;
        if (step == sizeof(float) && count - i >= FiniteRun::kLength && run.take(at)) {
          const float lowest = *std::min_element(run.low.begin(), run.low.end()), highest = *std::max_element(run.high.begin(), run.high.end());
          low = any ? std::min(low, lowest) : lowest;
          high = any ? std::max(high, highest) : highest;
          any = true;
          stats.zeros += std::accumulate(run.zeros.begin(), run.zeros.end(), int64_t{0});
          stats.finite += FiniteRun::kLength;
          block_sum += std::accumulate(run.sum.begin(), run.sum.end(), 0.0);
          i += FiniteRun::kLength - 1;
          at += (FiniteRun::kLength - 1) * step;
          continue;
        }
      }
      const Value value = Reader::load(at);
      if (!finite(value)) {
        if (value != value) ++stats.nan;
        else ++(value > Value(0) ? stats.positive_inf : stats.negative_inf);
        continue;
      }
      if (!any) {
        low = high = value;
        any = true;
      }
      low = std::min(low, value);
      high = std::max(high, value);
      stats.zeros += value == Value(0);
      ++stats.finite;
      block_sum += static_cast<double>(value);
    }
    sum += block_sum;
  });
  if (!any) return;
  stats.min = element_of(walk.tensor.dtype, low);
  stats.max = element_of(walk.tensor.dtype, high);
  stats.max_magnitude = std::max(std::abs(static_cast<double>(low)), std::abs(static_cast<double>(high)));
  const double mean = sum / static_cast<double>(stats.finite);
  stats.mean = mean;
  if (bins == 0) return;
  stats.histogram = empty_histogram(static_cast<double>(low), static_cast<double>(high), bins);
  Binner binner(stats.histogram);
  double deviations = 0;
  for_each_block(walk, stop, [&](const std::byte* at, int64_t count, int64_t step) {
    double block_sum = 0;
    for (int64_t i = 0; i < count; ++i, at += step) {
      const Value value = Reader::load(at);
      if (!finite(value)) continue;
      const auto number = static_cast<double>(value);
      block_sum += (number - mean) * (number - mean);
      binner.add(number);
    }
    deviations += block_sum;
  });
  const double n = static_cast<double>(stats.finite) * static_cast<double>(walk.repeats);
  if (n > 1) stats.std = std::sqrt(deviations * static_cast<double>(walk.repeats) / (n - 1));
}

void complex_stats(const Walk& walk, const std::stop_token& stop, int bins, TensorStats& stats) {
  const DType dtype = walk.tensor.dtype;
  std::complex<double> sum;
  double low = 0, high = 0;
  bool any = false;
  for_each_block(walk, stop, [&](const std::byte* at, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i, at += step) {
      const auto value = std::get<std::complex<double>>(read_element(dtype, at));
      const double magnitude = std::abs(value);
      if (std::isnan(value.real()) || std::isnan(value.imag())) {
        ++stats.nan;
      } else if (!std::isfinite(magnitude)) {
        ++stats.positive_inf;
      } else {
        if (!any) low = high = magnitude;
        any = true;
        low = std::min(low, magnitude);
        high = std::max(high, magnitude);
        stats.zeros += magnitude == 0;
        ++stats.finite;
        sum += value;
      }
    }
  });
  if (!any) return;
  stats.max_magnitude = high;
  const std::complex<double> mean = sum / static_cast<double>(stats.finite);
  stats.complex_mean = mean;
  if (bins == 0) return;
  stats.histogram = empty_histogram(low, high, bins);
  Binner binner(stats.histogram);
  double deviations = 0;
  for_each_block(walk, stop, [&](const std::byte* at, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i, at += step) {
      const auto value = std::get<std::complex<double>>(read_element(dtype, at));
      if (!std::isfinite(std::abs(value))) continue;
      deviations += std::norm(value - mean);
      binner.add(std::abs(value));
    }
  });
  const double n = static_cast<double>(stats.finite) * static_cast<double>(walk.repeats);
  if (n > 1) stats.std = std::sqrt(deviations * static_cast<double>(walk.repeats) / (n - 1));
}

void stats_by_type(const Walk& walk, const std::stop_token& stop, int bins, TensorStats& stats) {
  switch (walk.tensor.dtype) {
    case DType::Unknown: return;
    case DType::Bool: return real_stats<BoolReader>(walk, stop, bins, stats);
    case DType::UInt8:
    case DType::QUInt8:
    case DType::QUInt4x2:
    case DType::QUInt2x4: return real_stats<Plain<uint8_t>>(walk, stop, bins, stats);
    case DType::Int8:
    case DType::QInt8: return real_stats<Plain<int8_t>>(walk, stop, bins, stats);
    case DType::Int16: return real_stats<Plain<int16_t>>(walk, stop, bins, stats);
    case DType::Int32:
    case DType::QInt32: return real_stats<Plain<int32_t>>(walk, stop, bins, stats);
    case DType::Int64: return real_stats<Plain<int64_t>>(walk, stop, bins, stats);
    case DType::UInt16: return real_stats<Plain<uint16_t>>(walk, stop, bins, stats);
    case DType::UInt32: return real_stats<Plain<uint32_t>>(walk, stop, bins, stats);
    case DType::UInt64: return real_stats<Plain<uint64_t>>(walk, stop, bins, stats);
    case DType::Float16: return real_stats<HalfReader>(walk, stop, bins, stats);
    case DType::BFloat16: return real_stats<BFloat16Reader>(walk, stop, bins, stats);
    case DType::Float32: return real_stats<Plain<float>>(walk, stop, bins, stats);
    case DType::Float64: return real_stats<Plain<double>>(walk, stop, bins, stats);
    case DType::Float8E4M3Fn: return real_stats<Float8Reader<DType::Float8E4M3Fn>>(walk, stop, bins, stats);
    case DType::Float8E5M2: return real_stats<Float8Reader<DType::Float8E5M2>>(walk, stop, bins, stats);
    case DType::Float8E4M3Fnuz: return real_stats<Float8Reader<DType::Float8E4M3Fnuz>>(walk, stop, bins, stats);
    case DType::Float8E5M2Fnuz: return real_stats<Float8Reader<DType::Float8E5M2Fnuz>>(walk, stop, bins, stats);
    case DType::Float8E8M0Fnu: return real_stats<Float8Reader<DType::Float8E8M0Fnu>>(walk, stop, bins, stats);
    case DType::Complex32:
    case DType::Complex64:
    case DType::Complex128:
    case DType::Float4E2M1FnX2: return complex_stats(walk, stop, bins, stats);
  }
}

}  // namespace

Result<TensorStats> tensor_stats(const Tensor& tensor, std::stop_token stop, int bins) {
  TensorStats stats;
  stats.count = checked_numel(tensor.sizes).value_or(0);
  if (stats.count == 0) return stats;
  if (auto right = check_mapping(tensor.storage, stop); !right) return right.error();
  const Walk walk = simplified(tensor);
  try {
    stats_by_type(walk, stop, bins, stats);
  } catch (const Stopped&) {
    return Error{ErrorKind::Stopped, "stopped", "", ""};
  }
  for (int64_t* count : {&stats.finite, &stats.nan, &stats.positive_inf, &stats.negative_inf, &stats.zeros}) *count *= walk.repeats;
  for (int64_t& count : stats.histogram.counts) count *= walk.repeats;
  if (auto right = check_mapping(tensor.storage, stop); !right) return right.error();
  return stats;
}

Result<BinCounts> count_into_bins(const Tensor& tensor, std::vector<double> edges, std::stop_token stop) {
  BinCounts result;
  result.histogram.counts.assign(edges.size() < 2 ? 0 : edges.size() - 1, 0);
  result.histogram.edges = std::move(edges);
  if (checked_numel(tensor.sizes).value_or(0) == 0 || result.histogram.counts.empty()) return result;
  const Walk walk = simplified(tensor);
  const std::vector<double>& bounds = result.histogram.edges;
  try {
    for_each_block(walk, stop, [&](const std::byte* at, int64_t count, int64_t step) {
      for (int64_t i = 0; i < count; ++i, at += step) {
        const double value = as_double(read_element(walk.tensor.dtype, at));
        if (std::isnan(value)) ++result.nan;
        else if (std::isinf(value)) ++result.infinite;
        else if (value < bounds.front()) ++result.below;
        else if (value > bounds.back()) ++result.above;
        else ++result.histogram.counts[std::min<size_t>(size_t(std::upper_bound(bounds.begin(), bounds.end(), value) - bounds.begin()) - 1, result.histogram.counts.size() - 1)];
      }
    });
  } catch (const Stopped&) {
    return Error{ErrorKind::Stopped, "stopped", "", ""};
  }
  for (int64_t* count : {&result.below, &result.above, &result.nan, &result.infinite}) *count *= walk.repeats;
  for (int64_t& count : result.histogram.counts) count *= walk.repeats;
  return result;
}

std::vector<double> linear_edges(double low, double high, int bins) { return empty_histogram(low, high, bins).edges; }

std::vector<double> symlog_edges(double low, double high, double linear, int bins) {
  if (!(linear > 0) || !(high > low)) return linear_edges(low, high, bins);
  const auto scaled = [&](double x) { return std::copysign(std::log1p(std::abs(x) / linear), x); };
  std::vector<double> edges = linear_edges(scaled(low), scaled(high), bins);
  for (double& edge : edges) edge = std::copysign(std::expm1(std::abs(edge)) * linear, edge);
  // The ends as they were given, rounding apart.
  edges.front() = low;
  edges.back() = high;
  return edges;
}

}  // namespace pt2
