#include "interp/compare_runs.h"

#include <doctest/doctest.h>

#include "core/decode/decode.h"
#include "interp/compare_report.h"
#include "tests/support/json_program.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

const std::string kSamples = PT2_SOURCE_DIR "/assets/samples/";

std::shared_ptr<const OpenedFile> open(const char* name) {
  auto file = open_file(kSamples + name);
  REQUIRE(file.has_value());
  return *file;
}

CompareRunsRequest seeded() {
  CompareRunsRequest request;
  request.seed = 1;
  return request;
}

}  // namespace

TEST_CASE("a decomposed program gives the same numbers, group by group") {
  const auto left = open("conv_bn_relu.pt2"), right = open("conv_bn_relu_decomposed.pt2");
  const auto result = compare_runs({left.get(), left->program()}, {right.get(), right->program()}, seeded());
  REQUIRE(result.has_value());
  CHECK(!result->first_divergence);
  REQUIRE(result->groups.size() == 3);
  for (const GroupNumbers& numbers : result->groups) CHECK(numbers.equal == true);
  REQUIRE(result->outputs.size() == 1);
  CHECK(result->outputs[0].equal == true);
  CHECK(result->outputs[0].left == "relu");
}

TEST_CASE("one constant changed is named at its node and classified") {
  const auto left = open("conv_bn_relu.pt2"), right = open("conv_bn_relu_decomposed.pt2");
  auto json = right->archive->model_json("model");
  REQUIRE(json.has_value());
  const std::string from = "\"as_float\": 1e-05";  // batch_norm's eps
  const size_t at = json->find(from);
  REQUIRE(at != std::string::npos);
  json->replace(at, from.size(), "\"as_float\": 1e-01");
  auto edited = decode_program("model", *json, "models/model.json");
  REQUIRE(edited.has_value());
  const auto result = compare_runs({left.get(), left->program()}, {right.get(), *edited}, seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  const NodeGroup& group = result->diff.groups[*result->first_divergence];
  CHECK(qualified_name(*left->program(), group.left[0]) == "batch_norm");
  const GroupNumbers& numbers = result->groups[*result->first_divergence];
  CHECK(numbers.cause == Cause::Values);
  CHECK(!numbers.carried_in);
  CHECK(result->groups[0].equal == true);   // conv2d, before it
  CHECK(result->groups[2].equal == false);  // relu, after it
  CHECK(result->groups[2].carried_in);
  CHECK(result->outputs[0].equal == false);
}

TEST_CASE("NaN against numbers is its own cause") {
  const auto left = open("conv_bn_relu.pt2"), right = open("conv_bn_relu_nan.pt2");
  const auto result = compare_runs({left.get(), left->program()}, {right.get(), right->program()}, seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  CHECK(result->groups[*result->first_divergence].cause == Cause::Nan);
  CHECK(qualified_name(*left->program(), result->diff.groups[*result->first_divergence].left[0]) == "batch_norm");
}

TEST_CASE("a weight that differs is named where the numbers part") {
  const auto left = open("conv_bn_relu.pt2"), right = open("conv_bn_relu_nan.pt2");
  for (const bool isolate : {false, true}) {
    CompareRunsRequest request = seeded();
    request.isolate = isolate;
    const auto result = compare_runs({left.get(), left->program()}, {right.get(), right->program()}, request);
    REQUIRE(result.has_value());
    const ComparisonView view{*left->program(), *right->program(), "a", "b", result->diff, &*result, nullptr, std::nullopt};
    const std::string text = divergence_text(view);
    CHECK(text.find("bn.running_var differs.") != std::string::npos);
    CHECK(text.find("the operands were the same") == std::string::npos);
    CHECK((text.find("It arises there") != std::string::npos) == isolate);
    CHECK(comparison_json(view).find("\"differing_inputs\": [\"bn.running_var\"]") != std::string::npos);
  }
}

TEST_CASE("a view that is made anew from what was written later does not count as a difference") {
  const auto file = open("conv_bn_relu.pt2");  // its archive only: the programs have no weights
  const auto left = test::JsonProgram().input("x").call("add", "aten.add.Tensor", "self=x, other=1").call("view", "aten.view.default", "self=add, size=[6]", "6")
                        .call("mul_", "aten.mul_.Tensor", "self=add, other=2").output("mul_").output("view").decode();
  const auto right = test::JsonProgram().input("x").call("add", "aten.add.Tensor", "self=x, other=1").call("mul", "aten.mul.Tensor", "self=add, other=2")
                         .call("view", "aten.view.default", "self=mul, size=[6]", "6").output("mul").output("view").decode();
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, seeded());
  REQUIRE(result.has_value());
  CHECK(!result->first_divergence);
  REQUIRE(result->outputs.size() == 2);
  CHECK(result->outputs[0].equal == true);
  CHECK(result->outputs[1].equal == true);
}

TEST_CASE("a result that is an operand passed on needs no counterpart") {
  const auto file = open("conv_bn_relu.pt2");
  const std::string broadcast = R"({"target": "torch.ops.aten.broadcast_tensors.default", "name": "broadcast_tensors", "inputs": [{"name": "tensors", "kind": 1,
      "arg": {"as_tensors": [{"name": "x"}, {"name": "y"}]}}], "outputs": [{"as_tensors": [{"name": "a"}, {"name": "b"}]}],
      "metadata": {"torch_fn": "broadcast_tensors_1;broadcast_tensors"}})";
  const std::string expand = R"({"target": "torch.ops.aten.expand.default", "name": "expand", "inputs": [{"name": "self", "kind": 1, "arg": {"as_tensor": {"name": "x"}}},
      {"name": "size", "kind": 1, "arg": {"as_ints": [2, 3]}}], "outputs": [{"as_tensor": {"name": "expand"}}],
      "metadata": {"torch_fn": "broadcast_tensors_1;broadcast_tensors"}})";
  const auto left = test::JsonProgram().input("x", "3").input("y").node(broadcast).value("a", "2, 3 / 0, 1").value("b", "2, 3").output("a").output("b").decode();
  const auto right = test::JsonProgram().input("x", "3").input("y").node(expand).value("expand", "2, 3 / 0, 1").output("expand").output("y").decode();
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->diff.groups.size() == 1);
  CHECK(result->groups[0].equal == true);
  CHECK(!result->first_divergence);
}
