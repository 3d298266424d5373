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

TEST_CASE("what has parameters of other shapes or other constants is not identical") {
  constexpr std::string_view kLinear = "torch.ops.aten.linear.default", kSum = "torch.ops.aten.sum.dim_IntList";
  ProgramMaker maker;
  std::vector<NodeId> weights, sums;
  for (const std::string path : {"a", "b", "wide"}) weights.push_back(maker.parameter("p_" + path, path + ".weight"));
  NodeId x = maker.input("x");
  for (size_t i = 0; const std::string path : {"a", "b", "wide"}) x = maker.call("linear_" + path, kLinear, {x, weights[i++]}, path);
  for (const std::string path : {"s", "t", "across"}) sums.push_back(x = maker.call("sum_" + path, kSum, {x}, path));
  const auto program = std::const_pointer_cast<Program>(maker.finish({x}));
  GraphBuilder root;
  for (const Node& node : program->root_graph().nodes()) root.add(node);
  auto wide = std::make_shared<TensorMeta>();
  wide->sizes = {SymInt{.value = 16}, SymInt{.value = 8}};
  root.node(weights[2]).val = std::shared_ptr<const TensorMeta>(wide);
  for (size_t i = 0; i < sums.size(); ++i) root.node(sums[i]).inputs.push_back({"dim", Argument{int64_t(i == 2)}, false});
  program->graphs[program->root()] = std::move(root).finish();
  CHECK(paths(*program, "a") == std::vector<std::string>{"a", "b"});
  CHECK(paths(*program, "wide") == std::vector<std::string>{"wide"});
  CHECK(paths(*program, "s") == std::vector<std::string>{"s", "t"});
  CHECK(paths(*program, "across") == std::vector<std::string>{"across"});
}

TEST_CASE("a block that is called twice, and another of its type, are identical") {
  const auto file = open_file(PT2_SOURCE_DIR "/tests/data/programs/shared_module.pt2");
  REQUIRE(file);
  CHECK(paths(*(*file)->program(""), "block") == std::vector<std::string>{"block", "block@1", "tail.0"});
}
