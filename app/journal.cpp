#include "app/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>

#include "core/base/crc32.h"

namespace pt2::app {

namespace {

constexpr size_t kHead = 8;  // length and checksum, little endian

uint32_t checksum(std::string_view text) { return crc32_of(std::as_bytes(std::span(text))); }

void put(std::string& out, uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out += char(value >> shift & 255);
}

uint32_t get(std::string_view bytes) {
  uint32_t value = 0;
  for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[size_t(i)]);
  return value;
}

}  // namespace

Journal::Records Journal::read(std::string_view bytes) {
  Records result;
  while (bytes.size() >= kHead) {
    const uint32_t size = get(bytes), expected = get(bytes.substr(4));
    if (size > bytes.size() - kHead) break;
    const std::string_view record = bytes.substr(kHead, size);
    if (checksum(record) != expected) break;
    result.records.emplace_back(record);
    bytes.remove_prefix(kHead + size);
  }
  result.torn = !bytes.empty();
  return result;
}

Result<std::unique_ptr<Journal>> Journal::create(const std::string& path) {
  ::unlink(path.c_str());
  auto journal = std::make_unique<Journal>(path);
  journal->fd_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
  if (journal->fd_ < 0) return journal->failed("cannot be written");
  return journal;
}

Journal::~Journal() {
  if (fd_ >= 0) ::close(fd_);
}

Error Journal::failed(const char* what) const { return {ErrorKind::CannotOpen, path_ + ": " + what + ": " + std::strerror(errno), "", ""}; }

Result<void> Journal::append(std::string_view record) {
  std::string bytes;
  put(bytes, uint32_t(record.size()));
  put(bytes, checksum(record));
  bytes += record;
  for (std::string_view rest = bytes; !rest.empty();) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("cannot be written");
    rest.remove_prefix(size_t(written));
  }
  bytes_ += bytes.size();
  return {};
}

Result<void> Journal::flush() const {
  while (::fdatasync(fd_) != 0)
    if (errno != EINTR) return failed("cannot be written");
  return {};
}

}  // namespace pt2::app
