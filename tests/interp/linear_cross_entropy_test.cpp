// Cross entropy of a linear layer in chunks, with its gradients. From torch 2.13.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "interp/ops/call.h"
#include "interp/tensor_map.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using test::floats;

namespace {

struct Case {
  DType dtype;
  const char* policy;
  std::vector<std::vector<float>> results;  // loss, gradients of input, weight and bias
};

const std::vector<Case> kCases = {
    {DType::Float32, "compact",
     {{2.817427396774292f},
      {0.7269035577774048f, 0.481828510761261f, 0, 0, -0.4285193979740143f, -0.22946497797966003f},
      {0.2219638228416443f, 1.10707426071167f, 0.010807015933096409f, -0.052988145500421524f, 0.6255729794502258f, 0.04729783535003662f, -0.858343780040741f, -1.101383924484253f},
      {-0.22385798394680023f, 0.02564992755651474f, 0.41979360580444336f, -0.22158551216125488f}}},
    {DType::Float16, "compact",
     {{2.81640625f},
      {0.72705078125f, 0.481689453125f, 0, 0, -0.428466796875f, -0.2293701171875f},
      {0.221923828125f, 1.107421875f, 0.01080322265625f, -0.053009033203125f, 0.62548828125f, 0.04730224609375f, -0.85791015625f, -1.1015625f},
      {-0.2237548828125f, 0.0256500244140625f, 0.419677734375f, -0.221435546875f}}},
    {DType::Float16, "accurate",
     {{2.818359375f},
      {0.72705078125f, 0.48193359375f, 0, 0, -0.428466796875f, -0.2294921875f},
      {0.2218017578125f, 1.107421875f, 0.01080322265625f, -0.052978515625f, 0.62548828125f, 0.04730224609375f, -0.8583984375f, -1.1015625f},
      {-0.2237548828125f, 0.0256500244140625f, 0.419677734375f, -0.221435546875f}}},
    {DType::BFloat16, "balanced",
     {{2.8125f},
      {0.7265625f, 0.478515625f, 0, 0, -0.4296875f, -0.228515625f},
      {0.22265625f, 1.109375f, 0.01068115234375f, -0.05322265625f, 0.625f, 0.045654296875f, -0.859375f, -1.1015625f},
      {-0.224609375f, 0.025634765625f, 0.419921875f, -0.21875f}}},
};

const std::vector<float> kInput = {1.6064453125f, 0.349609375f, 0.177978515625f, -1.2275390625f, 0.09234619140625f, -2.736328125f};
const std::vector<float> kWeight = {0.33740234375f, 1.0107421875f, -1.435546875f, 0.9775390625f, 0.52197265625f, 1.23828125f, -0.86474609375f, 0.299072265625f};
const std::vector<float> kBias = {0.419189453125f, -0.079833984375f, 0.92626953125f, 0.81591796875f};
const std::vector<float> kClassWeight = {0.36865234375f, 0.00432586669921875f, 0.265869140625f, 0.509765625f};

void check_values(const Tensor& tensor, const std::vector<float>& expected, float epsilon) {
  const Tensor dense = as_contiguous(tensor, DType::Float32);
  REQUIRE(dense.numel() == int64_t(expected.size()));
  for (size_t i = 0; i < expected.size(); ++i) CHECK(dense.data<float>()[i] == doctest::Approx(expected[i]).epsilon(epsilon));
}
Tensor targets() { return test::tensor_of<int64_t>(DType::Int64, {3}, {3, 1, 0}); }

}  // namespace

TEST_CASE("the chunked linear cross entropy gives PyTorch's loss and gradients") {
  for (const Case& c : kCases) {
    INFO(std::string(c.policy));
    const auto typed = [&](Shape sizes, const std::vector<float>& numbers) { return to_dtype(floats(std::move(sizes), numbers), c.dtype); };
    const Results results = call_all("torch_nn._linear_cross_entropy_batch_chunked.default", typed({3, 2}, kInput), typed({4, 2}, kWeight), targets(), typed({4}, kBias),
                                     typed({4}, kClassWeight), "mean", int64_t(1), 0.0, int64_t(2), c.policy, DType::Float32, true, true, true, true);
    REQUIRE(results.size() == 4);
    for (size_t i = 0; i < 4; ++i) {
      const Tensor result = Reader<Tensor>::read(results[i]);
      CHECK(result.dtype == c.dtype);
      check_values(result, c.results[i], c.dtype == DType::Float32 ? 1e-5f : c.dtype == DType::Float16 ? 2e-3f : 1e-2f);
    }
  }
}

TEST_CASE("gradients of the chunked linear cross entropy that are not asked for are empty") {
  const Results results = call_all("torch_nn._linear_cross_entropy_batch_chunked.default", floats({3, 2}, kInput), floats({4, 2}, kWeight), targets(), floats({4}, kBias),
                                   floats({4}, kClassWeight), "mean", int64_t(1), 0.0, int64_t(2), "compact", DType::Float32, true, false, false, false);
  check_values(Reader<Tensor>::read(results.at(0)), {2.817427396774292f}, 1e-5f);
  CHECK(Reader<Tensor>::read(results.at(1)).sizes == Shape{0, 0});
  CHECK(Reader<Tensor>::read(results.at(2)).sizes == Shape{0, 0});
  CHECK(Reader<Tensor>::read(results.at(3)).sizes == Shape{0});
}

TEST_CASE("the chunked linear cross entropy without a reduction gives a loss for each row") {
  const auto half = [](Shape sizes, const std::vector<float>& numbers) { return to_dtype(floats(std::move(sizes), numbers), DType::Float16); };
  const Tensor losses = call("torch_nn._linear_cross_entropy_batch_chunked_no_reduction.default", half({3, 2}, kInput), half({4, 2}, kWeight), targets(), half({4}, kBias),
                             half({4}, kClassWeight), int64_t(1), int64_t(2), "balanced", DType::Float32);
  check_values(losses, {1.564453125f, 0.0f, 0.90966796875f}, 1e-3f);
}
