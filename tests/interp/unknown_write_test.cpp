// Operators that nobody knows, and what they may have written to. unknown_write.pt2 calls one that returns nothing, for what it does to a buffer,
// and one whose result is read; PyTorch's own values are those of the nodes before it.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/graph/results.h"
#include "core/graph/written_memory.h"
#include "interp/allocation.h"
#include "interp/run_report.h"
#include "tests/support/program_maker.h"
#include "tests/support/test_files.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

std::vector<std::string> names(const Program& program, const std::vector<NodeRef>& nodes) {
  std::vector<std::string> names;
  for (NodeRef ref : nodes) names.emplace_back(program.node(ref).name);
  return names;
}

Tensor pair(double value) {
  const std::vector<int64_t> sizes{2};
  return full(sizes, DType::Float32, value);
}

}  // namespace

TEST_CASE("what an unknown operator may have written has no value") {
  const auto file = test::open_data("programs/unknown_write.pt2");
  const auto report = run_program(*file, file->program(), {});
  REQUIRE(report);
  CHECK(report->failed.size() == 2);
  // The buffer, its view, the branch it chooses, and the other tensor that was given.
  CHECK(report->blocked == std::vector<std::string>{"sum_1", "gt", "cond", "getitem", "mul", "mul_1"});
  REQUIRE(report->outputs.size() == 5);
  const auto* before = report->outputs[2].as<Tensor>();
  REQUIRE(before);
  CHECK(before->data<float>()[0] == 1);
  for (size_t i : {0, 1, 3, 4}) CHECK(report->outputs[i].is<MissingValue>());
  // What it holds in the end is not known: that is said, too.
  REQUIRE(report->written.size() == 2);
  CHECK(report->written[0].target == "memory");
  CHECK(report->written[0].value.is<MissingValue>());
}

TEST_CASE("values given for what it returns leave what it writes unknown, and a functional one's arguments alone") {
  test::ProgramMaker maker;
  const NodeId x = maker.input("x"), y = maker.input("y"), z = maker.input("z");
  const NodeId computes = maker.call("computes", "torch.ops.my.computes.default", {x});
  const NodeId writes = maker.call("writes", "torch.ops.my.writes_.default", {y});
  const NodeId view = maker.call("view", "torch.ops.aten.relu.default", {y});
  const NodeId silent = maker.call("silent", "torch.ops.my.silent.default", {z});
  maker.type(silent, {});
  const NodeId unread = maker.call("unread", "torch.ops.my.unread.default", {x});
  const NodeId after = maker.call("after", "torch.ops.aten.relu.default", {x});
  const NodeId late = maker.call("late", "torch.ops.aten.relu.default", {z});
  const auto program = maker.finish({computes, after, writes, view, late});
  const auto plan = std::make_shared<const ExecutionPlan>(make_execution_plan(program, builtin_ops()));
  CHECK(names(*program, plan->unsupported) == std::vector<std::string>{"computes", "writes", "silent", "unread"});
  CHECK(names(*program, plan->blocked) == std::vector<std::string>{"view", "late"});
  CHECK_FALSE(may_write_to_all(program->root_graph(), computes));
  CHECK(may_write_to_all(program->root_graph(), silent));
  CHECK_FALSE(may_write_to_all(program->root_graph(), unread));

  struct Given : RunListener {
    NodeId node;
    std::optional<RuntimeValue> instead(const Frame&, NodeId id) override { return id == node ? std::optional<RuntimeValue>(int64_t{1}) : std::nullopt; }
  } given;
  given.node = writes;
  Interpreter interpreter(plan, builtin_ops(), {});
  interpreter.add_listener(&given);
  interpreter.start({pair(1), pair(2), pair(3)});
  while (interpreter.step().kind != StepKind::Finished) {}
  const auto& outputs = interpreter.outputs();
  REQUIRE(outputs.size() == 5);
  CHECK(outputs[0].is<MissingValue>());
  CHECK(outputs[1].is<Tensor>());
  CHECK(outputs[2].is<int64_t>());
  CHECK(outputs[3].is<MissingValue>());
  CHECK(outputs[4].is<MissingValue>());
}

TEST_CASE("the plan counts what the run will not have") {
  const auto program = test::program_of("programs/unknown_write.pt2");
  const ExecutionPlan plan = make_execution_plan(program, builtin_ops());
  CHECK(names(*program, plan.unsupported) == std::vector<std::string>{"swish", "store"});
  CHECK(names(*program, plan.blocked) == std::vector<std::string>{"sum_1", "gt", "cond", "getitem", "mul", "mul_1"});
  const Graph& graph = program->root_graph();
  CHECK(gives_a_value(graph, graph.find("swish")));
  CHECK(gives_a_value(graph, graph.find("x")));
  CHECK_FALSE(gives_a_value(graph, graph.find("store")));
}
