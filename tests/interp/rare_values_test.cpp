// Rarely used corners of operators. Expected results are those of torch 2.13.
#include <doctest/doctest.h>

#include <cmath>

#include "interp/ops/call.h"
#include "interp/tensor_map.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using test::floats;

namespace {

std::vector<float> numbers(const Tensor& t) {
  const Tensor dense = as_contiguous(t, DType::Float32);
  return {dense.data<float>(), dense.data<float>() + dense.numel()};
}

}  // namespace

TEST_CASE("diff of order 0 is the tensor itself, whatever is put before or after it") {
  const std::vector<float> values{1, 4, 2, 5, 4, 7, 7, 1};
  const Tensor x = floats({4, 2}, values), more = floats({2, 2}, {10, 20, 30, 50});
  CHECK(numbers(call("aten.diff.default", x, 0, 0, more, more)) == values);
  CHECK(numbers(call("aten.diff.default", x, 0, 0, std::nullopt, more)) == values);
  CHECK(numbers(call("aten.diff.default", x, 2, 0, more, more)) == std::vector<float>{-49, -76, 30, 47, 1, 1, 1, -8, 0, 25, 17, 11});
}

TEST_CASE("a factorization that fails leaves what it did and what it did not touch") {
  const Tensor a = floats({4, 4}, {4, 2, 1, 0, 2, 5, 3, 1, 1, 3, -2, 2, 0, 1, 2, 6});
  const Results lower = call_all("aten.linalg_cholesky_ex.default", a);
  CHECK(numbers(Reader<Tensor>::read(lower.at(0))) == std::vector<float>{2, 0, 0, 0, 1, 2, 0, 0, 0.5, 1.25, -3.8125, 0, 0, 0.5, 2, 6});
  CHECK(numbers(Reader<Tensor>::read(lower.at(1))) == std::vector<float>{3});
  const Tensor upper = call("aten.linalg_cholesky_ex.default", a, true);
  CHECK(numbers(upper) == std::vector<float>{2, 1, 0.5, 0, 0, 2, 1.25, 0.5, 0, 0, -3.8125, 2, 0, 0, 0, 6});
}

TEST_CASE("modified Bessel functions overflow with their exponential") {
  const Tensor x = floats({4}, {80, 88, 89, -95});
  const float inf = INFINITY;
  for (const char* op : {"aten.i0.default", "aten.special_modified_bessel_i0.default"}) {
    const std::vector<float> y = numbers(call(op, x));
    CHECK(y[0] == doctest::Approx(2.4751783e33));
    CHECK(y[1] == doctest::Approx(7.0340195e36));
    CHECK(std::vector<float>(y.begin() + 2, y.end()) == std::vector<float>{inf, inf});
  }
  for (const char* op : {"aten.special_i1.default", "aten.special_modified_bessel_i1.default"}) {
    const std::vector<float> y = numbers(call(op, x));
    CHECK(y[0] == doctest::Approx(2.4596597e33));
    CHECK(std::vector<float>(y.begin() + 2, y.end()) == std::vector<float>{inf, -inf});
  }
  CHECK(call("aten.i0.default", to_dtype(x, DType::Float64)).data<double>()[2] == doctest::Approx(1.9012419299064899e37));
}
