#pragma once
// A plain zip of stored members, written in one go; sizes and checksums are put into the headers afterwards. zip64 where it must be.
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "core/base/file_writer.h"

namespace pt2 {

class ZipWriter {
 public:
  explicit ZipWriter(FileWriter& out) : out_(&out) {}
  explicit ZipWriter(std::string& out) : out_(&out) {}  // in memory: archives inside archives
  Result<void> begin(std::string name);
  Result<void> write(std::span<const std::byte> bytes);
  Result<void> end();
  Result<void> finish();  // the central directory

 private:
  struct Member { std::string name; uint64_t offset = 0, size = 0; uint32_t crc = 0; };
  std::string local_header(const Member& member) const;
  uint64_t position() const;
  Result<void> append(std::span<const std::byte> bytes);
  std::variant<FileWriter*, std::string*> out_;
  std::vector<Member> members_;
};

}  // namespace pt2
