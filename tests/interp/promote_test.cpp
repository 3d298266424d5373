#include "interp/promote.h"

#include <doctest/doctest.h>

#include "interp/allocation.h"
#include "interp/check.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("dtypes promote as torch.promote_types says") {
  // Rows and columns: uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool bfloat16 uint16
  const DType types[] = {DType::UInt8,   DType::Int8,      DType::Int16,     DType::Int32,      DType::Int64, DType::Float16,  DType::Float32,
                         DType::Float64, DType::Complex32, DType::Complex64, DType::Complex128, DType::Bool,  DType::BFloat16, DType::UInt16};
  const char* const table[] = {
      "u8 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 u8 bf16 -", "i16 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 i8 bf16 -",
      "i16 i16 i16 i32 i64 f16 f32 f64 c32 c64 c128 i16 bf16 -", "i32 i32 i32 i32 i64 f16 f32 f64 c32 c64 c128 i32 bf16 -",
      "i64 i64 i64 i64 i64 f16 f32 f64 c32 c64 c128 i64 bf16 -", "f16 f16 f16 f16 f16 f16 f32 f64 c32 c64 c128 f16 f32 f16",
      "f32 f32 f32 f32 f32 f32 f32 f64 c64 c64 c128 f32 f32 f32", "f64 f64 f64 f64 f64 f64 f64 f64 c128 c128 c128 f64 f64 f64",
      "c32 c32 c32 c32 c32 c32 c64 c128 c32 c64 c128 c32 c64 -", "c64 c64 c64 c64 c64 c64 c64 c128 c64 c64 c128 c64 c64 -",
      "c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 c128 -", "u8 i8 i16 i32 i64 f16 f32 f64 c32 c64 c128 b8 bf16 -",
      "bf16 bf16 bf16 bf16 bf16 f32 f32 f64 c64 c64 c128 bf16 bf16 bf16", "- - - - - f16 f32 f64 - - - - bf16 u16"};
  for (size_t a = 0; a < std::size(types); ++a) {
    std::string row;
    for (DType b : types) {
      std::string name = "-";
      try {
        name = dtype_short_name(promote_types(types[a], b));
      } catch (const KernelError&) {
      }
      row += (row.empty() ? "" : " ") + name;
    }
    CHECK(row == table[a]);
  }
}

TEST_CASE("tensors with dimensions decide over 0-dimensional ones, those over numbers") {
  const Tensor vector_int = zeros(Shape{2}, DType::Int32), scalar_float64 = zeros({}, DType::Float64), vector_half = zeros(Shape{2}, DType::Float16);
  CHECK(result_type(vector_int, 2.5) == DType::Float32);
  CHECK(result_type(vector_int, int64_t{2}) == DType::Int32);
  CHECK(result_type(vector_half, scalar_float64) == DType::Float16);
  CHECK(result_type(vector_int, scalar_float64) == DType::Float64);
  CHECK(result_type(vector_half, wrapped_scalar(std::complex<double>(0, 1))) == DType::Complex32);
  CHECK(result_type(scalar_float64, 1.5) == DType::Float64);
  CHECK(result_type(zeros({}, DType::Float16), wrapped_scalar(1.5)) == DType::Float16);
}
