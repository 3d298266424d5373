// Two programs run on the same inputs and held against each other, group by group.
#include <doctest/doctest.h>

#include <cmath>

#include "core/decode/decode.h"
#include "core/encode/write_pt2.h"
#include "interp/compare_outputs.h"
#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "tests/interp/comparing.h"
#include "tests/support/json_program.h"
#include "tests/support/scratch.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("a decomposed program gives the same numbers, group by group") {
  const auto left = test::sample("conv_bn_relu.pt2"), right = test::sample("conv_bn_relu_decomposed.pt2");
  const auto result = compare_runs({left.get(), left->program()}, {right.get(), right->program()}, test::seeded());
  REQUIRE(result.has_value());
  CHECK(!result->first_divergence);
  REQUIRE(result->groups.size() == 3);
  for (const GroupNumbers& numbers : result->groups) CHECK(numbers.equal == true);
  REQUIRE(result->outputs.size() == 1);
  CHECK(result->outputs[0].equal == true);
  CHECK(result->outputs[0].left == "relu");
}

TEST_CASE("a result that nobody reads does not speak for its call") {
  const auto file = test::sample("conv_bn_relu.pt2");  // its archive only
  auto program = [](const char* read) {
    const std::string call = R"({"target": "torch.ops.aten.var_mean.correction", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor(read) + R"(}], "outputs": [)" +
                             test::JsonProgram::tensor("var") + ", " + test::JsonProgram::tensor("mean") + R"(], "metadata": {}})";
    return test::JsonProgram().input("x").call("add", "aten.add.Tensor", "self=x, other=5").node(call).value("var", "").value("mean", "").call("exp", "aten.exp.default", "self=var", "").output("exp").output("add").decode();
  };
  const auto left = program("x"), right = program("add");  // of other means
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, test::seeded());
  REQUIRE(result.has_value());
  const GroupNumbers& numbers = result->groups[result->diff.left_group.at(test::node_of(*left, "var"))];
  CHECK(numbers.equal == true);
  CHECK(numbers.pairs == std::vector{std::pair(test::node_of(*left, "var"), test::node_of(*right, "var"))});
}

