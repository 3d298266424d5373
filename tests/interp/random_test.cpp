// Values of torch 2.13 after torch.manual_seed(0).
#include "interp/random.h"

#include <doctest/doctest.h>

#include "interp/allocation.h"
#include "interp/distributions.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("uniform of 5 float32 numbers") {
  Generator generator(0);
  const int64_t size = 5;
  const Tensor tensor = empty({&size, 1}, DType::Float32);
  fill_uniform(tensor, -0.3, 0.7, generator);
  const int64_t index[] = {0, 1, 4};
  const float expected[] = {0x1.91eef80000000p-3f, 0x1.df75880000000p-2f, 0x1.e676000000000p-8f};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<float>()[index[i]] == expected[i]);
}

TEST_CASE("uniform of 5 float64 numbers") {
  Generator generator(0);
  const int64_t size = 5;
  const Tensor tensor = empty({&size, 1}, DType::Float64);
  fill_uniform(tensor, 0, 1, generator);
  const int64_t index[] = {0, 1, 4};
  const double expected[] = {0x1.f0aac97c4aa2fp-1, 0x1.6a675d821ccc0p-1, 0x1.4a4099fa1ded3p-1};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<double>()[index[i]] == expected[i]);
}

TEST_CASE("normal of 15 float32 numbers") {
  Generator generator(0);
  const int64_t size = 15;
  const Tensor tensor = empty({&size, 1}, DType::Float32);
  fill_normal(tensor, 0.5, 2, generator);
  const int64_t index[] = {0, 1, 14};
  const float expected[] = {0x1.ca7eb80000000p+1f, -0x1.63c5040000000p-4f, -0x1.a472ac0000000p+0f};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<float>()[index[i]] == expected[i]);
}

TEST_CASE("normal of 16 float32 numbers") {
  Generator generator(0);
  const int64_t size = 16;
  const Tensor tensor = empty({&size, 1}, DType::Float32);
  fill_normal(tensor, 0, 1, generator);
  const int64_t index[] = {0, 7, 8, 15};
  const float expected[] = {-0x1.20370a0000000p+0f, -0x1.0ebf820000000p+1f, 0x1.4a02700000000p-2f, -0x1.fa6cf80000000p-3f};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<float>()[index[i]] == expected[i]);
}

TEST_CASE("normal of 1001 float32 numbers") {
  Generator generator(0);
  const int64_t size = 1001;
  const Tensor tensor = empty({&size, 1}, DType::Float32);
  fill_normal(tensor, 0.7, 2.3, generator);
  const int64_t index[] = {0, 500, 985, 1000};
  const float expected[] = {-0x1.e3b1ca0000000p+0f, 0x1.4a09bc0000000p-2f, -0x1.83394a0000000p-6f, -0x1.c770600000000p-3f};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<float>()[index[i]] == expected[i]);
}

TEST_CASE("normal of 1001 float64 numbers") {
  Generator generator(0);
  const int64_t size = 1001;
  const Tensor tensor = empty({&size, 1}, DType::Float64);
  fill_normal(tensor, 0, 1, generator);
  const int64_t index[] = {0, 500, 985, 1000};
  const double expected[] = {-0x1.27bb92e9262dcp+1, -0x1.6c1e8096305d4p+0, 0x1.e831445ce473dp-1, 0x1.6e36268faf75fp-1};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<double>()[index[i]] == expected[i]);
}

TEST_CASE("exponential of 20 float32 numbers") {
  Generator generator(0);
  const int64_t size = 20;
  const Tensor tensor = empty({&size, 1}, DType::Float32);
  fill_exponential(tensor, 1.5, generator);
  const int64_t index[] = {0, 19};
  const float expected[] = {0x1.2b608e0000000p+1f, 0x1.063c100000000p+0f};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<float>()[index[i]] == expected[i]);
}

TEST_CASE("bernoulli of 20 float32 numbers") {
  Generator generator(0);
  const int64_t size = 20;
  const Tensor tensor = empty({&size, 1}, DType::Float32);
  fill_bernoulli(tensor, 0.3, generator);
  const int64_t index[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
  const float expected[] = {0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.0000000000000p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.0000000000000p+0f, 0x0.0p+0f, 0x1.0000000000000p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x0.0p+0f, 0x1.0000000000000p+0f, 0x0.0p+0f, 0x0.0p+0f};
  for (size_t i = 0; i < std::size(index); ++i) CHECK(tensor.data<float>()[index[i]] == expected[i]);
}

TEST_CASE("each of the two normal numbers that are made at once counts as drawn") {
  Generator generator(0);
  const Tensor one = empty(Shape{}, DType::Float32);
  for (int i = 0; i < 4; ++i) {
    const int64_t before = generator.draws();
    fill_normal(one, 0, 1, generator);
    CHECK(generator.draws() > before);
  }
}
