#include "interp/compare_report.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "tests/support/json_program.h"

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

TEST_CASE("of a group of many nodes the verdict names the first few") {
  Compared both = compared(scaled("2"), scaled("3"));
  REQUIRE(both.numbers.first_divergence.has_value());
  auto& nodes = both.numbers.diff.groups[*both.numbers.first_divergence].left;
  const NodeRef node = nodes.front();
  const std::string name(both.left->node(node).name);
  nodes.assign(300, node);
  std::string six;
  for (int i = 0; i < 6; ++i) six += (i ? ", " : "{") + name;
  CHECK(divergence_text(both.view()).starts_with("The numbers first part at " + six + " and 294 more}: "));
  nodes.assign(7, node);
  CHECK(divergence_text(both.view()).starts_with("The numbers first part at " + six + ", " + name + "}: "));
}
