#pragma once
// Where large results live. A run that keeps every value touches each byte of fresh memory once, and with pages of 4 KiB the system spends a
// quarter of such a run on page faults; malloc, moreover, hands every large block back to the system when it is freed. So large blocks are cut
// from regions that ask for huge pages, and what is freed serves the next result.
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <utility>

namespace pt2::interp {

// Thread-safe.
class BlockHeap {
 public:
  BlockHeap() = default;
  ~BlockHeap();  // gives back everything, blocks in use too
  BlockHeap(const BlockHeap&) = delete;
  BlockHeap& operator=(const BlockHeap&) = delete;

  // Uninitialised, aligned to 64. nullptr: the system has no more, or no regions.
  void* take(size_t size_bytes);
  // With the size it was taken with.
  void give_back(void* block, size_t size_bytes);

  size_t mapped_bytes() const;  // of all regions

 private:
  struct Region { size_t size = 0, used = 0; };
  using Regions = std::map<std::byte*, Region>;

  bool add_region(size_t size_bytes);
  bool add_free(std::byte* begin, size_t size);
  void remove_free(std::map<std::byte*, size_t>::iterator range);

  mutable std::mutex mutex_;
  Regions regions_;                                // by address
  size_t spare_bytes_ = 0;                         // of regions in which nothing is used
  std::map<std::byte*, size_t> free_;              // ranges by address; neighbours of one region are one range
  std::set<std::pair<size_t, std::byte*>> by_size_;  // the same: the smallest that fits is taken
};

}  // namespace pt2::interp
