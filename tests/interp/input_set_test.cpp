#include "interp/input_set.h"

#include <filesystem>
#include <fstream>

#include "core/tensor/tensor_files.h"
#include "interp/input_recipe.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"
#include "tests/support/test_files.h"

using namespace pt2;
using namespace pt2::interp;
using pt2::test::Scratch;

namespace {

// The input x of symbolic.pt2 in 2 rows of 3.
Result<Tensor> made_x(InputRequest request) {
  const auto file = test::open_data("programs/symbolic.pt2");
  const auto program = file->program();
  request.use_sample_inputs = false;
  request.ignore_ranges = true;  // a guard wants more rows
  if (request.symbols.empty()) request.symbols = {{"s77", 2}, {"s27", 3}};
  auto inputs = make_program_inputs(*program, *file->archive, request);
  if (!inputs) return inputs.error();
  for (size_t i = 0; i < inputs->inputs.size(); ++i)
    if (program->root_graph().node(NodeId(i)).name == "x") return *inputs->inputs[i].value.as<Tensor>();
  return Error{};
}
std::vector<float> x_of(const std::string& text, uint64_t seed = 3) {
  InputRequest request;
  request.texts = {{"x", text}};
  request.seed = seed;
  const auto x = made_x(request);
  REQUIRE_MESSAGE(x.has_value(), (x ? "" : x.error().message));
  return {x->data<float>(), x->data<float>() + x->numel()};
}

void write(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

std::string problem_of(const std::string& path) {
  const auto read = read_input_set(path, *test::program_of("programs/symbolic.pt2"));
  return read ? "" : read.error().message;
}

}  // namespace

// torch.manual_seed(3); torch.empty(2, 3).normal_(1, 0.5) …
TEST_CASE("an input is filled with the numbers that PyTorch draws") {
  CHECK(x_of("normal(1, 0.5)") == std::vector<float>{1.4016380310058594f, 1.087416648864746f, 1.0444890260696411f, 0.693140983581543f, 1.023091197013855f, 0.31587040424346924f});
  CHECK(x_of("uniform(-1,1)") == std::vector<float>{-0.9914729595184326f, -0.7888612747192383f, -0.42831504344940186f, -0.9460903406143188f, -0.056771278381347656f, -0.8797674179077148f});
  CHECK(x_of("randint(0, 10)") == std::vector<float>{6, 8, 7, 7, 0, 0});
  CHECK(x_of("bernoulli()") == std::vector<float>{1, 1, 0, 1, 0, 0});
  CHECK(x_of("arange()") == std::vector<float>{0, 1, 2, 3, 4, 5});
  CHECK(x_of("0.5") == std::vector<float>(6, 0.5f));
}

TEST_CASE("what PyTorch cannot draw in a dtype is no recipe") {
  CHECK(parse_recipe(DType::Int64, "randint(0, 10)"));
  CHECK(parse_recipe(DType::Bool, "bernoulli(0.5)"));
  CHECK_FALSE(parse_recipe(DType::Int64, "normal()"));
  CHECK_FALSE(parse_recipe(DType::Bool, "uniform(0, 1)"));
  for (const char* text : {"", "normal", "normal(", "normal(1,2,3)", "normal(0,-1)", "normal(a)", "uniform(2, 1)", "randint(3)", "randint(3, 3)", "randint(0, 1.5)", "bernoulli(2)", "arange(3)", "uniform(0, inf)", "normal(1 2)", "x.npy"})
    CHECK_MESSAGE(!parse_recipe(DType::Float32, text), text);
}

TEST_CASE("a tensor of a file with several is named by its key; another dtype is cast when that is asked for") {
  Scratch scratch;
  const std::string path = (scratch.folder / "many.npz").string();
  TensorFile file;
  file.tensors.emplace_back("a", test::tensor_of<double>(DType::Float64, {2, 3}, {1, 2, 3, 4, 5, 6}));
  file.tensors.emplace_back("b", test::floats({2, 3}, {6, 5, 4, 3, 2, 1}));
  REQUIRE(write_tensor_file(path, file));
  InputRequest request;
  request.texts = {{"x", path}};
  auto unnamed = made_x(request);
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().advice == "Write many.npz#KEY; it has a, b");
  request.texts = {{"x", path + "#b"}};
  REQUIRE(made_x(request));
  CHECK(made_x(request)->data<float>()[0] == 6);
  request.texts = {{"x", path + "#a"}};
  auto double_x = made_x(request);
  REQUIRE_FALSE(double_x);
  CHECK(casting_helps(double_x.error()));
  CHECK_FALSE(ignoring_ranges_helps(double_x.error()));
  request.cast = true;
  REQUIRE(made_x(request));
  CHECK(made_x(request)->data<float>()[5] == 6);
}

