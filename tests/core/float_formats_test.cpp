#include "core/tensor/float_formats.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace pt2;

TEST_CASE("small floats: every code survives the way to float and back") {
  for (uint32_t code = 0; code < 65536; ++code) {
    const auto bits = static_cast<uint16_t>(code);
    if (!std::isnan(float_from_half(bits))) CHECK(half_from_float(float_from_half(bits)) == bits);
    if (!std::isnan(float_from_bfloat16(bits))) CHECK(bfloat16_from_float(float_from_bfloat16(bits)) == bits);
  }
  for (DType dtype : {DType::Float8E4M3Fn, DType::Float8E5M2, DType::Float8E4M3Fnuz, DType::Float8E5M2Fnuz, DType::Float8E8M0Fnu})
    for (uint32_t code = 0; code < 256; ++code) {
      const auto bits = static_cast<uint8_t>(code);
      if (!std::isnan(float_from_float8(dtype, bits))) CHECK(float8_from_float(dtype, float_from_float8(dtype, bits)) == bits);
    }
}

TEST_CASE("small floats round to nearest, ties to even, and treat what is too large as PyTorch does") {
  CHECK(half_from_float(65520.0f) == 0x7C00);  // infinity
  CHECK(half_from_float(65519.0f) == 0x7BFF);
  CHECK(half_from_float(2.98e-8f) == 0x0000);
  CHECK(half_from_float(2.99e-8f) == 0x0001);
  CHECK(bfloat16_from_float(257.0f) == 0x4380);
  CHECK(bfloat16_from_float(NAN) == 0x7FC0);
  CHECK(float8_from_float(DType::Float8E4M3Fn, 1000.0f) == 0x7E);  // saturates
  CHECK(float8_from_float(DType::Float8E4M3Fn, -INFINITY) == 0xFE);
  CHECK(float8_from_float(DType::Float8E5M2, 1e6f) == 0x7C);
  CHECK(float8_from_float(DType::Float8E4M3Fnuz, -0.0f) == 0);
  CHECK(float8_from_float(DType::Float8E5M2Fnuz, INFINITY) == 0x80);
  CHECK(float8_from_float(DType::Float8E8M0Fnu, 3.0f) == 129);
}
