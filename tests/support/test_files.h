#pragma once
// Files of tests/data and what PyTorch printed for them.
#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "core/load.h"

namespace pt2::test {

inline std::string data_path(const std::string& name) { return std::string(PT2_TEST_DATA) + "/" + name; }

inline std::string read_text(const std::string& name) {
  std::ifstream in(data_path(name), std::ios::binary);
  REQUIRE_MESSAGE(in.good(), name << " is missing in tests/data");
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::shared_ptr<const OpenedFile> open_data(const std::string& name) {
  auto file = open_file(data_path(name));
  REQUIRE_MESSAGE(file.has_value(), name << ": " << (file ? "" : file.error().where + ": " + file.error().message));
  return *file;
}

// The program called "model", else the first.
inline std::shared_ptr<const Program> program_of(const std::string& name) { return open_data(name)->program(); }

}  // namespace pt2::test
