// Real archives of several releases, and small ones made here.
#include "core/archive/archive.h"

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>

#include "core/tensor/element.h"
#include "core/tensor/mapped_storage.h"
#include "core/tensor/tensor_stats.h"
#include "tests/support/scratch.h"
#include "tests/support/zip_maker.h"

using namespace pt2;

namespace {

std::string written(const test::Scratch& scratch, const std::string& bytes, const char* name = "f.pt2") {
  std::ofstream(scratch.path(name), std::ios::binary) << bytes;
  return scratch.path(name);
}

constexpr const char* kConfig = R"({"config": {
  "w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 2}, {"as_int": 2}],
        "requires_grad": true, "device": {"type": "cpu", "index": null}, "strides": [{"as_int": 2}, {"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}},
  "row": {"path_name": "weight_0", "is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 2}],
        "requires_grad": false, "device": {"type": "cpu"}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 2}, "layout": 7}},
  "fake": {"path_name": "weight_1", "is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 5, "sizes": [{"as_int": 3}],
        "requires_grad": false, "device": {"type": "cpu"}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}},
  "short": {"path_name": "weight_0", "is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 80}, {"as_int": 4}],
        "requires_grad": false, "device": {"type": "cpu"}, "strides": [{"as_int": 4}, {"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}},
  "gone": {"path_name": "../weight_9", "is_param": false, "use_pickle": false, "tensor_meta": {"dtype": 7, "sizes": [{"as_int": 1}],
        "requires_grad": false, "device": {"type": "cpu"}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}}}})";

test::ZipMaker small_archive(const char* byteorder = "little") {
  test::ZipMaker zip;
  zip.add("m/archive_format", "pt2").add("m/archive_version", "0").add("m/byteorder", byteorder).add("m/models/model.json", "{}");
  zip.add("m/data/weights/model_weights_config.json", kConfig).add("m/data/constants/model_constants_config.json", R"({"config": {}})");
  const float values[] = {1, 2, 3, 4};
  zip.add("m/data/weights/weight_0", std::string(reinterpret_cast<const char*>(values), sizeof values)).add("m/data/weights/weight_1", "");
  zip.add("m/extra/notes/readme.txt", "hello");
  return zip;
}

std::string message_of(const std::vector<Finding>& findings, const std::string& part) {
  for (const Finding& finding : findings)
    if ((finding.where + " " + finding.message).find(part) != std::string::npos) return finding.where + ": " + finding.message;
  return "";
}

}  // namespace

TEST_CASE("weights of an archive: views of one record share a storage, bad ones fail alone") {
  const test::Scratch scratch;
  const auto opened = open_archive(written(scratch, small_archive().bytes()));
  REQUIRE(opened);
  const Archive& archive = **opened;
  CHECK(container_name(archive.container()) == "pt2_archive");
  CHECK(archive.models() == std::vector<std::string>{"model"});
  const auto w = archive.read_tensor("model", TensorRole::Weight, "w"), row = archive.read_tensor("model", TensorRole::Weight, "row");
  REQUIRE(w);
  REQUIRE(row);
  CHECK(w->storage.shares_with(row->storage));
  CHECK(row->data<float>()[0] == 3);
  const auto fake = archive.read_tensor("model", TensorRole::Weight, "fake");
  REQUIRE(fake);
  CHECK(fake->data<int64_t>()[2] == 0);
  CHECK(archive.read_tensor("model", TensorRole::Weight, "short").error().message == "\"short\" needs 1,280 bytes (float32 [80, 4]), the member has 16");
  CHECK_FALSE(archive.read_tensor("model", TensorRole::Weight, "gone"));
  CHECK_FALSE(archive.read_tensor("model", TensorRole::Weight, "never heard of"));
  CHECK(message_of(archive.check(), "\"gone\"") == "data/weights/../weight_9: \"gone\" needs this member, which the archive does not have");
  CHECK(archive.extra_files() == std::vector<std::string>{"notes/readme.txt"});
  CHECK(archive.extra_file("notes/readme.txt").value() == "hello");
}

TEST_CASE("numbers of a big-endian archive are turned round") {
  const test::Scratch scratch;
  const auto opened = open_archive(written(scratch, small_archive("big").bytes()));
  const auto w = (*opened)->read_tensor("model", TensorRole::Weight, "w");
  REQUIRE(w);
  uint32_t bits;
  std::memcpy(&bits, w->bytes(), 4);
  CHECK(bits == 0x0000803F);  // 1.0f is 3F800000
}

TEST_CASE("an archive opens deflated, with bytes in front, and without its root folder") {
  const test::Scratch scratch;
  auto zip = small_archive();
  zip.deflate = true;
  const auto deflated = open_archive(written(scratch, zip.bytes(), "deflated.pt2"));
  REQUIRE(deflated);
  CHECK((*deflated)->read_tensor("model", TensorRole::Weight, "w")->data<float>()[3] == 4);
  const auto behind = open_archive(written(scratch, std::string(1000, '#') + small_archive().bytes(), "behind.pt2"));
  REQUIRE(behind);
  CHECK((*behind)->read_tensor("model", TensorRole::Weight, "w")->data<float>()[3] == 4);
  test::ZipMaker bare;
  bare.add("archive_format", "pt2").add("models/a.b.json", "{}").add("data/weights/a.b_weights_config.json", R"({"config": {}})");
  const auto rootless = open_archive(written(scratch, bare.bytes(), "bare.pt2"));
  REQUIRE(rootless);
  CHECK((*rootless)->models() == std::vector<std::string>{"a.b"});
}

