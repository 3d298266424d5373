#include "interp/allocation.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>

#include "core/base/text.h"
#include "interp/block_heap.h"
#include "interp/check.h"
#include "interp/convert.h"
#include "interp/kernel_context.h"
#include "interp/promote.h"
#include "interp/shapes.h"

namespace pt2::interp {

namespace {

constexpr size_t kAlignment = 64;

[[noreturn]] void refuse(size_t size_bytes, const MemoryBudget& budget) {
  const size_t used = budget.used_bytes(), left = budget.limit_bytes() > used ? budget.limit_bytes() - used : 0;
  throw KernelError("the result needs " + bytes_text(size_bytes) + ", " + bytes_text(left) + " are left of the " + bytes_text(budget.limit_bytes()) +
                        " memory limit",
                    ErrorKind::Limit);
}

// Blocks from here on come from the block heap. Under a sanitizer they come from malloc like the others, so that it sees where each one ends.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr size_t kLargeBlock = std::numeric_limits<size_t>::max();
#else
constexpr size_t kLargeBlock = 64 * 1024;
#endif

BlockHeap& block_heap() {
  static BlockHeap& heap = *new BlockHeap;  // never destroyed: a storage may outlive every other object
  return heap;
}

using Budget = std::shared_ptr<MemoryBudget>;

// null: no block heap for it.
Storage allocate_large(size_t size_bytes, const Budget& budget) {
  void* block = size_bytes >= kLargeBlock ? block_heap().take(size_bytes) : nullptr;
  if (!block) return Storage();
  std::shared_ptr<void> owner(block, [budget, size_bytes](void* p) {
    block_heap().give_back(p, size_bytes);
    budget->give_back(size_bytes);
  });
  return Storage(std::move(owner), static_cast<std::byte*>(block), size_bytes);
}

// Gives the room for one object with `extra` bytes behind it, which begin at *behind.
template <class T>
struct WithRoom {
  using value_type = T;
  size_t extra;
  std::byte** behind;
  WithRoom(size_t extra_bytes, std::byte** at) : extra(extra_bytes), behind(at) {}
  template <class U>
  WithRoom(const WithRoom<U>& other) : extra(other.extra), behind(other.behind) {}
  T* allocate(size_t count) {
    auto* room = static_cast<std::byte*>(std::malloc(count * sizeof(T) + extra));
    if (!room) throw std::bad_alloc();
    *behind = room + count * sizeof(T);
    return reinterpret_cast<T*>(room);
  }
  void deallocate(T* room, size_t) { std::free(room); }
  friend bool operator==(const WithRoom&, const WithRoom&) = default;
};

struct Owed {
  Owed(Budget owner, size_t size) : budget(std::move(owner)), size_bytes(size) {}
  Owed(const Owed&) = delete;
  Owed& operator=(const Owed&) = delete;
  Budget budget;
  size_t size_bytes;
  ~Owed() { budget->give_back(size_bytes); }
};

std::byte* aligned(std::byte* at) { return at + (kAlignment - reinterpret_cast<uintptr_t>(at) % kAlignment) % kAlignment; }

[[noreturn]] void refuse_for_system(size_t size_bytes) { throw KernelError("the system has no memory left for " + bytes_text(size_bytes), ErrorKind::Limit); }

// Most results of a run are a few numbers: the owner and the bytes are one block.
Storage allocate_small(size_t size_bytes, const Budget& budget) {
  std::byte* behind = nullptr;
  try {
    auto owner = std::allocate_shared<Owed>(WithRoom<Owed>(size_bytes + kAlignment, &behind), budget, size_bytes);
    return Storage(std::move(owner), aligned(behind), size_bytes);
  } catch (const std::bad_alloc&) {
    budget->give_back(size_bytes);
    refuse_for_system(size_bytes);
  }
}

const Budget& take_from_budget(size_t size_bytes) {
  const Budget& budget = current_context().memory;
  if (size_bytes > std::numeric_limits<size_t>::max() / 4 || !budget->take(size_bytes)) refuse(size_bytes, *budget);
  return budget;
}

Tensor with_storage(std::span<const int64_t> sizes, Shape strides, DType dtype, Storage (*allocate_storage)(size_t)) {
  check(item_size(dtype) > 0, "no tensor can have the dtype ", dtype);
  const int64_t numel = checked_numel(sizes);
  int64_t last = 0, size_bytes = 0;
  bool overflow = false;
  for (size_t d = 0; d < sizes.size() && numel; ++d) {
    int64_t step = 0;
    check(strides[d] >= 0, "negative strides are not supported: ", strides);
    overflow |= __builtin_mul_overflow(sizes[d] - 1, strides[d], &step) || __builtin_add_overflow(last, step, &last);
  }
  if (numel) overflow |= __builtin_add_overflow(last, int64_t{1}, &last);
  overflow |= __builtin_mul_overflow(last, int64_t{item_size(dtype)}, &size_bytes);
  check(!overflow, "a tensor of sizes ", sizes, " and dtype ", dtype, " does not fit in 64 bits");
  Tensor tensor;
  tensor.storage = allocate_storage(static_cast<size_t>(size_bytes));
  tensor.dtype = dtype;
  tensor.sizes.assign(sizes.begin(), sizes.end());
  tensor.strides = std::move(strides);
  return tensor;
}

}  // namespace

Storage allocate(size_t size_bytes) {
  const Budget& budget = take_from_budget(size_bytes);
  Storage large = allocate_large(size_bytes, budget);
  return large.identity() ? large : allocate_small(size_bytes, budget);
}

Storage allocate_zeroed(size_t size_bytes) {
  const Budget& budget = take_from_budget(size_bytes);
  if (size_bytes < kLargeBlock) {
    Storage storage = allocate_small(size_bytes, budget);
    std::memset(storage.data(), 0, size_bytes);
    return storage;
  }
  // The system's own zeros, which cost nothing until they are touched.
  void* block = std::calloc(size_bytes + kAlignment, 1);
  if (!block) {
    budget->give_back(size_bytes);
    refuse_for_system(size_bytes);
  }
  std::shared_ptr<void> owner(block, [budget, size_bytes](void* p) {
    std::free(p);
    budget->give_back(size_bytes);
  });
  return Storage(std::move(owner), aligned(static_cast<std::byte*>(block)), size_bytes);
}

Tensor empty(std::span<const int64_t> sizes, DType dtype, MemoryFormat format) {
  checked_numel(sizes);
  return with_storage(sizes, strides_for(sizes, format), dtype, allocate);
}

Tensor empty_strided(std::span<const int64_t> sizes, std::span<const int64_t> strides, DType dtype) {
  check(sizes.size() == strides.size(), "dimensionality of sizes (", sizes.size(), ") must match dimensionality of strides (", strides.size(), ")");
  return with_storage(sizes, Shape(strides.begin(), strides.end()), dtype, allocate);
}

Tensor empty_like(const Tensor& like, DType dtype, MemoryFormat format) {
  if (dtype == DType::Unknown) dtype = like.dtype;
  if (format != MemoryFormat::Preserve && format != MemoryFormat::Unknown) return empty(like.sizes, dtype, format);
  return with_storage(like.sizes, preserved_strides(like), dtype, allocate);
}

Tensor zeros(std::span<const int64_t> sizes, DType dtype, MemoryFormat format) {
  checked_numel(sizes);
  return with_storage(sizes, strides_for(sizes, format), dtype, allocate_zeroed);
}

Tensor zeros_like(const Tensor& like, DType dtype) {
  return with_storage(like.sizes, preserved_strides(like), dtype == DType::Unknown ? like.dtype : dtype, allocate_zeroed);
}

Tensor full(std::span<const int64_t> sizes, DType dtype, const Scalar& value) {
  Tensor tensor = empty(sizes, dtype);
  fill(tensor, value);
  return tensor;
}

Tensor wrapped_scalar(const Scalar& number) {
  const DType wide = number.is_bool() ? DType::Bool : number.is_integral() ? DType::Int64 : number.is_floating() ? DType::Float64 : DType::Complex128;
  Tensor tensor = full({}, wide, number);
  tensor.wrapped_number = true;
  return tensor;
}

}  // namespace pt2::interp
