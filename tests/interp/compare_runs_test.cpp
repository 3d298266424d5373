#include "interp/compare_runs.h"

#include <doctest/doctest.h>

#include "core/decode/decode.h"

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
