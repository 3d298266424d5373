#include "interp/difference_cause.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "interp/allocation.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

template <class T>
Tensor tensor(DType dtype, std::vector<T> values, Shape sizes) {
  Tensor result = empty_strided(sizes, contiguous_strides(sizes), dtype);
  std::copy(values.begin(), values.end(), result.data<T>());
  return result;
}
Tensor floats(std::vector<float> values, Shape sizes) { return tensor<float>(DType::Float32, std::move(values), std::move(sizes)); }

Cause cause(const Tensor& left, const Tensor& right, bool random = false) { return cause_of(left, right, compare_tensors(right, left), random); }

}  // namespace

TEST_CASE("differences are told apart by what they look like") {
  const Tensor base = floats({1, 2, 3, 4}, {2, 2});
  CHECK(cause(base, base) == Cause::None);
  CHECK(cause(base, floats({1, 2, 3, 4.0001f}, {2, 2})) == Cause::Rounding);
  CHECK(cause(base, floats({1, 2, 3, 5}, {2, 2})) == Cause::Values);
  CHECK(cause(base, floats({1, 2, std::numeric_limits<float>::quiet_NaN(), 4}, {2, 2})) == Cause::Nan);
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(cause(base, floats({1, 2, inf, 4}, {2, 2})) == Cause::Inf);
  CHECK(cause(floats({1, -inf}, {2}), floats({1, inf}, {2})) == Cause::Inf);
  CHECK(cause(floats({1, inf}, {2}), floats({std::numeric_limits<float>::quiet_NaN(), 1}, {2})) == Cause::Nan);
  CHECK(cause(base, floats({1, 3, 2, 4}, {2, 2})) == Cause::Layout);  // transposed
  CHECK(cause(base, floats({1, 2, 3, 4}, {4})) == Cause::Shape);  // the same order
  CHECK(cause(base, floats({1, 3, 2, 4}, {4})) == Cause::Layout);
  CHECK(cause(base, floats({1, 2, 3}, {3})) == Cause::Shape);
  CHECK(cause(base, tensor<double>(DType::Float64, {1, 2, 3, 4}, {2, 2})) == Cause::DType);
  CHECK(cause(base, floats({1, 2, 3, 5}, {2, 2}), /*random=*/true) == Cause::Random);
  CHECK(cause(tensor<int8_t>(DType::Int8, {100, 120, 5}, {3}), tensor<int8_t>(DType::Int8, {127, 127, 5}, {3})) == Cause::Saturation);
}

TEST_CASE("units in the last place and the signal-to-noise ratio") {
  const Tensor base = floats({1, 0, 8}, {3});
  const ValueDifference same = compare_tensors(base, base);
  CHECK(same.max_ulp == 0);
  CHECK(std::isinf(same.snr_db));
  const ValueDifference one = compare_tensors(floats({std::nextafter(1.0f, 2.0f), 0, 8}, {3}), base);
  CHECK(one.max_ulp == doctest::Approx(1));
  const ValueDifference far = compare_tensors(floats({1, 0, 8.8f}, {3}), base);  // noise 0.8², signal 65
  CHECK(far.snr_db == doctest::Approx(10 * std::log10(65 / 0.64)).epsilon(1e-4));
  const ValueDifference small = compare_tensors(floats({1, 0x1p-149f, 8}, {3}), base);
  CHECK(small.max_ulp == doctest::Approx(1));  // the smallest subnormal number beside zero
  // PyTorch: torch.tensor(1.0).view(torch.int32) is 1065353216.
  CHECK(compare_tensors(floats({1}, {1}), floats({0}, {1})).max_ulp == 1065353216);
  CHECK(compare_tensors(floats({1}, {1}), floats({-1}, {1})).max_ulp == 2130706432);
  const Tensor one64 = tensor<double>(DType::Float64, {1}, {1}), below = tensor<double>(DType::Float64, {std::nextafter(1.0, 0.0)}, {1});
  CHECK(compare_tensors(below, one64).max_ulp == 1);
}
