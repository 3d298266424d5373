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

TEST_CASE("the Airy function, its limits and what is beyond them") {
  const std::vector<float> values = numbers(call("aten.special_airy_ai.default", floats({7}, {-3, -0.005F, 0, 0.5F, 8, 104, INFINITY})));
  const std::vector<float> expected{-0.37881431F, 0.35632217F, 0.35502806F, 0.23169363F, 4.6922079e-8F, 0, NAN};
  for (size_t i = 0; i < 6; ++i) CHECK(values[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  CHECK(std::isnan(values[6]));
}

TEST_CASE("orthogonal polynomials at their ends, of large degrees and where the element type overflows") {
  const Tensor x = floats({8}, {0.5F, 0.5F, -1, -1, 1, 3.5F, 0.3F, 1e30F}), n = floats({8}, {1e5F, 3, 7, 4, 20, 170, 9.7F, -2});
  const std::vector<std::pair<const char*, std::vector<float>>> expected{
      {"aten.special_chebyshev_polynomial_t.default", {-0.49766612F, -1, -1, 1, 1, NAN, 0.38882735F, 0}},
      {"aten.special_chebyshev_polynomial_u.default", {-0.99862868F, -1, -8, 5, 21, NAN, 0.099088646F, 0}},
      {"aten.special_chebyshev_polynomial_v.default", {0.0029231959F, -1, -15, 9, 1, NAN, 1.0648845F, 0}},
      {"aten.special_chebyshev_polynomial_w.default", {-1.9999936F, -1, -1, 1, 41, NAN, -0.86670732F, 0}},
      {"aten.special_hermite_polynomial_h.default", {NAN, -5, -464, -20, 1107214467072.0F, NAN, 7010.2881F, 0}},
      {"aten.special_hermite_polynomial_he.default", {NAN, -1.375F, 20, -2, -161934624.0F, NAN, 250.3907F, 0}},
      {"aten.special_laguerre_polynomial_l.default", {0.045925766F, -0.14583333F, 25.976587F, 8.7083330F, -0.16425894F, -0.40714142F, -0.41794306F, 0}},
      {"aten.special_legendre_polynomial_p.default", {-0.0019171447F, -0.4375F, -1, 1, 1, NAN, 0.063700333F, 0}},
  };
  for (const auto& row : expected) {
    CAPTURE(row.first);
    const std::vector<float>& values = row.second;
    const std::vector<float> found = numbers(call(row.first, x, n));
    for (size_t i = 0; i < values.size(); ++i) {
      CAPTURE(i);
      if (std::isnan(values[i])) CHECK(std::isnan(found[i]));
      else CHECK(found[i] == doctest::Approx(values[i]).epsilon(1e-3));  // the recurrence of degree 100,000 keeps no more digits
    }
  }
  CHECK(numbers(call("aten.special_shifted_chebyshev_polynomial_u.default", floats({3}, {0, 1, 0.75F}), floats({3}, {7, 20, NAN}))) == std::vector<float>{-8, 21, 0});
}

TEST_CASE("limits of the incomplete gamma functions and of zeta come before arguments that are no numbers") {
  const float inf = INFINITY;
  const Tensor a = floats({3}, {NAN, inf, NAN}), x = floats({3}, {0, NAN, inf});
  CHECK(numbers(call("aten.special_gammainc.default", a, x)) == std::vector<float>{0, 0, 1});
  CHECK(numbers(call("aten.special_gammaincc.default", a, x)) == std::vector<float>{1, 1, 0});
  CHECK(std::isnan(numbers(call("aten.special_gammainc.default", floats({1}, {0}), floats({1}, {NAN})))[0]));
  const std::vector<float> zeta = numbers(call("aten.special_zeta.default", floats({3}, {NAN, NAN, NAN}), floats({3}, {0, -2, -1.5F})));
  CHECK(std::vector<float>(zeta.begin(), zeta.begin() + 2) == std::vector<float>{inf, inf});
  CHECK(std::isnan(zeta[2]));
}

TEST_CASE("tensordot sums what meets a dimension of size 1") {
  const Tensor column = floats({2, 1}, {1, 2}), x = floats({2, 3}, {0, 1, 2, 3, 4, 5});
  const std::vector<int64_t> both{0, 1};
  CHECK(numbers(call("aten.tensordot.default", column, x, both, both)) == std::vector<float>{27});
  CHECK(numbers(call("aten.tensordot.default", x, column, both, both)) == std::vector<float>{27});
}

TEST_CASE("renorm and H of complex matrices") {
  using Complex = std::complex<float>;
  const Tensor z = test::tensor_of<Complex>(DType::Complex64, {2, 2}, {{1, 2}, {0, 3}, 4, {1, -1}});
  const Tensor bound = as_contiguous(call("aten.renorm.default", z, 2, 0, 1.5));
  const std::vector<Complex> expected{{0.4009F, 0.8018F}, {0, 1.2027F}, {1.4142F, 0}, {0.3536F, -0.3536F}};
  for (size_t i = 0; i < 4; ++i) CHECK(std::abs(bound.data<Complex>()[i] - expected[i]) < 1e-4);
  const Tensor turned = as_contiguous(call("aten.matrix_H.default", z));
  CHECK(turned.data<Complex>()[1] == Complex(4, 0));
  CHECK(turned.data<Complex>()[2] == Complex(0, -3));
}

TEST_CASE("dtypes of what einsum sums and of the gradient of dropout, and an index that holds nothing") {
  const Tensor bytes = test::tensor_of<uint8_t>(DType::UInt8, {3, 2}, {200, 1, 200, 1, 200, 1});
  const Tensor sums = call("aten.einsum.default", "ij->j", std::vector<Tensor>{bytes});
  CHECK(sums.dtype == DType::Int64);
  CHECK(numbers(sums) == std::vector<float>{600, 3});
  const Tensor gradient = to_dtype(floats({2}, {1, 1}), DType::Float16), mask = test::tensor_of<uint8_t>(DType::Bool, {2}, {1, 0});
  const Tensor dropped = call("aten.native_dropout_backward.default", gradient, mask, 2.0);
  CHECK(dropped.dtype == DType::Float16);
  CHECK(numbers(dropped) == std::vector<float>{2, 0});
  CHECK(call("aten.gather.default", floats({3}, {1, 2, 3}), 0, floats({0}, {})).sizes == Shape{0});
}

TEST_CASE("dist and rms_norm of complex numbers") {
  using Complex = std::complex<float>;
  const Tensor z = test::tensor_of<Complex>(DType::Complex64, {2, 2}, {{1, 2}, {0, 3}, 4, {1, -1}});
  const Tensor twice = call("aten.add.Tensor", z, z);
  CHECK(numbers(call("aten.dist.default", z, twice))[0] == doctest::Approx(5.6568542));
  CHECK(numbers(call("aten.dist.default", z, twice, 1))[0] == doctest::Approx(10.6503));
  const std::vector<int64_t> shape{2};
  const Tensor normed = as_contiguous(call("aten.rms_norm.default", z, shape));
  const std::vector<Complex> expected{{0.8487F, -0.2651F}, {1.1775F, 0.1911F}, {1.4060F, 0.0875F}, {0.3734F, -0.3296F}};
  for (size_t i = 0; i < 4; ++i) CHECK(std::abs(normed.data<Complex>()[i] - expected[i]) < 2e-4);
}

TEST_CASE("unique_consecutive along the only dimension gives counts only where they are asked for") {
  const Tensor x = floats({3}, {1, 1, 2});
  const Results found = call_all("aten.unique_consecutive.default", x, true, false, 0);
  CHECK(numbers(Reader<Tensor>::read(found.at(1))) == std::vector<float>{0, 0, 1});
  CHECK(Reader<Tensor>::read(found.at(2)).sizes == Shape{0});
}

TEST_CASE("only sums of dense rows are fast: those stop at the last offset and leave out which bag an index is in") {
  const Tensor columns = call("aten.transpose.int", floats({3, 5}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}), int64_t(0), int64_t(1)), rows = as_contiguous(columns);
  const Tensor indices = test::tensor_of(DType::Int64, {6}, std::vector<int64_t>{0, 1, 2, 4, 1, 3}), offsets = test::tensor_of(DType::Int64, {3}, std::vector<int64_t>{0, 2, 4});
  const auto bags = [&](const Tensor& weight) {
    const Results results = call_all("aten._embedding_bag_forward_only.default", weight, indices, offsets, false, 0, false, std::nullopt, true, -1);
    return std::pair(numbers(Reader<Tensor>::read(results.at(0))), numbers(Reader<Tensor>::read(results.at(1))));
  };
  using Numbers = std::vector<float>;
  CHECK(bags(rows) == std::pair(Numbers{1, 11, 21, 6, 16, 26}, Numbers{}));
  const auto slow = std::pair(Numbers{1, 11, 21, 10, 30, 50}, Numbers{0, 0, 1, 1, 1, 1});
  CHECK(bags(columns) == slow);
  CHECK(bags(to_dtype(rows, DType::Float64)) == slow);
}
