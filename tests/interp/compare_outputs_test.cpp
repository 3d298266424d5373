// What two programs return, and what they leave in buffers and inputs.
#include <doctest/doctest.h>

#include "core/decode/decode.h"
#include "interp/compare_outputs.h"
#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "tests/interp/comparing.h"
#include "tests/support/json_program.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;

TEST_CASE("outputs that differ are in the verdict although all groups agree") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const char* first, const char* second) {
    return test::JsonProgram().input("x").call("sin", "aten.sin.default", "self=x").call("cos", "aten.cos.default", "self=x").output(first).output(second).decode();
  };
  auto view_of = [](const Program& left, const Program& right, const RunComparison& numbers) { return ComparisonView{left, right, "a", "b", numbers.diff, &numbers, nullptr, std::nullopt}; };
  CompareRunsRequest request = test::seeded();
  request.inputs.values.emplace("x", RuntimeValue(test::sixfold(1)));
  const auto left = program("sin", "cos"), right = program("cos", "sin");
  const auto swapped = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(swapped.has_value());
  CHECK(!swapped->first_divergence);
  CHECK(!numbers_agree(*swapped));
  const ComparisonView view = view_of(*left, *right, *swapped);
  // PyTorch: sin(1) - cos(1) is 0.301169.
  CHECK(divergence_text(view) == "The numbers of the groups agree, but not output sin → cos (different, max abs Δ 0.301169), output cos → sin (different, max abs Δ 0.301169).");
  const std::string json = comparison_json(view);
  CHECK(json.find("\"numbers_agree\": false") != std::string::npos);
  CHECK(json.find("\"outputs_differ\": 2") != std::string::npos);
  CHECK(comparison_csv(view).find("sin,cos,output,,,false,0.301168") != std::string::npos);
  CHECK(comparison_markdown(view).find("- output sin → cos: different, max abs Δ 0.301169") != std::string::npos);
  const auto same = compare_runs({file.get(), left}, {file.get(), left}, request);
  REQUIRE(same.has_value());
  CHECK(numbers_agree(*same));
  CHECK(comparison_json(view_of(*left, *left, *same)).find("\"numbers_agree\": true") != std::string::npos);
}

TEST_CASE("values of dicts are given and returned by their keys") {
  const auto file = test::sample("conv_bn_relu.pt2");
  const std::string leaf = R"({\"type\": null, \"context\": null, \"children_spec\": []})";
  auto node = [](const std::string& type, const std::string& context, const std::string& children) {
    return R"({\"type\": \"builtins.)" + type + R"(\", \"context\": \")" + context + R"(\", \"children_spec\": [)" + children + "]}";
  };
  auto dict = [&](const std::string& first, const std::string& second) { return node("dict", R"([\\\")" + first + R"(\\\", \\\")" + second + R"(\\\"])", leaf + ", " + leaf); };
  // forward(d): {'p': d['a'] - d['b'], 'q': sin(d['a'])}
  auto program = [&](const char* in, const char* in_2, const char* out, const char* out_2, const char* p, const char* q) {
    const std::string in_spec = "[1, " + node("tuple", "null", node("tuple", "null", dict(in, in_2)) + ", " + node("dict", "[]", "")) + "]", out_spec = "[1, " + dict(out, out_2) + "]";
    std::string json = test::JsonProgram().input(std::string("d_") + in).input(std::string("d_") + in_2).call("sub", "aten.sub.Tensor", "self=d_a, other=d_b").call("sin", "aten.sin.default", "self=d_a").output(p).output(q).json();
    const std::string from = R"("module_call_graph": [])";
    json.replace(json.find(from), from.size(), R"("module_call_graph": [{"fqn": "", "signature": {"inputs": [], "outputs": [], "in_spec": ")" + in_spec + R"(", "out_spec": ")" + out_spec + R"(", "forward_arg_names": ["d"]}}])");
    auto decoded = decode_program("model", json, "models/model.json");
    REQUIRE(decoded.has_value());
    return *decoded;
  };
  const auto left = program("a", "b", "p", "q", "sub", "sin"), right = program("b", "a", "q", "p", "sin", "sub"), other = program("b", "a", "q", "p", "sub", "sin");
  CompareRunsRequest request = test::seeded();
  request.inputs.values.emplace("d_a", RuntimeValue(test::sixfold(2)));
  request.inputs.values.emplace("d_b", RuntimeValue(test::sixfold(1)));
  const auto same = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(same.has_value());
  CHECK(numbers_agree(*same));
  const auto swapped = compare_runs({file.get(), left}, {file.get(), other}, request);
  REQUIRE(swapped.has_value());
  CHECK(!swapped->first_divergence);
  REQUIRE(swapped->outputs.size() == 2);
  // PyTorch: 1 - sin(2) is 0.090703.
  CHECK(output_name(swapped->outputs[0]) + ": " + output_text(swapped->outputs[0]) == "output sub → sin: different, max abs Δ 0.090703");
  CHECK(output_name(swapped->outputs[1]) + ": " + output_text(swapped->outputs[1]) == "output sin → sub: different, max abs Δ 0.090703");
}

