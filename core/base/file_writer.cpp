#include "core/base/file_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace pt2 {

namespace {

// A second name for the file, so that there is no moment without it, nor one without the backup before.
bool keep_as(const std::string& path, const std::string& backup) {
  const std::string next = backup + ".part";
  ::unlink(next.c_str());
  if (::link(path.c_str(), next.c_str()) != 0) return errno == ENOENT || errno == EPERM || errno == EOPNOTSUPP;
  if (::rename(next.c_str(), backup.c_str()) != 0) return false;
  ::unlink(next.c_str());  // where both already were one file, the rename did nothing
  return true;
}

bool synced(int fd) {
  while (::fsync(fd) != 0)
    if (errno != EINTR) return false;
  return true;
}

// A rename lasts once the folder is written.
bool sync_folder(const std::string& path) {
  const size_t slash = path.rfind('/');
  const int folder = ::open(slash == path.npos ? "." : path.substr(0, slash + 1).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return false;
  const bool done = synced(folder) || errno == EINVAL;  // some file systems have no such thing
  const int why = errno;
  ::close(folder);
  errno = why;
  return done;
}

}  // namespace

Result<FileWriter> FileWriter::create(const std::string& path, unsigned mode) {
  const auto refuse = [&](const std::string& reason) { return Error{ErrorKind::CannotOpen, "cannot be written: " + reason, path, "Check the folder, its permissions and the space on the disk."}; };
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) return refuse("it is a folder");
  if (exists && !S_ISREG(status.st_mode)) {
    FileWriter writer(path, "");
    writer.fd_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (writer.fd_ < 0) return refuse(std::strerror(errno));
    return writer;
  }
  std::string target = path;  // a symbolic link stays one: the file it names is replaced
  if (char* resolved = exists ? ::realpath(path.c_str(), nullptr) : nullptr) {
    target = resolved;
    std::free(resolved);
  }
  if (exists && ::access(target.c_str(), W_OK) != 0) return refuse(std::strerror(errno));
  static std::atomic<unsigned> counter{0};
  const std::string temporary = target + "." + std::to_string(::getpid()) + "." + std::to_string(counter++) + ".part";
  FileWriter writer(target, temporary);
  writer.fd_ = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (writer.fd_ < 0) return refuse(std::strerror(errno));
  if (exists) ::fchmod(writer.fd_, status.st_mode & 07777);
  return writer;
}

FileWriter::FileWriter(FileWriter&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), path_(std::move(other.path_)), temporary_(std::move(other.temporary_)), position_(other.position_) {}

FileWriter& FileWriter::operator=(FileWriter&& other) noexcept {
  if (this != &other) {
    abandon();
    fd_ = std::exchange(other.fd_, -1);
    path_ = std::move(other.path_);
    temporary_ = std::move(other.temporary_);
    position_ = other.position_;
  }
  return *this;
}

FileWriter::~FileWriter() { abandon(); }

void FileWriter::abandon() {
  if (fd_ < 0) return;
  ::close(std::exchange(fd_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Error FileWriter::failed(const char* what) const {
  return {ErrorKind::CannotOpen, std::string(what) + ": " + std::strerror(errno), path_, "Nothing was changed. Check the space on the disk and the permissions."};
}

Result<void> FileWriter::write(std::string_view text) { return write(std::as_bytes(std::span(text))); }

Result<void> FileWriter::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("cannot be written");
    bytes = bytes.subspan(static_cast<size_t>(written));
    position_ += static_cast<uint64_t>(written);
  }
  return {};
}

Result<void> FileWriter::write_at(uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed("cannot be written");
    bytes = bytes.subspan(static_cast<size_t>(written));
    offset += static_cast<uint64_t>(written);
  }
  return {};
}

Result<void> FileWriter::read_at(uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(fd_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return failed("cannot be read back");
    into = into.subspan(static_cast<size_t>(got));
    offset += static_cast<uint64_t>(got);
  }
  return {};
}

Result<void> FileWriter::commit() { return finish({}); }

Result<void> FileWriter::commit_durably(const std::string& backup) {
  if (temporary_.empty()) return finish({});
  if (!synced(fd_)) {
    const Error error = failed("cannot be written");
    abandon();
    return error;
  }
  if (auto done = finish(backup); !done) return done;
  return sync_folder(path_) ? Result<void>() : failed("may not last: its folder cannot be flushed");
}

Result<void> FileWriter::finish(const std::string& backup) {
  const auto give_up = [this](const char* what) {
    const Error error = failed(what);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    return error;
  };
  if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) return give_up("cannot be written");
  if (!backup.empty() && !keep_as(path_, backup)) return give_up("cannot keep what was there before");
  if (!temporary_.empty() && ::rename(temporary_.c_str(), path_.c_str()) != 0) return give_up("cannot be moved into place");
  return {};
}

Result<void> write_file(const std::string& path, std::string_view text) {
  Result<FileWriter> writer = FileWriter::create(path);
  Result<void> done = writer ? writer->write(text) : Result<void>(writer.error());
  if (done) done = writer->commit();
  return done;
}

}  // namespace pt2
