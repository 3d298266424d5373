#include "interp/compare_report.h"
#include "interp/run_failures.h"

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
  const GroupNumbers& group_of(const char* node) const { return numbers.groups[numbers.diff.left_group.at(test::node_of(*left, node))]; }
  std::string verdict() const { return divergence_text(view()); }
  ComparisonView view() const { return {.left = *left, .right = *right, .left_name = "a", .right_name = "b", .diff = numbers.diff, .numbers = &numbers, .only = {}}; }
};

Compared compared(std::shared_ptr<const Program> left, std::shared_ptr<const Program> right, const CompareRunsRequest& request = {}) {
  const auto file = test::sample("conv_bn_relu.pt2");  // no weights of it are read
  auto numbers = compare_runs({file.get(), left}, {file.get(), right}, request);
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

TEST_CASE("what is known to be carried in keeps its kind where the calls are not the same, and so does what is returned") {
  auto program = [](const char* factor, const char* add) {
    return test::JsonProgram().input("x").call("mul", "aten.mul.Tensor", std::string("self=x, other=") + factor).call("add", add, "self=mul, other=100").call("clone", "aten.clone.default", "self=add").output("clone").decode();
  };
  CompareRunsRequest request;
  for (const bool isolate : {false, true}) {
    request.isolate = isolate;
    const Compared result = compared(program("2.0", "aten.add.Tensor"), program("2.0005", "aten.add.Scalar"), request);
    CHECK(result.group_of("mul").cause == Cause::Values);
    const Cause kept = isolate ? Cause::Values : Cause::Rounding;  // by its size alone, where it may be the call's own
    CHECK(result.group_of("add").cause == kept);
    CHECK(result.group_of("clone").cause == kept);
    REQUIRE(result.numbers.outputs.size() == 1);
    CHECK(result.numbers.outputs[0].cause == kept);
  }
}

TEST_CASE("the operands were the same where their order is known to be") {
  using Call = std::pair<const char*, const char*>;  // of y and z
  auto program = [](const std::vector<Call>& calls) {
    test::JsonProgram program;
    program.input("x").call("y", "aten.sin.default", "self=x").call("z", "aten.cos.default", "self=x");
    const char* names[] = {"last", "one_before"};
    for (size_t i = calls.size(); i-- > 0;) program.call(names[i], calls[calls.size() - 1 - i].first, calls[calls.size() - 1 - i].second);
    return program.output("last").decode();
  };
  auto verdict_of = [&](const std::vector<Call>& a, const std::vector<Call>& b) {
    CompareRunsRequest request = test::seeded();
    request.isolate = true;
    const auto left = program(a), right = program(b);
    request.matching.linked = {{test::node_of(*left, "last"), test::node_of(*right, "last")}};
    if (b.size() == 2) request.matching.linked.emplace_back(test::node_of(*left, "last"), test::node_of(*right, "one_before"));
    return compared(left, right, request).verdict();
  };
  const Call sub{"aten.sub.Tensor", "self=y, other=z"}, div{"aten.div.Tensor", "self=y, other=z"}, turned{"aten.div.Tensor", "self=z, other=y"};
  const Call neg{"aten.neg.default", "self=y"}, add{"aten.add.Tensor", "self=z, other=one_before"}, alone{"aten.exp.default", "self=one_before"}, tan{"aten.tan.default", "self=y"};
  const std::string same = "It arises there: the operands were the same.", maybe = "It arises there: its operands hold the same values, maybe in another order.";
  for (const auto& [a, b, words] : {std::tuple(std::vector{sub}, std::vector{div}, same), std::tuple(std::vector{sub}, std::vector{turned}, maybe),
                                    std::tuple(std::vector{sub}, std::vector{neg, add}, maybe), std::tuple(std::vector{tan}, std::vector{neg, alone}, same)}) {
    const std::string said = verdict_of(a, b);
    CHECK_MESSAGE(said.find(words) != said.npos, said);
  }
}

TEST_CASE("the verdict says where nothing that is returned differs, and why there are no numbers") {
  auto program = [](const char* value, bool more) {
    test::JsonProgram program;
    program.input("x").call("add", "aten.add.Tensor", std::string("self=x, other=") + value).call("mul", "aten.mul.Tensor", "self=add, other=0").output("mul");
    return (more ? program.output("add") : program).decode();
  };
  const Compared lost = compared(program("1", false), program("2", false)), returned = compared(program("1", true), program("2", true));
  CHECK_MESSAGE(lost.verdict().ends_with(" The output agrees."), lost.verdict());
  CHECK_MESSAGE(returned.verdict().find("agree") == std::string::npos, returned.verdict());
  ComparisonView view = lost.view();
  view.numbers = nullptr;
  CHECK(divergence_text(view).empty());
  view.problem = "no x";
  CHECK(divergence_text(view) == "The numbers could not be compared: no x.");
}

TEST_CASE("a run that fails is no agreement: the verdict says which side, where and why") {
  auto program = [](const char* size) {
    return test::JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").call("view", "aten.view.default", std::string("self=neg, size=") + size).output("view").decode();
  };
  for (const bool left : {true, false}) {
    const Compared one = compared(program(left ? "[5]" : "[6]"), program("[5]"));
    CHECK_MESSAGE(one.verdict().starts_with(left ? "The numbers could not be compared: A and B fail at view: " : "The numbers could not be compared: B fails at view: "), one.verdict());
    CHECK_MESSAGE(one.verdict().find("shape '[5]' is invalid for input of size 6") != std::string::npos, one.verdict());  // as PyTorch
    CHECK_MESSAGE(one.verdict().ends_with("Up to there they agree (1 group)."), one.verdict());
    CHECK(!numbers_agree(one.numbers));
    CHECK(failed_group(one.numbers) == one.numbers.diff.left_group.at(test::node_of(*one.left, "view")));
    const auto json = nlohmann::json::parse(comparison_json(one.view()));
    CHECK(json["numbers_agree"].is_null());
    CHECK(json["outputs"][0]["equal"].is_null());
  }
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
