#include "views/workspace/tensor_code.h"

#include <doctest/doctest.h>

#include <complex>
#include <limits>

#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::views;
using pt2::test::floats;
using pt2::test::tensor_of;

TEST_CASE("a tensor as torch.tensor(…) keeps values, dtype and shape") {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  CHECK(*torch_text(floats({2, 2}, {1, nan, -inf, 0.1f})) == "torch.tensor([[1.0, float('nan')],\n              [float('-inf'), 0.1]], dtype=torch.float32)");
  CHECK(*torch_text(tensor_of<int64_t>(DType::Int64, {}, {-7})) == "torch.tensor(-7, dtype=torch.int64)");
  CHECK(*torch_text(tensor_of<uint8_t>(DType::Bool, {2}, {1, 0})) == "torch.tensor([True, False], dtype=torch.bool)");
  CHECK(*torch_text(tensor_of<uint16_t>(DType::BFloat16, {1}, {0x3DCD})) == "torch.tensor([0.1], dtype=torch.bfloat16)");
  CHECK(*torch_text(tensor_of<std::complex<float>>(DType::Complex64, {1}, {{1, nan}})) == "torch.tensor([complex(1.0, float('nan'))], dtype=torch.complex64)");
  CHECK(*torch_text(floats({0, 3}, {})) == "torch.empty([0, 3], dtype=torch.float32)");
  CHECK(*torch_text(tensor_of<int8_t>(DType::QInt8, {1}, {-3})) == "torch.tensor([-3], dtype=torch.int8)");
}

TEST_CASE("lists and tab-separated values") {
  const Tensor t = floats({2, 1, 2}, {1, 2, 3, 4.5f});
  CHECK(*list_text(t) == "[[[1.0, 2.0]],\n [[3.0, 4.5]]]");
  CHECK(*tsv_text(t) == "1.0\t2.0\n3.0\t4.5\n");
  CHECK(*list_text(floats({0}, {})) == "[]");
}

TEST_CASE("what is too much for a text is refused, a slice of it is not") {
  Tensor huge = floats({1}, {1});
  huge.sizes = {2'000'000};
  huge.strides = {0};
  CHECK_FALSE(torch_text(huge).has_value());
  CHECK_FALSE(tsv_text(huge).has_value());
  huge.sizes = {3};
  CHECK(*list_text(huge) == "[1.0, 1.0, 1.0]");
}
