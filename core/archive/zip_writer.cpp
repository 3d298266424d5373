#include "core/archive/zip_writer.h"

#include <algorithm>

#include "core/base/crc32.h"

namespace pt2 {

namespace {

constexpr uint32_t kOnes32 = 0xFFFFFFFF;
constexpr uint16_t kVersion64 = 45, kDate1980 = 0x21, kUtf8Names = 0x800;

void put(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
}

}  // namespace

uint64_t ZipWriter::position() const {
  if (auto* file = std::get_if<FileWriter*>(&out_)) return (*file)->position();
  return std::get<std::string*>(out_)->size();
}

Result<void> ZipWriter::append(std::span<const std::byte> bytes) {
  if (auto* file = std::get_if<FileWriter*>(&out_)) return (*file)->write(bytes);
  std::get<std::string*>(out_)->append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return {};
}

// Every local header has a zip64 field: the size is not known when it is written.
std::string ZipWriter::local_header(const Member& member) const {
  std::string h;
  put(h, 0x04034b50, 4);
  put(h, kVersion64, 2);
  put(h, kUtf8Names, 2);
  put(h, 0, 2);
  put(h, 0, 2);
  put(h, kDate1980, 2);
  put(h, member.crc, 4);
  put(h, kOnes32, 4);
  put(h, kOnes32, 4);
  put(h, member.name.size(), 2);
  // A multiple of 64 for where the data begins: the rest of the extra field is a field of its own, as PyTorch pads.
  constexpr size_t kZip64 = 20, kFixed = 30, kAlignment = 64, kFieldHead = 4;
  const size_t begin = member.offset + kFixed + member.name.size() + kZip64 + kFieldHead;
  const size_t padding = (kAlignment - begin % kAlignment) % kAlignment;
  put(h, kZip64 + kFieldHead + padding, 2);
  h += member.name;
  put(h, 1, 2);
  put(h, 16, 2);
  put(h, member.size, 8);
  put(h, member.size, 8);
  put(h, 0x4246, 2);
  put(h, padding, 2);
  h.append(padding, 'Z');
  return h;
}

Result<void> ZipWriter::begin(std::string name) {
  if (name.size() > 0xFFFF) return Error{ErrorKind::Failed, "the name of a member is too long for a zip archive", "", ""};
  members_.push_back({std::move(name), position()});
  const std::string header = local_header(members_.back());
  return append(std::as_bytes(std::span(header)));
}

Result<void> ZipWriter::write(std::span<const std::byte> bytes) {
  Member& member = members_.back();
  member.crc = crc32_of(bytes, member.crc);
  member.size += bytes.size();
  return append(bytes);
}

Result<void> ZipWriter::end() {
  const std::string header = local_header(members_.back());
  if (auto* file = std::get_if<FileWriter*>(&out_)) return (*file)->write_at(members_.back().offset, std::as_bytes(std::span(header)));
  std::get<std::string*>(out_)->replace(members_.back().offset, header.size(), header);
  return {};
}

Result<void> ZipWriter::finish() {
  const uint64_t begin = position();
  std::string d;
  for (const Member& member : members_) {
    const bool wide = member.size >= kOnes32 || member.offset >= kOnes32;
    put(d, 0x02014b50, 4);
    put(d, kVersion64, 2);
    put(d, kVersion64, 2);
    put(d, kUtf8Names, 2);
    put(d, 0, 2);
    put(d, 0, 2);
    put(d, kDate1980, 2);
    put(d, member.crc, 4);
    put(d, wide ? kOnes32 : member.size, 4);
    put(d, wide ? kOnes32 : member.size, 4);
    put(d, member.name.size(), 2);
    put(d, wide ? 28 : 0, 2);
    put(d, 0, 2);
    put(d, 0, 2);
    put(d, 0, 2);
    put(d, 0, 4);
    put(d, wide ? kOnes32 : member.offset, 4);
    d += member.name;
    if (!wide) continue;
    put(d, 1, 2);
    put(d, 24, 2);
    put(d, member.size, 8);
    put(d, member.size, 8);
    put(d, member.offset, 8);
  }
  const uint64_t size = d.size(), end64 = begin + size;
  put(d, 0x06064b50, 4);
  put(d, 44, 8);
  put(d, kVersion64, 2);
  put(d, kVersion64, 2);
  put(d, 0, 4);
  put(d, 0, 4);
  put(d, members_.size(), 8);
  put(d, members_.size(), 8);
  put(d, size, 8);
  put(d, begin, 8);
  put(d, 0x07064b50, 4);
  put(d, 0, 4);
  put(d, end64, 8);
  put(d, 1, 4);
  put(d, 0x06054b50, 4);
  put(d, 0, 4);
  put(d, std::min<uint64_t>(members_.size(), 0xFFFF), 2);
  put(d, std::min<uint64_t>(members_.size(), 0xFFFF), 2);
  put(d, std::min<uint64_t>(size, kOnes32), 4);
  put(d, std::min<uint64_t>(begin, kOnes32), 4);
  put(d, 0, 2);
  return append(std::as_bytes(std::span(d)));
}

}  // namespace pt2
