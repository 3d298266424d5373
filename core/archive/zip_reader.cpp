// PyTorch writes zips of its own kind: the local headers hold zeros for sizes and checksum (a descriptor follows the data), and their
// extra field is padding that aligns the data to 64 bytes. So sizes and checksums come from the central directory, but where the data
// begins only the local header tells: 30 bytes, then its own name and extra field, whose length differs from the directory's. A zip64
// end record is always there, even in tiny files. Files re-packed by other tools are deflated and may have bytes in front.
#include "core/archive/zip_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "core/base/checked.h"
#include "core/base/crc32.h"
#include "core/base/limits.h"
#include "core/base/text.h"
#include "core/tensor/mapped_storage.h"

namespace pt2 {

namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEnd = 0x06054b50, kEnd64 = 0x06064b50, kLocator64 = 0x07064b50;
constexpr size_t kEndSize = 22, kEnd64Size = 56, kLocator64Size = 20, kCentralSize = 46, kLocalSize = 30;

template <class T>
T number_at(std::string_view bytes, size_t at) {
  T value = 0;  // zip is little-endian everywhere
  for (size_t i = 0; i < sizeof(T); ++i) value |= static_cast<T>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  return value;
}
uint16_t u16(std::string_view b, size_t at) { return number_at<uint16_t>(b, at); }
uint32_t u32(std::string_view b, size_t at) { return number_at<uint32_t>(b, at); }
uint64_t u64(std::string_view b, size_t at) { return number_at<uint64_t>(b, at); }

constexpr std::string_view kFetchAgain = "The download or copy is incomplete or damaged. Fetch the file again.";

Error directory_error(std::string message) { return {ErrorKind::CannotOpen, std::move(message), "central directory", std::string(kFetchAgain)}; }

// Fields of the central header that are all ones have their value in the zip64 extra field, in this order. False: the field is too short.
bool apply_zip64(std::string_view extra, ZipMember& member) {
  const bool wanted[] = {member.size == 0xFFFFFFFF, member.compressed_size == 0xFFFFFFFF, member.local_offset == 0xFFFFFFFF};
  uint64_t* const fields[] = {&member.size, &member.compressed_size, &member.local_offset};
  if (!wanted[0] && !wanted[1] && !wanted[2]) return true;
  for (size_t at = 0; at + 4 <= extra.size();) {
    const size_t length = u16(extra, at + 2);
    if (at + 4 + length > extra.size()) break;
    if (u16(extra, at) == 0x0001) {
      std::string_view data = extra.substr(at + 4, length);
      for (int i = 0; i < 3; ++i) {
        if (!wanted[i]) continue;
        if (data.size() < 8) return false;
        *fields[i] = u64(data, 0);
        data.remove_prefix(8);
      }
      return true;
    }
    at += 4 + length;
  }
  return false;
}

std::string_view method_name(uint16_t method) {
  switch (method) {
    case 1: return " (shrink)";
    case 6: return " (implode)";
    case 9: return " (deflate64)";
    case 12: return " (bzip2)";
    case 14: return " (LZMA)";
    case 93: return " (Zstandard)";
    case 95: return " (XZ)";
    default: return "";
  }
}

bool leads_outside(std::string_view name) {
  if (name.starts_with('/') || name.find('\\') != name.npos || name.find('\0') != name.npos) return true;
  if (name.size() > 1 && name[1] == ':') return true;
  for (size_t at = 0; at <= name.size();) {
    const size_t end = std::min(name.find('/', at), name.size());
    if (name.substr(at, end - at) == "..") return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

bool ZipReader::looks_like_zip(const ByteSource& source) {
  const auto first = source.text(0, std::min<uint64_t>(source.size(), 4));
  return first && (first->starts_with("PK\x03\x04") || first->starts_with("PK\x05\x06"));
}

Result<ZipReader> ZipReader::open(std::shared_ptr<const ByteSource> source) {
  ZipReader zip;
  zip.source_ = std::move(source);
  const auto end = zip.find_end();
  if (!end) return end.error();
  if (auto done = zip.read_directory(*end); !done) return done.error();
  if (auto done = zip.note_oddities(); !done) return done.error();
  return zip;
}

Result<ZipReader::EndRecord> ZipReader::find_end() const {
  const uint64_t size = source_->size();
  const uint64_t tail_size = std::min<uint64_t>(size, kEndSize + 0xFFFF);
  const auto read = source_->text(size - tail_size, tail_size);
  if (!read) return read.error();
  const std::string_view tail = *read;
  // The end record with its comment should end the file. Where bytes follow, it must belong to this archive and not to one stored
  // in a member of an archive that was cut off: its offsets then count from the beginning of the file.
  size_t at = std::string_view::npos;
  if (tail.size() >= kEndSize)
    for (size_t i = tail.size() - kEndSize + 1; i-- > 0 && at == std::string_view::npos;) {
      if (u32(tail, i) != kEnd) continue;
      const bool ends_file = i + kEndSize + u16(tail, i + 20) == tail.size();
      const auto directory = ends_file ? Result<std::string>(std::string()) : source_->text(u32(tail, i + 16), 4);
      if (ends_file || (directory && u32(*directory, 0) == kCentralHeader)) at = i;
    }
  if (at == std::string_view::npos) {
    const bool zip = looks_like_zip(*source_);
    return Error{ErrorKind::CannotOpen,
                 (zip ? "the zip archive is cut off: no end of central directory in the file's " : "is not a zip archive: no end of central directory in its ") + with_commas(size) + " bytes",
                 "", zip ? std::string(kFetchAgain) : "A .pt2 file is a zip archive. Check that this is the right file."};
  }
  EndRecord end{size - tail_size + at, u16(tail, at + 10), u32(tail, at + 12), u32(tail, at + 16)};
  if (u16(tail, at + 4) != 0 && u16(tail, at + 4) != 0xFFFF) return directory_error("the archive is one part of a split archive");
  if (at < kLocator64Size || u32(tail, at - kLocator64Size) != kLocator64) return end;

  const uint64_t declared = u64(tail, at - kLocator64Size + 8);
  const uint64_t beside = end.position < kLocator64Size + kEnd64Size ? 0 : end.position - kLocator64Size - kEnd64Size;
  for (uint64_t place : {declared, beside}) {  // beside: bytes were put in front of the archive
    if (place < declared || !fits(place, kEnd64Size, end.position)) continue;
    const auto record = source_->text(place, kEnd64Size);
    if (!record) return record.error();
    if (u32(*record, 0) != kEnd64) continue;
    const EndRecord wide{place, u64(*record, 32), u64(*record, 40), u64(*record, 48)};
    const auto agrees = [](uint64_t narrow, uint64_t ones, uint64_t value) { return narrow == ones || narrow == value; };
    if (!agrees(end.members, 0xFFFF, wide.members) || !agrees(end.directory_size, 0xFFFFFFFF, wide.directory_size) || !agrees(end.directory_offset, 0xFFFFFFFF, wide.directory_offset))
      return directory_error("the zip64 end record says " + with_commas(wide.members) + " members and a directory of " + with_commas(wide.directory_size) + " bytes at byte " +
                             with_commas(wide.directory_offset) + ", the ordinary one " + with_commas(end.members) + ", " + with_commas(end.directory_size) + " and " + with_commas(end.directory_offset));
    return wide;
  }
  return directory_error("the zip64 end record should be at byte " + with_commas(declared) + ", it is not there");
}

Result<void> ZipReader::read_directory(const EndRecord& end) {
  if (end.directory_size > limits::kCentralDirectoryBytes)
    return Error{ErrorKind::Limit, "is said to have " + with_commas(end.directory_size) + " bytes (limit " + with_commas(limits::kCentralDirectoryBytes) + ")", "central directory", std::string(kFetchAgain)};
  if (end.members > limits::kArchiveMembers)
    return Error{ErrorKind::Limit, "is said to hold " + with_commas(end.members) + " members (limit " + with_commas(limits::kArchiveMembers) + ")", "central directory", std::string(kFetchAgain)};
  if (!fits(end.directory_offset, end.directory_size, end.position))
    return directory_error("the archive is cut off: its central directory should be the " + with_commas(end.directory_size) + " bytes from byte " + with_commas(end.directory_offset) + ", but its end record is at byte " +
                           with_commas(end.position));
  directory_offset_ = end.directory_offset;
  auto read = source_->text(directory_offset_, end.directory_size);
  if (!read) return read.error();
  if (end.directory_size >= 4 && u32(*read, 0) != kCentralHeader) {  // bytes in front of the archive move everything
    directory_offset_ = end.position - end.directory_size;
    prefix_ = directory_offset_ - end.directory_offset;
    read = source_->text(directory_offset_, end.directory_size);
    if (!read) return read.error();
  }
  const std::string_view bytes = *read;
  members_.reserve(end.members);
  size_t at = 0;
  while (at + kCentralSize <= bytes.size() && u32(bytes, at) == kCentralHeader) {
    ZipMember member;
    member.flags = u16(bytes, at + 8);
    member.method = u16(bytes, at + 10);
    member.crc = u32(bytes, at + 16);
    member.compressed_size = u32(bytes, at + 20);
    member.size = u32(bytes, at + 24);
    member.local_offset = u32(bytes, at + 42);
    const size_t name_size = u16(bytes, at + 28), extra_size = u16(bytes, at + 30), comment_size = u16(bytes, at + 32);
    const std::string place = "member " + with_commas(uint64_t{members_.size()});
    if (name_size > limits::kMemberNameBytes)
      return Error{ErrorKind::Limit, place + " has a name of " + with_commas(uint64_t{name_size}) + " bytes (limit " + with_commas(limits::kMemberNameBytes) + ")", "central directory", ""};
    if (at + kCentralSize + name_size + extra_size + comment_size > bytes.size()) return directory_error("the entry of " + place + " runs past the end of the directory");
    member.name = bytes.substr(at + kCentralSize, name_size);
    if (!apply_zip64(bytes.substr(at + kCentralSize + name_size, extra_size), member)) member.problem = "its zip64 extra field is too short for the sizes it should hold";
    if (members_.size() == limits::kArchiveMembers) return directory_error("holds more than " + with_commas(limits::kArchiveMembers) + " members, the limit");
    members_.push_back(std::move(member));
    at += kCentralSize + name_size + extra_size + comment_size;
  }
  if (members_.size() != end.members || at != bytes.size())
    return directory_error("the end record counts " + with_commas(end.members) + " members, the central directory lists " + with_commas(uint64_t{members_.size()}) + (at != bytes.size() ? " readable ones" : ""));
  return {};
}

Result<void> ZipReader::note_oddities() {
  by_name_.reserve(members_.size());
  for (size_t i = 0; i < members_.size(); ++i) {
    const auto [it, fresh] = by_name_.try_emplace(members_[i].name, i);
    if (!fresh) {
      members_[it->second].problem = members_[i].problem = "two members of the archive have this name";
      findings_.push_back({Severity::Warning, "archive.duplicate-member", "two members of the archive have this name", members_[i].name, "Which one is meant is unknown, so neither is read.", {}});
    }
    if (leads_outside(members_[i].name))
      findings_.push_back({Severity::Warning, "archive.member-name", "the member name leads outside the archive's folder", members_[i].name, "Nothing is ever extracted, so it does no harm here; an unpacking program may be tricked.", {}});
  }

  // Members that share bytes: a way to make a small file unpack to a huge one, and never what a writer does.
  std::vector<const ZipMember*> order;
  for (const ZipMember& member : members_)
    if (member.problem.empty()) order.push_back(&member);
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->local_offset < b->local_offset; });
  uint64_t covered = 0, overlaps = 0;
  const ZipMember* first = nullptr;
  for (const ZipMember* member : order) {
    if (member->local_offset < covered) {
      if (++overlaps == 1) first = member;
    }
    if (const auto end = checked_add(member->local_offset + kLocalSize, member->compressed_size)) covered = std::max(covered, *end);
  }
  if (first)
    findings_.push_back({Severity::Warning, "archive.overlapping-members", with_commas(overlaps) + (overlaps == 1 ? " member overlaps" : " members overlap") + " the bytes of another member", first->name,
                         "No program writes such an archive; its content is doubtful.", {}});
  return {};
}

const ZipMember* ZipReader::find(std::string_view name) const {
  const auto it = by_name_.find(std::string(name));
  return it == by_name_.end() ? nullptr : &members_[it->second];
}

Result<void> ZipReader::check_readable(const ZipMember& member) const {
  std::string problem = member.problem;
  ErrorKind kind = ErrorKind::CannotOpen;
  std::string advice = std::string(kFetchAgain);
  if (!problem.empty()) {
  } else if (member.flags & 1) {
    problem = "the member is encrypted";
    advice = "Unpack the archive with its password and pack it again without one.";
  } else if (member.method != 0 && member.method != 8) {
    problem = "the member is compressed with method " + std::to_string(member.method) + std::string(method_name(member.method)) + ", which is not supported";
    advice = "Pack the archive again, stored or deflated.";
  } else if (member.method == 0 && member.size != member.compressed_size) {
    problem = "the member is stored, but declares " + with_commas(member.size) + " bytes and " + with_commas(member.compressed_size) + " stored ones";
  } else if (member.compressed_size > source_->size()) {
    problem = "the member declares " + with_commas(member.compressed_size) + " bytes, the file has " + with_commas(source_->size());
  } else if (member.method == 8 && member.size > limits::kInflateFreeBytes && member.size / limits::kInflateRatio > member.compressed_size) {
    kind = ErrorKind::Limit;
    problem = "the member would inflate from " + with_commas(member.compressed_size) + " to " + with_commas(member.size) + " bytes, more than " + std::to_string(limits::kInflateRatio) + " times (limit)";
    advice = "No genuine program compresses like that.";
  } else {
    return {};
  }
  return Error{kind, std::move(problem), member.name, std::move(advice)};
}

Result<uint64_t> ZipReader::data_offset(const ZipMember& member) const {
  if (auto readable = check_readable(member); !readable) return readable.error();
  const auto damaged = [&](std::string message) { return Error{ErrorKind::CannotOpen, std::move(message), member.name, std::string(kFetchAgain)}; };
  const auto local = checked_add(member.local_offset, prefix_);
  if (!local || !fits(*local, kLocalSize, directory_offset_))
    return damaged("the directory puts the member at byte " + with_commas(member.local_offset) + ", the members end at byte " + with_commas(directory_offset_));
  const auto header = source_->text(*local, kLocalSize);
  if (!header) return header.error();
  if (u32(*header, 0) != kLocalHeader) return damaged("there is no member at byte " + with_commas(*local) + ", where the directory puts it");
  const uint64_t name_size = u16(*header, 26), extra_size = u16(*header, 28);
  const uint64_t data = *local + kLocalSize + name_size + extra_size;
  if (!fits(data, member.compressed_size, directory_offset_))
    return damaged("the member's " + with_commas(member.compressed_size) + " bytes from byte " + with_commas(data) + " run past the end of the members at byte " + with_commas(directory_offset_));
  const auto name = source_->text(*local + kLocalSize, name_size);
  if (!name) return name.error();
  if (*name != member.name) return damaged("the member at byte " + with_commas(*local) + " is called \"" + *name + "\" there, the directory has another name");
  return data;
}

Result<void> ZipReader::inflate_into(const ZipMember& member, uint64_t offset, std::span<std::byte> out, Extent extent) const {
  const auto damaged = [&](std::string message) { return Error{ErrorKind::CannotOpen, std::move(message), member.name, std::string(kFetchAgain)}; };
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return Error{ErrorKind::Limit, "there is no memory to inflate the member", member.name, ""};
  struct End { z_stream* stream; ~End() { inflateEnd(stream); } } end{&stream};
  std::string input;
  uint64_t left = member.compressed_size;
  std::byte past_end;  // never part of the result: where a byte more than declared would go
  size_t produced = 0;
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (stream.avail_in == 0 && left > 0) {
      auto block = source_->text(offset, std::min<uint64_t>(left, 256 * limits::kKiB));
      if (!block) return block.error();
      input = std::move(*block);
      offset += input.size();
      left -= input.size();
      stream.next_in = reinterpret_cast<Bytef*>(input.data());
      stream.avail_in = static_cast<uInt>(input.size());
    }
    const bool full = produced == out.size();
    if (full && extent == Extent::Beginning) return {};
    const size_t room = full ? 1 : std::min<size_t>(out.size() - produced, 1u << 30);
    stream.next_out = reinterpret_cast<Bytef*>(full ? &past_end : out.data() + produced);
    stream.avail_out = static_cast<uInt>(room);
    state = inflate(&stream, Z_NO_FLUSH);
    const size_t got = room - stream.avail_out;
    if (full && got > 0) return damaged("inflates to more than the declared " + with_commas(uint64_t{out.size()}) + " bytes");
    produced += got;
    if (state != Z_OK && state != Z_STREAM_END) {
      if (state == Z_BUF_ERROR && stream.avail_in == 0 && left == 0) return damaged("the compressed data ends early");
      return damaged("the compressed data is damaged");
    }
  }
  if (produced != out.size()) return damaged("inflates to " + with_commas(uint64_t{produced}) + " bytes, " + with_commas(uint64_t{out.size()}) + " are declared");
  return {};
}

