#include "views/workspace/comparison.h"

#include <doctest/doctest.h>

#include "tests/support/json_program.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::string node(const std::string& name, const std::string& target, const std::string& inputs) {
  return R"({"target": "torch.ops.aten.)" + target + R"(.default", "name": ")" + name + R"(", "inputs": [)" + inputs + R"(], "outputs": [{"as_tensor": {"name": ")" + name +
         R"("}}], "metadata": {"torch_fn": "linear_1;builtin_function_or_method.linear"}})";
}
std::string operand(const std::string& argument, const std::string& value) {
  return R"({"name": ")" + argument + R"(", "kind": 1, "arg": {"as_tensor": {"name": ")" + value + R"("}}})";
}

}  // namespace

TEST_CASE("a linear is held against the addmm it became, not against the permute before it") {
  auto inputs = [] { return test::JsonProgram().input("x", "2, 4").input("w", "3, 4").input("b", "3"); };
  const auto left = inputs().node(node("linear", "linear", operand("input", "x") + ", " + operand("weight", "w") + ", " + operand("bias", "b"))).value("linear", "2, 3").output("linear").decode();
  const auto right = inputs().node(node("permute", "permute", operand("self", "w") + R"(, {"name": "dims", "kind": 1, "arg": {"as_ints": [1, 0]}})")).value("permute", "4, 3")
                         .node(node("addmm", "addmm", operand("self", "b") + ", " + operand("mat1", "x") + ", " + operand("mat2", "permute"))).value("addmm", "2, 3").output("addmm").decode();
  const Diff diff = diff_programs(*left, *right);
  const NodeRef linear{left->root(), left->root_graph().find("linear")};
  REQUIRE(counterparts(diff, true, linear).size() == 2);
  const NodeRef closest = closest_counterpart(diff, true, *left, linear, *right);
  CHECK(right->node(closest).name == "addmm");
}
