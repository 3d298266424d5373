#pragma once
// Zip archives: the directory, and members' bytes. Stored and deflated members, zip64; every number is checked against the file.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/archive/byte_source.h"
#include "core/base/finding.h"
#include "core/base/result.h"

namespace pt2 {

struct ZipMember {
  std::string name;
  uint64_t compressed_size = 0, size = 0, local_offset = 0;
  uint32_t crc = 0;
  uint16_t method = 0, flags = 0;  // method 0: stored, 8: deflated
  std::string problem;             // why its bytes cannot be read, where the directory alone tells; else empty
};

class ZipReader {
 public:
  static bool looks_like_zip(const ByteSource& source);
  static Result<ZipReader> open(std::shared_ptr<const ByteSource> source);

  const std::vector<ZipMember>& members() const { return members_; }  // in the order of the directory
  const ZipMember* find(std::string_view name) const;                 // of equal names the last
  // Oddities of the directory that leave it readable.
  const std::vector<Finding>& findings() const { return findings_; }

  // The whole member, inflated and checked against its CRC. More than `limit` bytes: an error naming the limit.
  Result<std::string> read(const ZipMember& member, uint64_t limit, std::string_view limit_name) const;
  // The first bytes of a member, at most `size`; not checked against the CRC.
  Result<std::string> head(const ZipMember& member, uint64_t size) const;
  // The member as a source of its own: a part of the file where it is stored, else inflated into memory (up to `limit` bytes).
  Result<std::shared_ptr<const ByteSource>> source(const ZipMember& member, uint64_t limit, std::string_view limit_name) const;
  // The member's bytes as storage, mapped where it is large and stored. Copies are checked against the CRC here, mappings by the first
  // check_mapping().
  Result<Storage> storage(const ZipMember& member) const;
  // The member's local header is where the directory says and the data lies inside the file. Reads no data.
  Result<uint64_t> data_offset(const ZipMember& member) const;

 private:
  struct EndRecord { uint64_t position, members, directory_size, directory_offset; };
  ZipReader() = default;
  Result<EndRecord> find_end() const;
  Result<void> read_directory(const EndRecord& end);
  Result<void> note_oddities();
  Result<void> check_readable(const ZipMember& member) const;
  enum class Extent { Whole, Beginning };
  Result<void> inflate_into(const ZipMember& member, uint64_t offset, std::span<std::byte> out, Extent extent = Extent::Whole) const;

  std::shared_ptr<const ByteSource> source_;
  std::vector<ZipMember> members_;
  std::unordered_map<std::string, size_t> by_name_;
  std::vector<Finding> findings_;
  uint64_t directory_offset_ = 0;
  uint64_t prefix_ = 0;  // bytes before the archive (a self-extracting stub): added to every offset
};

}  // namespace pt2