TEST_CASE("results of one call go by their index, whatever their shapes, and another shape arises where the operands are the same") {
  const auto file = test::sample("conv_bn_relu.pt2");  // its archive only
  auto program = [](const std::string& k) {
    const std::string call = R"({"target": "torch.ops.aten.topk.default", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("neg") + R"(}, {"name": "k", "kind": 1, "arg": {"as_int": )" + k +
                             R"(}}], "outputs": [)" + test::JsonProgram::tensor("values") + ", " + test::JsonProgram::tensor("indices") + R"(], "metadata": {}})";
    return test::JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").node(call).value("values", "2, " + k).value("indices", "2, " + k, 5).output("values").output("indices").decode();
  };
  const auto left = program("3"), right = program("2");
  CompareRunsRequest request = test::seeded();
  request.isolate = true;
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(result.has_value());
  const GroupNumbers& numbers = result->groups[result->diff.left_group.at(test::node_of(*left, "values"))];
  CHECK(numbers.equal == false);
  CHECK(numbers.cause == Cause::Shape);
  CHECK(numbers.local == true);
  REQUIRE(numbers.pairs.size() == 2);
  for (const auto& [l, r] : numbers.pairs) CHECK(left->node(l).name == right->node(r).name);
  CHECK(group_numbers_text(*left, numbers) == "≠ (shape, arises here)");
  CHECK(comparison_csv({*left, *right, "a", "b", result->diff, &*result, nullptr, std::nullopt}).find("nan") == std::string::npos);
}

TEST_CASE("one constant changed is named at its node and classified") {
  const auto left = test::sample("conv_bn_relu.pt2"), right = test::sample("conv_bn_relu_decomposed.pt2");
  auto json = right->archive->model_json("model");
  REQUIRE(json.has_value());
  const std::string from = "\"as_float\": 1e-05";  // batch_norm's eps
  const size_t at = json->find(from);
  REQUIRE(at != std::string::npos);
  json->replace(at, from.size(), "\"as_float\": 1e-01");
  auto edited = decode_program("model", *json, "models/model.json");
  REQUIRE(edited.has_value());
  const auto result = compare_runs({left.get(), left->program()}, {right.get(), *edited}, test::seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  const NodeGroup& group = result->diff.groups[*result->first_divergence];
  CHECK(qualified_name(*left->program(), group.left[0]) == "batch_norm");
  const GroupNumbers& numbers = result->groups[*result->first_divergence];
  CHECK(numbers.cause == Cause::Values);
  CHECK(!numbers.carried_in);
  CHECK(result->groups[0].equal == true);   // conv2d, before it
  CHECK(result->groups[2].equal == false);  // relu, after it
  CHECK(result->groups[2].carried_in);
  CHECK(result->outputs[0].equal == false);
}

TEST_CASE("NaN against numbers is its own cause") {
  const auto left = test::sample("conv_bn_relu.pt2"), right = test::sample("conv_bn_relu_nan.pt2");
  const auto result = compare_runs({left.get(), left->program()}, {right.get(), right->program()}, test::seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  CHECK(result->groups[*result->first_divergence].cause == Cause::Nan);
  CHECK(qualified_name(*left->program(), result->diff.groups[*result->first_divergence].left[0]) == "batch_norm");
}

TEST_CASE("a weight that differs is named where the numbers part") {
  const auto left = test::sample("conv_bn_relu.pt2"), right = test::sample("conv_bn_relu_nan.pt2");
  for (const bool isolate : {false, true}) {
    CompareRunsRequest request = test::seeded();
    request.isolate = isolate;
    const auto result = compare_runs({left.get(), left->program()}, {right.get(), right->program()}, request);
    REQUIRE(result.has_value());
    const ComparisonView view{*left->program(), *right->program(), "a", "b", result->diff, &*result, nullptr, std::nullopt};
    const std::string text = divergence_text(view);
    CHECK(text.find("bn.running_var differs.") != std::string::npos);
    CHECK(text.find("the operands were the same") == std::string::npos);
    CHECK((text.find("It arises there") != std::string::npos) == isolate);
    CHECK(comparison_json(view).find("\"differing_inputs\": [\"bn.running_var\"]") != std::string::npos);
  }
}

TEST_CASE("a view that is made anew from what was written later does not count as a difference") {
  const auto file = test::sample("conv_bn_relu.pt2");  // its archive only: the programs have no weights
  const auto left = test::JsonProgram().input("x").call("add", "aten.add.Tensor", "self=x, other=1").call("view", "aten.view.default", "self=add, size=[6]", "6")
                        .call("mul_", "aten.mul_.Tensor", "self=add, other=2").output("mul_").output("view").decode();
  const auto right = test::JsonProgram().input("x").call("add", "aten.add.Tensor", "self=x, other=1").call("mul", "aten.mul.Tensor", "self=add, other=2")
                         .call("view", "aten.view.default", "self=mul, size=[6]", "6").output("mul").output("view").decode();
  for (const bool turned : {false, true}) {
    CompareRunsRequest request = test::seeded();
    request.isolate = true;
    const auto result = compare_runs({file.get(), turned ? right : left}, {file.get(), turned ? left : right}, request);
    REQUIRE(result.has_value());
    CHECK(!result->first_divergence);
    REQUIRE(result->outputs.size() == 2);
    CHECK(result->outputs[0].equal == true);
    CHECK(result->outputs[1].equal == true);
  }
}

TEST_CASE("a result that is an operand passed on needs no counterpart") {
  const auto file = test::sample("conv_bn_relu.pt2");
  const std::string broadcast = R"({"target": "torch.ops.aten.broadcast_tensors.default", "name": "broadcast_tensors", "inputs": [{"name": "tensors", "kind": 1,
      "arg": {"as_tensors": [{"name": "x"}, {"name": "y"}]}}], "outputs": [{"as_tensors": [{"name": "a"}, {"name": "b"}]}],
      "metadata": {"torch_fn": "broadcast_tensors_1;broadcast_tensors"}})";
  const std::string expand = R"({"target": "torch.ops.aten.expand.default", "name": "expand", "inputs": [{"name": "self", "kind": 1, "arg": {"as_tensor": {"name": "x"}}},
      {"name": "size", "kind": 1, "arg": {"as_ints": [2, 3]}}], "outputs": [{"as_tensor": {"name": "expand"}}],
      "metadata": {"torch_fn": "broadcast_tensors_1;broadcast_tensors"}})";
  const auto left = test::JsonProgram().input("x", "3").input("y").node(broadcast).value("a", "2, 3 / 0, 1").value("b", "2, 3").output("a").output("b").decode();
  const auto right = test::JsonProgram().input("x", "3").input("y").node(expand).value("expand", "2, 3 / 0, 1").output("expand").output("y").decode();
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, test::seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->diff.groups.size() == 1);
  CHECK(result->groups[0].equal == true);
  CHECK(!result->first_divergence);
}

