// Rounded division of half types: the quotient is rounded to the type before it is cut off, unless the divisor is one number. From torch 2.13.
#include <doctest/doctest.h>

#include "interp/ops/call.h"
#include "interp/tensor_map.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using test::floats;

namespace {

std::vector<float> divided(const Tensor& a, const Tensor& b, const char* mode) {
  const Tensor result = as_contiguous(call("aten.div.Tensor_mode", a, b, mode), DType::Float32);
  return {result.data<float>(), result.data<float>() + result.numel()};
}

}  // namespace

TEST_CASE("half types are divided step by step") {
  const Tensor x = floats({8}, {1, 12, 37, 111, 250.5, 999, -37, 55}), y = floats({8}, {.1f, .3f, .1f, .3f, .5f, .37f, .1f, .7f});
  const Tensor f16 = to_dtype(x, DType::Float16), bf16 = to_dtype(x, DType::BFloat16);
  CHECK(divided(f16, to_dtype(y, DType::Float16), "trunc") == std::vector<float>{10, 40, 370, 370, 501, 2700, -370, 78});
  CHECK(divided(bf16, to_dtype(y, DType::BFloat16), "trunc") == std::vector<float>{10, 40, 370, 370, 500, 2704, -370, 78});
  const Tensor a = floats({4}, {-106, 39.75, 39, -77}), b = floats({4}, {0.376953125, 0.1953125, -0.15625, 0.1845703125});
  CHECK(divided(to_dtype(a, DType::BFloat16), to_dtype(b, DType::BFloat16), "floor") == std::vector<float>{-284, 204, -251, -420});
}

TEST_CASE("one number that divides half types is taken as it is") {
  const Tensor x = to_dtype(floats({8}, {1, 12, 37, 111, 250.5, 999, -37, 55}), DType::BFloat16);
  const Tensor result = as_contiguous(call("aten.div.Scalar_mode", x, 0.1, "trunc"), DType::Float32);
  CHECK(std::vector<float>(result.data<float>(), result.data<float>() + 8) == std::vector<float>{10, 120, 370, 1112, 2496, 9984, -370, 552});
}
