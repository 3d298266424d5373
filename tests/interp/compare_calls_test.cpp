// Loops and branches held against each other: in which call of a sub-graph the numbers part.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/decode/decode.h"
#include "interp/compare_report.h"
#include "interp/compare_runs.h"
#include "interp/value_names.h"
#include "tests/interp/comparing.h"
#include "tests/support/json_program.h"
#include "tests/support/tensors.h"

using namespace pt2;
using namespace pt2::interp;

namespace {

std::shared_ptr<const Program> with_edits(const std::shared_ptr<const OpenedFile>& file, const std::vector<std::pair<std::string, std::string>>& edits) {
  auto json = file->archive->model_json(file->program()->name);
  REQUIRE(json.has_value());
  for (const auto& [from, to] : edits) {
    const size_t at = json->find(from);
    REQUIRE(at != std::string::npos);
    json->replace(at, from.size(), to);
  }
  auto program = decode_program("model", *json, "models/model.json");
  REQUIRE(program.has_value());
  return *program;
}

}  // namespace

TEST_CASE("what parts in a loop's body parts there, not at the loop") {
  auto file = open_file(PT2_TEST_DATA "/programs/while_loop.pt2");
  REQUIRE(file.has_value());
  const auto edited = with_edits(*file, {{"\"as_int\": 2}", "\"as_int\": 3}"}});  // mul's factor
  const auto left = (*file)->program();
  const auto result = compare_runs({file->get(), left}, {file->get(), edited}, test::seeded());
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  const size_t loop = result->diff.left_group.at(test::node_of(*left, "while_loop"));
  CHECK(result->groups[loop].equal == false);
  CHECK(qualified_name(*left, result->diff.groups[*result->first_divergence].left[0]) == "while_loop_body_graph_0/mul");
  CHECK(result->order.back() == loop);
  for (size_t i = 0; i < result->order.size(); ++i) CHECK(result->position(result->order[i]) == i);
  const std::string said = test::verdict(*left, *edited, *result);
  CHECK_MESSAGE(said.find("while_loop_body_graph_0/mul") != said.npos, said);
}

TEST_CASE("a loop whose first calls agree is judged by the call in which something differs first") {
  auto file = open_file(PT2_TEST_DATA "/programs/while_loop.pt2");
  REQUIRE(file.has_value());
  const auto five = (*file)->program();
  const auto four = with_edits(*file, {{"\"as_int\": 5}", "\"as_int\": 4}"}});  // lt's bound
  for (const bool isolate : {false, true})
    for (const bool turned : {false, true}) {
      const auto &left = turned ? four : five, &right = turned ? five : four;
      CompareRunsRequest request = test::seeded();
      request.isolate = isolate;
      request.inputs.values.emplace("i", RuntimeValue(test::tensor_of<int64_t>(DType::Int64, {}, {0})));
      const auto result = compare_runs({file->get(), left}, {file->get(), right}, request);
      REQUIRE(result.has_value());
      REQUIRE(result->first_divergence.has_value());
      const GroupNumbers& numbers = result->groups[*result->first_divergence];
      // PyTorch: 4 < 5, but not 4 < 4.
      CHECK(numbers.left_call == "while_loop_cond_graph_0@4/");
      CHECK(numbers.right_call == "while_loop_cond_graph_0@4/");
      CHECK(numbers.difference.max_abs == 1);
      if (isolate) CHECK(numbers.local == true);
      const std::string said = test::verdict(*left, *right, *result);
      CHECK_MESSAGE(said.find("first part at while_loop_cond_graph_0@4/lt:") != said.npos, said);
      CHECK(group_numbers_text(*left, numbers).find("in while_loop_cond_graph_0@4") != std::string::npos);
      const ComparisonView view{*left, *right, "a", "b", result->diff, &*result, nullptr, std::nullopt};
      CHECK(comparison_json(view).find(R"("compared": ["while_loop_cond_graph_0@4/lt", "while_loop_cond_graph_0@4/lt"])") != std::string::npos);
      const std::string csv = comparison_csv(view);
      CHECK_MESSAGE(csv.find(",cause,carried_in,local,left_call,right_call\n") != csv.npos, csv);
      CHECK_MESSAGE(csv.find(std::string(",values,false,") + (isolate ? "true" : "") + ",while_loop_cond_graph_0@4,while_loop_cond_graph_0@4\n") != csv.npos, csv);
      for (size_t at = 0, end; (end = csv.find('\n', at)) != csv.npos; at = end + 1) {
        const std::string row = csv.substr(at, end - at);
        if (row[0] != '"') CHECK_MESSAGE(std::count(row.begin(), row.end(), ',') == 15, row);  // no name holds one
      }
    }
}

