#include "interp/value_errors.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <limits>

#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::floats;
using pt2::test::tensor_of;

namespace {
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();
}

// Expected numbers come from torch with the same values.
TEST_CASE("two tensors are measured against each other") {
  const Tensor a = floats({2, 4}, {1.0f, 2.0f, -3.0f, kNaN, kInf, 0.5f, 1e-3f, 100.0f}), b = floats({2, 4}, {1.0f, 2.0000002f, -3.5f, kNaN, kInf, 0.25f, 2e-3f, 101.0f});
  const auto errors = value_errors(a, b);
  REQUIRE(errors.has_value());
  CHECK(errors->elements == 8);
  CHECK(errors->finite == 6);
  CHECK(errors->identical == 3);
  CHECK(errors->within == 4);
  CHECK(errors->rtol == 1.3e-6);
  CHECK(errors->max_abs == 1.0);
  CHECK(errors->max_abs_at == 7);
  CHECK(errors->mean_abs == doctest::Approx(0.2918333730776794));
  CHECK(errors->max_rel == doctest::Approx(1.0));
  CHECK(errors->max_rel_at == 5);
  CHECK(errors->rmse == doctest::Approx(0.46770735152089704));
  CHECK(errors->cosine == doctest::Approx(0.9999859919979118));
  CHECK(errors->snr_db == doctest::Approx(38.91279537536383));
  REQUIRE(errors->max_ulp.has_value());
  CHECK(*errors->max_ulp == 8388608);
  CHECK(errors->mean_ulp == doctest::Approx(3167573.5));
  REQUIRE(errors->worst.size() == 5);
  CHECK(errors->worst[0].flat == 7);
  CHECK(errors->worst[1].flat == 2);
  CHECK(*errors->worst[1].ulp == 2097152);
  CHECK(errors->errors.edges.front() == -1.0);
  CHECK(errors->errors.edges.back() == 0.5);
  int64_t counted = 0;
  for (const int64_t count : errors->errors.counts) counted += count;
  CHECK(counted == 6);
}

TEST_CASE("the tolerance decides how many are within") {
  const Tensor a = floats({4}, {1.0f, -3.0f, 0.5f, kInf}), b = floats({4}, {1.0f, -3.5f, 0.25f, kInf});
  CHECK(value_errors(a, b, {0.6, 0.0})->within == 3);
  CHECK(value_errors(a, b, {0.0, 0.5})->within == 4);
}

TEST_CASE("a NaN or an infinity on one side only is an infinite error") {
  const auto errors = value_errors(floats({3}, {kNaN, kInf, 2}), floats({3}, {1, -kInf, 2}));
  CHECK(errors->nonfinite_differ == 2);
  CHECK(std::isinf(errors->max_abs));
  CHECK(errors->within == 1);
  CHECK(errors->mean_abs == 0);
  CHECK(errors->worst.size() == 2);
}

TEST_CASE("NaN and infinities of each side are counted, those that agree too") {
  const auto errors = value_errors(floats({5}, {kNaN, kInf, 2, kNaN, 1}), floats({5}, {1, -kInf, kNaN, kNaN, kNaN}));
  CHECK(errors->actual_nan == 2);
  CHECK(errors->expected_nan == 3);
  CHECK(errors->actual_infinite == 1);
  CHECK(errors->expected_infinite == 1);
  CHECK(errors->finite == 0);
  CHECK(errors->nonfinite_differ == 4);
  CHECK(errors->identical == 1);
}

TEST_CASE("strides do not matter, and no copy is compared in another order") {
  Tensor transposed = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  transposed.sizes = {3, 2};
  transposed.strides = {1, 3};
  const auto errors = value_errors(transposed, floats({3, 2}, {1, 4, 2, 5, 3, 7}));
  CHECK(errors->identical == 5);
  CHECK(errors->max_abs_at == 5);
}

TEST_CASE("integers are compared exactly, other dtypes as numbers, complex ones by distance") {
  const auto integers = value_errors(tensor_of<int64_t>(DType::Int64, {2}, {9007199254740993, 5}), tensor_of<int64_t>(DType::Int64, {2}, {9007199254740992, 5}));
  CHECK(integers->max_abs == 1);
  CHECK(integers->within == 1);
  CHECK_FALSE(integers->max_ulp.has_value());
  const auto mixed = value_errors(floats({2}, {1, 2.5f}), tensor_of<int64_t>(DType::Int64, {2}, {1, 2}));
  CHECK(mixed->max_abs == 0.5);
  CHECK_FALSE(mixed->max_ulp.has_value());
  const auto half = value_errors(tensor_of<uint16_t>(DType::BFloat16, {1}, {0x3F81}), tensor_of<uint16_t>(DType::BFloat16, {1}, {0x3F80}));
  CHECK(*half->max_ulp == 1);
  CHECK(half->rtol == 1.6e-2);
  const auto complex = value_errors(tensor_of<std::complex<float>>(DType::Complex64, {2}, {{1, 2}, {3, -1}}), tensor_of<std::complex<float>>(DType::Complex64, {2}, {{1, 2}, {3, 1}}));
  CHECK(complex->max_abs == 2);
  CHECK(complex->max_rel == doctest::Approx(0.632455532));
  const auto quantized = value_errors(tensor_of<int8_t>(DType::QInt8, {2}, {-128, 1}), tensor_of<int8_t>(DType::QInt8, {2}, {-128, 3}));
  CHECK(quantized->max_abs == 2);
}

TEST_CASE("other shapes are refused; empty values are equal") {
  const auto refused = value_errors(floats({2}, {1, 2}), floats({1, 2}, {1, 2}));
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().message.find("[2]") != std::string::npos);
  const auto empty = value_errors(floats({0, 3}, {}), floats({0, 3}, {}));
  REQUIRE(empty.has_value());
  CHECK(empty->worst.empty());
  CHECK(empty->cosine == 1);
}

TEST_CASE("the worst hundred are those with the largest errors, the first of equal ones first") {
  std::vector<float> a(1000), b(1000, 0);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float((i * 7) % 1000);
  const auto errors = value_errors(floats({1000}, a), floats({1000}, b));
  REQUIRE(errors->worst.size() == kWorstElements);
  for (size_t i = 0; i < kWorstElements; ++i) CHECK(errors->worst[i].abs_error == 999 - double(i));
}
