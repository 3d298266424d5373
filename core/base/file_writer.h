#pragma once
// Writes a file so that there is the old one or the whole new one, never half of one: into a temporary file beside it, which takes its
// name at the end. What is no regular file (a pipe, /dev/null) is written to directly.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace pt2 {

// Its errors name the file.
class FileWriter {
 public:
  // `mode`: of a file that was not there; else it stays what it is.
  static Result<FileWriter> create(const std::string& path, unsigned mode = 0666);
  FileWriter(FileWriter&& other) noexcept;
  FileWriter& operator=(FileWriter&& other) noexcept;
  ~FileWriter();  // without commit(): the temporary file is removed

  Result<void> write(std::span<const std::byte> bytes);
  Result<void> write(std::string_view text);
  uint64_t position() const { return position_; }
  // A regular file, where write_at() and read_at() work.
  bool replaceable() const { return !temporary_.empty(); }
  // Writes over what is there already (regular files only).
  Result<void> write_at(uint64_t offset, std::span<const std::byte> bytes);
  Result<void> read_at(uint64_t offset, std::span<std::byte> into) const;
  Result<void> commit();
  // As commit(), and it still holds after a power cut. `backup` not empty: what was there before stays under that name, where the file
  // system has hard links.
  Result<void> commit_durably(const std::string& backup = {});

 private:
  FileWriter(std::string path, std::string temporary) : path_(std::move(path)), temporary_(std::move(temporary)) {}
  Error failed(const char* what) const;
  Result<void> finish(const std::string& backup);
  void abandon();

  int fd_ = -1;
  std::string path_, temporary_;  // temporary_ empty: path_ itself is written
  uint64_t position_ = 0;
};

// A whole file in one go, or not at all.
Result<void> write_file(const std::string& path, std::string_view text);

}  // namespace pt2
