#include "views/workspace/comparison.h"

#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/json_program.h"
#include "tests/support/program_maker.h"
#include "views/workspace/graph_view.h"
#include "views/workspace/text_diff.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::string node(const std::string& name, const std::string& target, const std::string& inputs) {
  return R"({"target": "torch.ops.aten.)" + target + R"(.default", "name": ")" + name + R"(", "inputs": [)" + inputs + R"(], "outputs": [{"as_tensor": {"name": ")" + name +
         R"("}}], "metadata": {"torch_fn": "linear_1;builtin_function_or_method.linear"}})";
}
std::string operand(const std::string& argument, const std::string& value) {
  return R"({"name": ")" + argument + R"(", "kind": 1, "arg": {"as_tensor": {"name": ")" + value + R"("}}})";
}

}  // namespace

namespace {

struct Pair {
  std::shared_ptr<const Program> left, right;
  Diff diff;
};
Pair linear_and_addmm() {
  auto inputs = [] { return test::JsonProgram().input("x", "2, 4").input("w", "3, 4").input("b", "3"); };
  Pair pair;
  pair.left = inputs().node(node("linear", "linear", operand("input", "x") + ", " + operand("weight", "w") + ", " + operand("bias", "b"))).value("linear", "2, 3").output("linear").decode();
  pair.right = inputs().node(node("permute", "permute", operand("self", "w") + R"(, {"name": "dims", "kind": 1, "arg": {"as_ints": [1, 0]}})")).value("permute", "4, 3")
                   .node(node("addmm", "addmm", operand("self", "b") + ", " + operand("mat1", "x") + ", " + operand("mat2", "permute"))).value("addmm", "2, 3").output("addmm").decode();
  pair.diff = diff_programs(*pair.left, *pair.right);
  return pair;
}

}  // namespace

TEST_CASE("a linear is held against the addmm it became, not against the permute before it") {
  const Pair pair = linear_and_addmm();
  const auto &left = pair.left, &right = pair.right;
  const Diff& diff = pair.diff;
  const NodeRef linear{left->root(), left->root_graph().find("linear")};
  REQUIRE(counterparts(diff, true, linear).size() == 2);
  const NodeRef closest = closest_counterpart(diff, true, *left, linear, *right);
  CHECK(right->node(closest).name == "addmm");
}

TEST_CASE("a call is held against the part that gives its value, not against a reshape of its input") {
  auto inputs = [] { return test::JsonProgram().input("x", "1, 2, 4").input("w", "3, 4").input("b", "3"); };
  const auto left = inputs().call("linear", "aten.linear.default", "input=x, weight=w, bias=b", "1, 2, 3").output("linear").decode();
  const auto right = inputs().call("view", "aten.view.default", "self=x, size=[2; 4]", "2, 4").call("permute", "aten.permute.default", "self=w, dims=[1; 0]", "4, 3")
                         .call("addmm", "aten.addmm.default", "self=b, mat1=view, mat2=permute", "2, 3").call("view_1", "aten.view.default", "self=addmm, size=[1; 2; 3]", "1, 2, 3").output("view_1").decode();
  DiffOptions options;
  const NodeRef linear{left->root(), left->root_graph().find("linear")};
  for (const char* part : {"view", "permute", "addmm", "view_1"}) options.linked.emplace_back(linear, NodeRef{right->root(), right->root_graph().find(part)});
  const Diff diff = diff_programs(*left, *right, options);
  REQUIRE(diff.groups.size() == 1);
  CHECK(right->node(closest_counterpart(diff, true, *left, linear, *right)).name == "view_1");
  const TextDiff text = make_text_diff(*left, *right, diff, {});
  for (const TextDiffRow& row : text.rows)
    if (row.group != TextDiffRow::kNone && row.left != TextDiffRow::kNone) CHECK((row.right != TextDiffRow::kNone && right->node(text.right[row.right].node).name == "view_1"));
}

TEST_CASE("in the texts a linear stands beside the addmm it became, whichever side it is on") {
  const Pair pair = linear_and_addmm();
  const auto &left = pair.left, &right = pair.right;
  const Diff& diff = pair.diff;
  const Diff back = diff_programs(*right, *left);
  auto beside = [](const Program& a, const Program& b, const Diff& matched) {
    const TextDiff text = make_text_diff(a, b, matched, {});
    for (const TextDiffRow& row : text.rows)
      if (row.group != TextDiffRow::kNone && row.left != TextDiffRow::kNone && row.right != TextDiffRow::kNone)
        return std::string(a.node(text.left[row.left].node).name) + " " + std::string(b.node(text.right[row.right].node).name);
    return std::string();
  };
  CHECK(beside(*left, *right, diff) == "linear addmm");
  CHECK(beside(*right, *left, back) == "addmm linear");
}

