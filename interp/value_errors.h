#pragma once
// How two values differ, in every measure people ask for, and where: for the one pair somebody looks at. compare_tensors() is the quick verdict
// for each node of a run. Works through any strides block by block and makes no copy of either.
#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/tensor_stats.h"
#include "interp/compare_values.h"

namespace pt2::interp {

struct WorstElement {
  int64_t flat = 0;        // row-major index
  double abs_error = 0;    // infinite where only one of both is finite, or they are different infinities
  double rel_error = 0;    // to the expected one
  std::optional<uint64_t> ulp;
};

struct ValueErrors {
  int64_t elements = 0;
  int64_t finite = 0;              // pairs of finite numbers; means are over them
  int64_t actual_nan = 0, actual_infinite = 0, expected_nan = 0, expected_infinite = 0;  // elements of each
  int64_t nonfinite_differ = 0;    // NaN against a number, infinities of different signs …
  int64_t identical = 0;           // equal numbers, NaN against NaN
  int64_t within = 0;              // the tolerance
  double rtol = 0, atol = 0;       // that were used
  double max_abs = 0, max_rel = 0; // infinite where nonfinite_differ
  int64_t max_abs_at = -1, max_rel_at = -1;
  double mean_abs = 0, rmse = 0, cosine = 1;
  double snr_db = 0;               // power of the expected over that of the error; infinite without error
  std::optional<uint64_t> max_ulp; // floating point of one dtype only
  int64_t max_ulp_at = -1;
  double mean_ulp = 0;
  Histogram errors;                // of actual - expected; of magnitudes for complex numbers
  std::vector<WorstElement> worst; // by abs_error, the largest first; without those that are identical
};

inline constexpr size_t kWorstElements = 100;

// Of different dtypes too: both are taken as float64 (or complex128) then, and the tolerance is the wider of both. Shapes must agree.
Result<ValueErrors> value_errors(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance = {}, std::stop_token stop = {});

}  // namespace pt2::interp
