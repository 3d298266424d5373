#include "core/tensor/tensor.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "core/base/text.h"

namespace pt2 {

namespace {

constexpr uint64_t kStorageAlignment = 64;

Error no_memory(uint64_t size) {
  return {ErrorKind::Limit, "there is no memory for " + with_commas(size) + " bytes", "", "Close something, or use a larger machine."};
}

Storage owning(void* memory, uint64_t size) { return Storage(std::shared_ptr<void>(memory, std::free), static_cast<std::byte*>(memory), size); }

}  // namespace

Result<Storage> uninitialized_storage(uint64_t size) {
  if (size > PTRDIFF_MAX - kStorageAlignment) return no_memory(size);
  void* memory = std::aligned_alloc(kStorageAlignment, (size + kStorageAlignment) / kStorageAlignment * kStorageAlignment);
  if (!memory) return no_memory(size);
  return owning(memory, size);
}

// Large ones come straight from the system, which gives zeros and no memory before it is touched.
Result<Storage> zero_storage(uint64_t size) {
  if (size >= 1 << 20 && size <= PTRDIFF_MAX) {
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return no_memory(size);
    return Storage(std::shared_ptr<void>(memory, [size](void* m) { ::munmap(m, size); }), static_cast<std::byte*>(memory), size);
  }
  auto storage = uninitialized_storage(size);
  if (storage) std::memset(storage->data(), 0, size);
  return storage;
}

Shape contiguous_strides(std::span<const int64_t> sizes) {
  Shape strides(sizes.size());
  uint64_t stride = 1;  // of an empty tensor it may wrap around
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(std::max<int64_t>(sizes[i], 1));
  }
  return strides;
}

bool is_contiguous(const Tensor& tensor) {
  if (std::find(tensor.sizes.begin(), tensor.sizes.end(), 0) != tensor.sizes.end()) return true;
  int64_t expected = 1;
  for (size_t i = tensor.sizes.size(); i-- > 0;) {
    if (tensor.sizes[i] == 1) continue;
    if (tensor.strides[i] != expected) return false;
    expected *= tensor.sizes[i];
  }
  return true;
}

}  // namespace pt2
