#include "core/base/crc32.h"

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace pt2 {

namespace {

uint32_t by_zlib(std::span<const std::byte> bytes, uint32_t before) {
  return static_cast<uint32_t>(crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

#if defined(__x86_64__)
// Folding as in Gopal and others, "Fast CRC computation for generic polynomials using PCLMULQDQ" (Intel, 2009), with the constants of the
// reflected polynomial EDB88320. At least 64 bytes, a multiple of 16.
__attribute__((target("pclmul,sse4.1"))) uint32_t by_folding(std::span<const std::byte> bytes, uint32_t before) {
  const auto* at = reinterpret_cast<const __m128i*>(bytes.data());
  size_t left = bytes.size() / 16;
  const auto load = [](const __m128i* from) __attribute__((target("pclmul,sse4.1"))) { return _mm_loadu_si128(from); };
  const auto fold = [](__m128i x, __m128i k, __m128i next) __attribute__((target("pclmul,sse4.1"))) {
    return _mm_xor_si128(_mm_xor_si128(_mm_clmulepi64_si128(x, k, 0x00), _mm_clmulepi64_si128(x, k, 0x11)), next);
  };
  __m128i a = _mm_xor_si128(load(at), _mm_cvtsi32_si128(static_cast<int>(~before))), b = load(at + 1), c = load(at + 2), d = load(at + 3);
  const __m128i by_64 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4), by_16 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  for (at += 4, left -= 4; left >= 4; at += 4, left -= 4) {
    a = fold(a, by_64, load(at));
    b = fold(b, by_64, load(at + 1));
    c = fold(c, by_64, load(at + 2));
    d = fold(d, by_64, load(at + 3));
  }
  a = fold(fold(fold(a, by_16, b), by_16, c), by_16, d);
  for (; left > 0; ++at, --left) a = fold(a, by_16, load(at));
  // 128 bits to 64, then Barrett's reduction to 32.
  const __m128i low = _mm_set_epi32(0, ~0, 0, ~0);
  a = _mm_xor_si128(_mm_srli_si128(a, 8), _mm_clmulepi64_si128(a, by_16, 0x10));
  a = _mm_xor_si128(_mm_srli_si128(a, 4), _mm_clmulepi64_si128(_mm_and_si128(a, low), _mm_set_epi64x(0, 0x0163cd6124), 0x00));
  const __m128i barrett = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  __m128i t = _mm_and_si128(_mm_clmulepi64_si128(_mm_and_si128(a, low), barrett, 0x10), low);
  t = _mm_clmulepi64_si128(t, barrett, 0x00);
  return ~static_cast<uint32_t>(_mm_extract_epi32(_mm_xor_si128(a, t), 1));
}
#endif

}  // namespace

uint32_t crc32_of(std::span<const std::byte> bytes, uint32_t before) {
#if defined(__x86_64__)
  static const bool can_fold = __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1");
  if (can_fold && bytes.size() >= 64) {
    const size_t folded = bytes.size() & ~size_t{15};
    before = by_folding(bytes.first(folded), before);
    bytes = bytes.subspan(folded);
  }
#endif
  return bytes.empty() ? before : by_zlib(bytes, before);
}

}  // namespace pt2
