// The mutation driver: genuine programs with flipped bits, cut and swapped parts, wrong numbers and wrong names, at the level of the zip
// and of the JSON and pickles in it (checksums are right again there). Each variant is opened and asked everything; a crash, a hang or
// a sanitizer's report is the failure. mutate_tests [VARIANTS [FIRST_SEED [PROGRAM…]]]; the same seed gives the same variant.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/archive/containers.h"
#include "core/base/limits.h"
#include "tests/fuzz/exercise.h"
#include "tests/fuzz/mutator.h"
#include "tests/support/zip_maker.h"

using namespace pt2;
using pt2::test::Mutator;

namespace {

constexpr int kVariants = 2000;

struct Genuine {
  std::string name, bytes;
  std::vector<std::pair<std::string, std::string>> members;
};

std::vector<Genuine> load(std::vector<std::filesystem::path> paths) {
  if (paths.empty()) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(PT2_TEST_DATA))
      if (entry.path().extension() == ".pt2" && entry.path().string().find("hostile") == std::string::npos) paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
  }
  std::vector<Genuine> programs;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    Genuine program{path.filename(), {std::istreambuf_iterator<char>(in), {}}, {}};
    const auto zip = ZipReader::open(source_of(program.bytes));
    if (!zip) continue;
    for (const ZipMember& member : zip->members())
      if (auto content = zip->read(member, limits::kModelJsonBytes, "model_json")) program.members.emplace_back(member.name, std::move(*content));
    programs.push_back(std::move(program));
  }
  return programs;
}

std::string variant(const Genuine& program, Mutator& mutator) {
  const size_t changes = 1 + mutator.below(4);
  if (mutator.below(3) == 0) {
    std::string bytes = program.bytes;
    // The directory at the end is where an archive is most easily broken.
    for (size_t i = 0; i < changes; ++i) {
      if (mutator.below(2)) {
        mutator.bytes(bytes);
      } else {
        std::string tail = bytes.substr(bytes.size() - bytes.size() / 4);
        bytes.resize(bytes.size() - tail.size());
        mutator.bytes(tail);
        bytes += tail;
      }
    }
    return bytes;
  }
  test::ZipMaker zip;
  zip.deflate = mutator.below(8) == 0;
  const size_t chosen = mutator.below(program.members.size());
  for (size_t m = 0; m < program.members.size(); ++m) {
    auto [name, content] = program.members[m];
    const bool json = name.ends_with(".json") && content.starts_with('{');
    if (m == chosen || (json && mutator.below(2)))
      for (size_t i = 0; i < changes && !content.empty(); ++i) json ? mutator.json(content) : mutator.bytes(content);
    if (m == chosen && mutator.below(20) == 0) mutator.bytes(name);
    zip.add(name, content);
  }
  return zip.bytes();
}

}  // namespace

int main(int argc, char** argv) {
  const int variants = argc > 1 ? std::atoi(argv[1]) : kVariants;
  const unsigned first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  const std::vector<Genuine> programs = load({argv + std::min(argc, 3), argv + argc});
  if (programs.empty()) return 1;
  int opened = 0;
  for (unsigned seed = first; seed < first + static_cast<unsigned>(variants); ++seed) {
    Mutator mutator(seed);
    const Genuine& program = programs[mutator.below(programs.size())];
    std::fprintf(stderr, "seed %u %s\n", seed, program.name.c_str());  // the last line names the variant of a crash
    const auto archive = open_archive(source_of(variant(program, mutator)), "f.pt2");
    if (!archive) continue;
    ++opened;
    test::exercise(**archive);
  }
  std::printf("%d variants, %d opened\n", variants, opened);
  return 0;
}