TEST_CASE("numbers agree in both orders") {
  for (const auto& [first, second] : {std::pair("aliasing.pt2", "aliasing_decomposed.pt2"), std::pair("attention.pt2", "attention_decomposed.pt2")})
    for (const bool turned : {false, true}) {
      const auto a = test::pair(turned ? second : first), b = test::pair(turned ? first : second);
      const auto result = compare_runs({a.get(), a->program()}, {b.get(), b->program()}, test::seeded());
      REQUIRE(result.has_value());
      CHECK(!result->first_divergence);
      for (const OutputNumbers& output : result->outputs) CHECK(output.equal == true);
    }
}

TEST_CASE("a verdict says only what is known") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const char* factor, const char* value, const char* operand) {
    return test::JsonProgram().input("x").call("mul", "aten.mul.Tensor", std::string("self=x, other=") + factor).call("add", "aten.add.Tensor", std::string("self=mul, other=") + value)
        .call("neg", "aten.neg.default", "self=add").call("sub", "aten.sub.Tensor", std::string("self=neg, other=") + operand).output("sub").decode();
  };
  const auto left = program("2", "1", "x");
  for (const bool isolate : {false, true}) {
    CompareRunsRequest request = test::seeded();
    request.isolate = isolate;
    // mul and add have faults of their own, neg has none.
    const auto right = program("3", "4", "x");
    const auto faults = compare_runs({file.get(), left}, {file.get(), right}, request);
    REQUIRE(faults.has_value());
    REQUIRE(faults->groups.size() == 4);
    const std::string text = test::verdict(*left, *right, *faults);
    CHECK_MESSAGE(text.find("The calls differ: other 2 → 3.") != text.npos, text);
    CHECK((text.find("the operands were the same") != text.npos) == isolate);
    CHECK(!faults->groups[1].carried_in);
    CHECK(faults->groups[1].operand_differs);
    const std::string add = group_numbers_text(*left, faults->groups[1]), neg = group_numbers_text(*left, faults->groups[2]);
    CHECK_MESSAGE(add.find(isolate ? "arises here" : "an operand differs already") != add.npos, add);
    CHECK_MESSAGE(neg.find("carried in") != neg.npos, neg);
    CHECK(numbers_count_text(*faults) == "4 of 4 compared groups differ");
    // sub reads another value.
    const auto other = program("2", "1", "mul");
    const auto operands = compare_runs({file.get(), left}, {file.get(), other}, request);
    REQUIRE(operands.has_value());
    const std::string said = test::verdict(*left, *other, *operands);
    CHECK_MESSAGE(said.find("The calls differ: operands, other x → mul.") != said.npos, said);
    CHECK(said.find("the operands were the same") == said.npos);
    CHECK((said.find("It arises there.") != said.npos) == isolate);
  }
}

TEST_CASE("a floating-point input of another type is cast, and a note says so") {
  const auto file = test::sample("conv_bn_relu.pt2");
  constexpr int kFloat64 = 8, kInt64 = 5;  // as the file has them
  auto program = [](int dtype) { return test::JsonProgram().input("x", "2, 3", "user_input", "", dtype).call("neg", "aten.neg.default", "self=x", "2, 3", dtype).output("neg").decode(); };
  const auto single = program(7), twice = program(kFloat64), whole = program(kInt64);
  const auto result = compare_runs({file.get(), single}, {file.get(), twice}, test::seeded());
  REQUIRE_MESSAGE(result.has_value(), (result ? "" : result.error().message));
  REQUIRE(result->notes.size() == 1);
  CHECK(result->notes[0] == "the input \"x\" of the second program is the first one's, cast from float32 to float64");
  REQUIRE(result->groups.size() == 1);
  CHECK(result->groups[0].cause == Cause::DType);
  CHECK(result->groups[0].difference.max_abs == 0);  // equal() is false, but how far apart they are is said
  CHECK_FALSE(compare_runs({file.get(), single}, {file.get(), whole}, test::seeded()).has_value());
}

