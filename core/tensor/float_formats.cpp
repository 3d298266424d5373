#include "core/tensor/float_formats.h"

#include <cmath>

namespace pt2 {

namespace {

// sign · exponent · mantissa.
struct Float8Facts {
  int mantissa_bits, bias;
  uint8_t nan, largest;          // the codes of NaN and of the largest finite magnitude
  uint8_t overflow;              // what is too large becomes
  bool has_infinity, one_zero;   // one_zero: the code of −0 is the only NaN
};

Float8Facts facts(DType dtype) {
  switch (dtype) {
    case DType::Float8E4M3Fn: return {3, 7, 0x7F, 0x7E, 0x7E, false, false};  // saturates
    case DType::Float8E5M2: return {2, 15, 0x7F, 0x7B, 0x7C, true, false};    // as IEEE's formats
    case DType::Float8E4M3Fnuz: return {3, 8, 0x80, 0x7F, 0x80, false, true};
    default: return {2, 16, 0x80, 0x7F, 0x80, false, true};                   // Float8E5M2Fnuz
  }
}

}  // namespace

float float_from_float8(DType dtype, uint8_t bits) {
  if (dtype == DType::Float8E8M0Fnu) {  // an exponent and nothing else
    if (bits == 0xFF) return std::bit_cast<float>(0x7F800001u | 0x00400000u);
    return std::ldexp(1.0f, int{bits} - 127);
  }
  const Float8Facts f = facts(dtype);
  const int magnitude = bits & 0x7F;
  const bool negative = bits & 0x80;
  if (f.one_zero ? bits == 0x80 : (f.has_infinity ? magnitude > 0x7C : magnitude == 0x7F))
    return std::bit_cast<float>(negative && !f.one_zero ? 0xFFC00000u : 0x7FC00000u);
  float value;
  if (f.has_infinity && magnitude == 0x7C) value = INFINITY;
  else {
    const int exponent = magnitude >> f.mantissa_bits, mantissa = magnitude & ((1 << f.mantissa_bits) - 1);
    value = exponent == 0 ? std::ldexp(static_cast<float>(mantissa), 1 - f.bias - f.mantissa_bits)
                          : std::ldexp(static_cast<float>(mantissa + (1 << f.mantissa_bits)), exponent - f.bias - f.mantissa_bits);
  }
  return negative ? -value : value;
}

uint8_t float8_from_float(DType dtype, float value) {
  if (dtype == DType::Float8E8M0Fnu) {
    const uint32_t bits = std::bit_cast<uint32_t>(value), exponent = (bits >> 23) & 0xFF;
    if (exponent == 0xFF) return 0xFF;
    // Half of the next power of two rounds up, an exact tie to the even mantissa bit, which only exponent 0 can have odd.
    const bool guard = bits & 0x400000, rest = bits & 0x3FFFFF, lowest = exponent > 0;
    return static_cast<uint8_t>(exponent + (guard && (lowest || rest) ? 1 : 0));
  }
  const Float8Facts f = facts(dtype);
  const uint8_t sign = std::signbit(value) ? 0x80 : 0;
  const float magnitude = std::fabs(value);
  const auto with_sign = [&](uint8_t code) { return static_cast<uint8_t>(code | sign); };  // 0x80 has it already
  if (std::isnan(value)) return with_sign(f.nan);
  if (std::isinf(value)) return with_sign(f.overflow);

  int exponent = 0;
  std::frexp(magnitude, &exponent);             // magnitude = m · 2^exponent, 0.5 ≤ m < 1
  const int lowest = 1 - f.bias;                // exponent of the smallest normal number
  int e = magnitude == 0 ? lowest : exponent - 1;
  if (e < lowest) e = lowest;
  const int unit = e - f.mantissa_bits;         // one unit in the last place is 2^unit
  const auto steps = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -unit)));
  const int code = steps + ((e - lowest) << f.mantissa_bits);  // a carry out of the mantissa lands in the exponent
  if (code > f.largest) return with_sign(f.overflow);
  if (f.one_zero && code == 0) return 0;
  return with_sign(static_cast<uint8_t>(code));
}

}  // namespace pt2
