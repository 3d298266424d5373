#pragma once
// How far two values are apart, under the tolerances of torch.testing.assert_close.
#include <optional>
#include <string>
#include <utility>

#include "core/tensor/tensor.h"

namespace pt2::interp {

struct Tolerance {
  std::optional<double> rtol, atol;  // none: by dtype, as torch.testing.assert_close
};
// (rtol, atol) of a dtype: float32 1.3e-6 and 1e-5, bfloat16 1.6e-2 and 1e-5 …; exact for integers and bool.
std::pair<double, double> tolerance_of(DType dtype, const Tolerance& tolerance);

struct ValueDifference {
  bool equal = false;          // within the tolerance, of the same dtype and shape
  bool comparable = true;      // false: another dtype or shape; then `reason` says it and the numbers are NaN
  std::string reason;
  double max_abs = 0, max_rel = 0, cosine = 1;
  double max_ulp = 0;          // numbers of the type from one value to the other; 0 for integers
  double snr_db = 0;           // of the expected value over the difference; infinite where there is none
  int64_t different = 0;       // elements outside the tolerance
  int64_t worst = -1;          // flat index of the largest excess
  int64_t elements = 0;
  int64_t both_nan = 0;        // elements that are NaN on both sides
  bool all_nan() const { return elements > 0 && both_nan == elements; }
};

// NaN equals NaN, an infinity only its like. `actual` against `expected`, which sets the scale.
ValueDifference compare_tensors(const Tensor& actual, const Tensor& expected, const Tolerance& tolerance = {});

// Pairs of real numbers in place of complex ones, as files without a note hold them.
bool is_pairs_of(const Tensor& pairs, const Tensor& complex);
// (…, 2) contiguous real numbers as complex ones, on the same bytes.
Tensor as_complex(const Tensor& pairs);

}  // namespace pt2::interp