TEST_CASE("a constant that two operators share is named where it differs, and only there") {
  const auto left = test::pair("attention.pt2"), right = test::pair("attention_decomposed.pt2");
  auto json = right->archive->model_json("model");
  REQUIRE(json.has_value());
  const std::string from = "\"as_float\": 1e-05";  // native_layer_norm's eps
  const size_t at = json->find(from);
  REQUIRE(at != std::string::npos);
  json->replace(at, from.size(), "\"as_float\": 0.01");
  const auto edited = decode_program("model", *json, "models/model.json");
  REQUIRE(edited.has_value());
  CompareRunsRequest request = test::seeded();
  request.isolate = true;
  for (const bool changed : {true, false})
    for (const bool turned : {false, true}) {
      const std::shared_ptr<const Program> decomposed = changed ? *edited : right->program();
      const ProgramSide a{left.get(), left->program()}, b{right.get(), decomposed};
      const auto result = turned ? compare_runs(b, a, request) : compare_runs(a, b, request);
      REQUIRE(result.has_value());
      const ComparisonView view{turned ? *b.program : *a.program, turned ? *a.program : *b.program, "a", "b", result->diff, &*result, nullptr, std::nullopt};
      const std::string all = comparison_json(view), entry = turned ? R"({"what": "eps", "left": "0.01", "right": "1e-05"})" : R"({"what": "eps", "left": "1e-05", "right": "0.01"})";
      CHECK((all.find(entry) != all.npos) == changed);
      CHECK((all.find("\"what\": \"eps\"") != all.npos) == changed);
      CHECK((all.find("\"arguments\"") != all.npos) == changed);
      if (changed) CHECK_MESSAGE(divergence_text(view).find(turned ? "eps 0.01 → 1e-05" : "eps 1e-05 → 0.01") != std::string::npos, divergence_text(view));
    }
}

TEST_CASE("in a group of several calls those that correspond say what changed") {
  const auto left = test::JsonProgram().input("x", "3, 3").input("w", "3, 3").call("permute", "aten.permute.default", "self=w, dims=[1; 0]", "3, 3")
                        .call("mm", "aten.mm.default", "self=x, mat2=permute", "3, 3").output("mm").decode();
  const auto right = test::JsonProgram().input("x", "3, 3").input("w", "3, 3").call("mm", "aten.mm.default", "self=x, mat2=w", "3, 3").output("mm").decode();
  auto ref = [](const Program& program, const char* name) { return NodeRef{program.root(), program.root_graph().find(name)}; };
  DiffOptions options;
  options.linked = {{ref(*left, "mm"), ref(*right, "mm")}, {ref(*left, "permute"), ref(*right, "mm")}};
  const Diff diff = diff_programs(*left, *right, options);
  REQUIRE(diff.groups.size() == 1);
  CHECK(diff.groups[0].kind == GroupKind::Merged);
  CHECK(group_kind_text(diff.groups[0]) == "merged: operands, mat2 permute → w");
  for (auto& [l, r] : options.linked) std::swap(l, r);
  const Diff back = diff_programs(*right, *left, options);
  REQUIRE(back.groups.size() == 1);
  CHECK(group_kind_text(back.groups[0]) == "decomposed: operands, mat2 w → permute");
}

TEST_CASE("values of two floating-point types have numbers, and are judged by a tolerance that was given") {
  const auto file = test::sample("conv_bn_relu.pt2");
  constexpr int kFloat32 = 7, kBFloat16 = 13;  // as the file has them
  auto program = [](int dtype) {
    return test::JsonProgram().input("x", "2, 3", "user_input", "", dtype).call("sin", "aten.sin.default", "self=x", "2, 3", dtype).call("neg", "aten.neg.default", "self=sin", "2, 3", dtype).output("neg").decode();
  };
  const auto single = program(kFloat32), half = program(kBFloat16);
  for (const bool turned : {false, true}) {
    const ProgramSide left{file.get(), turned ? half : single}, right{file.get(), turned ? single : half};
    CompareRunsRequest request = test::seeded();
    request.isolate = true;
    const auto plain = compare_runs(left, right, request);
    REQUIRE(plain.has_value());
    REQUIRE(plain->outputs.size() == 1);
    const ValueDifference &output = plain->outputs[0].difference, &group = plain->groups[1].difference;
    CHECK(plain->outputs[0].equal == false);
    CHECK(plain->outputs[0].cause == Cause::DType);
    CHECK(output.max_abs > 0);
    CHECK(output.max_abs < 0.01);
    CHECK(output.max_abs == group.max_abs);  // an output is judged as the group it comes from
    CHECK(output.max_rel == group.max_rel);
    CHECK(output.max_ulp == group.max_ulp);
    CHECK(output.cosine == group.cosine);
    CHECK(output.snr_db == group.snr_db);
    CHECK((output.max_ulp < 4) == turned);  // in units of the first program's type
    for (const GroupNumbers& numbers : plain->groups) CHECK(numbers.local == false);  // bfloat16 rounds, no more
    CHECK(group_numbers_text(*left.program, plain->groups[1]).find("no more than the type explains") != std::string::npos);
    for (const double given : {0.02, 1e-7}) {
      request.tolerance = {given, given};
      const auto judged = compare_runs(left, right, request);
      REQUIRE(judged.has_value());
      CHECK(judged->outputs[0].equal == (given > 1e-3));
      CHECK(judged->first_divergence.has_value() == (given < 1e-3));
      CHECK(judged->diff.groups[0].changes == std::vector<std::string>{"dtype"});  // of the structure, as before
      if (given < 1e-3) CHECK(judged->groups[1].local == !turned);                 // only bfloat16 rounds what it is given
    }
  }
}

