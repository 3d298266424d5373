// What traced vmaps give when they open and close: how many are open, as torch 2.13 counts.
#include <doctest/doctest.h>

#include "interp/interpreter.h"
#include "tests/support/program_maker.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("nested vmaps are counted") {
  test::ProgramMaker maker;
  std::vector<NodeId> nodes;
  for (const char* name : {"increment", "increment_1", "decrement", "decrement_1"})
    nodes.push_back(maker.call(name, std::string("torch._functorch.predispatch._vmap_") + std::string(name).substr(0, 9) + "_nesting", {}));
  auto plan = std::make_shared<const ExecutionPlan>(make_execution_plan(maker.finish(nodes), builtin_ops()));
  Interpreter interpreter(plan, builtin_ops(), {});
  interpreter.start({});
  while (interpreter.step().kind != StepKind::Finished) {}
  std::vector<int64_t> levels;
  for (const RuntimeValue& value : interpreter.outputs()) levels.push_back(value.as<int64_t>() ? *value.as<int64_t>() : -1);
  CHECK(levels == std::vector<int64_t>{1, 2, 2, 1});
}
