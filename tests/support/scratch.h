#pragma once
// A folder of its own for a test that writes files, gone at its end.
#include <cstdlib>
#include <filesystem>
#include <string>

namespace pt2::test {

struct Scratch {
  std::filesystem::path folder;
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "pt2scope-test-XXXXXX";
    folder = mkdtemp(name.data());
  }
  ~Scratch() { std::filesystem::remove_all(folder); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path(const char* name) const { return folder / name; }
};

}  // namespace pt2::test