TEST_CASE("what was compared is said, and whether a run took place") {
  const auto left = test::sample("conv_bn_relu.pt2"), other = test::sample("conv_bn_relu_nan.pt2");
  const ProgramSide a{left.get(), left->program()}, b{other.get(), other->program()};
  const Diff diff = diff_programs(*a.program, *b.program);
  const WeightComparison weights = compare_weights(a, b, diff, {});
  ComparisonView view{*a.program, *b.program, "a", "b", diff, nullptr, nullptr, std::nullopt};
  CHECK(equal_text(view) == "equal (structure; numbers and weights not compared)");
  CHECK(comparison_json(view).find("\"ran\": false") != std::string::npos);
  view.weights = &weights;
  CHECK(equal_text(view) == "equal (structure and weights; numbers not compared)");
  CHECK(comparison_csv(view).find("bn.running_var,bn.running_var,weight,,,false,1.66") != std::string::npos);
}

TEST_CASE("a module that was renamed is one line to be read, and all its weights in JSON") {
  auto program = [](const std::string& module) {
    return test::JsonProgram().input("w", "2, 3", "parameter", module + ".w").input("v", "2, 3", "parameter", module + ".v").input("x").call("mul", "aten.mul.Tensor", "self=x, other=w")
        .call("add", "aten.add.Tensor", "self=mul, other=v").output("add").decode();
  };
  const auto left = program("net.layers"), right = program("net.blocks");
  const Diff diff = diff_programs(*left, *right);
  const ComparisonView view{*left, *right, "a", "b", diff, nullptr, nullptr, std::nullopt};
  const std::string json = comparison_json(view);
  CHECK(comparison_markdown(view).find("- renamed: net.layers → net.blocks (2 parameters)\n\n") != std::string::npos);
  CHECK(json.find(R"("renamed": [{"left": "net.layers", "right": "net.blocks", "count": 2}])") != std::string::npos);
  for (const char* name : {"net.layers.w", "net.layers.v", "net.blocks.w", "net.blocks.v"}) CHECK(json.find(std::string("parameter ") + name) != std::string::npos);
}

TEST_CASE("weights of a module that was renamed are held against each other by both names") {
  const test::Scratch scratch;
  auto written = [&](const std::string& module, float second) {
    const auto program = test::JsonProgram().input("w", "2, 3", "parameter", module + ".w").input("v", "2, 3", "parameter", module + ".v").input("x").call("mul", "aten.mul.Tensor", "self=x, other=w")
                             .call("add", "aten.add.Tensor", "self=mul, other=v").output("add").decode();
    const std::string path = scratch.path((module + ".pt2").c_str());
    REQUIRE(write_pt2(path, {*program, {{module + ".w", test::sixfold(1)}, {module + ".v", test::sixfold(second)}}, {}, {}}).has_value());
    return test::opened(path);
  };
  const auto left = written("layers", 2), right = written("blocks", 5);
  const Diff diff = diff_programs(*left->program(), *right->program());
  const WeightComparison weights = compare_weights({left.get(), left->program()}, {right.get(), right->program()}, diff, {});
  CHECK(weights.compared == 2);
  REQUIRE(weights.different.size() == 1);
  CHECK(weights.different[0].name() == "layers.v → blocks.v");
  CHECK(weights.different[0].difference.max_abs == 3);
}

