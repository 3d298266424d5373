#include "core/archive/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "core/tensor/mapped_storage.h"
#include "core/base/checked.h"
#include "core/base/text.h"

namespace pt2 {

namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(std::shared_ptr<const OpenFile> file) : ByteSource(file->size()), file_(std::move(file)) {}

  Result<void> read(uint64_t offset, std::span<std::byte> into) const override {
    if (!fits(offset, into.size(), size())) return outside(offset, into.size());
    if (auto same = file_->unchanged(); !same) return same;
    while (!into.empty()) {
      const ssize_t got = ::pread(file_->descriptor(), into.data(), into.size(), static_cast<off_t>(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Error{ErrorKind::CannotOpen, std::string("cannot be read: ") + std::strerror(errno), at_byte(offset), "Check the disk or the network drive, then open the file again."};
      if (got == 0) return changed_on_disk();
      offset += static_cast<uint64_t>(got);
      into = into.subspan(static_cast<size_t>(got));
    }
    return {};
  }

  Result<Storage> storage(uint64_t offset, uint64_t size) const override {
    if (!fits(offset, size, this->size())) return outside(offset, size);
    if (size >= kMappedFromBytes && offset % 8 == 0) {  // elsewhere numbers would lie across their alignment
      if (auto same = file_->unchanged(); !same) return same.error();
      if (auto mapped = map_private(file_, offset, size)) return *mapped;
    }
    auto made = uninitialized_storage(size);
    if (!made) return made;
    if (auto done = read(offset, {made->data(), made->size_bytes()}); !done) return done.error();
    return made;
  }

 private:
  std::shared_ptr<const OpenFile> file_;
};

class PartSource final : public ByteSource {
 public:
  PartSource(std::shared_ptr<const ByteSource> whole, uint64_t offset, uint64_t size) : ByteSource(size), whole_(std::move(whole)), offset_(offset) {}
  Result<void> read(uint64_t offset, std::span<std::byte> into) const override {
    if (!fits(offset, into.size(), size())) return outside(offset, into.size());
    return whole_->read(offset_ + offset, into);
  }
  Result<Storage> storage(uint64_t offset, uint64_t size) const override {
    if (!fits(offset, size, this->size())) return outside(offset, size);
    return whole_->storage(offset_ + offset, size);
  }

 private:
  std::shared_ptr<const ByteSource> whole_;
  uint64_t offset_;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string bytes) : ByteSource(bytes.size()), bytes_(std::move(bytes)) {}
  Result<void> read(uint64_t offset, std::span<std::byte> into) const override {
    if (!fits(offset, into.size(), size())) return outside(offset, into.size());
    if (!into.empty()) std::memcpy(into.data(), bytes_.data() + offset, into.size());
    return {};
  }
  Result<Storage> storage(uint64_t offset, uint64_t size) const override {
    if (!fits(offset, size, this->size())) return outside(offset, size);
    auto made = uninitialized_storage(size);
    if (made && size) std::memcpy(made->data(), bytes_.data() + offset, size);
    return made;
  }

 private:
  std::string bytes_;
};

constexpr uint64_t kDiskReserveBytes = 256 << 20;  // left free where temporary files are

bool write_all(int fd, const char* bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = ::write(fd, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes += done;
    count -= size_t(done);
  }
  return true;
}

Result<void> copy_standard_input(int fd, const std::string& folder) {
  std::vector<char> block(1 << 20);
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{ErrorKind::CannotOpen, std::string("standard input cannot be read: ") + std::strerror(errno), "", "Give the path of a file."};
    if (got == 0) return {};
    struct statvfs disk {};
    const bool full = ::fstatvfs(fd, &disk) == 0 && uint64_t(disk.f_bavail) * disk.f_frsize < kDiskReserveBytes;
    if (full || !write_all(fd, block.data(), size_t(got)))
      return Error{ErrorKind::Limit, "there is no space in " + folder + " for what standard input brings", "", "Set TMPDIR to a folder with more space, or give the path of a file."};
  }
}

// A file without a name that holds all of standard input: archives are read from their end, and weights when they are looked at.
Result<int> spooled_standard_input() {
  const char* set = std::getenv("TMPDIR");
  const std::string folder = set && *set ? set : "/tmp";
  std::string name = folder + "/pt2scope-XXXXXX";
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return Error{ErrorKind::CannotOpen, "no temporary file can be made in " + folder + ": " + std::strerror(errno), "", "Set TMPDIR to a folder that can be written to."};
  ::unlink(name.c_str());
  if (auto copied = copy_standard_input(fd, folder); !copied) {
    ::close(fd);
    return copied.error();
  }
  return fd;
}

Result<std::shared_ptr<const ByteSource>> standard_input() {
  struct stat status {};
  const bool file = ::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode);
  const Result<int> fd = file ? Result<int>(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)) : spooled_standard_input();
  if (!fd) return fd.error();
  if (::fstat(*fd, &status) != 0) return Error{ErrorKind::CannotOpen, std::string("standard input cannot be read: ") + std::strerror(errno), "", "Give the path of a file."};
  return std::shared_ptr<const ByteSource>(std::make_shared<FileSource>(std::make_shared<const OpenFile>(*fd, status)));
}

}  // namespace

Error ByteSource::outside(uint64_t offset, uint64_t size) const {
  return {ErrorKind::CannotOpen, "needs " + with_commas(size) + " bytes from byte " + with_commas(offset) + ", there are " + with_commas(this->size()), at_byte(offset),
          "The file is damaged or incomplete. Fetch or export it again."};
}

Result<std::string> ByteSource::text(uint64_t offset, uint64_t size) const {
  if (!fits(offset, size, this->size())) return outside(offset, size);
  std::string out;
  try {
    out.resize(size);
  } catch (const std::bad_alloc&) {
    return Error{ErrorKind::Limit, "there is no memory for " + with_commas(size) + " bytes", at_byte(offset), "Close something, or use a larger machine."};
  }
  if (auto done = read(offset, std::as_writable_bytes(std::span(out))); !done) return done.error();
  return out;
}

Result<std::shared_ptr<const ByteSource>> open_byte_source(const std::string& path) {
  if (path == "-") {
    static const auto source = standard_input();  // who asks again gets the same bytes
    return source;
  }
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // O_NONBLOCK: opening a pipe must not wait for a writer
  if (fd < 0) return Error{ErrorKind::CannotOpen, std::string("cannot be opened: ") + std::strerror(errno), "", "Check the path and the permissions."};
  struct stat status {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(fd);
    return Error{ErrorKind::CannotOpen, S_ISDIR(status.st_mode) ? "is a folder, not a file" : "is not a regular file", "", "Give the path of a file."};
  }
  return std::shared_ptr<const ByteSource>(std::make_shared<FileSource>(std::make_shared<const OpenFile>(fd, status)));
}

std::shared_ptr<const ByteSource> part_of(std::shared_ptr<const ByteSource> source, uint64_t offset, uint64_t size) {
  return std::make_shared<PartSource>(std::move(source), offset, size);
}

std::shared_ptr<const ByteSource> source_of(std::string bytes) { return std::make_shared<MemorySource>(std::move(bytes)); }

}  // namespace pt2
