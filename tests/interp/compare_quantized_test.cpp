// A program held against its quantized form: what is quantized and taken back has numbers of its own.
#include <doctest/doctest.h>

#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "tests/interp/comparing.h"
#include "tests/support/json_program.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

// To int8 in steps of 0.1, or back.
std::string quantization(const std::string& operation, const std::string& value, const std::string& name) {
  std::string inputs = R"({"name": "input", "kind": 1, "arg": )" + test::JsonProgram::tensor(value) + R"(}, {"name": "scale", "kind": 1, "arg": {"as_float": 0.1}})";
  for (const char* number : {R"("zero_point", "kind": 1, "arg": {"as_int": 0})", R"("quant_min", "kind": 1, "arg": {"as_int": -128})", R"("quant_max", "kind": 1, "arg": {"as_int": 127})", R"("dtype", "kind": 1, "arg": {"as_scalar_type": 2})"})
    inputs += R"(, {"name": )" + std::string(number) + "}";
  return R"({"target": "torch.ops.quantized_decomposed.)" + operation + R"(_per_tensor.default", "inputs": [)" + inputs + R"(], "outputs": [)" + test::JsonProgram::tensor(name) + R"(], "metadata": {"stack_trace": "File \"net.py\", line 9, in forward\n    z = g"}})";
}

std::shared_ptr<const Program> squares(bool quantized) {
  test::JsonProgram program;
  program.input("x").call("mul", "aten.mul.Tensor", "self=x, other=x");
  if (quantized) program.node(quantization("quantize", "mul", "q")).value("q", "2, 3", 2).node(quantization("dequantize", "q", "dq")).value("dq", "2, 3");
  return program.call("relu", "aten.relu.default", quantized ? "self=dq" : "self=mul").output("relu").decode();
}

}  // namespace

TEST_CASE("a value that is quantized on one side is held against what the other side reads in its place") {
  const auto file = test::sample("conv_bn_relu.pt2");  // its archive only
  const auto plain = squares(false), quantized = squares(true);
  for (const bool turned : {false, true}) {
    CAPTURE(turned);
    const auto &left = turned ? quantized : plain, &right = turned ? plain : quantized;
    CompareRunsRequest request = test::seeded();
    request.isolate = true;
    request.inputs.values.emplace("x", RuntimeValue(test::sixfold(0.37f)));
    const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
    REQUIRE(result.has_value());
    const auto& group_of = turned ? result->diff.left_group : result->diff.right_group;
    const GroupNumbers& numbers = result->groups[group_of.at(test::node_of(*quantized, "dq"))];
    CHECK(numbers.equal == false);
    CHECK(numbers.difference.max_abs == doctest::Approx(0.0369));  // PyTorch: 0.1369 becomes 0.1
    CHECK((turned ? left : right)->node(turned ? numbers.left : numbers.right).name == "dq");
    CHECK((turned ? right : left)->node(turned ? numbers.right : numbers.left).name == "mul");
    CHECK(!result->groups[group_of.at(test::node_of(*quantized, "q"))].equal);
    // The numbers part for good where both have a call; alone it is not to blame.
    const size_t relu = group_of.at(test::node_of(*quantized, "relu"));
    CHECK(result->first_divergence == relu);
    CHECK(result->groups[relu].operand_differs);
  }
}
