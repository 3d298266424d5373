// Groups judged alone, on the left program's values, where what they read has no counterpart.
#include <doctest/doctest.h>

#include "interp/allocation.h"
#include "interp/compare_runs.h"
#include "tests/interp/comparing.h"
#include "tests/support/json_program.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

using test::JsonProgram;

// A call that gives a number of the value of this argument.
void number(JsonProgram& program, const std::string& name, const std::string& target, const std::string& arguments) {
  program.node(R"({"target": ")" + target + R"(", "name": ")" + name + R"(", "inputs": [)" + arguments + R"(], "outputs": [{"as_sym_int": {"as_name": ")" + name + R"("}}], "metadata": {}})");
  program.symbol(name, "s0");
}
std::string argument(const std::string& value) { return R"({"name": "", "kind": 1, "arg": )" + value + "}"; }
std::string number_named(const std::string& name) { return R"({"as_sym_int": {"as_name": ")" + name + R"("}})"; }

// sin(x) and a number added: 1, or one that the program computes of a size or of a value.
enum class Added { One, OfSize, OfValue };
std::shared_ptr<const Program> sum(Added added) {
  JsonProgram program;
  program.input("x", "s0, 3").input("y", "1", "user_input", "", 5).call("sin", "aten.sin.default", "self=x", "s0, 3");
  if (added == Added::OfSize) number(program, "size", "torch.ops.aten.sym_size.int", argument(JsonProgram::tensor("sin")) + ", " + argument(R"({"as_int": 0})"));
  if (added == Added::OfValue) number(program, "size", "torch.ops.aten.item.default", argument(JsonProgram::tensor("y")));
  if (added != Added::One) number(program, "more", "_operator.add", argument(number_named("size")) + ", " + argument(R"({"as_int": 1})"));
  program.node(R"({"target": "torch.ops.aten.add.Scalar", "name": "add", "inputs": [{"name": "self", "kind": 1, "arg": )" + JsonProgram::tensor("sin") + R"(}, {"name": "other", "kind": 1, "arg": )" +
               (added == Added::One ? R"({"as_int": 1})" : number_named("more")) + R"(}], "outputs": [)" + JsonProgram::tensor("add") + R"(], "metadata": {}})");
  return program.value("add", "s0, 3").output("add").decode();
}

}  // namespace

TEST_CASE("a size that only one program computes does not keep a group from being judged alone") {
  const auto file = test::sample("conv_bn_relu.pt2");  // its archive only
  const auto left = sum(Added::One);
  for (const Added added : {Added::OfSize, Added::OfValue}) {
    CAPTURE(static_cast<int>(added));
    const auto right = sum(added);
    CompareRunsRequest request = test::seeded();
    request.isolate = true;
    request.inputs.values.emplace("x", RuntimeValue(test::sixfold(0.37f)));
    request.inputs.values.emplace("y", RuntimeValue(full(std::vector<int64_t>{1}, DType::Int64, int64_t{2})));
    const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
    REQUIRE(result.has_value());
    const GroupNumbers& numbers = result->groups[result->diff.right_group.at(test::node_of(*right, "add"))];
    CHECK(numbers.equal == false);
    CHECK(numbers.difference.max_abs == doctest::Approx(2));  // PyTorch: 1.3616 and 3.3616
    if (added == Added::OfSize) CHECK(numbers.local == true);
    CHECK(numbers.not_judged == (added == Added::OfSize ? "" : "the operand more has no counterpart"));
  }
}
