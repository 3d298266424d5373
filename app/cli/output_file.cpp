#include "app/cli/output_file.h"

#include <cstdio>

#include "core/base/file_writer.h"

namespace pt2::app {

Result<void> write_output(const std::string& path, const std::string& bytes) {
  if (path == "-") {
    if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() || std::fflush(stdout) != 0)
      return Error{ErrorKind::Failed, "standard output cannot be written", "", ""};
    return {};
  }
  return write_file(path, bytes);
}

}  // namespace pt2::app