TEST_CASE("constants that are returned are named, and have no numbers") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const std::string& returned) {
    std::string json = test::JsonProgram().input("x").call("sin", "aten.sin.default", "self=x").call("cos", "aten.cos.default", "self=x").output("sin").output("c").json();
    const std::string from = test::JsonProgram::tensor("c");
    for (size_t at; (at = json.find(from)) != json.npos;) json.replace(at, from.size(), returned);
    auto decoded = decode_program("model", json, "models/model.json");
    REQUIRE(decoded.has_value());
    return *decoded;
  };
  const auto tensor = program(test::JsonProgram::tensor("cos")), none = program(R"({"as_none": true})"), three = program(R"({"as_int": 3})"), text = program(R"({"as_string": "a"})");
  auto compare = [&](const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) {
    CompareRunsRequest request = test::seeded();
    request.inputs.values.emplace("x", RuntimeValue(test::sixfold(1)));
    auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
    REQUIRE(result.has_value());
    REQUIRE(result->outputs.size() == 2);
    return std::move(*result);
  };
  auto said = [](const RunComparison& result) { return output_name(result.outputs[1]) + ": " + output_text(result.outputs[1]); };
  const RunComparison changed = compare(none, three);
  CHECK(said(changed) == "output 1: None → 3: different");
  CHECK(!changed.outputs[1].measured());
  const ComparisonView view{*none, *three, "a", "b", changed.diff, &changed, nullptr, std::nullopt};
  CHECK(comparison_json(view).find(R"("left": "None", "right": "3", "max_abs": null, "max_rel": null, "cosine": null, "max_ulp": null, "snr_db": null, "equal": false)") != std::string::npos);
  CHECK(comparison_csv(view).find("None,3,output,,,false,,,,,,") != std::string::npos);
  CHECK(said(compare(tensor, none)) == "output 1: cos → None: different");
  CHECK(said(compare(tensor, three)) == "output 1: cos → 3: different, dtype int64, expected float32");
  CHECK(said(compare(three, text)) == "output 1: 3 → 'a': different");
  CHECK(said(compare(none, none)) == "output 1: None → None: equal");
  CHECK(said(compare(three, three)) == "output 1: 3 → 3: equal");
  CHECK(compare(three, three).outputs[1].measured());
}

TEST_CASE("what a run leaves in buffers and inputs is compared, however it is written there") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto base = [] { return test::JsonProgram().input("x").call("neg", "aten.neg.default", "self=x"); };
  const auto in_place = base().call("add_", "aten.add_.Tensor", "self=x, other=1").output("neg").decode();
  auto functional = [&](const char* added) { return base().call("add", "aten.add.Tensor", std::string("self=x, other=") + added).output("add", "user_input_mutation", "x").output("neg").decode(); };
  const auto plain = base().output("neg").decode();
  auto compare = [&](const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) {
    CompareRunsRequest request = test::seeded();
    request.inputs.values.emplace("x", RuntimeValue(test::sixfold(1)));
    auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
    REQUIRE(result.has_value());
    return std::move(*result);
  };
  const RunComparison same = compare(in_place, functional("1"));
  REQUIRE(same.written.size() == 1);
  CHECK(same.written[0].written == "user_input_mutation");
  CHECK(same.written[0].equal == true);
  const RunComparison other = compare(functional("1"), functional("2"));
  REQUIRE(other.written.size() == 1);
  CHECK(other.written[0].equal == false);
  CHECK(other.written[0].difference.max_abs == 1);
  for (const bool turned : {false, true}) {
    const RunComparison missing = turned ? compare(plain, in_place) : compare(in_place, plain);
    REQUIRE(missing.written.size() == 1);
    CHECK(missing.written[0].cause == Cause::Missing);
    CHECK(!numbers_agree(missing));
  }
}
