#include <doctest/doctest.h>

#include <numeric>

#include "core/tensor/slice.h"

using namespace pt2;

namespace {

Tensor counting(Shape sizes) {
  Tensor t;
  t.dtype = DType::Int64;
  t.strides = contiguous_strides(sizes);
  t.sizes = std::move(sizes);
  auto bytes = std::make_shared<std::vector<int64_t>>(size_t(t.numel()));
  std::iota(bytes->begin(), bytes->end(), 0);
  t.storage = Storage(bytes, reinterpret_cast<std::byte*>(bytes->data()), bytes->size() * 8);
  return t;
}

// "shape: values" of a slice, or the message.
std::string sliced(const Tensor& tensor, std::string_view text) {
  auto slice = slice_tensor(tensor, text);
  if (!slice) return slice.error().message;
  std::string out;
  for (int64_t size : slice->view.sizes) out += std::to_string(size) + " ";
  out += ":";
  std::vector<int64_t> index(slice->view.sizes.size(), 0);
  for (int64_t n = slice->view.numel(); n > 0; --n) {
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d) at += index[d] * slice->view.strides[d];
    out += " " + std::to_string(slice->view.data<int64_t>()[at]);
    for (size_t d = index.size(); d-- > 0;) {
      if (++index[d] < slice->view.sizes[d]) break;
      index[d] = 0;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("slices are written as in Python") {
  const Tensor t = counting({2, 3, 4});
  CHECK(sliced(t, "0, 1") == "4 : 4 5 6 7");
  CHECK(sliced(t, "[1, :, 2]") == "3 : 14 18 22");
  CHECK(sliced(t, "..., ::2") == "2 3 2 : 0 2 4 6 8 10 12 14 16 18 20 22");
  CHECK(sliced(t, "-1, ..., -1") == "3 : 15 19 23");
  CHECK(sliced(t, "0, 0, 1:3") == "2 : 1 2");
  CHECK(sliced(t, "0, 0, -2:") == "2 : 2 3");
  CHECK(sliced(t, "0, 0, 3:100") == "1 : 3");
  CHECK(sliced(t, "0, 0, 3:1") == "0 :");
  CHECK(sliced(t, "1,2,3") == ": 23");
  CHECK(sliced(counting({}), "") == ": 0");
}

TEST_CASE("a slice that cannot be says why") {
  const Tensor t = counting({2, 3});
  CHECK(sliced(t, "2") == "index 2 is outside dimension 0 of size 2");
  CHECK(sliced(t, "0, 0, 0") == "3 indices for a tensor of 2 dimensions");
  CHECK(sliced(t, "..., ...") == "\"...\" can stand only once");
  CHECK(sliced(t, "x") == "\"x\" is no index");
  CHECK(sliced(t, "::-1") == "the step -1 is not positive");
  CHECK(sliced(t, "0:9223372036854775807:9223372036854775807") == "1 3 : 0 1 2");
}