TEST_CASE("an agreement of NaN with NaN is said") {
  const auto file = test::sample("conv_bn_relu.pt2");
  const auto program = test::JsonProgram().input("x").call("neg", "aten.neg.default", "self=x").call("sub", "aten.sub.Tensor", "self=neg, other=1").output("sub").decode();
  CompareRunsRequest request = test::seeded();
  request.inputs.values.emplace("x", RuntimeValue(test::sixfold(std::nanf(""))));
  const auto result = compare_runs({file.get(), program}, {file.get(), program}, request);
  REQUIRE(result.has_value());
  CHECK(test::verdict(*program, *program, *result) == "The numbers agree everywhere they can be compared. In 2 groups all elements are NaN on both sides.");
}

TEST_CASE("a group in half precision that is wrong itself is told from rounding") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](int dtype, const char* factor) {
    return test::JsonProgram().input("x", "2, 3", "user_input", "", dtype).call("sin", "aten.sin.default", "self=x", "2, 3", dtype)
        .call("mul", "aten.mul.Tensor", std::string("self=sin, other=") + factor, "2, 3", dtype).call("neg", "aten.neg.default", "self=mul", "2, 3", dtype).output("neg").decode();
  };
  CompareRunsRequest request = test::seeded();
  request.isolate = true;
  const auto left = program(7, "2"), right = program(13, "3");
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(result.has_value());
  REQUIRE(result->groups.size() == 3);
  CHECK(result->groups[0].local == false);
  CHECK(result->groups[1].local == true);
  CHECK(result->groups[2].local == false);
}

TEST_CASE("a group whose operand has no counterpart was not run on the first program's values, and is not blamed") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const char* op, const char* arguments) {
    return test::JsonProgram().input("x").call("made", op, arguments).call("neg", "aten.neg.default", "self=made").output("neg").decode();
  };
  const auto left = program("aten.exp.default", "self=x"), right = program("aten.mul.Tensor", "self=x, other=3");
  CompareRunsRequest request = test::seeded();
  request.isolate = true;
  request.matching.unlinked = {{test::node_of(*left, "made"), test::node_of(*right, "made")}};
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  const GroupNumbers& numbers = result->groups[*result->first_divergence];
  CHECK(!numbers.local);
  CHECK(numbers.not_judged == "the operand made has no counterpart");
  CHECK(group_numbers_text(*left, numbers).find("arises here") == std::string::npos);
  const std::string said = test::verdict(*left, *right, *result);
  CHECK_MESSAGE(said.find("Whether it arises there is not known: the operand made has no counterpart.") != said.npos, said);
  CHECK(said.find("It arises there") == said.npos);
}

TEST_CASE("of several values that leave a group the one that counterparts read speaks for it") {
  const auto file = test::sample("conv_bn_relu.pt2");
  const auto whole = test::JsonProgram().input("x").call("sin", "aten.sin.default", "self=x").call("neg", "aten.neg.default", "self=sin").output("neg").decode();
  const auto parts = test::JsonProgram().input("x").call("cos", "aten.cos.default", "self=x").call("tan", "aten.tan.default", "self=cos").call("exp", "aten.exp.default", "self=cos")
                         .call("neg", "aten.neg.default", "self=tan").output("neg").output("exp").decode();
  for (const bool turned : {false, true}) {
    const auto &left = turned ? parts : whole, &right = turned ? whole : parts;
    CompareRunsRequest request = test::seeded();
    for (const char* part : {"cos", "tan"}) {
      const NodeRef a = test::node_of(*whole, "sin"), b = test::node_of(*parts, part);
      request.matching.linked.emplace_back(turned ? b : a, turned ? a : b);
    }
    const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
    REQUIRE(result.has_value());
    const auto& group_of = turned ? result->diff.left_group : result->diff.right_group;
    const GroupNumbers& numbers = result->groups[group_of.at(test::node_of(*parts, "tan"))];
    CHECK(parts->node(turned ? numbers.left : numbers.right).name == "tan");
  }
}

