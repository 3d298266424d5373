// Whatever rule a finding names has its words.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "core/verify/verify.h"

using namespace pt2;

namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> rules_named_in(const std::filesystem::path& folder) {
  const std::regex name("\"((archive|pickle|safetensors|signature|weights|format|symbol)\\.[a-z-]+)\"");
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cpp") continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator at(text.begin(), text.end(), name), end; at != end; ++at) found.insert((*at)[1]);
  }
  return found;
}

}  // namespace

TEST_CASE("rules that the reader and runs tell of are listed with words, and stand in docs/verify.md") {
  std::set<std::string> listed;
  const std::string docs = text_of(PT2_SOURCE_DIR "/docs/verify.md");
  std::vector<VerifyRule> all = verify_rules();
  for (const auto rules : {reading_rules(), running_rules()}) all.insert(all.end(), rules.begin(), rules.end());
  for (const VerifyRule& rule : all) {
    CHECK(listed.insert(std::string(rule.name)).second);
    CHECK_FALSE(rule.title.empty());
    CHECK_FALSE(rule.explanation.empty());
    CHECK_MESSAGE(docs.find("| `" + std::string(rule.name) + "` |") != docs.npos, rule.name);
  }
  for (const char* folder : {"archive", "decode", "verify"})
    for (const std::string& name : rules_named_in(std::filesystem::path(PT2_SOURCE_DIR) / "core" / folder)) CHECK_MESSAGE(listed.contains(name), name);
}
