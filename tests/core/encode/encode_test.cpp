#include "core/encode/encode_program.h"

#include <doctest/doctest.h>

#include <filesystem>

#include "core/decode/decode.h"
#include "core/encode/torch_save_writer.h"
#include "core/encode/write_pt2.h"
#include "core/tensor/tensor_files.h"
#include "core/text/print_program.h"
#include "tests/support/scratch.h"
#include "tests/support/test_files.h"

using namespace pt2;

namespace {

std::string text_of(const Program& program) { return joined(readable_lines(program)) + "\n" + joined(graph_lines(program, program.root())); }

Tensor numbers(std::vector<float> values, Shape sizes) {
  Tensor tensor;
  tensor.storage = *zero_storage(values.size() * sizeof(float));
  std::copy(values.begin(), values.end(), reinterpret_cast<float*>(tensor.storage.data()));
  tensor.dtype = DType::Float32;
  tensor.strides = contiguous_strides(sizes);
  tensor.sizes = std::move(sizes);
  return tensor;
}

}  // namespace

TEST_CASE("a program that was encoded and decoded again is the same program") {
  size_t files = 0, programs = 0;
  for (const char* folder : {"programs", "releases"})
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::data_path(folder))) {
      if (entry.path().extension() != ".pt2") continue;
      ++files;
      const auto file = open_file(entry.path());
      REQUIRE_MESSAGE(file.has_value(), entry.path().string());
      for (const auto& program : (*file)->programs) {
        CAPTURE(entry.path().string());
        const auto json = encode_program(*program);
        if (!json) {  // 2.1 keeps constants without placeholders
          CHECK(json.error().message.find("has no placeholder") != std::string::npos);
          CHECK(program->schema_version.major == 1);
          continue;
        }
        const auto again = decode_program(program->name, *json, "models/model.json");
        REQUIRE_MESSAGE(again.has_value(), (again ? "" : again.error().where + ": " + again.error().message));
        ++programs;
        CHECK(text_of(**again) == text_of(*program));
        CHECK((*again)->findings.size() == program->findings.size());
        for (size_t g = 0; g < program->graphs.size(); ++g)
          for (size_t i = 0; i < program->graphs[GraphId(g)].nodes().size(); ++i) {
            const Node &a = program->graphs[GraphId(g)].node(NodeId(i)), &b = (*again)->graphs[GraphId(g)].node(NodeId(i));
            CHECK(a.meta->stack_trace == b.meta->stack_trace);
            CHECK(a.val.index() == b.val.index());
            CHECK(program->modules.modules[a.module].path == (*again)->modules.modules[b.module].path);
          }
      }
    }
  CHECK(files > 20);
  CHECK(programs > 20);
}

TEST_CASE("a written archive opens with its weights and example inputs") {
  const test::Scratch scratch;
  const auto program = test::program_of("programs/symbolic.pt2");
  const Tensor matrix = numbers({1, 2, 3, 4, 5, 6}, {2, 3});
  Tensor transposed = matrix;
  std::swap(transposed.sizes[0], transposed.sizes[1]);
  std::swap(transposed.strides[0], transposed.strides[1]);
  TorchSaveWriter samples;
  samples.begin_tuple().begin_tuple().value(matrix).value(transposed).value(int64_t{-7}).value(0.5).value(true).none().value(std::string_view("é")).value(std::complex<double>(1, -2));
  samples.begin_list().value(false).end_list().end_tuple().begin_dict().value(std::string_view("scale")).value(matrix).end_dict().end_tuple();
  auto bytes = samples.bytes();
  REQUIRE(bytes.has_value());
  const std::string path = scratch.path("small.pt2");
  REQUIRE(write_pt2(path, {*program, {{"layer.weight", transposed}}, {{"table", matrix}}, *bytes}).has_value());

  const auto file = open_file(path);
  REQUIRE(file.has_value());
  CHECK((*file)->archive->container() == Container::Pt2Archive);
  REQUIRE((*file)->programs.size() == 1);
  CHECK(text_of(*(*file)->programs[0]) == text_of(*program));
  const auto weight = (*file)->archive->read_tensor("model", TensorRole::Weight, "layer.weight");
  REQUIRE(weight.has_value());
  CHECK(weight->sizes == Shape{3, 2});
  CHECK(weight->strides == Shape{1, 3});
  CHECK(weight->data<float>()[4] == 5);
  CHECK((*file)->archive->read_tensor("model", TensorRole::Constant, "table").has_value());

  const auto inputs = (*file)->archive->sample_inputs("model");
  REQUIRE(inputs.has_value());
  const auto& both = *std::get<PickleSequence>(inputs->value).items;
  REQUIRE(both.size() == 2);
  const auto& args = *std::get<PickleSequence>(both[0].value).items;
  REQUIRE(args.size() == 9);
  CHECK(std::get<int64_t>(args[2].value) == -7);
  CHECK(std::get<double>(args[3].value) == 0.5);
  CHECK(std::get<bool>(args[4].value));
  CHECK(std::holds_alternative<PickleNone>(args[5].value));
  CHECK(std::get<std::string>(args[6].value) == "é");
  CHECK(std::get<std::complex<double>>(args[7].value) == std::complex<double>(1, -2));
  const auto a = (*file)->archive->read_tensor("model", TensorRole::SampleInput, std::get<PickleTensor>(args[0].value).name);
  const auto b = (*file)->archive->read_tensor("model", TensorRole::SampleInput, std::get<PickleTensor>(args[1].value).name);
  REQUIRE(a.has_value());
  REQUIRE(b.has_value());
  CHECK(b->strides == Shape{1, 3});
  CHECK(a->storage.shares_with(b->storage));  // one record, as in the program that was recorded
}
