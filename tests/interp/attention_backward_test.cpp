// The gradient of attention where the forward pass was decomposed. Expected results are those of torch 2.13.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "interp/allocation.h"
#include "interp/higher_order.h"
#include "interp/op_table.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

Tensor tensor(const Shape& sizes, const std::vector<float>& values) {
  Tensor result = empty(sizes, DType::Float32);
  std::copy(values.begin(), values.end(), result.data<float>());
  return result;
}

}  // namespace

TEST_CASE("of more than one number per row, attention's gradient takes the first as the logarithm of the sum") {
  const Shape sizes{1, 1, 2, 1};
  const Tensor query = tensor(sizes, {1, -2}), key = tensor(sizes, {0.5f, 1}), value = tensor(sizes, {2, -1});
  const Tensor gradient = tensor(sizes, {1, 3}), out = tensor(sizes, {0.13262201845645905f, 1.1931757926940918f});
  const std::vector<std::vector<float>> expected{{-1.1988804340362549f, -0.27004024386405945f}, {1.317599892616272f, -1.317599892616272f}, {1.953415870666504f, 2.363255023956299f}};
  for (const Tensor& logsumexp : {tensor({1, 1, 2}, {0.25f, 0.5f}), tensor({1, 1, 2, 2}, {0.25f, 9, 0.5f, 9})}) {
    std::vector<std::pair<std::string_view, RuntimeValue>> arguments;
    for (const RuntimeValue& argument : {RuntimeValue(gradient), RuntimeValue(query), RuntimeValue(key), RuntimeValue(value), RuntimeValue(out), RuntimeValue(logsumexp), RuntimeValue(0.0), RuntimeValue(false)})
      arguments.emplace_back("", argument);
    const RuntimeValue results = call_operator(*builtin_ops().find("aten._scaled_dot_product_flash_attention_for_cpu_backward.default"), current_context(), arguments);
    for (size_t r = 0; r < expected.size(); ++r)
      for (size_t i = 0; i < 2; ++i) CHECK(results.items()[r].as<Tensor>()->data<float>()[i] == doctest::Approx(expected[r][i]).epsilon(1e-5));
  }
}