namespace {

Result<void> check_crc(const ZipMember& member, const std::byte* bytes, size_t size) {
#ifdef PT2_IGNORE_CHECKSUMS  // the fuzzer cannot guess checksums
  return {};
#endif
  if (crc32_of({bytes, size}) == member.crc) return {};
  return Error{ErrorKind::CannotOpen, "the checksum of the member's " + with_commas(uint64_t{size}) + " bytes does not match", member.name, "The bytes were damaged. Fetch the file again."};
}

}  // namespace

Result<std::string> ZipReader::read(const ZipMember& member, uint64_t limit, std::string_view limit_name) const {
  if (auto readable = check_readable(member); !readable) return readable.error();
  if (member.size > limit)
    return Error{ErrorKind::Limit, "has " + with_commas(member.size) + " bytes (limit " + std::string(limit_name) + ": " + with_commas(limit) + ")", member.name, "No genuine program comes near it."};
  const auto offset = data_offset(member);
  if (!offset) return offset.error();
  if (member.method == 0) {
    auto text = source_->text(*offset, member.size);
    if (!text) return text;
    if (auto same = check_crc(member, reinterpret_cast<const std::byte*>(text->data()), text->size()); !same) return same.error();
    return text;
  }
  std::string text(member.size, '\0');
  if (auto done = inflate_into(member, *offset, std::as_writable_bytes(std::span(text))); !done) return done.error();
  if (auto same = check_crc(member, reinterpret_cast<const std::byte*>(text.data()), text.size()); !same) return same.error();
  return text;
}

