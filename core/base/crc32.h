#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace pt2 {

// The CRC-32 of zip archives, going on from `before`. With the processor's carry-less multiplication it costs about as much as reading the
// bytes, so that gigabytes of weights can be checked when they are used.
uint32_t crc32_of(std::span<const std::byte> bytes, uint32_t before = 0);

}  // namespace pt2
