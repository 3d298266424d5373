#include "core/archive/zip_writer.h"

#include <zlib.h>

#include <algorithm>

namespace pt2 {

namespace {

constexpr uint32_t kOnes32 = 0xFFFFFFFF;
constexpr uint16_t kVersion64 = 45, kDate1980 = 0x21, kUtf8Names = 0x800;

void append(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

}  // namespace

// Every local header has a zip64 field: the size is not known when it is written.
std::string ZipWriter::local_header(const Member& member) const {
  std::string h;
  append(h, 0x04034b50, 4);
  append(h, kVersion64, 2);
  append(h, kUtf8Names, 2);
  append(h, 0, 2);
  append(h, 0, 2);
  append(h, kDate1980, 2);
  append(h, member.crc, 4);
  append(h, kOnes32, 4);
  append(h, kOnes32, 4);
  append(h, member.name.size(), 2);
  // A multiple of 64 for where the data begins: the rest of the extra field is a field of its own, as PyTorch pads.
  constexpr size_t kZip64 = 20, kFixed = 30, kAlignment = 64, kFieldHead = 4;
  const size_t begin = member.offset + kFixed + member.name.size() + kZip64 + kFieldHead;
  const size_t padding = (kAlignment - begin % kAlignment) % kAlignment;
  append(h, kZip64 + kFieldHead + padding, 2);
  h += member.name;
  append(h, 1, 2);
  append(h, 16, 2);
  append(h, member.size, 8);
  append(h, member.size, 8);
  append(h, 0x4246, 2);
  append(h, padding, 2);
  h.append(padding, 'Z');
  return h;
}

Result<void> ZipWriter::begin(std::string name) {
  if (name.size() > 0xFFFF) return Error{ErrorKind::Failed, "the name of a member is too long for a zip archive", "", ""};
  members_.push_back({std::move(name), out_.position()});
  return out_.write(local_header(members_.back()));
}

Result<void> ZipWriter::write(std::span<const std::byte> bytes) {
  Member& member = members_.back();
  member.crc = static_cast<uint32_t>(crc32_z(member.crc, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  member.size += bytes.size();
  return out_.write(bytes);
}

Result<void> ZipWriter::end() {
  const std::string header = local_header(members_.back());
  return out_.write_at(members_.back().offset, std::as_bytes(std::span(header)));
}

Result<void> ZipWriter::finish() {
  const uint64_t begin = out_.position();
  std::string d;
  for (const Member& member : members_) {
    const bool wide = member.size >= kOnes32 || member.offset >= kOnes32;
    append(d, 0x02014b50, 4);
    append(d, kVersion64, 2);
    append(d, kVersion64, 2);
    append(d, kUtf8Names, 2);
    append(d, 0, 2);
    append(d, 0, 2);
    append(d, kDate1980, 2);
    append(d, member.crc, 4);
    append(d, wide ? kOnes32 : member.size, 4);
    append(d, wide ? kOnes32 : member.size, 4);
    append(d, member.name.size(), 2);
    append(d, wide ? 28 : 0, 2);
    append(d, 0, 2);
    append(d, 0, 2);
    append(d, 0, 2);
    append(d, 0, 4);
    append(d, wide ? kOnes32 : member.offset, 4);
    d += member.name;
    if (!wide) continue;
    append(d, 1, 2);
    append(d, 24, 2);
    append(d, member.size, 8);
    append(d, member.size, 8);
    append(d, member.offset, 8);
  }
  const uint64_t size = d.size(), end64 = begin + size;
  append(d, 0x06064b50, 4);
  append(d, 44, 8);
  append(d, kVersion64, 2);
  append(d, kVersion64, 2);
  append(d, 0, 4);
  append(d, 0, 4);
  append(d, members_.size(), 8);
  append(d, members_.size(), 8);
  append(d, size, 8);
  append(d, begin, 8);
  append(d, 0x07064b50, 4);
  append(d, 0, 4);
  append(d, end64, 8);
  append(d, 1, 4);
  append(d, 0x06054b50, 4);
  append(d, 0, 4);
  append(d, std::min<uint64_t>(members_.size(), 0xFFFF), 2);
  append(d, std::min<uint64_t>(members_.size(), 0xFFFF), 2);
  append(d, std::min<uint64_t>(size, kOnes32), 4);
  append(d, std::min<uint64_t>(begin, kOnes32), 4);
  append(d, 0, 2);
  return out_.write(d);
}

}  // namespace pt2
