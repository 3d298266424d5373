#pragma once
// PyTorch's CPU random generator: mt19937, its state and the bits it hands out in PyTorch's order, so that a seed gives the same numbers.
#include <array>
#include <cstdint>
#include <optional>

namespace pt2::interp {

class Generator {
 public:
  static constexpr uint64_t kDefaultSeed = 67280421310721;  // c10's default_rng_seed_val
  explicit Generator(uint64_t seed = kDefaultSeed) { set_seed(seed); }

  void set_seed(uint64_t seed);
  uint64_t seed() const { return seed_; }
  uint32_t random();    // 32 bits
  uint64_t random64();  // two draws: the first is the high half
  // normal_distribution makes its numbers in pairs and keeps the second for the next who asks.
  void keep_normal(double second) { kept_normal_ = second; }
  std::optional<double> take_normal();
  int64_t draws() const { return draws_; }  // how often random() or a kept number was taken, ever

 private:
  static constexpr int kStateSize = 624, kShift = 397;
  void refill();

  uint64_t seed_ = 0;
  int64_t draws_ = 0;
  std::optional<double> kept_normal_;
  int left_ = 1;
  uint32_t next_ = 0;
  std::array<uint32_t, kStateSize> state_{};
};

}  // namespace pt2::interp
