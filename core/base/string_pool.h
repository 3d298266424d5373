#pragma once
// Interning. 50,000 nodes share a handful of stack traces, module paths and targets; every text a Program keeps is a
// std::string_view into its pool, so equal texts are stored once and can be compared by address.
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace pt2 {

class StringPool {
 public:
  // The pooled copy of `text`; lives as long as the pool.
  std::string_view intern(std::string_view text) {
    if (text.empty()) return {};
    if ((size_ + 1) * 4 > slots_.size() * 3) grow();
    const uint32_t hash = static_cast<uint32_t>(std::hash<std::string_view>()(text));
    for (size_t i = hash & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      Slot& slot = slots_[i];
      if (slot.text.data() == nullptr) {
        ++size_;
        slot = {keep(text), hash};
        return slot.text;
      }
      if (slot.hash == hash && slot.text == text) return slot.text;
    }
  }

 private:
  static constexpr size_t kBlockBytes = 64 * 1024;
  struct Slot {
    std::string_view text;  // data() == nullptr: free
    uint32_t hash = 0;
  };

  std::string_view keep(std::string_view text) {
    if (text.size() > left_) {
      const size_t bytes = text.size() > kBlockBytes / 4 ? text.size() : kBlockBytes;
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
      // A long text gets a block of its own and the begun one stays in use.
      if (bytes != kBlockBytes) return copy(text, blocks_.back().get());
      free_ = blocks_.back().get();
      left_ = bytes;
    }
    const std::string_view kept = copy(text, free_);
    free_ += text.size();
    left_ -= text.size();
    return kept;
  }
  static std::string_view copy(std::string_view text, char* to) {
    std::memcpy(to, text.data(), text.size());
    return {to, text.size()};
  }
  // Slots are a power of two, at most three quarters full.
  void grow() {
    std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 256 : slots_.size() * 2));
    for (const Slot& slot : old) {
      if (slot.text.data() == nullptr) continue;
      size_t i = slot.hash & (slots_.size() - 1);
      while (slots_[i].text.data() != nullptr) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  size_t size_ = 0;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* free_ = nullptr;
  size_t left_ = 0;
};

}  // namespace pt2
