// The order of equal elements: that of PyTorch 2.13, whose sort is stable only where it is asked to be.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "interp/ops/call.h"
#include "interp/tensor_map.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;
using test::floats;

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<int64_t> integers(const Tensor& t) {
  const Tensor dense = as_contiguous(t, DType::Int64);
  return {dense.data<int64_t>(), dense.data<int64_t>() + dense.numel()};
}
std::vector<int64_t> places(const Results& results) { return integers(Reader<Tensor>::read(results.at(1))); }

// 0 2 4 1 3 0 …, `replaced` given as NaN.
Tensor tied(float replaced = -1) {
  std::vector<float> values;
  for (int i = 0; i < 24; ++i) values.push_back(static_cast<float>(i * 7 % 5) == replaced ? kNaN : static_cast<float>(i * 7 % 5));
  return floats({24}, values);
}

const std::vector<int64_t> kAscending{0, 5, 20, 10, 15, 23, 3, 18, 8, 13, 1, 21, 16, 11, 6, 14, 9, 19, 4, 12, 17, 7, 22, 2};
const std::vector<int64_t> kDescending{22, 2, 17, 7, 12, 4, 19, 9, 14, 1, 21, 16, 11, 6, 13, 8, 18, 3, 23, 10, 15, 5, 20, 0};
const std::vector<int64_t> kStable{0, 5, 10, 15, 20, 3, 8, 13, 18, 23, 1, 6, 11, 16, 21, 4, 9, 14, 19, 2, 7, 12, 17, 22};

}  // namespace

TEST_CASE("equal elements come in PyTorch's order") {
  for (DType dtype : {DType::Float32, DType::BFloat16, DType::Int64, DType::UInt8}) {
    const Tensor x = to_dtype(tied(), dtype);
    CHECK(places(call_all("aten.sort.default", x)) == kAscending);
    CHECK(places(call_all("aten.sort.default", x, -1, true)) == kDescending);
    CHECK(places(call_all("aten.sort.stable", x, std::nullopt)) == kAscending);
    CHECK(places(call_all("aten.sort.stable", x, false)) == kAscending);
    CHECK(places(call_all("aten.sort.stable", x, true)) == kStable);
    CHECK(integers(call("aten.argsort.default", x)) == kAscending);
    CHECK(integers(call("aten.argsort.stable", x, true)) == kStable);
    const Tensor columns = call("aten.stack.default", std::vector<Tensor>{x, x}, 1);
    CHECK(integers(call("aten.select.int", call("aten.argsort.default", columns, 0), 1, 1)) == kAscending);
  }
}

TEST_CASE("NaNs among equal elements come in PyTorch's order") {
  const Tensor x = tied(2);
  CHECK(places(call_all("aten.sort.default", x)) == std::vector<int64_t>{15, 0, 5, 20, 10, 23, 13, 18, 8, 3, 9, 19, 4, 14, 22, 12, 17, 7, 2, 16, 11, 6, 21, 1});
  CHECK(places(call_all("aten.sort.default", x, -1, true)) == std::vector<int64_t>{1, 21, 16, 6, 11, 12, 22, 17, 7, 2, 9, 14, 4, 19, 8, 13, 18, 3, 23, 10, 0, 15, 5, 20});
}

TEST_CASE("long vectors of integers are sorted stably") {
  std::vector<int64_t> values(40000), order(40000);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i % 3);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) { return values[static_cast<size_t>(a)] < values[static_cast<size_t>(b)]; });
  const Tensor x = test::tensor_of(DType::Int64, {40000}, values);
  CHECK(places(call_all("aten.sort.default", x)) == order);
  const auto first = [](std::vector<int64_t> all) { return std::vector<int64_t>(all.begin(), all.begin() + 5); };
  CHECK(first(places(call_all("aten.sort.default", x, -1, true))) == std::vector<int64_t>{12008, 28013, 11987, 28010, 11990});
  CHECK(first(places(call_all("aten.sort.default", to_dtype(x, DType::Bool)))) == std::vector<int64_t>{13710, 13725, 13722, 30852, 13719});
  CHECK(first(places(call_all("aten.sort.default", to_dtype(x, DType::Float32)))) == std::vector<int64_t>{27993, 11985, 28014, 11988, 28011});
}

TEST_CASE("the place of the most frequent value") {
  CHECK(places(call_all("aten.mode.default", tied())) == std::vector<int64_t>{15});
  CHECK(places(call_all("aten.mode.default", tied(2))) == std::vector<int64_t>{20});
  CHECK(places(call_all("aten.mode.default", to_dtype(tied(), DType::Int32))) == std::vector<int64_t>{15});
  CHECK(places(call_all("aten.mode.default", floats({3}, {kNaN, kNaN, kNaN}))) == std::vector<int64_t>{0});
}

TEST_CASE("a binary search passes the NaNs of its sequence") {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor nothing = floats({4}, {kNaN, kNaN, kNaN, kNaN}), some = floats({4}, {.1f, .2f, kNaN, kNaN}), none = floats({4}, {1, 3, 5, 7});
  const Tensor asked = floats({5}, {.05f, .15f, .5f, kNaN, inf});
  for (const bool right : {false, true}) {
    CAPTURE(right);
    for (const Tensor& sequence : {nothing, some}) {
      CHECK(integers(call("aten.searchsorted.Tensor", sequence, asked, false, right)) == std::vector<int64_t>{4, 4, 4, 4, 4});
      CHECK(integers(call("aten.bucketize.Tensor", asked, sequence, false, right)) == std::vector<int64_t>{4, 4, 4, 4, 4});
    }
    CHECK(integers(call("aten.searchsorted.Tensor", none, floats({3}, {7, 8, kNaN}), false, right)) == std::vector<int64_t>{right ? 4 : 3, 4, 4});
  }
}

TEST_CASE("the median among equal elements, or among NaNs alone, is that of PyTorch's selection") {
  CHECK(places(call_all("aten.median.dim", tied(), 0)) == std::vector<int64_t>{6});
  CHECK(places(call_all("aten.nanmedian.dim", tied(2), 0)) == std::vector<int64_t>{23});
  CHECK(places(call_all("aten.nanmedian.dim", floats({2, 6}, {kNaN, kNaN, kNaN, kNaN, kNaN, kNaN, 1, kNaN, kNaN, kNaN, 1, 1}), 1)) == std::vector<int64_t>{3, 4});
}
