#pragma once
// Files mapped into memory, and what happens when a mapped file is cut short by somebody else: touching a page past its end raises
// SIGBUS. A handler puts a page of zeros in place of the missing one, so the reader goes on, and marks the mapping as failed. Whoever
// needs the bytes to be right calls check_mapping() before the first use and again afterwards.
#include <sys/stat.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string_view>

#include "core/tensor/tensor.h"

namespace pt2 {

// A file as it was when it was opened; closed with the last reader or mapping.
class OpenFile {
 public:
  OpenFile(int descriptor, const struct stat& status) : descriptor_(descriptor), status_(status) {}
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int descriptor() const { return descriptor_; }
  uint64_t size() const { return static_cast<uint64_t>(status_.st_size); }
  Result<void> unchanged() const;

 private:
  int descriptor_;
  struct stat status_;
};
Error changed_on_disk();

// A private copy-on-write mapping; nullopt where the system refuses (then the bytes are read instead).
std::optional<Storage> map_private(std::shared_ptr<const OpenFile> file, uint64_t offset, uint64_t size);

bool is_mapping(const Storage& storage);

// What the bytes of a mapping must add up to; no effect on other storages. Reads nothing yet.
void expect_checksum(const Storage& storage, uint32_t crc, std::string_view record);

// For a storage that is a mapping: its file is unchanged, no page was missing, and, the first time only, its bytes have the expected
// checksum; call it before anything writes to the storage. All other storages are right as they are.
Result<void> check_mapping(const Storage& storage, const std::stop_token& stop = {});

}  // namespace pt2
