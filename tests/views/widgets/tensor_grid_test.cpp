// Numbers of the tensor grid. What is expected is what `print` of PyTorch shows for the number by itself, without the zeros and the point at its end.
#include "views/widgets/tensor_grid.h"

#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>

using namespace pt2;
using views::NumberFormat;

namespace {

std::string auto_text(DType dtype, uint16_t bits) { return views::cell_text(dtype, reinterpret_cast<const std::byte*>(&bits), NumberFormat::Auto, 4); }
std::string auto_text(double value) { return views::cell_text(DType::Float64, reinterpret_cast<const std::byte*>(&value), NumberFormat::Auto, 4); }
std::string auto_text(float value, int digits = 4) { return views::cell_text(DType::Float32, reinterpret_cast<const std::byte*>(&value), NumberFormat::Auto, digits); }

}  // namespace

TEST_CASE("tensor grid: automatic numbers of float16 and bfloat16 have an exponent where PyTorch prints one") {
  CHECK(auto_text(DType::Float16, 0x7207) == "12344");
  CHECK(auto_text(DType::Float16, 0xF8E2) == "-40000");
  CHECK(auto_text(DType::Float16, 0x7BFF) == "65504");
  CHECK(auto_text(DType::Float16, 0x63D1) == "1000.5");
  CHECK(auto_text(DType::Float16, 0x57B7) == "123.4375");
  CHECK(auto_text(DType::Float16, 0x3C00) == "1");
  CHECK(auto_text(DType::Float16, 0x8000) == "-0");
  CHECK(auto_text(DType::Float16, 0x03FF) == "6.0976e-05");
  CHECK(auto_text(DType::BFloat16, 0x4641) == "12352");
  CHECK(auto_text(DType::BFloat16, 0x7F7F) == "3.3895e+38");
  CHECK(auto_text(DType::BFloat16, 0x4CBF) == "1.0014e+08");
  CHECK(auto_text(DType::BFloat16, 0x7F80) == "inf");
}

TEST_CASE("tensor grid: automatic numbers of other types, and with other digits") {
  CHECK(auto_text(1e8f) == "100000000");
  CHECK(auto_text(1.5e8f) == "1.5e+08");
  CHECK(auto_text(1234.5678f) == "1234.5677");
  CHECK(auto_text(99999.99f) == "99999.9922");
  CHECK(auto_text(-1.5e-7f) == "-1.5e-07");
  CHECK(auto_text(123456789.0) == "1.2346e+08");
  CHECK(auto_text(1234.5678f, 2) == "1234.57");
  CHECK(auto_text(100.0f, 1) == "100");
  CHECK(auto_text(std::nanf("")) == "nan");
  // PyTorch prints 0.0123: here small numbers keep what tells them apart.
  CHECK(auto_text(0.012345f) == "0.01235");
  const float complex[] = {12344.5f, -0.25f};
  CHECK(views::cell_text(DType::Complex64, reinterpret_cast<const std::byte*>(complex), NumberFormat::Auto, 4) == "12344.5-0.25j");
}
