// Operators given complex numbers: factors of a product, the ends of a range, a window. Expected results are those of torch 2.13.
#include <doctest/doctest.h>

#include <complex>

#include "interp/distributions.h"
#include "interp/ops/call.h"
#include "interp/random.h"
#include "interp/tensor_map.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using Number = std::complex<double>;

namespace {

void check_numbers(const Tensor& got, const std::vector<Number>& want) {
  const Tensor dense = as_contiguous(got, DType::Complex128);
  REQUIRE(dense.numel() == static_cast<int64_t>(want.size()));
  for (size_t i = 0; i < want.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(dense.data<Number>()[i] - want[i]) <= 1e-5 * (1 + std::abs(want[i])));
  }
}
Tensor complex_numbers(Shape sizes, std::vector<Number> values) { return to_dtype(test::tensor_of(DType::Complex128, std::move(sizes), std::move(values)), DType::Complex64); }
Tensor row(const Tensor& matrix) { return call("aten.select.int", matrix, 0, 0); }
Tensor batch_of(const Tensor& matrix) { return call("aten.unsqueeze.default", matrix, 0); }

}  // namespace

TEST_CASE("products with complex factors") {
  const Tensor m = complex_numbers({2, 2}, {{1, 0}, {2, 1}, {3, -1}, {4, 2}}), n = complex_numbers({2, 2}, {{2, 1}, {-1, 0}, {0, 2}, {1, -1}});
  const Number beta(1, 2), alpha(2, 3);
  const std::vector<Number> product{{-14, 12}, {7, 9}, {-16, 32}, {9, 17}};
  check_numbers(call("aten.addmm.default", m, m, n, beta, alpha), product);
  check_numbers(call("aten.addbmm.default", m, batch_of(m), batch_of(n), beta, alpha), product);
  check_numbers(call("aten.baddbmm.default", batch_of(m), batch_of(m), batch_of(n), beta, alpha), product);
  check_numbers(call("aten.addmv.default", row(m), m, row(n), Number(0, 1), Number(2, 1)), {{0, 1}, {6, 3}});
  check_numbers(call("aten.addr.default", m, row(m), row(n), beta, alpha), {{2, 10}, {-2, 2}, {-1, 22}, {-1, 2}});
  const Tensor real = test::floats({2, 2}, {1, 2, 3, 4});
  CHECK_THROWS_WITH(call("aten.addmm.default", real, real, real, Number(0, 1), 1), "value cannot be converted to type float32 without overflow");
}

TEST_CASE("ranges of complex numbers") {
  const Number start(1, 1), end(3, -2);
  check_numbers(call("aten.linspace.default", start, end, 5), {{1, 1}, {1.5, 0.25}, {2, -0.5}, {2.5, -1.25}, {3, -2}});
  check_numbers(call("aten.linspace.default", start, end, 1), {{1, 1}});
  check_numbers(call("aten.logspace.default", 0, start, 4), {{1, 0}, {1.5503938, 1.4959506}, {0.16585329, 4.6386247}, {-6.6820154, 7.4398031}});
  check_numbers(call("aten.logspace.default", 0, Number(0, 1), 3, 2.0), {{1, 0}, {0.9405421, 0.33967713}, {0.76923889, 0.63896126}});
  CHECK(call("aten.linspace.default", start, end, 4, DType::Complex128).dtype == DType::Complex128);
}

TEST_CASE("stft with a complex window is two-sided") {
  const Tensor window = complex_numbers({4}, {{0, 1}, {1, -1}, {2, 2}, {3, 0}}), signal = test::floats({8}, {0, 1, 2, 3, 4, 5, 6, 7});
  const std::vector<Number> spectrum{{14, 3}, {26, 7}, {38, 11}, {-5, 4}, {-11, 6}, {-17, 8}, {-6, 5}, {-10, 13}, {-14, 21}, {-3, -12}, {-5, -18}, {-7, -24}};
  check_numbers(call("aten.stft.default", signal, 4, 2, std::nullopt, window, false, false, true), spectrum);
  check_numbers(call("aten.stft.default", signal, 4, 2, std::nullopt, window), spectrum);
}

TEST_CASE("the mean of complex normal numbers is that of both parts") {
  Generator generator(5);
  const Tensor drawn = zeros(Shape{4}, DType::Complex64);
  fill_normal(drawn, 1, 2, generator);
  check_numbers(drawn, {{0.31158805, 0.14606732}, {0.21073274, 1.94402194}, {0.72081292, 3.74751091}, {-0.982306, -0.07841864}});
}
