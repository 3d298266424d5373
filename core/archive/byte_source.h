#pragma once
// Where bytes come from: an open file, a part of another source, or memory. Every read is checked against the real size, and a file
// that changed since it was opened gives an error rather than bytes of two versions.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "core/base/result.h"
#include "core/tensor/tensor.h"

namespace pt2 {

inline constexpr uint64_t kMappedFromBytes = 256 << 10;  // smaller records are copied: cheaper than a mapping, and cannot fault

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  uint64_t size() const { return size_; }
  // All bytes of `into`, or an error. Thread-safe.
  virtual Result<void> read(uint64_t offset, std::span<std::byte> into) const = 0;
  // Bytes as storage that may be written to without changing the source. Large parts of files are mapped: they cost nothing until
  // touched; check_mapping() (mapped_storage.h) tells whether their bytes are right.
  virtual Result<Storage> storage(uint64_t offset, uint64_t size) const = 0;

  Result<std::string> text(uint64_t offset, uint64_t size) const;

 protected:
  explicit ByteSource(uint64_t size) : size_(size) {}
  Error outside(uint64_t offset, uint64_t size) const;

 private:
  uint64_t size_;
};

// "-" is standard input; what a pipe brings is kept in a temporary file.
Result<std::shared_ptr<const ByteSource>> open_byte_source(const std::string& path);
// `size` bytes from `offset` on; keeps `source` alive.
std::shared_ptr<const ByteSource> part_of(std::shared_ptr<const ByteSource> source, uint64_t offset, uint64_t size);
std::shared_ptr<const ByteSource> source_of(std::string bytes);

}  // namespace pt2
