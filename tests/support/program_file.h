#pragma once
// A program as the .pt2 file that torch.export.save would write of it, without weights.
#include <fstream>
#include <string>

#include "tests/support/json_program.h"
#include "tests/support/zip_maker.h"

namespace pt2::test {

// Returns the path.
inline std::string saved(const std::string& path, const std::string& json) {
  ZipMaker zip;
  zip.add("m/archive_format", "pt2").add("m/archive_version", "0").add("m/byteorder", "little").add("m/models/model.json", json);
  std::ofstream(path, std::ios::binary) << zip.bytes();
  return path;
}
inline std::string saved(const std::string& path, const JsonProgram& program) { return saved(path, program.json()); }

}  // namespace pt2::test
