#include "core/tensor/element.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "core/tensor/tensor_text.h"

using namespace pt2;

namespace {

template <class T>
std::string text_of(DType dtype, T bits) {
  return element_text(dtype, read_element(dtype, reinterpret_cast<const std::byte*>(&bits)));
}

}  // namespace

TEST_CASE("elements of every type have a text that gives them back") {
  CHECK(text_of(DType::Float32, 0.1f) == "0.1");
  CHECK(text_of(DType::Float64, 0.1) == "0.1");
  CHECK(text_of(DType::Float32, 3.0f) == "3.0");
  CHECK(text_of(DType::Float32, -INFINITY) == "-inf");
  CHECK(text_of(DType::Float16, uint16_t{0x2E66}) == "0.1");
  CHECK(text_of(DType::BFloat16, uint16_t{0x3DCD}) == "0.1");
  CHECK(text_of(DType::Float16, uint16_t{0x7BFF}) == "65504.0");  // the largest
  CHECK(text_of(DType::BFloat16, uint16_t{0x47EA}) == "119808.0");
  CHECK(text_of(DType::Float8E4M3Fn, uint8_t{0x7E}) == "448.0");
  CHECK(text_of(DType::Float64, 1e5) == "100000.0");
  CHECK(text_of(DType::Float64, 1e16) == "1e+16");
  CHECK(text_of(DType::Float64, 1e-5) == "1e-05");
  CHECK(text_of(DType::Float8E8M0Fnu, uint8_t{0x80}) == "2.0");
  CHECK(text_of(DType::Bool, uint8_t{1}) == "True");
  CHECK(text_of(DType::Int8, int8_t{-5}) == "-5");
  CHECK(text_of(DType::UInt64, UINT64_MAX) == "18446744073709551615");
  const float complex[] = {1, -2};
  CHECK(element_text(DType::Complex64, read_element(DType::Complex64, reinterpret_cast<const std::byte*>(complex))) == "1.0-2.0j");
  CHECK(text_of(DType::Float4E2M1FnX2, uint8_t{0xF7}) == "6.0|-6.0");
  const float one = 1;
  CHECK(element_hex(DType::Float32, reinterpret_cast<const std::byte*>(&one)) == "3f800000");
}

TEST_CASE("values are laid out as PyTorch prints them") {
  auto storage = zero_storage(12 * sizeof(float));
  const float values[] = {1, 2.5, -3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  std::memcpy(storage->data(), values, sizeof values);
  const Tensor t{*storage, DType::Float32, {2, 3, 2}, {6, 2, 1}, 0};
  CHECK(tensor_text(t, {1000, 3, 1}) ==
        "[[[ 1.0,  2.5],\n  [-3.0,  4.0],\n  [ 5.0,  6.0]],\n\n [[ 7.0,  8.0],\n  [ 9.0, 10.0],\n  [11.0, 12.0]]]");
  CHECK(tensor_text({*storage, DType::Float32, {12}, {1}, 0}, {5, 2, 0}) == "[ 1.0,  2.5, ..., 11.0, 12.0]");
  CHECK(tensor_text({*storage, DType::Float32, {}, {}, 1}) == "2.5");
  CHECK(tensor_text({*storage, DType::Float32, {0, 2}, {2, 1}, 0}) == "[]");
}

namespace {

template <class T>
const std::byte* bytes_of(const T& value) { return reinterpret_cast<const std::byte*>(&value); }

}  // namespace

TEST_CASE("bits stand in groups of sign, exponent and mantissa") {
  CHECK(element_bits(DType::Float32, bytes_of(1.5f)) == "0 01111111 10000000000000000000000");
  CHECK(element_bits(DType::BFloat16, bytes_of(uint16_t{0xBF80})) == "1 01111111 0000000");
  CHECK(element_bits(DType::Float8E5M2, bytes_of(uint8_t{0x3C})) == "0 01111 00");
  CHECK(element_bits(DType::Float8E8M0Fnu, bytes_of(uint8_t{0x80})) == "10000000");
  CHECK(element_bits(DType::Int16, bytes_of(int16_t{-2})) == "11111111 11111110");
}

// As numpy.spacing and torch.nextafter.
TEST_CASE("one unit in the last place") {
  CHECK(ulp_size(DType::Float32, bytes_of(1.0f)) == double(1.1920929e-07f));
  CHECK(ulp_size(DType::Float32, bytes_of(0.0f)) == double(1e-45f));
  CHECK(ulp_size(DType::Float64, bytes_of(3.0)) == 4.440892098500626e-16);
  CHECK(ulp_size(DType::Float16, bytes_of(uint16_t{0x3C00})) == 0.0009765625);
  CHECK(ulp_size(DType::BFloat16, bytes_of(uint16_t{0xBF80})) == 0.0078125);
  CHECK(ulp_size(DType::Float8E4M3Fn, bytes_of(uint8_t{0x7E})) == 32);  // the largest, 448: NaN is next
  CHECK(std::isnan(ulp_size(DType::Float32, bytes_of(INFINITY))));
  CHECK(std::isnan(ulp_size(DType::Int32, bytes_of(int32_t{1}))));
}

TEST_CASE("how many numbers lie between two") {
  CHECK(ulp_distance(DType::Float32, bytes_of(1.0f), bytes_of(std::nextafter(1.0f, 2.0f))) == 1u);
  CHECK(ulp_distance(DType::Float32, bytes_of(0.0f), bytes_of(-0.0f)) == 0u);
  const float tiny = std::nextafter(0.0f, 1.0f), below = -tiny;
  CHECK(ulp_distance(DType::Float32, bytes_of(tiny), bytes_of(below)) == 2u);
  CHECK(ulp_distance(DType::Float16, bytes_of(uint16_t{0x3C00}), bytes_of(uint16_t{0x3C05})) == 5u);
  CHECK_FALSE(ulp_distance(DType::Float32, bytes_of(NAN), bytes_of(1.0f)).has_value());
  CHECK_FALSE(ulp_distance(DType::Int32, bytes_of(1), bytes_of(2)).has_value());
}

TEST_CASE("numbers below the normal ones are told") {
  CHECK(is_denormal(DType::Float32, bytes_of(1e-40f)));
  CHECK_FALSE(is_denormal(DType::Float32, bytes_of(0.0f)));
  CHECK_FALSE(is_denormal(DType::Float32, bytes_of(1e-30f)));
  CHECK(is_denormal(DType::Float16, bytes_of(uint16_t{0x0001})));
}

TEST_CASE("differences of elements") {
  CHECK(element_difference(Element(2.5), Element(2.0)) == 0.5);
  CHECK(element_difference(Element(double(NAN)), Element(double(NAN))) == 0);
  CHECK(element_difference(Element(double(INFINITY)), Element(double(INFINITY))) == 0);
  CHECK(std::isnan(element_difference(Element(double(NAN)), Element(1.0))));
  CHECK(element_difference(Element(int64_t{9007199254740993}), Element(int64_t{9007199254740992})) == 1);
  CHECK(element_difference(Element(true), Element(false)) == 1);
  CHECK(element_difference(Element(std::complex<double>(3, -1)), Element(std::complex<double>(3, 1))) == 2);
}
