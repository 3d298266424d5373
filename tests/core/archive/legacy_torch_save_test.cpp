// torch.save of before PyTorch 1.6: tests/data/torch_save, written by PyTorch itself.
#include <doctest/doctest.h>

#include <fstream>

#include "core/archive/archive.h"
#include "tests/support/scratch.h"
#include "tests/support/test_files.h"

using namespace pt2;

namespace {

Tensor tensor_of(const Archive& archive, const char* name) {
  auto read = archive.read_tensor("", TensorRole::Tensor, name);
  REQUIRE_MESSAGE(read.has_value(), name << ": " << (read ? "" : read.error().message));
  return *read;
}

}  // namespace

TEST_CASE("the tensors of a legacy file: values, views of one storage, nested keys, every pickle protocol") {
  for (const char* name : {"torch_save/legacy.pt", "torch_save/protocol_4.pt"}) {
    CAPTURE(name);
    const auto opened = open_archive(test::data_path(name));
    REQUIRE_MESSAGE(opened.has_value(), (opened ? "" : opened.error().where + ": " + opened.error().message));
    const Archive& archive = **opened;
    CHECK(archive.container() == Container::TorchSave);
    CHECK(archive.check().empty());
    const Tensor weight = tensor_of(archive, "weight"), row = tensor_of(archive, "row"), base = tensor_of(archive, "base");
    CHECK(weight.sizes == Shape{3, 4});
    CHECK(weight.data<float>()[11] == 11.0f / 8);
    CHECK(row.data<float>()[0] == 4);
    CHECK(row.storage.shares_with(base.storage));
    CHECK_FALSE(row.storage.shares_with(weight.storage));
    CHECK(tensor_of(archive, "count").data<int64_t>()[0] == 7);
    CHECK(tensor_of(archive, "half").data<uint16_t>()[1] == 0xC000);
    CHECK(tensor_of(archive, "state['flags']").data<uint8_t>()[2] == 1);
  }
}

TEST_CASE("a legacy file that is cut says where") {
  const test::Scratch scratch;
  const std::string whole = test::read_text("torch_save/legacy.pt");
  const auto message = [&](size_t size) {
    std::ofstream(scratch.path("cut.pt"), std::ios::binary) << whole.substr(0, size);
    const auto opened = open_archive(scratch.path("cut.pt"));
    return opened ? std::string("opened") : opened.error().where + ": " + opened.error().message;
  };
  CHECK(message(whole.size()) == "opened");
  CHECK(message(whole.size() - 1).find("bytes are left in the file") != std::string::npos);
  for (size_t size : {whole.size() - 60, whole.size() / 2, size_t{40}, size_t{16}}) CHECK(message(size) != "opened");
}
