#include "interp/check_guards.h"

#include <doctest/doctest.h>

#include "core/load.h"
#include "interp/allocation.h"
#include "interp/solve_symbols.h"
#include "tests/support/program_maker.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

Result<ProgramInputs> inputs_of(const std::string& name, InputRequest request) {
  auto opened = open_file(std::string(PT2_TEST_DATA) + "/programs/" + name + ".pt2");
  REQUIRE(opened);
  return make_program_inputs(*(*opened)->program(), *(*opened)->archive, request);
}

// The message PyTorch's module gives, with the values after it.
std::string refusal(const std::string& name, InputRequest request) {
  auto inputs = inputs_of(name, std::move(request));
  return inputs ? "" : inputs.error().message;
}

InputRequest sized(int64_t rows, int64_t columns) {
  InputRequest request;
  request.values.emplace("x", zeros(Shape{rows, columns}, DType::Float32));
  return request;
}

}  // namespace

TEST_CASE("conditions met while tracing are held against the inputs") {
  CHECK(refusal("symbolic", {}) == "");
  CHECK(refusal("symbolic", sized(4, 6)) == "");
  CHECK(refusal("symbolic", sized(2, 3)) ==
        "Guard failed: (x.size()[0] // 2) + (x.size()[1] % 3) >= 2 (x.size()[0] = 2, x.size()[1] = 3)");
  InputRequest filled;
  filled.use_sample_inputs = false;
  filled.symbols = {{"s77", 2}, {"s27", 3}};
  CHECK(refusal("symbolic", filled).starts_with("Guard failed: (x.size()[0] // 2)"));
}

TEST_CASE("a guard that does not hold is a warning where ranges are ignored") {
  InputRequest request = sized(2, 3);
  request.ignore_ranges = true;
  const auto inputs = inputs_of("symbolic", request);
  REQUIRE(inputs);
  REQUIRE(inputs->warnings.size() >= 1);
  CHECK(inputs->warnings[0].starts_with("Guard failed: "));
}

TEST_CASE("a file of one tensor without a name is for the only input; of several it is said how to name one") {
  TensorFile file;
  file.tensors.emplace_back("tensor", zeros(Shape{2, 3}, DType::Float32));
  InputRequest request;
  request.tensors = std::make_shared<const TensorFile>(file);
  const auto inputs = inputs_of("shared_module", request);
  REQUIRE(inputs);
  CHECK(inputs->inputs.back().source == InputSource::Given);
  const auto several = inputs_of("symbolic", request);
  REQUIRE_FALSE(several);
  CHECK(several.error().message == "the file is one tensor without a name, and the program takes 2 inputs");
  CHECK(several.error().advice == "It takes x, n. Say which one it is: --input x=FILE.");
}

TEST_CASE("a tensor input takes a number for all its elements, and says what it takes else") {
  InputRequest request;
  request.texts = {{"x", "0.5"}};
  request.symbols = {{"s77", 4}, {"s27", 6}};
  const auto inputs = inputs_of("symbolic", request);
  REQUIRE(inputs);
  const auto opened = open_file(std::string(PT2_TEST_DATA) + "/programs/symbolic.pt2");
  REQUIRE(opened);
  const auto* x = inputs->inputs[(*opened)->program()->root_graph().find("x").index].value.as<Tensor>();
  REQUIRE(x);
  CHECK(x->sizes == Shape{4, 6});
  for (int64_t i = 0; i < x->numel(); ++i) CHECK(x->data<float>()[i] == 0.5f);

  request.texts = {{"x", "abc"}};
  const auto wrong = inputs_of("symbolic", request);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "\"abc\" is neither a value for f32[s77, s27] nor a file");
  CHECK(wrong.error().advice == "A tensor takes a number to fill it with, or a .npy, .npz, .safetensors or .pt file.");
  CHECK_FALSE(ignoring_ranges_helps(wrong.error()));
  CHECK(ignoring_ranges_helps(inputs_of("symbolic", sized(2, 3)).error()));
}

TEST_CASE("inputs that were constants of the export must have their value") {
  auto with = [](const std::string& name, RuntimeValue value) {
    InputRequest request;
    request.values.emplace(name, std::move(value));
    return request;
  };
  CHECK(refusal("constant_inputs", {}) == "");
  CHECK(refusal("constant_inputs", with("maxlen", 5)) == "");
  CHECK(refusal("constant_inputs", with("maxlen", 6)) == "Guard failed: maxLen == 5 (it is 6)");
  CHECK(refusal("constant_inputs", with("flag", false)) == "Guard failed: flag == True (it is False)");
  CHECK(refusal("constant_inputs", with("mode", std::string("sum"))) == "Guard failed: mode == 'a b'");
  CHECK(refusal("constant_inputs", with("eps", 1e-5)) == "");
}

TEST_CASE("a size that no symbol makes is refused without the example's size, which nobody gave") {
  const auto problem = [](const char* expression, int64_t size) {
    auto meta = std::make_shared<TensorMeta>();
    meta->dtype = DType::Float32;
    meta->sizes.push_back({16, true, std::make_shared<const SymExpr>(parse_sym_expr(expression))});
    test::ProgramMaker maker;
    const NodeId x = maker.input("x");
    maker.type(x, std::shared_ptr<const TensorMeta>(std::move(meta)));
    const auto program = maker.finish({x});
    SymbolSolver solver(*program);
    Tensor tensor;
    tensor.sizes = {size};
    REQUIRE(solver.bind(program->signature.inputs[0], RuntimeValue{tensor}));
    const auto done = solver.finish(false);
    return done ? std::string() : done.error().message;
  };
  CHECK(problem("4*s63", 64) == "");
  CHECK(problem("4*s63", 66) == "x.shape[0] = 66, which is no multiple of 4: the size is 4*s63");
  CHECK(problem("4*s63 + 1", 66) == "x.shape[0] = 66, but no s63 makes 4*s63 + 1 that size");
}
