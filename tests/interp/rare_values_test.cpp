// Rarely used corners of operators. Expected results are those of torch 2.13.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>

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

TEST_CASE("LDL factors of a symmetric matrix, whose pivots have one row or two") {
  const Tensor a = floats({4, 4}, {1, 2, 3, 4, 2, 1, 5, -1, 3, 5, 0, 2, 4, -1, 2, 1});
  const Results factors = call_all("aten.linalg_ldl_factor.default", a);
  const Tensor ld = Reader<Tensor>::read(factors.at(0)), pivots = Reader<Tensor>::read(factors.at(1));
  CHECK(ld.strides == Shape{1, 4});
  CHECK(numbers(pivots) == std::vector<float>{-4, -4, -4, -4});
  const std::vector<float> expected{1, 0, 0, 0, 4, 1, 0, 0, 0.33333334F, 0.6666667F, -2.3333335F, 0, -0.4F, 0.6F, 5, 2.4F}, found = numbers(ld);
  for (size_t i = 0; i < expected.size(); ++i) CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  const std::vector<float> x = numbers(call("aten.linalg_ldl_solve.default", ld, pivots, floats({4, 2}, {1, 0, 2, 1, 3, -1, 4, 2})));
  const std::vector<float> solution{1, 0.32461873F, 0, -0.39651421F, 0, 0.15032682F, 0, 0.0043573083F};
  for (size_t i = 0; i < solution.size(); ++i) CHECK(x[i] == doctest::Approx(solution[i]).epsilon(1e-5));

  const Results singular = call_all("aten.linalg_ldl_factor_ex.default", floats({2, 2}, {0, 0, 0, 0}));
  CHECK(numbers(Reader<Tensor>::read(singular.at(1))) == std::vector<float>{1, 2});
  CHECK(numbers(Reader<Tensor>::read(singular.at(2))) == std::vector<float>{1});
  CHECK_THROWS(call_all("aten.linalg_ldl_factor.default", floats({2, 2}, {0, 0, 0, 0})));
}

TEST_CASE("LDL factors of a complex matrix, taken as symmetric or as Hermitian") {
  using Complex = std::complex<float>;
  const Tensor a = test::tensor_of<Complex>(DType::Complex64, {3, 3}, {1, 0, 0, {2, -1}, 1, 0, {0, 3}, {5, 1}, 0.5F});
  const Tensor b = test::tensor_of<Complex>(DType::Complex64, {3, 1}, {1, 2, {0, 3}});
  const std::vector<std::vector<float>> places{{1, 2, 3}, {1, 3, 3}};
  const std::vector<std::vector<Complex>> solutions{{{0.92191213F, 0.26454866F}, {0.1635986F, 0.0056413487F}, {-0.03741093F, 0.084916875F}},
                                                    {{0.71818179F, -0.036363631F}, {0, 0.15454544F}, {0.090909086F, 0.14545454F}}};
  for (const bool hermitian : {false, true}) {
    const Results factors = call_all("aten.linalg_ldl_factor.default", a, hermitian);
    const Tensor ld = Reader<Tensor>::read(factors.at(0)), pivots = Reader<Tensor>::read(factors.at(1));
    CHECK(numbers(pivots) == places[hermitian]);
    const Tensor x = as_contiguous(call("aten.linalg_ldl_solve.default", ld, pivots, b, hermitian));
    for (size_t i = 0; i < 3; ++i) CHECK(std::abs(x.data<Complex>()[i] - solutions[hermitian][i]) < 1e-5);
  }
}
