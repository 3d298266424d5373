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
