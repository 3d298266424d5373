#include "interp/matrix.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "interp/check.h"
#include "interp/kernel_context.h"

using namespace pt2::interp;

namespace {

KernelContext with_threads(int threads, std::stop_token stop = {}) {
  KernelContext context;
  context.memory = std::make_shared<MemoryBudget>(SIZE_MAX);
  context.threads = threads;
  context.stop = std::move(stop);
  return context;
}

template <class T>
MatrixProduct<T> dense(int64_t m, int64_t n, int64_t k, const std::vector<T>& a, const std::vector<T>& b, std::vector<T>& c) {
  MatrixProduct<T> p;
  p.m = m, p.n = n, p.k = k;
  p.a = a.data(), p.a_row = k, p.a_column = 1;
  p.b = b.data(), p.b_row = n, p.b_column = 1;
  p.c = c.data(), p.c_row = n;
  return p;
}

}  // namespace

TEST_CASE("no call of a product kernel is long, and k is cut the same for any number of threads") {
  for (int64_t m : {1, 17, 128, 4096, 100'000})
    for (int64_t n : {1, 64, 4096, 60'000})
      for (int64_t k : {1, 768, 4096, 100'000}) {
        CAPTURE(m);
        CAPTURE(n);
        CAPTURE(k);
        const ProductCut one = cut_product(m, n, k, 1), three = cut_product(m, n, k, 3);
        const int64_t length = std::max(m, n), other = std::min(m, n);
        CHECK(one.depth == three.depth);
        CHECK(one.slice >= std::min<int64_t>(length, 16));
        CHECK(three.slice <= one.slice);
        // 256 terms and 16 rows are never cut any further.
        if (one.depth > 256 || one.slice > 16) CHECK(one.slice * other * one.depth <= kLongProduct + 16 * other * one.depth);
      }
  CHECK(cut_product(64, 32, 16, 2).slice == 64);
  CHECK(cut_product(1024, 1024, 512, 2).slice == 512);
}

TEST_CASE("a product that is cut along k adds its pieces up") {
  const int64_t m = 530, n = 1040, k = 2100;
  REQUIRE(cut_product(m, n, k, 2).depth < k);
  std::vector<float> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n)), c(static_cast<size_t>(m * n), 7.0f);
  for (size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(static_cast<int>(i * 7 % 13) - 6);
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(static_cast<int>(i * 5 % 11) - 5);
  const KernelContext context = with_threads(2);
  ContextScope scope(context);
  multiply(dense(m, n, k, a, b, c));
  for (int64_t i : {int64_t{0}, int64_t{15}, int64_t{511}, m - 1})
    for (int64_t j : {int64_t{0}, int64_t{519}, int64_t{520}, n - 1}) {
      double expected = 0;  // small whole numbers: exact in float
      for (int64_t x = 0; x < k; ++x) expected += static_cast<double>(a[static_cast<size_t>(i * k + x)]) * b[static_cast<size_t>(x * n + j)];
      CHECK(c[static_cast<size_t>(i * n + j)] == expected);
    }
}

TEST_CASE("a cancelled run stops within a product") {
  std::stop_source source;
  source.request_stop();
  const KernelContext context = with_threads(1, source.get_token());
  ContextScope scope(context);
  const int64_t m = 1024, n = 1024, k = 1024;
  const std::vector<float> a(static_cast<size_t>(m * k)), b(static_cast<size_t>(k * n));
  std::vector<float> c(static_cast<size_t>(m * n), 7.0f);
  CHECK_THROWS_AS(multiply(dense(m, n, k, a, b, c)), KernelError);
  CHECK(c[0] == 7.0f);
}
