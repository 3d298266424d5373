#include "views/workspace/problems.h"

#include <doctest/doctest.h>

using namespace pt2;
using namespace pt2::views;

namespace {

Finding finding(const char* rule, const char* message) { return {Severity::Error, rule, message, "", "", {}}; }

}  // namespace

TEST_CASE("problems of a rule are replaced, and the mark stays on the problem it stood on") {
  Document document;
  document.problems = {finding("run", "a"), finding("meta", "b"), finding("run", "c"), finding("meta", "d")};
  document.problem = 3;
  replace_problems(document, "run", {finding("run", "e")});
  REQUIRE(document.problems.size() == 3);
  CHECK(document.problems[2].message == "e");
  REQUIRE(document.problem == 1);
  CHECK(document.problems[1].message == "d");
  document.problem = 2;  // one that goes takes the mark with it
  replace_problems(document, "run", {});
  CHECK(document.problems.size() == 2);
  CHECK(!document.problem);
}
