#include "views/workspace/meta_text.h"

#include <doctest/doctest.h>

using namespace pt2;
using namespace pt2::views;

namespace {

// Sizes and strides as torch has them, of plain numbers.
TensorMeta meta(std::vector<int64_t> sizes, std::vector<int64_t> strides) {
  TensorMeta m;
  m.dtype = DType::Float32;
  for (int64_t s : sizes) m.sizes.push_back({s, true, nullptr});
  for (int64_t s : strides) m.strides.push_back({s, true, nullptr});
  return m;
}

}  // namespace

TEST_CASE("the memory format is what torch calls it") {
  CHECK(memory_format_text(meta({2, 3, 4, 5}, {60, 20, 5, 1})) == "contiguous");
  CHECK(memory_format_text(meta({2, 3, 4, 5}, {60, 1, 15, 3})) == "channels last");      // x.to(memory_format=torch.channels_last)
  CHECK(memory_format_text(meta({2, 3, 4, 5, 6}, {360, 1, 90, 18, 3})) == "channels last 3d");
  CHECK(memory_format_text(meta({3, 2}, {1, 3})) == "strided");                          // x.t()
  CHECK(memory_format_text(meta({1, 2}, {7, 1})) == "contiguous");                       // the stride of a size of one says nothing
}

TEST_CASE("bytes are counted where every size is known") {
  CHECK(byte_count(meta({2, 3}, {3, 1})) == 24u);
  TensorMeta open = meta({2, 3}, {3, 1});
  open.sizes[0] = {0, false, std::make_shared<SymExpr>()};
  CHECK_FALSE(byte_count(open).has_value());
  CHECK_FALSE(byte_count(meta({int64_t(1) << 62, 8}, {8, 1})).has_value());
}