TEST_CASE("what arises in a branch arises in the call of it") {
  auto file = open_file(PT2_TEST_DATA "/programs/nested_cond.pt2");
  REQUIRE(file.has_value());
  const std::pair<std::string, std::string> factor{"\"as_int\": 2}", "\"as_int\": 4}"};    // mul's, in the branch of the branch
  const std::pair<std::string, std::string> bound{"\"as_int\": 0}", "\"as_int\": 1000}"};  // gt's, in the program
  CompareRunsRequest request = test::seeded();
  for (const char* input : {"x", "y"}) request.inputs.values.emplace(input, RuntimeValue(test::floats({3}, {1, 1, 1})));
  const auto left = (*file)->program();
  auto cond_in = [&](const std::shared_ptr<const Program>& right) {
    const auto result = compare_runs({file->get(), left}, {file->get(), right}, request);
    REQUIRE(result.has_value());
    const GroupNumbers cond = result->groups[result->diff.left_group.at(test::node_of(*left, "cond"))];
    CHECK(cond.equal == false);
    return cond;
  };
  const auto other_branch = with_edits(*file, {factor}), other_bound = with_edits(*file, {bound}), both = with_edits(*file, {factor, bound});
  CHECK(cond_in(other_bound).carried_in);
  CHECK(cond_in(both).operand_differs);
  CHECK_FALSE(cond_in(both).carried_in);
  request.isolate = true;
  const GroupNumbers cond = cond_in(other_branch);
  CHECK(cond.local == true);
  CHECK(group_numbers_text(*left, cond).find("arises here") != std::string::npos);
}

TEST_CASE("what differs in a branch on an operand without a counterpart arises in the call of it") {
  const auto file = test::sample("conv_bn_relu.pt2");  // its archive only
  // The branch computes x + y; with a factor it is x · factor + y.
  auto program = [](const std::string& factor) {
    test::JsonProgram branch;
    branch.value("a", "2, 3").value("b", "2, 3");
    if (!factor.empty()) branch.call("mul", "aten.mul.Tensor", "self=a, other=" + factor);
    branch.call("add", "aten.add.Tensor", factor.empty() ? "self=a, other=b" : "self=mul, other=b");
    const std::string graph = R"({"inputs": [)" + test::JsonProgram::tensor("a") + ", " + test::JsonProgram::tensor("b") + R"(], "outputs": [)" + test::JsonProgram::tensor("add") + branch.graph().substr(branch.graph().find("], \"nodes\""));
    auto sub_graph = [&](const std::string& name) { return R"({"name": "", "kind": 1, "arg": {"as_graph": {"name": ")" + name + R"(", "graph": )" + graph + "}}}"; };
    const std::string cond = R"({"target": "torch.ops.higher_order.cond", "name": "cond", "metadata": {}, "is_hop_single_tensor_return": true, "inputs": [{"name": "", "kind": 1, "arg": )" + test::JsonProgram::tensor("gt") + "}, " +
                             sub_graph("true_graph_0") + ", " + sub_graph("false_graph_0") + R"(, {"name": "", "kind": 1, "arg": {"as_tensors": [{"name": "x"}, {"name": "x"}]}}], "outputs": [)" +
                             test::JsonProgram::tensor("cond") + "]}";
    return test::JsonProgram().input("x").call("sum_1", "aten.sum.default", "self=x", "").value("sum_1", "").call("gt", "aten.gt.Scalar", "self=sum_1, other=-1000", "").value("gt", "", 12)
        .node(cond).value("cond", "2, 3").output("cond").decode();
  };
  const auto left = program(""), right = program("2");
  CompareRunsRequest request = test::seeded();
  request.isolate = true;
  request.matching.unlinked = {{find_named_node(*left, "true_graph_0/add")->node, find_named_node(*right, "true_graph_0/mul")->node}};
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, request);
  REQUIRE(result.has_value());
  REQUIRE(result->first_divergence.has_value());
  const GroupNumbers& add = result->groups[*result->first_divergence];
  CHECK_MESSAGE(add.not_judged == "the operand true_graph_0/mul has no counterpart", add.not_judged);
  const GroupNumbers& cond = result->groups[result->diff.left_group.at(test::node_of(*left, "cond"))];
  CHECK(cond.equal == false);
  CHECK(cond.local == true);
  CHECK(cond.not_judged.empty());
}

TEST_CASE("operands in another order are a difference of the calls") {
  const auto file = test::sample("conv_bn_relu.pt2");
  auto program = [](const char* operands) { return test::JsonProgram().input("x").input("y").call("sub", "aten.sub.Tensor", operands).output("sub").decode(); };
  const auto left = program("self=x, other=y"), right = program("self=y, other=x");
  const auto result = compare_runs({file.get(), left}, {file.get(), right}, test::seeded());
  REQUIRE(result.has_value());
  const std::string said = test::verdict(*left, *right, *result);
  CHECK_MESSAGE(said.find("The calls differ: operands, self x → y, other y → x.") != said.npos, said);
}
