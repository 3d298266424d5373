// Damaged and hostile files, each with what must be said about it: tests/data/hostile/expected.tsv. A fixed bug adds its file there.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "app/cli/problems.h"
#include "core/base/display.h"
#include "core/load.h"

using namespace pt2;

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool names_one_of(const std::string& said, const std::string& words) {
  if (words.empty()) return true;
  std::istringstream in(words);
  for (std::string word; std::getline(in, word, '|');)
    if (lower(said).find(lower(word)) != std::string::npos) return true;
  return false;
}

// What `info` would say, and whether it opened.
struct Outcome { bool opened; bool warned; std::string said; };
Outcome outcome_of(const std::string& path) {
  const auto file = open_file(path);
  if (!file) return {false, false, file.error().where + ": " + file.error().message + " " + file.error().advice};
  Outcome outcome{true, false, ""};
  for (const Finding& finding : app::all_findings(**file)) {
    outcome.warned |= finding.severity != Severity::Note;
    outcome.said += finding.where + ": " + finding.message + "\n";
  }
  return outcome;
}

}  // namespace

TEST_CASE("hostile files end as they must, with the place named") {
  const std::string folder = std::string(PT2_TEST_DATA) + "/hostile/";
  std::ifstream table(folder + "expected.tsv");
  REQUIRE(table.good());
  size_t files = 0;
  for (std::string line; std::getline(table, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    std::string name, expected, words;
    std::getline(fields, name, '\t');
    std::getline(fields, expected, '\t');
    std::getline(fields, words, '\t');
    CAPTURE(name);
    const Outcome outcome = outcome_of(folder + name);
    CAPTURE(outcome.said);
    ++files;
    if (expected == "opens") CHECK(outcome.opened);
    if (expected == "error") CHECK_FALSE(outcome.opened);
    if (expected == "error-or-warning") CHECK((!outcome.opened || outcome.warned));
    if (expected == "error" || expected == "error-or-warning") CHECK(names_one_of(outcome.said, words));
    CHECK(outcome.said.size() < 100'000);
  }
  CHECK(files > 40);
}
