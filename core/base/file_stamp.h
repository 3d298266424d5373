#pragma once
// What tells that a file is another one than before, without reading it.
#include <cstdint>
#include <optional>
#include <string>

namespace pt2 {

struct FileStamp {
  uint64_t device = 0, inode = 0, size = 0;
  int64_t modified_ns = 0;
  friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

// nullopt: there is no such file, or it cannot be looked at.
std::optional<FileStamp> file_stamp(const std::string& path);

// What became of the file since `before`: "was cut short on disk: 4,096 of 8,192 bytes are left"; empty where it is the same.
std::string file_change(const FileStamp& before, const std::optional<FileStamp>& now);

}  // namespace pt2
