#include "core/base/file_stamp.h"

#include <sys/stat.h>

#include "core/base/text.h"

namespace pt2 {

std::optional<FileStamp> file_stamp(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return std::nullopt;
  return FileStamp{status.st_dev, status.st_ino, static_cast<uint64_t>(status.st_size), int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

std::string file_change(const FileStamp& before, const std::optional<FileStamp>& now) {
  if (!now) return "is no longer there since it was opened";
  if (*now == before) return {};
  if (now->inode == before.inode && now->size < before.size) return "was cut short on disk: " + with_commas(now->size) + " of " + with_commas(before.size) + " bytes are left";
  return "changed on disk since it was opened";
}

}  // namespace pt2