TEST_CASE("constants that differ come first, operands that belong together do not differ") {
  auto program = [](const char* name, const char* alpha) {
    return test::JsonProgram().input("x", "2, 4").input("y", "2, 4")
        .node(node(name, "add", operand("self", "x") + ", " + operand("other", "y") + R"(, {"name": "alpha", "kind": 2, "arg": {"as_float": )" + alpha + "}}")).value(name, "2, 4").output(name).decode();
  };
  const auto left = program("add", "0.5"), right = program("plus", "0.25");
  NodeRowOptions options;
  options.belong_together = [](NodeId l, NodeId r) { return l == r; };
  const auto rows = node_rows(*left, {left->root(), left->root_graph().find("add")}, *right, {right->root(), right->root_graph().find("plus")}, options);
  CHECK(rows.front().name == "alpha");
  CHECK(rows.front().left == "0.5");
  CHECK(std::count_if(rows.begin(), rows.end(), [](const NodeRow& row) { return row.differs(); }) == 1);
}

namespace {

// Three blocks of two layers each: `nodes` calls in every layer.
std::shared_ptr<const Program> blocks(const char* name, const char* target, int nodes) {
  test::ProgramMaker maker;
  NodeId value = maker.input("x");
  for (const char* block : {"a", "b", "c"})
    for (const char* layer : {"0", "1"})
      for (int i = 0; i < nodes; ++i) value = maker.call(std::string(name) + block + layer + std::to_string(i), target, {value}, std::string(block) + "." + layer);
  return maker.finish({value});
}

Document& show(Workspace& workspace, DocumentId id, std::shared_ptr<const Program> program) {
  Document& document = *workspace.document(id);
  document.state = Loaded{nullptr, program, std::make_shared<ScopeTree>(*program), {}};
  document.graph = initial_view(*program, *document.scopes());
  return document;
}

bool open(const Document& document, const char* module) { return document.graph.expanded[document.program()->modules.find(module)]; }

}  // namespace

TEST_CASE("both sides are first seen with one folding, and only differences stay readable where all is different") {
  JobQueue jobs(1);
  Workspace workspace(jobs);
  const DocumentId left = workspace.open("left.pt2"), right = workspace.open("right.pt2");
  workspace.compare(left, right);
  Document &a = show(workspace, left, blocks("relu_", "torch.ops.aten.relu.default", 20)), &b = show(workspace, right, blocks("gelu_", "torch.ops.aten.gelu.default", 60));
  CHECK(open(a, "a.0"));
  CHECK_FALSE(open(b, "a.0"));
  match_first_folds(workspace);
  CHECK_FALSE(open(a, "a.0"));
  CHECK(open(a, "a") == open(b, "a"));

  auto result = std::make_shared<ComparisonResult>();
  result->left = a.shared_program();
  result->right = b.shared_program();
  result->diff = std::make_shared<Diff>(diff_programs(*result->left, *result->right));
  workspace.comparison.result = result;
  fold_equal_modules(workspace, true);
  CHECK(open(a, "a") == open(b, "a"));
  CHECK_FALSE(open(b, "a.0"));
  // Somebody's own folding stays.
  a.graph.expanded[a.program()->modules.find("b")] = 0;
  a.graph.expanded[a.program()->modules.find("a")] = b.graph.expanded[b.program()->modules.find("a")] = 1;
  match_first_folds(workspace);
  CHECK(open(a, "a"));
}

TEST_CASE("a group is selected with the nodes first that are closest to each other, whichever side has several") {
  JobQueue jobs(1);
  Workspace workspace(jobs);
  const DocumentId left = workspace.open("left.pt2"), right = workspace.open("right.pt2");
  workspace.compare(left, right);
  const Pair pair = linear_and_addmm();
  Document &a = show(workspace, left, pair.left), &b = show(workspace, right, pair.right);
  auto result = std::make_shared<ComparisonResult>();
  result->left = pair.left;
  result->right = pair.right;
  result->diff = std::make_shared<Diff>(pair.diff);
  workspace.comparison.result = result;
  REQUIRE(result->diff->groups.size() == 1);
  select_group(workspace, *result->diff, 0);
  CHECK(a.program()->node(a.selection.current().node).name == "linear");
  CHECK(b.program()->node(b.selection.current().node).name == "addmm");
  REQUIRE(b.selection.current().others.size() == 1);
  CHECK(b.program()->node(b.selection.current().others[0]).name == "permute");
}
