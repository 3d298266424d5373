#pragma once
// A file that grows by records: length, CRC-32, bytes. What a crash tore off at the end is dropped when it is read.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace pt2::app {

class Journal {
 public:
  // The whole records of a journal's bytes, up to the first that is damaged; `torn`: something was there after them.
  struct Records {
    std::vector<std::string> records;
    bool torn = false;
  };
  static Records read(std::string_view bytes);

  // A new one, in place of what may be there.
  static Result<std::unique_ptr<Journal>> create(const std::string& path);
  explicit Journal(std::string path) : path_(std::move(path)) {}
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // In one write, so that a killed process leaves all of it. After a failure the end of the file is unknown: use another one.
  Result<void> append(std::string_view record);
  // Until it returns, a power cut may take what was appended.
  Result<void> flush() const;
  uint64_t bytes() const { return bytes_; }

 private:
  Error failed(const char* what) const;

  int fd_ = -1;
  std::string path_;
  uint64_t bytes_ = 0;
};

}  // namespace pt2::app
