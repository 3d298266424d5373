// As mutate_tests, of what is kept for the user: the genuine sessions, journals and settings of corpus/session, damaged from fixed seeds and read
// by the fuzz target. mutate_sessions [VARIANTS [FIRST_SEED]].
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/fuzz/fuzz_target.h"
#include "tests/fuzz/mutator.h"

extern "C" int fuzz_session(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  const unsigned variants = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 1000, first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(PT2_FUZZ_CORPUS "/session")) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> texts;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  for (unsigned seed = first; seed < first + variants; ++seed) {
    pt2::test::Mutator mutator(seed);
    const size_t chosen = mutator.below(texts.size());
    std::fprintf(stderr, "seed %u %s\n", seed, paths[chosen].filename().c_str());  // the last line names the variant of a crash
    const char kind = texts[chosen][0];
    std::string text = texts[chosen].substr(1);
    for (size_t i = 0, changes = 1 + mutator.below(4); i < changes && !text.empty(); ++i) kind == 'j' ? mutator.bytes(text) : mutator.json(text);
    text.insert(text.begin(), kind);
    fuzz_session(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  }
  std::printf("%u variants\n", variants);
  return texts.empty();
}
