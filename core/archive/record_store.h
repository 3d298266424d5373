#pragma once
// The storages behind tensors, by record name: read when asked for, shared while anybody holds them.
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/archive/byte_source.h"
#include "core/archive/zip_reader.h"
#include "core/tensor/tensor.h"

namespace pt2 {

class RecordStore {
 public:
  virtual ~RecordStore() = default;
  // nullopt: there is no such record.
  virtual std::optional<uint64_t> size(std::string_view record) const = 0;
  // Thread-safe. `swap_width` > 1: numbers of so many bytes are stored the other way round than this machine has them.
  Result<Storage> storage(std::string_view record, int swap_width = 1) const;
  // Reads no data: whether the record lies inside the file.
  virtual Result<void> check(std::string_view record) const = 0;

 protected:
  virtual Result<Storage> load(std::string_view record) const = 0;

 private:
  struct Held { std::weak_ptr<void> owner; std::byte* data; size_t size; };
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, Held> held_;
};

// Members of a zip under a folder; equal stores share the reader.
std::shared_ptr<const RecordStore> zip_records(std::shared_ptr<const ZipReader> zip, std::string folder);
// Parts of a file: name → offset, size.
std::shared_ptr<const RecordStore> region_records(std::shared_ptr<const ByteSource> source, std::map<std::string, std::pair<uint64_t, uint64_t>, std::less<>> regions);

}  // namespace pt2
