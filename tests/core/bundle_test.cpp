#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/bundle.h"
#include "core/load.h"
#include "tests/support/scratch.h"

using namespace pt2;

namespace {

const std::string kSample = PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2";

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

size_t missing(const std::string& path) {
  const auto file = open_file(path);
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  REQUIRE(program);
  return missing_weights(*(*file)->archive, *program).size();
}

BundleRequest request_for(const std::string& source, const std::string& out) {
  BundleRequest request;
  request.source = source;
  request.out = out;
  return request;
}

}  // namespace

TEST_CASE("a bundle holds the program as it is, and what was set up for it") {
  const test::Scratch folder;
  const std::string before = contents(kSample);
  BundleRequest request = request_for(kSample, folder.path("b.pt2"));
  request.session = "{\"watches\": [\"relu.max()\"]}";
  request.view = "{\"direction\": \"LR\"}";
  TensorFile values;
  const auto original = open_file(kSample);
  REQUIRE(original.has_value());
  auto weight = (*original)->archive->read_tensor("model", TensorRole::Weight, "conv.bias");
  REQUIRE(weight.has_value());
  values.tensors = {{"p_conv_bias", *weight}, {"relu", *weight}};
  request.values = std::make_shared<const TensorFile>(values);
  const auto report = write_bundle(request);
  REQUIRE(report.has_value());
  CHECK(report->kept == 7);
  CHECK(report->left_out.empty());
  CHECK(report->bytes == std::filesystem::file_size(request.out));
  CHECK(contents(kSample) == before);

  const auto file = open_file(request.out);
  REQUIRE(file.has_value());
  CHECK((*file)->archive->model_json("model").value() == (*original)->archive->model_json("model").value());
  CHECK((*file)->archive->check().empty());
  CHECK(missing(request.out) == 0);
  const auto content = read_bundle(request.out);
  REQUIRE(content.has_value());
  CHECK(content->session == request.session);
  CHECK(content->view == request.view);
  REQUIRE(content->values.tensors.size() == 2);
  CHECK(content->values.find("relu") != nullptr);

  // A bundle of a bundle has what its own maker knew.
  BundleRequest again = request_for(request.out, folder.path("c.pt2"));
  again.view = "{}";
  REQUIRE(write_bundle(again).has_value());
  const auto second = read_bundle(again.out);
  REQUIRE(second.has_value());
  CHECK(second->session.empty());
  CHECK(second->view == "{}");
  CHECK(second->values.tensors.empty());
}

TEST_CASE("weights that are left out of a bundle are missing in it, also among its values") {
  const test::Scratch folder;
  BundleRequest request = request_for(kSample, folder.path("none.pt2"));
  request.weights = BundleRequest::Weights::None;
  const auto sample = open_file(kSample);
  REQUIRE(sample.has_value());
  const auto bias = (*sample)->archive->read_tensor("model", TensorRole::Weight, "conv.bias");
  REQUIRE(bias.has_value());
  request.values = std::make_shared<const TensorFile>(TensorFile{{{"p_conv_bias", *bias}, {"final/b_bn_running_mean", *bias}, {"relu", *bias}}, {}});
  REQUIRE(write_bundle(request).has_value());
  CHECK(missing(request.out) == 7);
  const auto file = open_file(request.out);
  REQUIRE(file.has_value());
  for (const std::string& name : (*file)->archive->entries()) CHECK_MESSAGE(name.find("/weight_") == name.npos, name);
  const auto content = read_bundle(request.out);
  REQUIRE(content.has_value());
  REQUIRE(content->values.tensors.size() == 1);
  CHECK(content->values.tensors[0].first == "relu");

  request.weights = BundleRequest::Weights::Named;
  request.names = {"conv.weight", "conv.bias"};
  const auto some = write_bundle(request);
  REQUIRE(some.has_value());
  CHECK(some->kept == 2);
  CHECK(some->left_out.size() == 5);
  CHECK(missing(request.out) == 5);
  request.names = {"conv.wait"};
  const auto unknown = write_bundle(request);
  REQUIRE_FALSE(unknown.has_value());
  CHECK(unknown.error().message.find("conv.wait") != std::string::npos);
}

TEST_CASE("files of earlier releases are bundled, with some or none of their weights") {
  const test::Scratch folder;
  size_t bundled = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PT2_TEST_DATA "/releases")) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".pt2")) continue;
    const auto file = open_file(path);
    if (!file || !(*file)->program()) continue;
    const auto tensors = (*file)->archive->tensors((*file)->program()->name);
    size_t weights = 0;
    std::string one;
    for (const TensorInfo& tensor : tensors)
      if (tensor.role == TensorRole::Weight) ++weights, one = tensor.name;
    BundleRequest request = request_for(path, folder.path("old.pt2"));
    REQUIRE_MESSAGE(write_bundle(request).has_value(), path);
    CHECK_MESSAGE(missing(request.out) == missing(path), path);
    if (!weights) continue;
    ++bundled;
    request.weights = BundleRequest::Weights::Named;
    request.names = {one};
    REQUIRE_MESSAGE(write_bundle(request).has_value(), path);
    const auto kept = open_file(request.out);
    REQUIRE(kept.has_value());
    const auto before = (*file)->archive->read_tensor((*file)->program()->name, TensorRole::Weight, one);
    const auto after = (*kept)->archive->read_tensor((*kept)->program()->name, TensorRole::Weight, one);
    REQUIRE_MESSAGE((before.has_value() && after.has_value()), path);
    CHECK_MESSAGE(before->sizes == after->sizes, path);
    request.weights = BundleRequest::Weights::None;
    REQUIRE_MESSAGE(write_bundle(request).has_value(), path);
    CHECK_MESSAGE(missing(request.out) > 0, path);
  }
  CHECK(bundled > 0);
}

TEST_CASE("what cannot be bundled says so and leaves no file") {
  const test::Scratch folder;
  CHECK_FALSE(write_bundle(request_for(kSample, kSample)).has_value());
  const auto other = write_bundle(request_for(PT2_SOURCE_DIR "/README.md", folder.path("x.pt2")));
  REQUIRE_FALSE(other.has_value());
  CHECK_FALSE(std::filesystem::exists(folder.path("x.pt2")));
  const auto plain = read_bundle(kSample);
  REQUIRE(plain.has_value());
  CHECK(plain->session.empty());
}
