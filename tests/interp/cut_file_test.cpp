// A run whose weights are mapped from a file, and the file is cut meanwhile.
#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>
#include <variant>

#include "core/archive/byte_source.h"
#include "core/tensor/mapped_storage.h"
#include "interp/execution_trace.h"
#include "interp/interpreter.h"
#include "tests/support/program_maker.h"
#include "tests/support/scratch.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

struct Outcomes : RunListener {
  std::vector<NodeOutcome> all;
  void node_done(const Frame&, NodeId, const NodeRun& run, RuntimeValue&) override { all.push_back(run.outcome); }
};

}  // namespace

TEST_CASE("an operator whose argument can no longer be read from its file fails, and what does not need it runs") {
  const test::Scratch scratch;
  constexpr size_t kSize = 2 * kMappedFromBytes;
  const std::string path = scratch.path("weights");
  std::ofstream(path, std::ios::binary) << std::string(kSize, '\1');
  const auto source = open_byte_source(path);
  REQUIRE(source);
  auto storage = (*source)->storage(0, kSize);
  REQUIRE(storage);
  REQUIRE(is_mapping(*storage));

  test::ProgramMaker maker;
  const NodeId w = maker.input("w"), x = maker.input("x");
  const NodeId first = maker.call("first", "torch.ops.aten.relu.default", {w});
  const NodeId second = maker.call("second", "torch.ops.aten.relu.default", {w});
  const NodeId other = maker.call("other", "torch.ops.aten.relu.default", {x});
  const NodeId after = maker.call("after", "torch.ops.aten.relu.default", {second});
  auto program = maker.finish({first, other, after});
  Interpreter interpreter(std::make_shared<const ExecutionPlan>(make_execution_plan(program, builtin_ops())), builtin_ops(), {});
  Outcomes outcomes;
  interpreter.add_listener(&outcomes);
  const Shape sizes{int64_t(kSize / 4)};
  auto small = zero_storage(16);
  interpreter.start({RuntimeValue(Tensor{*storage, DType::Float32, sizes, {1}}), RuntimeValue(Tensor{*small, DType::Float32, {4}, {1}})});
  for (int i = 0; i < 3; ++i) interpreter.step();  // w, x, first
  REQUIRE(std::holds_alternative<Done>(outcomes.all.back()));
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  while (interpreter.step().kind == StepKind::RanNode) {}
  REQUIRE(outcomes.all.size() == 7);
  const auto* failed = std::get_if<Failed>(&outcomes.all[3]);
  REQUIRE(failed);
  CHECK(failed->message == "an argument cannot be read from its file, which changed on disk since it was opened");
  CHECK(std::holds_alternative<Done>(outcomes.all[4]));
  CHECK(std::holds_alternative<Blocked>(outcomes.all[5]));
}

TEST_CASE("an argument whose checksum does not match is not computed with") {
  const test::Scratch scratch;
  constexpr size_t kSize = kMappedFromBytes;
  const std::string path = scratch.path("weights");
  std::ofstream(path, std::ios::binary) << std::string(kSize, '\1');
  const auto source = open_byte_source(path);
  auto storage = (*source)->storage(0, kSize);
  REQUIRE(storage);
  expect_checksum(*storage, 12345, "data/weights/weight_0");
  test::ProgramMaker maker;
  const NodeId w = maker.input("w");
  auto program = maker.finish({maker.call("relu", "torch.ops.aten.relu.default", {w})});
  Interpreter interpreter(std::make_shared<const ExecutionPlan>(make_execution_plan(program, builtin_ops())), builtin_ops(), {});
  Outcomes outcomes;
  interpreter.add_listener(&outcomes);
  interpreter.start({RuntimeValue(Tensor{*storage, DType::Float32, {int64_t(kSize / 4)}, {1}})});
  while (interpreter.step().kind == StepKind::RanNode) {}
  const auto* failed = std::get_if<Failed>(&outcomes.all.at(1));
  REQUIRE(failed);
  CHECK(failed->message == "an argument cannot be read from its file: data/weights/weight_0: the checksum of the member's 262,144 bytes does not match");
}