TEST_CASE("a group of several calls has numbers in another floating-point type, too: those of the value that leaves it") {
  const auto file = test::sample("conv_bn_relu.pt2");
  constexpr int kFloat32 = 7, kBFloat16 = 13;  // as the file has them
  auto half = [](const char* factor) {
    auto cast = [](const std::string& name, const std::string& operand, int dtype) {
      return R"({"target": "torch.ops.aten._to_copy.default", "name": ")" + name + R"(", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor(operand) +
             R"(}, {"name": "dtype", "kind": 2, "arg": {"as_scalar_type": )" + std::to_string(dtype) + R"(}}], "outputs": [)" + test::JsonProgram::tensor(name) + R"(], "metadata": {}})";
    };
    return test::JsonProgram().input("x", "2, 3", "user_input", "", kBFloat16).node(cast("wide", "x", kFloat32)).value("wide", "2, 3").call("sigmoid", "aten.sigmoid.default", "self=wide")
        .call("mul", "aten.mul.Tensor", "self=wide, other=sigmoid").call("scaled", "aten.mul.Tensor", std::string("self=mul, other=") + factor)
        .node(cast("narrow", "scaled", kBFloat16)).value("narrow", "2, 3", kBFloat16).call("neg", "aten.neg.default", "self=narrow", "2, 3", kBFloat16).output("neg").decode();
  };
  const auto whole = test::JsonProgram().input("x", "2, 3", "user_input", "", kFloat32).call("silu", "aten.silu.default", "self=x").call("neg", "aten.neg.default", "self=silu").output("neg").decode();
  CompareRunsRequest request = test::seeded();
  request.inputs.values.emplace("x", RuntimeValue(test::sixfold(1.5f)));
  request.isolate = true;
  for (const bool fault : {false, true})
    for (const bool tolerant : {false, true})
      for (const bool turned : {false, true}) {
        const auto parts = half(fault ? "2" : "1");
        const auto &left = turned ? parts : whole, &right = turned ? whole : parts;
        request.inputs_of_right = turned;
        request.tolerance = tolerant ? Tolerance{0.05, 0.05} : Tolerance{};
        request.matching.linked.clear();
        for (const char* part : {"wide", "sigmoid", "mul", "scaled", "narrow"}) {
          const NodeRef a = test::node_of(*whole, "silu"), b = test::node_of(*parts, part);
          request.matching.linked.emplace_back(turned ? b : a, turned ? a : b);
        }
        const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
        REQUIRE(result.has_value());
        const size_t group = result->diff.left_group.at(test::node_of(*left, turned ? "narrow" : "silu"));
        const GroupNumbers& numbers = result->groups[group];
        CHECK(parts->node(turned ? numbers.left : numbers.right).name == "narrow");
        CHECK(numbers.equal == (tolerant && !fault));
        // PyTorch: silu(1.5) is 1.226361 in float32, and 1.226562 in bfloat16.
        CHECK(numbers.difference.max_abs == doctest::Approx(fault ? 1.226764 : 0.000201).epsilon(0.02));
        if (!tolerant || fault) CHECK(result->first_divergence == group);
        if (!tolerant || fault) CHECK(numbers.local == fault);
        CHECK(numbers.not_judged.empty());
      }
}

TEST_CASE("operands of equal values are not called a difference of the calls") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const char* operand, const char* op) {
    return test::JsonProgram().input("x").call("a", "aten.clone.default", "self=x").call("b", "aten.detach.default", "self=x").call("made", op, std::string("self=") + operand).output("made").output("a").output("b").decode();
  };
  const auto left = program("a", "aten.bernoulli.default"), right = program("b", "aten.bernoulli.default");
  CompareRunsRequest request = test::seeded();
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(result.has_value());
  const size_t group = result->diff.left_group.at(test::node_of(*left, "made"));
  REQUIRE(result->diff.groups[group].changes == std::vector<std::string>{"operands"});
  const auto other = program("b", "aten.cos.default");
  const auto differing = compare_runs({file.get(), program("a", "aten.sin.default")}, {file.get(), other}, request);
  REQUIRE(differing.has_value());
  REQUIRE(differing->first_divergence.has_value());
  CHECK(differing->groups[*differing->first_divergence].equal_operands);
  CHECK(!differing->groups[*differing->first_divergence].same_operands);
  RunComparison parted = *result;  // had its values differed
  parted.groups[group].equal = false;
  parted.first_divergence = group;
  for (const bool equal : {true, false}) {
    parted.groups[group].equal_operands = equal;
    CHECK((test::verdict(*left, *right, parted).find("The calls differ") == std::string::npos) == equal);
  }
}
