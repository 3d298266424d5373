#pragma once
// Tensors as data: a shared Storage and a strided view of it. The interpreter computes with these; loaders and writers fill them.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/dtype.h"

namespace pt2 {

using Shape = std::vector<int64_t>;

// Shared bytes. Copying a Storage shares them: writing through one shows in all. The memory may be owned or a private
// (copy-on-write) mapping of a file record; a mapped record costs nothing until it is touched.
class Storage {
 public:
  Storage() = default;
  // `owner` keeps the bytes alive; `data` points to `size_bytes` writable bytes inside it.
  Storage(std::shared_ptr<void> owner, std::byte* data, size_t size_bytes) : owner_(std::move(owner)), data_(data), size_bytes_(size_bytes) {}

  std::byte* data() const { return data_; }
  size_t size_bytes() const { return size_bytes_; }
  bool shares_with(const Storage& other) const { return owner_ == other.owner_; }
  const void* identity() const { return owner_.get(); }
  long use_count() const { return owner_.use_count(); }
  const std::shared_ptr<void>& owner() const { return owner_; }

 private:
  std::shared_ptr<void> owner_;
  std::byte* data_ = nullptr;
  size_t size_bytes_ = 0;
};

struct Tensor {
  Storage storage;
  DType dtype = DType::Unknown;
  Shape sizes;
  Shape strides;       // in elements, one per dimension
  int64_t offset = 0;  // in elements
  bool wrapped_number = false;  // made from a Python number: 0-dimensional, and weak in type promotion

  int64_t dim() const { return static_cast<int64_t>(sizes.size()); }
  int64_t numel() const { return std::accumulate(sizes.begin(), sizes.end(), int64_t{1}, std::multiplies<>()); }
  std::byte* bytes() const { return storage.data() + offset * item_size(dtype); }
  template <class T>
  T* data() const { return reinterpret_cast<T*>(bytes()); }
};

// Fresh memory, aligned to 64 bytes; an error where there is none.
Result<Storage> zero_storage(uint64_t size_bytes);
Result<Storage> uninitialized_storage(uint64_t size_bytes);

// Row-major strides, as torch.empty gives them (a size of 0 counts as 1).
Shape contiguous_strides(std::span<const int64_t> sizes);
bool is_contiguous(const Tensor& tensor);

}  // namespace pt2
