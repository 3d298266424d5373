// Values as the tensors they are recorded as.
#include "interp/recorded_values.h"

#include <doctest/doctest.h>

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("a dtype is recorded as its number") {
  const auto number = [](DType dtype) { return recorded_tensors("result_type", RuntimeValue::Value(dtype)).at(0).second.data<int64_t>()[0]; };
  CHECK(number(DType::UInt8) == 0);
  CHECK(number(DType::Float16) == 5);
  CHECK(number(DType::Float32) == 6);
  CHECK(number(DType::BFloat16) == 15);
  CHECK(number(DType::Float8E4M3Fn) == 24);
}
