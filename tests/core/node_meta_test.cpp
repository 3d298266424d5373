#include "core/graph/shown_frame.h"

#include <doctest/doctest.h>

TEST_CASE("stack traces of every release give frames, outermost first") {
  const auto frames = pt2::parse_stack_trace("File \"model.py\", line 12, in forward\n    y = self.fc(x)\n  File \"a \\\"b\\\".py\", line 3, in <lambda>\n    return f(x)");
  REQUIRE(frames.size() == 2);
  CHECK(frames[0].file == "model.py");
  CHECK(frames[0].line == 12);
  CHECK(frames[0].function == "forward");
  CHECK(frames[0].code == "y = self.fc(x)");
  CHECK(frames[1].function == "<lambda>");
  const auto old = pt2::parse_stack_trace("  File \"m.py\", line 1, in g\n    h()\n");
  REQUIRE(old.size() == 1);
  CHECK(old[0].code == "h()");
  CHECK(pt2::parse_stack_trace("NoneType: None\n").empty());
}

TEST_CASE("module stacks are split outside of brackets") {
  const auto stack = pt2::parse_nn_module_stack("L__self__,,m.Net;L__self__relu@1,layers['a,b'].relu,torch.nn.modules.activation.ReLU");
  REQUIRE(stack.size() == 2);
  CHECK(stack[0].path == "");
  CHECK(stack[0].type == "m.Net");
  CHECK(stack[1].key == "L__self__relu@1");
  CHECK(stack[1].path == "layers['a,b'].relu");
  const auto old = pt2::parse_nn_module_stack("L__self__:(L['self'],m.Net);L__self___fc:(L['self'].fc,torch.nn.Linear)");
  REQUIRE(old.size() == 2);
  CHECK(old[1].key == "L__self___fc");
  CHECK(old[1].path == "L['self'].fc");
  CHECK(old[1].type == "torch.nn.Linear");
  const std::string none = "_empty_nn_module_stack_from_metadata_hook";
  CHECK(pt2::parse_nn_module_stack(none + "," + none + "," + none).empty());
}

TEST_CASE("provenance is flattened depth first") {
  const auto steps = pt2::parse_from_node(
      R"([{"name": "a", "target": "t", "graph_id": 1, "pass_name": "p", "action": "create", "from_node": [{"name": "b", "graph_id": 2, "from_node": []}]}, {"name": "c"}])");
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].name == "a");
  CHECK(steps[0].action == "create");
  CHECK(steps[1].name == "b");
  CHECK(steps[1].parent == 0);
  CHECK(steps[1].graph_id == 2);
  CHECK(steps[2].name == "c");
  CHECK(steps[2].parent == -1);
  CHECK(pt2::parse_from_node("[{\"name\": ").empty());
}

TEST_CASE("source functions") {
  const auto stack = pt2::parse_source_fn_stack("relu,torch.nn.functional.relu;add,_operator.add");
  REQUIRE(stack.size() == 2);
  CHECK(stack[1].name == "add");
  CHECK(stack[1].target == "_operator.add");
}

TEST_CASE("of the frames the innermost that a file has is shown") {
  const auto frames = pt2::parse_stack_trace("File \"model.py\", line 12, in forward\n    y = cond(p, f, g)\n  File \"<eval_with_key>.5\", line 3, in forward\n    return f(x)");
  REQUIRE(frames.size() == 2);
  CHECK(pt2::shown_frame(frames)->file == "model.py");
  const auto generated = pt2::parse_stack_trace("File \"<eval_with_key>.4\", line 1, in forward\n  File \"<eval_with_key>.5\", line 3, in forward");
  CHECK(pt2::shown_frame(generated)->line == 3);
  CHECK(pt2::shown_frame({}) == nullptr);
}