TEST_CASE("a set of inputs is read as it was written, its paths from its own folder") {
  Scratch scratch;
  std::filesystem::create_directories(scratch.folder / "sub");
  write(scratch.folder / "sub" / "x.npy", "");
  const auto program = test::program_of("programs/symbolic.pt2");
  InputSet set;
  set.request.texts = {{"x", (scratch.folder / "sub" / "x.npy").string() + "#k\"ey"}, {"n", "7"}};
  set.request.symbols = {{"s77", 4}};
  set.request.seed = UINT64_MAX;
  set.request.use_sample_inputs = false;
  set.request.cast = set.request.ignore_ranges = true;
  set.reference = (scratch.folder / "sub").string();
  const std::string path = (scratch.folder / "set.json").string(), text = input_set_text(set, path);
  CHECK(text.find("\"x\": \"sub/x.npy#k\\\"ey\"") != std::string::npos);
  write(path, text);
  const auto read = read_input_set(path, *program);
  REQUIRE_MESSAGE(read.has_value(), problem_of(path));
  CHECK(read->request.texts == set.request.texts);
  CHECK(read->request.symbols == set.request.symbols);
  CHECK(read->request.seed == set.request.seed);
  CHECK_FALSE(read->request.use_sample_inputs);
  CHECK(read->request.cast);
  CHECK(read->request.ignore_ranges);
  CHECK(read->reference == set.reference);
  CHECK(read->warnings.empty());
}

TEST_CASE("names of a set that do not fit are told, and what is damaged is a message") {
  Scratch scratch;
  const std::string path = (scratch.folder / "set.json").string();
  write(path, R"({"pt2scope": "inputs", "version": 1, "inputs": {"x": "1", "q": "2"}, "symbols": {"zz": 3}})");
  const auto partly = read_input_set(path, *test::program_of("programs/symbolic.pt2"));
  REQUIRE(partly);
  REQUIRE(partly->warnings.size() == 1);
  CHECK(partly->warnings[0] == "not of this program, left out: input \"q\", symbol \"zz\"");
  CHECK(partly->request.texts.size() == 1);
  write(path, R"({"pt2scope": "inputs", "version": 1, "inputs": {"q": "2"}})");
  CHECK(problem_of(path) == "none of its names is of this program: input \"q\"");
  write(path, R"({"pt2scope": "inputs", "version": 1, "inputs": {"x": 1}})");
  CHECK(problem_of(path).find("inputs.x") != std::string::npos);
  for (const char* text : {"", "{", "[]", "{}", "7", R"({"pt2scope": "session"})", R"({"pt2scope": "inputs"})", R"({"pt2scope": "inputs", "version": 99})", R"({"pt2scope": "inputs", "version": 1, "inputs": [1]})",
                           R"({"pt2scope": "inputs", "version": 1, "seed": "a"})", R"({"pt2scope": "inputs", "version": 1, "seed": 99999999999999999999999})", R"({"pt2scope": "inputs", "version": 1} more)"}) {
    write(path, text);
    CHECK_MESSAGE(!problem_of(path).empty(), text);
  }
  write(path, std::string(100000, '['));
  CHECK_FALSE(problem_of(path).empty());
  CHECK(problem_of((scratch.folder / "none.json").string()) == "there is no such file");
  CHECK(problem_of(scratch.folder.string()) == "it is no file");
}
