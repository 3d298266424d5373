// Runs the fuzz targets over files, without a fuzzer: fuzz_tests [TARGET FILE_OR_FOLDER…]. Without arguments every target runs over its
// folder of corpus/. What once went wrong is kept there.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/fuzz/fuzz_target.h"

#define PT2_FOR_EACH_TARGET(X) X(zip) X(model_json) X(payload_config) X(pickle) X(npy) X(safetensors) X(symexpr) X(treespec) X(display) X(node_table) X(session) X(open)
#define PT2_DECLARE(name) extern "C" int fuzz_##name(const uint8_t* data, size_t size);
#define PT2_ROW(name) {#name, fuzz_##name},
PT2_FOR_EACH_TARGET(PT2_DECLARE)

namespace {

struct Target {
  const char* name;
  int (*run)(const uint8_t*, size_t);
};
constexpr Target kTargets[] = {PT2_FOR_EACH_TARGET(PT2_ROW)};

size_t run_over(const Target& target, const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files;
  if (std::filesystem::is_directory(path)) {
    for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
  } else {
    files.push_back(path);
  }
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::fprintf(stderr, "%s %s\n", target.name, file.filename().c_str());  // the last line names the file of a crash
    target.run(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
  return files.size();
}

}  // namespace

int main(int argc, char** argv) {
  size_t files = 0;
  for (const Target& target : kTargets) {
    if (argc > 1 && std::strcmp(argv[1], target.name) != 0) continue;
    if (argc <= 2) files += run_over(target, std::filesystem::path(PT2_FUZZ_CORPUS) / target.name);
    for (int i = 2; i < argc; ++i) files += run_over(target, argv[i]);
  }
  std::printf("%zu files\n", files);
  return files == 0;
}
