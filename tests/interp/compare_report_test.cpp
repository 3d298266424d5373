#include "interp/compare_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/encode/write_pt2.h"
#include "tests/interp/comparing.h"
#include "tests/support/json_program.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

struct Compared {
  std::shared_ptr<const Program> left, right;
  RunComparison numbers;
  ComparisonView view() const { return {.left = *left, .right = *right, .left_name = "a", .right_name = "b", .diff = numbers.diff, .numbers = &numbers, .only = {}}; }
};

Compared compared(std::shared_ptr<const Program> left, std::shared_ptr<const Program> right) {
  const auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");  // no weights of it are read
  REQUIRE(file.has_value());
  auto numbers = compare_runs({file->get(), left}, {file->get(), right}, {});
  REQUIRE(numbers.has_value());
  return {std::move(left), std::move(right), std::move(*numbers)};
}

std::shared_ptr<const Program> scaled(const std::string& factor, bool more = false) {
  test::JsonProgram program;
  program.input("x").call("mul", "aten.mul.Tensor", "self=x, other=" + factor).call("add", "aten.add.Tensor", "self=mul, other=100");
  if (more)  // from another line
    program.node(R"({"target": "torch.ops.aten.neg.default", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("add") + R"(}], "outputs": [)" + test::JsonProgram::tensor("neg") +
                 R"(], "metadata": {"stack_trace": "File \"net.py\", line 9, in forward\n    z = g"}, "name": "neg"})").value("neg", "2, 3");
  return program.output(more ? "neg" : "add").decode();
}

}  // namespace

TEST_CASE("a difference that became small on its way keeps its kind, and the verdict says how large it is") {
  const Compared result = compared(scaled("2.0"), scaled("2.0005"));
  REQUIRE(result.numbers.groups.size() == 2);
  CHECK(result.numbers.groups[0].cause == Cause::Values);
  const GroupNumbers& add = result.numbers.groups[1];
  CHECK(add.carried_in);
  CHECK(cause_of(*result.numbers.left_values.of.at(add.left).tensor, *result.numbers.right_values.of.at(add.right).tensor, add.difference, false) == Cause::Rounding);
  CHECK(add.cause == Cause::Values);
  const std::string said = divergence_text(result.view());
  CHECK_MESSAGE(said.find("part at mul: values, max abs Δ 0.00") != said.npos, said);
}

TEST_CASE("all groups of the JSON have the same keys") {
  const Compared result = compared(scaled("2.0"), scaled("2.0005", true));
  const auto json = nlohmann::json::parse(comparison_json(result.view()));
  REQUIRE(json["groups"].size() == 3);
  std::set<std::string> first;
  for (const auto& item : json["groups"][0].items()) first.insert(item.key());
  for (const char* key : {"changes", "changed_values", "equal", "compared", "cause", "judged_by", "carried_in", "operand_differs", "local", "not_judged", "differing_inputs"}) CHECK_MESSAGE(first.count(key), key);
  for (const auto& group : json["groups"]) {
    std::set<std::string> keys;
    for (const auto& item : group.items()) keys.insert(item.key());
    CHECK(keys == first);
  }
  const auto& added = json["groups"][2];
  CHECK(added["kind"] == "added");
  for (const char* key : {"equal", "compared", "cause", "carried_in", "local"}) CHECK_MESSAGE(added[key].is_null(), key);
}

TEST_CASE("in CSV a weight stands under its name on either side, and on neither where that side has none") {
  const test::Scratch scratch;
  auto written = [&](const std::string& module, const std::string& other, float value) {
    const auto program = test::JsonProgram().input("w", "2, 3", "parameter", module + ".w").input("v", "2, 3", "parameter", other).input("x").call("mul", "aten.mul.Tensor", "self=x, other=w")
                             .call("add", other == "a" ? "aten.add.Tensor" : "aten.sub.Tensor", "self=mul, other=v").output("add").decode();
    const std::string path = scratch.path((module + ".pt2").c_str());
    REQUIRE(write_pt2(path, {*program, {{module + ".w", test::sixfold(value)}, {other, test::sixfold(1)}}, {}, {}}).has_value());
    return test::opened(path);
  };
  const auto left = written("layers", "a", 1), right = written("blocks", "b", 2);
  const ProgramSide a{left.get(), left->program()}, b{right.get(), right->program()};
  const Diff diff = diff_programs(*a.program, *b.program);
  const WeightComparison weights = compare_weights(a, b, diff, {});
  ComparisonView view{*a.program, *b.program, "a", "b", diff, nullptr, nullptr, std::nullopt};
  view.weights = &weights;
  const std::string csv = comparison_csv(view);
  for (const char* row : {"\nlayers.w,blocks.w,weight,,,false,1,", "\na,,weight,,,false,,,,,,only in the first program", "\n,b,weight,,,false,,,,,,only in the second program"})
    CHECK_MESSAGE(csv.find(row) != std::string::npos, csv);
}

TEST_CASE("operands that changed places are not equal ones") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const char* operands) {
    return test::JsonProgram().input("x").call("a", "aten.clone.default", "self=x").call("b", "aten.detach.default", "self=x").call("c", "aten.neg.default", "self=x")
        .call("made", "aten.sub.Tensor", operands).output("made").output("a").output("b").decode();
  };
  const auto left = program("self=a, other=c"), right = program("self=c, other=b");
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, test::seeded());
  REQUIRE(result.has_value());
  const GroupNumbers& numbers = result->groups[result->diff.left_group.at(test::node_of(*left, "made"))];
  CHECK(numbers.equal == false);  // 2x and -2x
  CHECK(!numbers.equal_operands);
  CHECK(test::verdict(*left, *right, *result).find("The calls differ: operands") != std::string::npos);
}
