#include <doctest/doctest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/archive/npy_header.h"
#include "core/tensor/element.h"
#include "core/tensor/tensor_files.h"
#include "core/tensor/view.h"
#include "tests/support/scratch.h"

using namespace pt2;

namespace {

template <class T>
Tensor tensor_of(DType dtype, Shape sizes, const std::vector<T>& values) {
  auto storage = zero_storage(values.size() * sizeof(T));
  std::memcpy(storage->data(), values.data(), values.size() * sizeof(T));
  Shape strides = contiguous_strides(sizes);
  return {*storage, dtype, std::move(sizes), std::move(strides), 0};
}

std::string values(const Tensor& tensor) {
  std::string text;
  for_each_run(tensor, [&](const std::byte* at, int64_t count, int64_t step) {
    for (int64_t i = 0; i < count; ++i) text += element_text(tensor.dtype, read_element(tensor.dtype, at + i * step)) + " ";
  });
  return text;
}

TensorFile sample() {
  TensorFile file;
  file.tensors.emplace_back("flags", tensor_of<uint8_t>(DType::Bool, {3}, {1, 0, 1}));
  Tensor matrix = tensor_of<float>(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6});
  Tensor turned = matrix;
  turned.sizes = {3, 2};
  turned.strides = {1, 3};
  file.tensors.emplace_back("matrix", matrix);
  file.tensors.emplace_back("turned", turned);
  file.tensors.emplace_back("wave", tensor_of<double>(DType::Complex128, {2}, {1, -2, 0.5, 3}));
  file.tensors.emplace_back("empty", tensor_of<float>(DType::Float32, {0, 4}, {}));
  file.tensors.emplace_back("scalar", tensor_of<int64_t>(DType::Int64, {}, {-7}));
  return file;
}

}  // namespace

TEST_CASE("what is written to .safetensors and .npz reads back the same") {
  const test::Scratch scratch;
  const TensorFile file = sample();
  for (const char* name : {"a.safetensors", "a.npz"}) {
    CAPTURE(name);
    REQUIRE(write_tensor_file(scratch.path(name), file));
    const auto back = read_tensor_file(scratch.path(name));
    REQUIRE(back);
    REQUIRE(back->tensors.size() == file.tensors.size());
    for (size_t i = 0; i < file.tensors.size(); ++i) {
      CAPTURE(file.tensors[i].first);
      CHECK(back->tensors[i].first == file.tensors[i].first);
      CHECK(back->tensors[i].second.dtype == file.tensors[i].second.dtype);
      CHECK(back->tensors[i].second.sizes == file.tensors[i].second.sizes);
      CHECK(values(back->tensors[i].second) == values(file.tensors[i].second));
    }
  }
}

TEST_CASE("a .npy file holds one tensor; bfloat16 becomes float32 there") {
  const test::Scratch scratch;
  TensorFile file;
  file.tensors.emplace_back("x", tensor_of<uint16_t>(DType::BFloat16, {3}, {0x3f80, 0xc000, 0x7f80}));
  REQUIRE(write_tensor_file(scratch.path("x.npy"), file));
  const auto back = read_tensor_file(scratch.path("x.npy"));
  REQUIRE(back);
  CHECK(back->tensors[0].second.dtype == DType::Float32);
  CHECK(values(back->tensors[0].second) == "1.0 -2.0 inf ");
  CHECK_FALSE(write_tensor_file(scratch.path("two.npy"), sample()));
  CHECK_FALSE(std::filesystem::exists(scratch.path("two.npy")));
}

TEST_CASE("a .safetensors file can be written tensor by tensor, with any number of them") {
  const test::Scratch scratch;
  auto writer = SafetensorsWriter::create(scratch.path("many.safetensors"), 1);
  REQUIRE(writer);
  constexpr int kMany = 300;  // more than the room left for one
  for (int i = 0; i < kMany; ++i) REQUIRE(writer->add("value number " + std::to_string(i), tensor_of<int32_t>(DType::Int32, {2}, {i, -i})));
  REQUIRE(writer->finish({{"made by", "a test"}}));
  const auto back = read_tensor_file(scratch.path("many.safetensors"));
  REQUIRE(back);
  REQUIRE(back->tensors.size() == kMany);
  CHECK(back->metadata.at("made by") == "a test");
  CHECK(values(back->tensors[299].second) == "299 -299 ");
}

TEST_CASE("a writer that is given up leaves nothing behind") {
  const test::Scratch scratch;
  {
    auto writer = SafetensorsWriter::create(scratch.path("half.safetensors"), 1);
    REQUIRE(writer);
    REQUIRE(writer->add("a", tensor_of<float>(DType::Float32, {1}, {1})));
  }
  CHECK(std::filesystem::is_empty(scratch.folder));
}

TEST_CASE("npy: the last of two shapes counts, and an empty Fortran array may have any other sizes") {
  auto header = [](std::string dict) {
    dict.resize(118, ' ');
    return parse_npy_header(std::string("\x93NUMPY\x01\x00\x76\x00", 10) + dict);
  };
  const auto twice = header("{'descr': '<i2', 'fortran_order': True, 'shape': (0,3), 'shape': (4, 5)}");
  REQUIRE(twice);
  CHECK(twice->sizes == Shape{4, 5});
  CHECK(twice->strides == Shape{1, 4});
  const auto empty = header("{'descr': '<i2', 'fortran_order': True, 'shape': (1099511627776, 1099511627776, 0)}");
  REQUIRE(empty);
  CHECK(empty->sizes == Shape{int64_t{1} << 40, int64_t{1} << 40, 0});
  CHECK(empty->strides[1] == int64_t{1} << 40);
}
