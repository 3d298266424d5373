// unique of slices with NaNs, as PyTorch 2.13 orders and tells them apart.
#include <doctest/doctest.h>

#include <cmath>

#include "interp/ops/call.h"
#include "interp/tensor_map.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

std::vector<int64_t> integers(const RuntimeValue& value) {
  const Tensor dense = as_contiguous(Reader<Tensor>::read(value), DType::Int64);
  return {dense.data<int64_t>(), dense.data<int64_t>() + dense.numel()};
}

}  // namespace

TEST_CASE("slices that differ after a NaN are ordered by what follows it") {
  const float nan = NAN;
  const Results few = call_all("aten.unique_dim.default", test::floats({2, 6}, {1, nan, 1, nan, 2, 1, 3, 1, 3, 1, 0, 2}), 1, true, true, true);
  CHECK(integers(few.at(1)) == std::vector<int64_t>{4, 2, 4, 3, 1, 0});
  CHECK(integers(few.at(2)) == std::vector<int64_t>{1, 1, 1, 1, 2});

  std::vector<float> values;
  for (int i = 0; i < 40; ++i) values.push_back(i % 4 ? static_cast<float>(i * 7 % 5) : nan);
  for (int i = 0; i < 40; ++i) values.push_back(static_cast<float>(i * 3 % 7));
  const Results many = call_all("aten.unique_dim.default", test::floats({2, 40}, values), 1, true, true, true);
  CHECK(integers(many.at(1)) == std::vector<int64_t>{4,  26, 37, 2, 34, 1,  31, 20, 17, 36, 9, 33, 11, 30, 13, 12, 28, 16, 24, 14,
                                                    18, 3,  21, 25, 8, 23, 6, 27, 5,  15, 29, 7, 32, 10, 19, 0,  22, 37, 2,  35});
}
