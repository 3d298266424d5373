#include "interp/block_heap.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>

namespace pt2::interp {

namespace {

constexpr size_t kHugePage = size_t{2} << 20;
constexpr size_t kRegion = size_t{32} << 20;
constexpr size_t kSpare = 8 * kRegion;  // empty regions that stay for the next run: to clear new pages is a quarter of its time
constexpr size_t kGrain = 256;  // of block sizes: keeps blocks aligned and apart

size_t rounded(size_t size, size_t to) { return (size + to - 1) / to * to; }

}  // namespace

BlockHeap::~BlockHeap() {
  for (const auto& [begin, region] : regions_) munmap(begin, region.size);
}

bool BlockHeap::add_region(size_t size_bytes) {
  const size_t size = rounded(std::max(size_bytes, kRegion), kHugePage), with_slack = size + kHugePage;
  void* mapped = mmap(nullptr, with_slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return false;
  auto* const start = static_cast<std::byte*>(mapped);
  const size_t before = (kHugePage - reinterpret_cast<uintptr_t>(start) % kHugePage) % kHugePage;
  std::byte* const begin = start + before;
  if (before > 0) munmap(start, before);
  if (before < kHugePage) munmap(begin + size, kHugePage - before);
  madvise(begin, size, MADV_HUGEPAGE);  // only ever a hint
  try {
    regions_.emplace(begin, Region{size, 0});
  } catch (const std::bad_alloc&) {
    munmap(begin, size);
    return false;
  }
  if (!add_free(begin, size)) {
    regions_.erase(begin);
    munmap(begin, size);
    return false;
  }
  spare_bytes_ += size;
  return true;
}

// False: there is no memory to note it.
bool BlockHeap::add_free(std::byte* begin, size_t size) {
  try {
    const auto at = free_.emplace(begin, size).first;
    try {
      by_size_.emplace(size, begin);
    } catch (const std::bad_alloc&) {
      free_.erase(at);
      return false;
    }
  } catch (const std::bad_alloc&) {
    return false;
  }
  return true;
}

void BlockHeap::remove_free(std::map<std::byte*, size_t>::iterator range) {
  by_size_.erase({range->second, range->first});
  free_.erase(range);
}

void* BlockHeap::take(size_t size_bytes) {
  const size_t size = rounded(std::max<size_t>(size_bytes, 1), kGrain);
  std::lock_guard lock(mutex_);
  auto fit = by_size_.lower_bound({size, nullptr});
  if (fit == by_size_.end()) {
    if (!add_region(size)) return nullptr;
    fit = by_size_.lower_bound({size, nullptr});
  }
  const auto [available, block] = *fit;
  remove_free(free_.find(block));
  // What cannot be noted as free counts as used from now on.
  const bool noted = available == size || add_free(block + size, available - size);
  Region& region = std::prev(regions_.upper_bound(block))->second;
  if (region.used == 0) spare_bytes_ -= region.size;
  region.used += noted ? size : available;
  return block;
}

void BlockHeap::give_back(void* given, size_t size_bytes) {
  auto* block = static_cast<std::byte*>(given);
  size_t size = rounded(std::max<size_t>(size_bytes, 1), kGrain);
  std::lock_guard lock(mutex_);
  const auto region = std::prev(regions_.upper_bound(block));
  std::byte* const region_end = region->first + region->second.size;
  region->second.used -= size;
  if (const auto next = free_.find(block + size); next != free_.end() && block + size < region_end) {
    size += next->second;
    remove_free(next);
  }
  if (auto next = free_.lower_bound(block); next != free_.begin() && block > region->first) {
    const auto previous = std::prev(next);
    if (previous->first + previous->second == block) {
      block = previous->first;
      size += previous->second;
      remove_free(previous);
    }
  }
  if (region->second.used == 0 && spare_bytes_ + region->second.size > kSpare) {
    munmap(region->first, region->second.size);
    regions_.erase(region);
    return;
  }
  if (!add_free(block, size)) region->second.used += size;
  else if (region->second.used == 0) spare_bytes_ += region->second.size;
}

size_t BlockHeap::mapped_bytes() const {
  std::lock_guard lock(mutex_);
  size_t bytes = 0;
  for (const auto& [begin, region] : regions_) bytes += region.size;
  return bytes;
}

}  // namespace pt2::interp
