#include "interp/item.h"

#include <cmath>
#include <cstring>

#include "interp/check.h"

namespace pt2::interp {

namespace {

template <class T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// A binary floating-point format by its widths; `finite_only`: no infinities, all ones is NaN (the …fn types).
double small_float(uint32_t bits, int exponent_bits, int mantissa_bits, int bias, bool finite_only) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const uint32_t exponent = (bits >> mantissa_bits) & ((1u << exponent_bits) - 1);
  const double sign = (bits >> (mantissa_bits + exponent_bits)) & 1 ? -1.0 : 1.0;
  const bool top = exponent == (1u << exponent_bits) - 1;
  if (top && !finite_only) return mantissa ? std::nan("") : sign * INFINITY;
  if (top && mantissa == (1u << mantissa_bits) - 1) return std::nan("");
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << mantissa_bits), static_cast<int>(exponent) - bias - mantissa_bits);
}

// The …fnuz types: no infinities, no negative zero; its pattern is NaN.
double unsigned_zero_float(uint8_t bits, int exponent_bits, int mantissa_bits, int bias) {
  if (bits == 0x80) return std::nan("");
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const uint32_t exponent = (bits >> mantissa_bits) & ((1u << exponent_bits) - 1);
  const double sign = bits & 0x80 ? -1.0 : 1.0;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1u << mantissa_bits), static_cast<int>(exponent) - bias - mantissa_bits);
}

double half(const std::byte* p) { return small_float(load<uint16_t>(p), 5, 10, 15, false); }

}  // namespace

Scalar item(const Tensor& tensor) {
  check(tensor.numel() > 0, "a tensor without elements has no item");
  const std::byte* p = tensor.bytes();
  switch (tensor.dtype) {
    case DType::Bool: return load<uint8_t>(p) != 0;
    case DType::UInt8: return int64_t{load<uint8_t>(p)};
    case DType::Int8: return int64_t{load<int8_t>(p)};
    case DType::Int16: return int64_t{load<int16_t>(p)};
    case DType::Int32: return int64_t{load<int32_t>(p)};
    case DType::Int64: return load<int64_t>(p);
    case DType::UInt16: return int64_t{load<uint16_t>(p)};
    case DType::UInt32: return int64_t{load<uint32_t>(p)};
    case DType::UInt64: return static_cast<int64_t>(load<uint64_t>(p));
    case DType::Float16: return half(p);
    case DType::BFloat16: return small_float(load<uint16_t>(p), 8, 7, 127, false);
    case DType::Float32: return double{load<float>(p)};
    case DType::Float64: return load<double>(p);
    case DType::Complex32: return std::complex<double>(half(p), half(p + 2));
    case DType::Complex64: return std::complex<double>(load<float>(p), load<float>(p + 4));
    case DType::Complex128: return std::complex<double>(load<double>(p), load<double>(p + 8));
    case DType::Float8E4M3Fn: return small_float(load<uint8_t>(p), 4, 3, 7, true);
    case DType::Float8E5M2: return small_float(load<uint8_t>(p), 5, 2, 15, false);
    case DType::Float8E4M3Fnuz: return unsigned_zero_float(load<uint8_t>(p), 4, 3, 8);
    case DType::Float8E5M2Fnuz: return unsigned_zero_float(load<uint8_t>(p), 5, 2, 16);
    case DType::Float8E8M0Fnu: {
      const auto exponent = load<uint8_t>(p);
      return exponent == 255 ? std::nan("") : std::ldexp(1.0, exponent - 127);
    }
    default: fail("the elements of a ", tensor.dtype, " tensor are no plain numbers");
  }
}

}  // namespace pt2::interp
