#include "interp/tensor_map.h"

#include <doctest/doctest.h>

#include "interp/kernel_context.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

Tensor counting(Shape sizes, DType dtype = DType::Float32) {
  Tensor t = empty(sizes, dtype);
  for (int64_t i = 0; i < t.numel(); ++i) fill(make_view(t, {}, {}, i), i);
  return t;
}
Tensor permuted(const Tensor& t, std::vector<int> order) {
  Shape sizes, strides;
  for (int d : order) sizes.push_back(t.sizes[d]), strides.push_back(t.strides[d]);
  return make_view(t, sizes, strides, t.offset);
}
Tensor add(const Tensor& a, const Tensor& b) {
  const DType common = result_type(a, b);
  return map<RealTypes>({"add", common, common}, [](auto x, auto y) { return x + y; }, a, b);
}

}  // namespace

TEST_CASE("results take their layout from the inputs, as TensorIterator does") {
  const Tensor x = counting({2, 3, 4});
  CHECK(add(x, x).strides == Shape{12, 4, 1});
  const Tensor p = permuted(x, {2, 0, 1});  // sizes 4 2 3
  CHECK(add(p, p).strides == Shape{1, 12, 4});
  CHECK(add(p, counting({3})).strides == Shape{1, 12, 4});
  const Tensor channels_last = to_dtype(counting({2, 3, 4, 5}), DType::Float32, MemoryFormat::ChannelsLast);
  CHECK(channels_last.strides == Shape{60, 1, 15, 3});
  CHECK(add(channels_last, counting({3, 1, 1})).strides == Shape{60, 1, 15, 3});
  const Tensor slice = make_view(x, {2, 3, 2}, {12, 4, 2}, 0);
  CHECK(add(slice, slice).strides == Shape{6, 2, 1});
}

TEST_CASE("broadcast, permuted and strided elements meet the right partners, in long and short rows") {
  for (int64_t n : {3, 40, 3000}) {
    const Tensor a = permuted(counting({n, 5}, DType::Int32), {1, 0}), b = counting({n}, DType::Float64);
    const Tensor sum = add(a, b);
    CHECK(sum.dtype == DType::Float64);
    const Tensor dense = as_contiguous(sum);
    bool right = true;
    for (int64_t i = 0; i < 5; ++i)
      for (int64_t j = 0; j < n; ++j) right &= dense.data<double>()[i * n + j] == static_cast<double>(j * 5 + i + j);
    CHECK(right);
  }
}

TEST_CASE("half precision rounds once, when stored") {
  const Tensor a = full(Shape{3}, DType::BFloat16, 256.0), b = full(Shape{3}, DType::BFloat16, 1.0);
  CHECK(add(a, b).data<uint16_t>()[0] == a.data<uint16_t>()[0]);  // 257 is no bfloat16: ties go to even
}

TEST_CASE("a copy onto itself through another view reads the old values") {
  const Tensor x = counting({2, 2});
  copy_into(x, permuted(x, {1, 0}));
  CHECK(x.data<float>()[1] == 2);
  CHECK(x.data<float>()[2] == 1);
}

TEST_CASE("views never leave their storage") {
  const Tensor x = counting({2, 3});
  CHECK_THROWS_AS(make_view(x, {4}, {2}, 0), KernelError);
  CHECK_THROWS_AS(make_view(x, {2}, {INT64_MAX}, 0), KernelError);
  CHECK_THROWS_AS(make_view(x, {INT64_MAX, INT64_MAX}, {1, 1}, 0), KernelError);
  CHECK(make_view(x, {0}, {INT64_MAX}, 0).numel() == 0);
}

TEST_CASE("the memory budget refuses, and gets back what died") {
  KernelContext context = current_context();
  context.memory = std::make_shared<MemoryBudget>(1000);
  ContextScope scope(context);
  { CHECK(zeros(Shape{200}, DType::Float32).numel() == 200); }
  CHECK(context.memory->used_bytes() == 0);
  try {
    (void)zeros(Shape{1000}, DType::Float32);
    CHECK(false);
  } catch (const KernelError& error) {
    CHECK(error.kind() == ErrorKind::Limit);
  }
}
