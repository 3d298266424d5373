#pragma once
// A plain zip of stored members, written in one go; sizes and checksums are put into the headers afterwards. zip64 where it must be.
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/file_writer.h"

namespace pt2 {

class ZipWriter {
 public:
  explicit ZipWriter(FileWriter& out) : out_(out) {}
  Result<void> begin(std::string name);
  Result<void> write(std::span<const std::byte> bytes);
  Result<void> end();
  Result<void> finish();  // the central directory

 private:
  struct Member { std::string name; uint64_t offset = 0, size = 0; uint32_t crc = 0; };
  std::string local_header(const Member& member) const;
  FileWriter& out_;
  std::vector<Member> members_;
};

}  // namespace pt2
