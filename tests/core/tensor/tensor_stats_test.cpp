#include "core/tensor/tensor_stats.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

using namespace pt2;

namespace {

template <class T>
Tensor tensor_of(DType dtype, Shape sizes, const std::vector<T>& values) {
  auto storage = zero_storage(values.size() * sizeof(T));
  std::memcpy(storage->data(), values.data(), values.size() * sizeof(T));
  Shape strides = contiguous_strides(sizes);
  return {*storage, dtype, std::move(sizes), std::move(strides), 0};
}

}  // namespace

TEST_CASE("statistics are torch's, over finite elements") {
  const float inf = INFINITY, nan = NAN;
  const auto stats = tensor_stats(tensor_of<float>(DType::Float32, {2, 4}, {1, 2, 3, 4, 0, nan, inf, -inf}));
  REQUIRE(stats);
  CHECK(stats->count == 8);
  CHECK(stats->finite == 5);
  CHECK(stats->nan == 1);
  CHECK(stats->positive_inf == 1);
  CHECK(stats->negative_inf == 1);
  CHECK(stats->zeros == 1);
  CHECK(std::get<double>(stats->min) == 0);
  CHECK(std::get<double>(stats->max) == 4);
  CHECK(*stats->mean == doctest::Approx(2));
  CHECK(*stats->std == doctest::Approx(1.5811388));  // torch.tensor([0., 1, 2, 3, 4]).std()
}

TEST_CASE("many floats give what they give one by one, also where some are not finite") {
  std::vector<float> singles(1000);
  for (size_t i = 0; i < singles.size(); ++i) singles[i] = float(int(i * 37 % 501) - 250) * 0.25f;
  singles[300] = NAN, singles[301] = -INFINITY;
  const std::vector<double> doubles(singles.begin(), singles.end());  // which are read one by one
  const auto many = tensor_stats(tensor_of<float>(DType::Float32, {1000}, singles), {}, 0), one = tensor_stats(tensor_of<double>(DType::Float64, {1000}, doubles));
  REQUIRE(many);
  REQUIRE(one);
  CHECK(many->finite == 998);
  CHECK(many->nan == 1);
  CHECK(many->negative_inf == 1);
  CHECK(many->zeros == one->zeros);
  CHECK(many->min == one->min);
  CHECK(many->max == one->max);
  CHECK(*many->mean == doctest::Approx(*one->mean));
  CHECK_FALSE(many->std);  // without bins
}

TEST_CASE("the histogram is numpy.histogram's") {
  std::vector<double> values(100);
  std::iota(values.begin(), values.end(), 0);
  const auto stats = tensor_stats(tensor_of<double>(DType::Float64, {100}, values), {}, 10);
  REQUIRE(stats);
  CHECK(stats->histogram.counts == std::vector<int64_t>{10, 10, 10, 10, 10, 10, 10, 10, 10, 10});
  CHECK(stats->histogram.edges.front() == 0);
  CHECK(stats->histogram.edges.back() == 99);
  const auto one = tensor_stats(tensor_of<double>(DType::Float64, {1}, {3}));
  CHECK(one->histogram.edges.front() == 2.5);
  CHECK(std::accumulate(one->histogram.counts.begin(), one->histogram.counts.end(), int64_t{0}) == 1);
  CHECK_FALSE(one->std);
}

TEST_CASE("integers stay exact, at both ends of 64 bits") {
  const auto s = tensor_stats(tensor_of<int64_t>(DType::Int64, {2}, {INT64_MIN, INT64_MAX}));
  CHECK(std::get<int64_t>(s->min) == INT64_MIN);
  CHECK(std::get<int64_t>(s->max) == INT64_MAX);
  const auto u = tensor_stats(tensor_of<uint64_t>(DType::UInt64, {2}, {0, UINT64_MAX}));
  CHECK(std::get<uint64_t>(u->max) == UINT64_MAX);
  const auto b = tensor_stats(tensor_of<uint8_t>(DType::Bool, {4}, {1, 0, 1, 1}));
  CHECK(std::get<bool>(b->max) == true);
  CHECK(*b->mean == 0.75);
}

TEST_CASE("the range may be wider than a double holds") {
  const auto stats = tensor_stats(tensor_of<double>(DType::Float64, {3}, {-1.7e308, 0, 1.7e308}));
  CHECK(stats->histogram.counts.front() == 1);
  CHECK(stats->histogram.counts.back() == 1);
  CHECK(std::accumulate(stats->histogram.counts.begin(), stats->histogram.counts.end(), int64_t{0}) == 3);
}

TEST_CASE("views count what they show; a stride of 0 costs nothing") {
  Tensor t = tensor_of<float>(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6});
  t.sizes = {2, 2};
  t.strides = {3, 2};  // 1 3 / 4 6
  CHECK(*tensor_stats(t)->mean == 3.5);
  t.sizes = {int64_t{1} << 40, 2};
  t.strides = {0, 1};
  const auto stats = tensor_stats(t);
  CHECK(stats->count == int64_t{1} << 41);
  CHECK(stats->zeros == 0);
  CHECK(*stats->mean == 1.5);
  CHECK(*stats->std == doctest::Approx(0.5));
}

TEST_CASE("complex numbers have a mean and a spread, and magnitudes for the histogram") {
  const auto stats = tensor_stats(tensor_of<float>(DType::Complex64, {2}, {3, 4, 0, 0}));
  CHECK(stats->min.index() == 0);
  CHECK(stats->complex_mean == std::complex<double>(1.5, 2));
  CHECK(*stats->std == doctest::Approx(3.5355339));  // torch.tensor([3+4j, 0]).std()
  CHECK(stats->max_magnitude == 5);
  CHECK(stats->zeros == 1);
}

TEST_CASE("an empty tensor has counts and no numbers") {
  const auto stats = tensor_stats(tensor_of<float>(DType::Float32, {0, 3}, {}));
  CHECK(stats->count == 0);
  CHECK(stats->min.index() == 0);
  CHECK_FALSE(stats->mean);
  CHECK(stats->histogram.counts.empty());
}

TEST_CASE("elements are counted into given bins, outliers and what is not finite apart") {
  const auto counts = count_into_bins(tensor_of<float>(DType::Float32, {10}, {-5, 0, 0.5f, 1, 1.5f, 2, 9, NAN, NAN, -INFINITY}), {0, 1, 2});
  REQUIRE(counts.has_value());
  CHECK(counts->histogram.counts == std::vector<int64_t>{2, 3});
  CHECK(counts->below == 1);
  CHECK(counts->above == 1);
  CHECK(counts->nan == 2);
  CHECK(counts->infinite == 1);
}

TEST_CASE("symlog edges rise, keep their ends and are narrow around zero") {
  const auto edges = symlog_edges(-100, 1000, 0.01, 64);
  REQUIRE(edges.size() == 65);
  CHECK(edges.front() == -100);
  CHECK(edges.back() == 1000);
  CHECK(std::is_sorted(edges.begin(), edges.end()));
  const auto zero = std::lower_bound(edges.begin(), edges.end(), 0.0) - edges.begin();
  CHECK(edges[size_t(zero)] - edges[size_t(zero) - 1] < 0.05);
  CHECK(edges[64] - edges[63] > 100);
}