TEST_CASE("what is no program is named for what it is") {
  const test::Scratch scratch;
  const auto said = [&](const std::string& bytes) {
    const auto opened = open_archive(written(scratch, bytes));
    return opened ? std::string(container_name((*opened)->container())) : opened.error().message;
  };
  CHECK(said("") == "the file is empty (0 bytes)");
  CHECK(said("hello").find("is not a zip archive") == 0);
  CHECK(said(small_archive().bytes().substr(0, 900)).find("the zip archive is cut off") == 0);
  CHECK(said(test::ZipMaker().add("m/constants.pkl", "").add("m/data.pkl", "").bytes()).find("TorchScript") != std::string::npos);
  CHECK(said(test::ZipMaker().add("word/document.xml", "").bytes()).find("not one of PyTorch") != std::string::npos);
  CHECK(said(test::ZipMaker().add("m/archive_format", "onnx").bytes()) == "says \"onnx\", not \"pt2\"");
  CHECK(said(test::ZipMaker().add("m/archive_format", "pt2").bytes()).find("holds no program") != std::string::npos);
  CHECK(said(test::ZipMaker().add("m/archive_format", "pt2").add("m/data/aotinductor/model/x.so", "").bytes()) == "aot_inductor");
  CHECK(said("\x80\x02}.").find("bare pickle") != std::string::npos);
}

TEST_CASE("damage is found where it is") {
  const test::Scratch scratch;
  auto zip = small_archive();
  std::string bytes = zip.bytes();
  const size_t data = bytes.find(std::string("\0\0\x80\x3f", 4));
  REQUIRE(data != std::string::npos);
  bytes[data] ^= 1;  // a bit of the weights
  const auto opened = open_archive(written(scratch, bytes));
  REQUIRE(opened);
  CHECK((*opened)->read_tensor("model", TensorRole::Weight, "w").error().message == "the checksum of the member's 16 bytes does not match");
  zip.add("m/models/model.json", "{ }");
  CHECK((*open_archive(written(scratch, zip.bytes())))->model_json("model").error().message == "two members of the archive have this name");
}

TEST_CASE("the checksum of a mapped weight is checked when its bytes are read in full") {
  const test::Scratch scratch;
  test::ZipMaker zip;
  zip.add("m/archive_format", "pt2").add("m/models/model.json", "{}").add("m/data/constants/model_constants_config.json", R"({"config": {}})");
  zip.add("m/data/weights/model_weights_config.json", R"({"config": {"w": {"path_name": "weight_0", "is_param": true, "use_pickle": false, "tensor_meta": {"dtype": 7,
      "sizes": [{"as_int": 1048576}], "requires_grad": true, "device": {"type": "cpu"}, "strides": [{"as_int": 1}], "storage_offset": {"as_int": 0}, "layout": 7}}}})");
  std::string values(4 << 20, '\0');
  values.replace(1 << 20, 8, "landmark");
  zip.add("m/data/weights/weight_0", values);
  std::string bytes = zip.bytes();
  // Mapped only where the record begins at a multiple of 8, as torch.export.save sees to; here the file's front is padded.
  const size_t record = bytes.find("landmark") - (1 << 20);
  bytes.insert(0, (8 - record % 8) % 8, '#');
  const auto check = [&](const std::string& content) -> Result<TensorStats> {
    const auto archive = open_archive(written(scratch, content));
    REQUIRE(archive);
    auto w = (*archive)->read_tensor("model", TensorRole::Weight, "w");
    REQUIRE(w);
    REQUIRE(is_mapping(w->storage));
    return tensor_stats(*w, {}, 8);
  };
  CHECK(check(bytes));
  bytes[bytes.find("landmark")] ^= 1;
  const auto damaged = check(bytes);
  REQUIRE(!damaged);
  CHECK(damaged.error().message == "the checksum of the member's 4,194,304 bytes does not match");
  CHECK(damaged.error().where == "m/data/weights/weight_0");
}

TEST_CASE("every release's weights are read") {
  for (const char* release : {"2.1.2", "2.2.2", "2.3.1", "2.4.1", "2.5.1", "2.6.0", "2.7.1", "2.8.0", "2.9.1", "2.11.0", "2.14.1"}) {
    CAPTURE(release);
    size_t files = 0, tensors = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::string(PT2_TEST_DATA) + "/releases/" + release)) {
      if (entry.path().extension() != ".pt2") continue;
      CAPTURE(entry.path().string());
      const auto archive = open_archive(entry.path());
      REQUIRE(archive);
      ++files;
      for (const Finding& finding : (*archive)->check()) {
        CAPTURE(finding.message);
        CHECK(finding.rule == "pickle.call");  // classes of the exported program among its example inputs
      }
      for (const std::string& model : (*archive)->models())
        for (const TensorInfo& info : (*archive)->tensors(model)) {
          CAPTURE(info.name);
          CHECK((*archive)->read_tensor(model, info.role, info.name));
          ++tensors;
        }
    }
    CHECK(files > 0);
  }
}
