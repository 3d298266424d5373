#include "views/workspace/module_structure.h"

#include <doctest/doctest.h>

#include "core/load.h"
#include "tests/support/program_maker.h"

using namespace pt2;
using namespace pt2::views;
using pt2::test::ProgramMaker;

namespace {

std::vector<std::string> paths(const Program& program, std::string_view of) {
  std::vector<std::string> out;
  for (ModuleId module : identical_modules(program, program.modules.find(of))) out.push_back(program.modules.modules[module].path);
  return out;
}

}  // namespace

TEST_CASE("identical modules have the same operators and the same modules inside, in the same order") {
  constexpr std::string_view kRelu = "torch.ops.aten.relu.default", kAdd = "torch.ops.aten.add.Tensor";
  ProgramMaker maker;
  NodeId x = maker.input("x");
  for (const std::string path : {"a", "b", "c"}) {
    x = maker.call("r_" + path, kRelu, {x}, path + ".inner");
    x = maker.call("s_" + path, path == "c" ? kRelu : kAdd, {x, x}, path);
  }
  const auto program = maker.finish({x});
  CHECK(paths(*program, "a") == std::vector<std::string>{"a", "b"});
  CHECK(paths(*program, "c") == std::vector<std::string>{"c"});
  CHECK(paths(*program, "c.inner") == std::vector<std::string>{"a.inner", "b.inner", "c.inner"});
}

TEST_CASE("a block that is called twice, and another of its type, are identical") {
  const auto file = open_file(PT2_SOURCE_DIR "/tests/data/programs/shared_module.pt2");
  REQUIRE(file);
  CHECK(paths(*(*file)->program(""), "block") == std::vector<std::string>{"block", "block@1", "tail.0"});
}
