#include "core/archive/byte_source.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/tensor/mapped_storage.h"
#include "tests/support/scratch.h"

using namespace pt2;

namespace {

std::string file_of(const test::Scratch& scratch, size_t bytes) {
  const std::string path = scratch.path("data");
  std::ofstream(path, std::ios::binary) << std::string(bytes, 'x');
  return path;
}

}  // namespace

TEST_CASE("reads stay inside the source") {
  const auto source = source_of("0123456789");
  CHECK(source->text(2, 3).value() == "234");
  CHECK(source->text(10, 0).value() == "");
  CHECK_FALSE(source->text(8, 3));
  CHECK_FALSE(source->text(UINT64_MAX, 2));
  const auto part = part_of(source, 4, 3);
  CHECK(part->text(1, 2).value() == "56");
  CHECK_FALSE(part->text(1, 3));
}

TEST_CASE("a folder is not read, a missing file is named") {
  const test::Scratch scratch;
  CHECK(open_byte_source(scratch.folder).error().message == "is a folder, not a file");
  CHECK(open_byte_source(scratch.path("none")).error().kind == ErrorKind::CannotOpen);
}

TEST_CASE("a file that changes after it was opened gives errors, not bytes of two versions") {
  const test::Scratch scratch;
  const std::string path = file_of(scratch, 100);
  const auto source = open_byte_source(path);
  REQUIRE(source);
  CHECK((*source)->text(0, 10));
  std::ofstream(path, std::ios::app) << "more";
  CHECK((*source)->text(0, 10).error().message == "changed on disk since it was opened");
}

TEST_CASE("large records are mapped: writing to them leaves the file alone") {
  const test::Scratch scratch;
  constexpr size_t kSize = 2 * kMappedFromBytes;
  const std::string path = file_of(scratch, kSize);
  const auto source = open_byte_source(path);
  auto storage = (*source)->storage(0, kSize);
  REQUIRE(storage);
  storage->data()[7] = std::byte{'y'};
  CHECK((*source)->text(7, 1).value() == "x");
  CHECK(check_mapping(*storage));
}

TEST_CASE("a mapped file that is cut short is a failed read, not the end of the process") {
  const test::Scratch scratch;
  constexpr size_t kSize = 2 * kMappedFromBytes;
  const std::string path = file_of(scratch, kSize);
  const auto source = open_byte_source(path);
  auto storage = (*source)->storage(0, kSize);
  REQUIRE(storage);
  CHECK(storage->data()[0] == std::byte{'x'});
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  size_t zeros = 0;
  for (size_t i = 0; i < kSize; ++i) zeros += storage->data()[i] == std::byte{0};
  CHECK(zeros == kSize - 4096);
  CHECK(check_mapping(*storage).error().message == "changed on disk since it was opened");
  CHECK_FALSE((*source)->text(0, 10));  // changed on disk
}

TEST_CASE("a file cut within the last page raises no signal and is a failed read all the same") {
  const test::Scratch scratch;
  constexpr size_t kSize = 2 * kMappedFromBytes;
  const std::string path = file_of(scratch, kSize);
  const auto source = open_byte_source(path);
  auto storage = (*source)->storage(0, kSize);
  REQUIRE(storage);
  REQUIRE(truncate(path.c_str(), kSize - 10) == 0);
  CHECK(storage->data()[kSize - 11] == std::byte{'x'});
  CHECK_FALSE(check_mapping(*storage));
}
