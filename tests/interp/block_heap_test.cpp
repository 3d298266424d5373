#include "interp/block_heap.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <vector>

using namespace pt2::interp;

TEST_CASE("large blocks are aligned, apart, and used again") {
  BlockHeap heap;
  std::vector<std::pair<unsigned char*, size_t>> blocks;
  for (size_t size : {size_t{100'000}, size_t{1} << 20, size_t{65'537}, size_t{40} << 20, size_t{3'000'001}}) {
    auto* block = static_cast<unsigned char*>(heap.take(size));
    REQUIRE(block);
    CHECK(reinterpret_cast<uintptr_t>(block) % 64 == 0);
    std::memset(block, static_cast<int>(blocks.size() + 1), size);
    blocks.emplace_back(block, size);
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    CHECK(blocks[i].first[0] == i + 1);
    CHECK(blocks[i].first[blocks[i].second - 1] == i + 1);
  }
  const size_t mapped = heap.mapped_bytes();
  heap.give_back(blocks[1].first, blocks[1].second);
  CHECK(heap.take(size_t{1} << 20) == blocks[1].first);  // the smallest hole that fits
  CHECK(heap.mapped_bytes() == mapped);
}

TEST_CASE("freed neighbours become one block, and what no run needs goes back to the system") {
  BlockHeap heap;
  constexpr size_t kPiece = size_t{4} << 20;
  std::vector<void*> pieces;
  for (int i = 0; i < 8; ++i) pieces.push_back(heap.take(kPiece));
  const size_t one_region = heap.mapped_bytes();
  for (int i : {1, 3, 2, 5, 7, 6, 0, 4}) heap.give_back(pieces[static_cast<size_t>(i)], kPiece);
  void* whole = heap.take(8 * kPiece);
  CHECK(whole == pieces[0]);
  CHECK(heap.mapped_bytes() == one_region);
  heap.give_back(whole, 8 * kPiece);

  std::vector<void*> many;
  for (int i = 0; i < 200; ++i) many.push_back(heap.take(kPiece));
  const size_t most = heap.mapped_bytes();
  CHECK(most >= 200 * kPiece);
  for (void* block : many) heap.give_back(block, kPiece);
  CHECK(heap.mapped_bytes() <= most / 2);
}
