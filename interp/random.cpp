// After at::mt19937 (ATen/core/MT19937RNGEngine.h) and CPUGeneratorImpl.
#include "interp/random.h"

#include <utility>

namespace pt2::interp {

void Generator::set_seed(uint64_t seed) {
  seed_ = seed;
  state_[0] = static_cast<uint32_t>(seed);
  for (uint32_t j = 1; j < kStateSize; ++j) state_[j] = 1812433253u * (state_[j - 1] ^ (state_[j - 1] >> 30)) + j;
  left_ = 1;
  next_ = 0;
  kept_normal_.reset();
}

void Generator::refill() {
  auto mix = [](uint32_t u, uint32_t v) { return (u & 0x80000000u) | (v & 0x7fffffffu); };
  auto twist = [&](uint32_t u, uint32_t v) { return (mix(u, v) >> 1) ^ ((v & 1u) ? 0x9908b0dfu : 0u); };
  uint32_t* p = state_.data();
  left_ = kStateSize;
  next_ = 0;
  for (int j = kStateSize - kShift + 1; --j; ++p) *p = p[kShift] ^ twist(p[0], p[1]);
  for (int j = kShift; --j; ++p) *p = p[kShift - kStateSize] ^ twist(p[0], p[1]);
  *p = p[kShift - kStateSize] ^ twist(p[0], state_[0]);
}

std::optional<double> Generator::take_normal() {
  if (kept_normal_) ++draws_;
  return std::exchange(kept_normal_, std::nullopt);
}

uint32_t Generator::random() {
  ++draws_;
  if (--left_ == 0) refill();
  uint32_t y = state_[next_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680u;
  y ^= (y << 15) & 0xefc60000u;
  y ^= y >> 18;
  return y;
}

uint64_t Generator::random64() {
  const uint64_t high = random();
  return (high << 32) | random();
}

}  // namespace pt2::interp
