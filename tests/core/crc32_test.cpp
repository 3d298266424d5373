#include "core/base/crc32.h"

#include <doctest/doctest.h>
#include <zlib.h>

#include <random>
#include <vector>

TEST_CASE("the CRC is zlib's for every length, alignment and beginning") {
  std::mt19937 random(1);
  std::vector<std::byte> bytes(700);
  for (std::byte& b : bytes) b = std::byte(random());
  size_t different = 0;
  for (size_t size = 0; size < 600; ++size)
    for (size_t offset = 0; offset < 3; ++offset) {
      const auto before = static_cast<uint32_t>(random());
      different += pt2::crc32_of(std::span(bytes).subspan(offset, size), before) != crc32_z(before, reinterpret_cast<const Bytef*>(bytes.data()) + offset, size);
    }
  CHECK(different == 0);
}
