// Values as the tensors they are recorded as.
#include "interp/recorded_values.h"

#include <doctest/doctest.h>

#include "core/tensor/view.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("a dtype is recorded as its number") {
  const auto number = [](DType dtype) { return recorded_tensors("result_type", RuntimeValue::Value(dtype)).at(0).second.data<int64_t>()[0]; };
  CHECK(number(DType::UInt8) == 0);
  CHECK(number(DType::Float16) == 5);
  CHECK(number(DType::Float32) == 6);
  CHECK(number(DType::BFloat16) == 15);
  CHECK(number(DType::Float8E4M3Fn) == 24);
}

TEST_CASE("a batch without examples is recorded with the type the file declares of one") {
  auto meta = std::make_shared<TensorMeta>();
  meta->dtype = DType::Float64;
  meta->sizes = {SymInt{3}};
  Node node;
  node.val = std::shared_ptr<const TensorMeta>(meta);
  const RuntimeValue batch = RuntimeValue::Value(BatchedValue{std::make_shared<const std::vector<RuntimeValue>>(), 1});
  CHECK(recorded_tensors("mul", batch).empty());
  const auto tensors = recorded_tensors("mul", batch, node);
  REQUIRE(tensors.size() == 1);
  CHECK(tensors[0].second.dtype == DType::Float64);
  CHECK(shape_text(tensors[0].second.sizes) == "[0, 3]");
}
