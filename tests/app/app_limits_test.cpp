// The limits that only the whole program shows (core/base/limits.h), each from both sides.
#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/limits.h"
#include "core/layout/layout_engine.h"
#include "core/layout/layout_process.h"
#include "tests/gui/driver.h"
#include "tests/support/json_program.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_maker.h"

using namespace pt2;

namespace {

size_t count(const std::string& text, const std::string& part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

// A program with `members` that lead outside of the archive: a warning each.
std::string program_with(const std::string& json, size_t members) {
  test::ZipMaker zip;
  zip.add("m/archive_format", "pt2").add("m/archive_version", "0").add("m/byteorder", "little").add("m/models/model.json", json);
  zip.add("m/data/weights/model_weights_config.json", R"({"config": {}})").add("m/data/constants/model_constants_config.json", R"({"config": {}})");
  for (size_t i = 0; i < members; ++i) zip.add("../" + std::to_string(i), "");
  return zip.bytes();
}
std::string small_json() { return test::JsonProgram().input("x").call("y", "aten.relu.default", "self=x").output("y").json(); }

}  // namespace

TEST_CASE("limit listed_problems: the command line lists as many, then says how many more there are") {
  const test::Scratch scratch;
  const std::string path = scratch.path("f.pt2");
  const auto warnings = [&](size_t members) {
    std::ofstream(path, std::ios::binary) << program_with(small_json(), members);
    std::FILE* pipe = ::popen(("'" PT2_BINARY "' info '" + path + "' 2>&1 >/dev/null").c_str(), "r");
    REQUIRE(pipe);
    std::string text;
    char buffer[4096];
    while (const size_t got = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, got);
    ::pclose(pipe);
    return text;
  };
  const size_t own = count(warnings(0), "warning: ");
  REQUIRE(own < limits::kListedProblems);
  const std::string under = warnings(limits::kListedProblems - own), over = warnings(limits::kListedProblems - own + 1);
  CHECK(count(under, "warning: ") == limits::kListedProblems);
  CHECK(under.find("more") == under.npos);
  CHECK(count(over, "leads outside") == count(under, "leads outside"));
  CHECK_MESSAGE(over.find("1 more") != over.npos, over);
}

TEST_CASE("limit pane_text: a longer text is cut in the Node pane, which says how much there is") {
  const test::Scratch scratch;
  const auto shown = [&](size_t bytes) {
    std::string json = small_json();
    const std::string metadata = R"("metadata": {)";
    json.insert(json.find(metadata) + metadata.size(), R"("custom": ")" + std::string(bytes, 'x') + R"(", )");
    std::ofstream(scratch.path("f.pt2"), std::ios::binary) << program_with(json, 0);
    gui::Driver d({scratch.path("f.pt2")});
    REQUIRE(d.run("wait idle\nselect.node y\nview.pane node\nwait idle\nclick node/section/Meta\nwait idle\nclick node/meta/custom\nwait idle"));
    const views::ProbeItem* cut = d.app.probe().find("node/meta/custom/cut");
    return cut ? cut->text : std::string();
  };
  CHECK(shown(limits::kPaneTextBytes) == "");
  CHECK(shown(limits::kPaneTextBytes + 1) == "65,536 of 65,537 bytes are shown");
}

TEST_CASE("limits layout_seconds and layout_memory: of the child that runs Graphviz") {
  CHECK(LayoutEngineOptions().seconds_per_group == double(limits::kLayoutSeconds));
#ifndef PT2_SANITIZED  // sanitizers reserve terabytes of address space
  LayoutProcess child(PT2_BINARY);
  PlacementRequest request;
  request.nodes = {{1, 1}, {1, 1}};
  REQUIRE(child.place(request, {}, std::chrono::seconds(20)));
  std::string bytes;
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (std::string pid; children >> pid;) {
    std::ifstream in("/proc/" + pid + "/limits");
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("Max address space")) bytes += line;
  }
  if (!children.eof()) return;  // this kernel does not tell
  CHECK(count(bytes, std::to_string(limits::kLayoutBytes)) == 2);
#endif
}