Result<std::string> ZipReader::head(const ZipMember& member, uint64_t size) const {
  const auto offset = data_offset(member);
  if (!offset) return offset.error();
  size = std::min(size, member.size);
  if (member.method == 0) return source_->text(*offset, size);
  std::string text(size, '\0');
  if (auto done = inflate_into(member, *offset, std::as_writable_bytes(std::span(text)), Extent::Beginning); !done) return done.error();
  return text;
}

Result<std::shared_ptr<const ByteSource>> ZipReader::source(const ZipMember& member, uint64_t limit, std::string_view limit_name) const {
  if (member.method == 0) {
    const auto offset = data_offset(member);
    if (!offset) return offset.error();
    return part_of(source_, *offset, member.size);
  }
  auto text = read(member, limit, limit_name);
  if (!text) return text.error();
  return source_of(std::move(*text));
}

Result<Storage> ZipReader::storage(const ZipMember& member) const {
  const auto offset = data_offset(member);
  if (!offset) return offset.error();
  if (member.method == 0) {
    auto made = source_->storage(*offset, member.size);
    if (!made) return made;
    if (member.size >= kMappedFromBytes) expect_checksum(*made, member.crc, member.name);
    else if (auto same = check_crc(member, made->data(), made->size_bytes()); !same) return same.error();
    return made;
  }
  auto made = uninitialized_storage(member.size);
  if (!made) return made;
  if (auto done = inflate_into(member, *offset, {made->data(), made->size_bytes()}); !done) return done.error();
  if (auto same = check_crc(member, made->data(), made->size_bytes()); !same) return same.error();
  return made;
}

}  // namespace pt2
