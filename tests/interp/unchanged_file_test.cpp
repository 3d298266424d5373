// Programs that write in place write to memory of their own: what a file holds, and what was given, is the same for the next run.
#include <string>
#include <vector>

#include "core/archive/archive.h"
#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "interp/allocation.h"
#include "interp/program_inputs.h"
#include "interp/tensor_map.h"
#include "interp/watch_expression.h"
#include "tests/interp/session.h"
#include "tests/support/json_program.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

// The bytes of every parameter, buffer and constant.
std::vector<std::string> stored(const test::Session& s) {
  std::vector<std::string> all;
  for (const InputSpec& spec : s.program->signature.inputs) {
    if (spec.kind == InputKind::UserInput) continue;
    auto tensor = s.file->archive->read_tensor(s.program->name, TensorRole::Weight, spec.target);
    if (!tensor) tensor = s.file->archive->read_tensor(s.program->name, TensorRole::Constant, spec.target);
    if (!tensor) continue;  // buffers that are not saved
    const Tensor dense = as_contiguous(*tensor);
    all.emplace_back(reinterpret_cast<const char*>(dense.bytes()), size_t(dense.numel() * item_size(dense.dtype)));
  }
  return all;
}

// A file of constants that all lie in one memory.
struct Constants : Archive {
  Tensor tensor = zeros(Shape{2, 3}, DType::Float32);
  Container container() const override { return Container::Legacy; }
  std::vector<std::string> models() const override { return {"model"}; }
  Result<std::string> model_json(std::string_view) const override { return std::string(); }
  std::vector<TensorInfo> tensors(std::string_view) const override { return {}; }
  Result<Tensor> read_tensor(std::string_view, TensorRole role, std::string_view) const override {
    if (role != TensorRole::Constant) return Error{ErrorKind::Failed, "none of that name", {}, {}};
    return tensor;
  }
  Result<PickleValue> sample_inputs(std::string_view) const override { return PickleValue{}; }
  std::vector<std::string> extra_files() const override { return {}; }
  Result<std::string> extra_file(std::string_view) const override { return std::string(); }
  std::vector<std::string> entries() const override { return {}; }
  std::vector<Finding> check() const override { return {}; }
};

}  // namespace

TEST_CASE("a run leaves what its file holds as it is") {
  for (const char* name : {"mutations", "conv_bn_train", "while_loop"}) {
    CAPTURE(std::string(name));
    const test::Session s(name);
    const auto before = stored(s);
    std::vector<std::string> left;  // in inputs and buffers, by the first run
    for (const bool first : {true, false}) {
      const auto report = run_program(*s.file, s.program, {});
      REQUIRE(report);
      REQUIRE(report->finished);
      CHECK(stored(s) == before);
      std::vector<std::string> now;
      for (const WrittenInput& written : report->written) now.push_back(written.target + " " + summary(written.value));
      if (first) left = now;
      CHECK(now == left);
    }
  }
}

TEST_CASE("programs that write in place compare the same however often they run") {
  const test::Session a("mutations"), b("mutations");
  const auto before = stored(a);
  for (const bool isolate : {false, true, false}) {
    CompareRunsRequest request;
    request.isolate = isolate;
    const auto numbers = compare_runs({a.file.get(), a.program}, {b.file.get(), b.program}, request);
    REQUIRE(numbers);
    CHECK(numbers_agree(*numbers));
    CHECK(stored(a) == before);
    CHECK(stored(b) == before);
  }
}

TEST_CASE("tensors that a graph names without an input are copied where the program writes to them, and only there") {
  const auto written = [](const std::string& target, const std::string& arguments) {
    test::JsonProgram json;
    json.input("x").constant("k").call("view", "aten.view.default", "self=k, size=[3; 2]", "3, 2").call("made", target, arguments, "3, 2").output("made");
    const auto program = json.decode();
    const Constants file;
    const auto inputs = make_program_inputs(*program, file, {});
    REQUIRE(inputs);
    REQUIRE(inputs->attributes.contains("k"));
    return inputs->attributes.at("k").as<Tensor>()->storage.identity() != file.tensor.storage.identity();
  };
  CHECK(written("aten.relu_.default", "self=view"));
  CHECK(written("aten.add_.Tensor", "self=view, other=2"));
  CHECK_FALSE(written("aten.relu.default", "self=view"));
}
