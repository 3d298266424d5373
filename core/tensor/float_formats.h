#pragma once
// The small floating-point formats as bits, with PyTorch's rounding: to nearest, ties to even.
#include <bit>
#include <cstdint>

#include "core/tensor/dtype.h"

namespace pt2 {

// Without branches, so that loops over them vectorise.
inline float float_from_half(uint16_t h) {
  const uint32_t w = uint32_t{h} << 16;
  const uint32_t sign = w & 0x80000000u, two_w = w + w;
  const float normalized = std::bit_cast<float>((two_w >> 4) + (0xE0u << 23)) * 0x1.0p-112f;
  const float denormalized = std::bit_cast<float>((two_w >> 17) | (126u << 23)) - 0.5f;
  return std::bit_cast<float>(sign | (two_w < (1u << 27) ? std::bit_cast<uint32_t>(denormalized) : std::bit_cast<uint32_t>(normalized)));
}

inline uint16_t half_from_float(float f) {
  const uint32_t w = std::bit_cast<uint32_t>(f), shl1_w = w + w, sign = w & 0x80000000u;
  const float magnitude = std::bit_cast<float>(w & 0x7FFFFFFFu);
  float base = (magnitude * 0x1.0p+112f) * 0x1.0p-110f;
  uint32_t bias = shl1_w & 0xFF000000u;
  bias = bias < 0x71000000u ? 0x71000000u : bias;
  base = std::bit_cast<float>((bias >> 1) + 0x07800000u) + base;
  const uint32_t bits = std::bit_cast<uint32_t>(base);
  const uint32_t nonsign = ((bits >> 13) & 0x00007C00u) + (bits & 0x00000FFFu);
  return static_cast<uint16_t>((sign >> 16) | (shl1_w > 0xFF000000u ? 0x7E00u : nonsign));
}

inline float float_from_bfloat16(uint16_t b) { return std::bit_cast<float>(uint32_t{b} << 16); }

inline uint16_t bfloat16_from_float(float f) {
  const uint32_t w = std::bit_cast<uint32_t>(f);
  const uint32_t rounded = (w + 0x7FFFu + ((w >> 16) & 1u)) >> 16;
  return static_cast<uint16_t>((w & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FC0u : rounded);
}

// The five float8 types.
float float_from_float8(DType dtype, uint8_t bits);
uint8_t float8_from_float(DType dtype, float value);

}  // namespace pt2
