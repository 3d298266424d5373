#include "core/diff/diff.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/diff/summary.h"
#include "core/load.h"
#include "tests/support/json_program.h"

using namespace pt2;

namespace {

std::shared_ptr<const Program> program_at(const std::string& path) {
  auto file = open_file(path);
  REQUIRE(file.has_value());
  auto program = (*file)->program();
  REQUIRE(program);
  return program;
}

std::shared_ptr<const Program> sample(const char* name) { return program_at(std::string(PT2_SOURCE_DIR "/assets/samples/") + name); }

NodeRef node(const Program& program, std::string_view name) {
  const NodeId id = program.root_graph().find(name);
  REQUIRE(id.valid());
  return {program.root(), id};
}

// "conv2d -> convolution: changed (from_node)", a line each.
std::string text_of(const Diff& diff, const Program& left, const Program& right) {
  auto names = [](const Program& program, const std::vector<NodeRef>& nodes) {
    std::string text;
    for (NodeRef ref : nodes) text += (text.empty() ? "" : " ") + qualified_name(program, ref);
    return text;
  };
  std::string text;
  for (const NodeGroup& group : diff.groups)
    text += names(left, group.left) + " -> " + names(right, group.right) + ": " + std::string(group_kind_name(group.kind)) + " (" +
            std::string(evidence_name(group.evidence)) + ")\n";
  return text;
}

// Calls that each read the one before, with the call it came from.
std::shared_ptr<const Program> chain(const std::vector<std::array<std::string, 2>>& calls) {
  test::JsonProgram made = test::JsonProgram().input("x");
  std::string operand = "x";
  for (const auto& [op, from] : calls) {
    const std::string name = op + "_of_" + from;
    made.node(R"({"target": "torch.ops.aten.)" + op + R"(.default", "name": ")" + name + R"(", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor(operand) +
              R"(}], "outputs": [)" + test::JsonProgram::tensor(name) + R"(], "metadata": {"from_node": "[{\"name\": \")" + from + R"(\", \"target\": \"aten.)" + from +
              R"(.default\", \"graph_id\": 1, \"pass_name\": \"\", \"action\": \"create\", \"from_node\": []}]"}})").value(name, "2, 3");
    operand = name;
  }
  return made.output(operand).decode();
}

}  // namespace

TEST_CASE("a program and its decomposed form are matched by provenance") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  CHECK(text_of(diff, *left, *right) ==
        "conv2d -> convolution: changed (from_node)\n"
        "batch_norm -> _native_batch_norm_legit_no_training getitem _native_batch_norm_legit_no_training_unused_1 "
        "_native_batch_norm_legit_no_training_unused_2: decomposed (from_node)\n"
        "relu -> relu: same (from_node)\n");
  CHECK(diff.matched_fraction_left == 1);
  CHECK(diff.matched_fraction_right == 1);
  CHECK(diff.signature_changes.empty());
  CHECK(diff.op_changes.size() == 5);  // conv2d, convolution, batch_norm, its decomposed form, getitem
}

TEST_CASE("two that decomposed other calls of one program are matched by what both came from") {
  const auto left = chain({{"tanh", "norm"}, {"sin", "act"}, {"cos", "act"}, {"tan", "act"}, {"abs", "act"}, {"neg", "act"}});
  const auto right = chain({{"exp", "norm"}, {"neg", "norm"}, {"gelu", "act"}});
  CHECK(text_of(diff_programs(*left, *right), *left, *right) ==
        "tanh_of_norm -> exp_of_norm neg_of_norm: decomposed (from_node)\n"
        "sin_of_act cos_of_act tan_of_act abs_of_act neg_of_act -> gelu_of_act: merged (from_node)\n");
  CHECK(text_of(diff_programs(*right, *left), *right, *left) ==
        "exp_of_norm neg_of_norm -> tanh_of_norm: merged (from_node)\n"
        "gelu_of_act -> sin_of_act cos_of_act tan_of_act abs_of_act neg_of_act: decomposed (from_node)\n");
}

TEST_CASE("where operators came from decides which program was there first, not how much is left to decompose") {
  const auto left = test::JsonProgram().input("x").call("gelu", "aten.gelu.default", "self=x").output("gelu").decode();
  const auto right = chain({{"silu", "gelu"}, {"mish", "gelu"}});  // composites themselves
  CHECK(text_of(diff_programs(*left, *right), *left, *right) == "gelu -> silu_of_gelu mish_of_gelu: decomposed (from_node)\n");
  CHECK(text_of(diff_programs(*right, *left), *right, *left) == "silu_of_gelu mish_of_gelu -> gelu: merged (from_node)\n");
}

TEST_CASE("the decomposed form first: what was decomposed is merged, by the same provenance") {
  const auto left = sample("conv_bn_relu_decomposed.pt2"), right = sample("conv_bn_relu.pt2");
  const Diff diff = diff_programs(*left, *right);
  CHECK(text_of(diff, *left, *right) ==
        "convolution -> conv2d: changed (from_node)\n"
        "_native_batch_norm_legit_no_training getitem _native_batch_norm_legit_no_training_unused_1 "
        "_native_batch_norm_legit_no_training_unused_2 -> batch_norm: merged (from_node)\n"
        "relu -> relu: same (from_node)\n");
  CHECK(diff.matched_fraction_left == 1);
  CHECK(diff.matched_fraction_right == 1);
  for (size_t g = 0; g < diff.groups.size(); ++g) {
    for (NodeRef ref : diff.groups[g].left) CHECK(diff.left_group.at(ref) == g);
    for (NodeRef ref : diff.groups[g].right) CHECK(diff.right_group.at(ref) == g);
  }
}

TEST_CASE("without provenance, metadata and structure give the same groups") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  DiffOptions options;
  options.use_provenance = false;
  const Diff blind = diff_programs(*left, *right, options), told = diff_programs(*left, *right);
  REQUIRE(blind.groups.size() == told.groups.size());
  for (size_t i = 0; i < blind.groups.size(); ++i) {
    CHECK(blind.groups[i].left == told.groups[i].left);
    CHECK(blind.groups[i].right == told.groups[i].right);
    CHECK(blind.groups[i].kind == told.groups[i].kind);
    CHECK(blind.groups[i].evidence != Evidence::Provenance);
  }
}

TEST_CASE("a program is equal to itself") {
  const auto program = sample("conv_bn_relu.pt2");
  const Diff diff = diff_programs(*program, *program);
  CHECK(diff.count(GroupKind::Same) == diff.groups.size());
  CHECK(diff.groups.size() == 3);
  CHECK(diff.op_changes.empty());
}

TEST_CASE("every program is equal to itself, also one whose provenance tells of another with nodes of the same names") {
  size_t programs = 0;
  for (const char* folder : {PT2_TEST_DATA "/programs", PT2_TEST_DATA "/pairs", PT2_TEST_DATA "/releases/2.9.1", PT2_SOURCE_DIR "/assets/samples"})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto file = open_file(entry.path().string());
      if (!file || !(*file)->program()) continue;
      CAPTURE(entry.path().string());
      const Program& program = *(*file)->program();
      const Diff diff = diff_programs(program, program);
      CHECK(diff.count(GroupKind::Changed) + diff.count(GroupKind::Added) + diff.count(GroupKind::Removed) == 0);
      CHECK(diff.op_changes.empty());
      ++programs;
    }
  CHECK(programs > 20);
}

namespace {

// The groups as lines; `mirrored`: as the comparison the other way round should say them.
std::vector<std::string> lines_of(const Diff& diff, const Program& left, const Program& right, bool mirrored) {
  auto names = [](const Program& program, const std::vector<NodeRef>& nodes) {
    std::string text;
    for (NodeRef ref : nodes) text += qualified_name(program, ref) + " ";
    return text;
  };
  auto calls = [](const Program& program, const std::vector<NodeRef>& nodes) {
    return std::count_if(nodes.begin(), nodes.end(), [&](NodeRef ref) { return program.node(ref).target != "_operator.getitem"; });
  };
  auto kind_of = [&](const NodeGroup& group) {
    if (calls(left, group.left) > 1 && calls(right, group.right) > 1) return GroupKind::Merged;  // n:m from either end
    switch (mirrored ? group.kind : GroupKind::Same) {
      case GroupKind::Decomposed: return GroupKind::Merged;
      case GroupKind::Merged: return GroupKind::Decomposed;
      case GroupKind::Added: return GroupKind::Removed;
      case GroupKind::Removed: return GroupKind::Added;
      default: return group.kind;
    }
  };
  std::vector<std::string> lines;
  for (const NodeGroup& group : diff.groups) {
    std::string l = names(left, group.left), r = names(right, group.right);
    std::string line = std::string(group_kind_name(kind_of(group))) + " " + std::string(evidence_name(group.evidence));
    for (const ValueChange& value : group.values) line += " " + value.what + " " + (mirrored ? value.right + " > " + value.left : value.left + " > " + value.right);
    lines.push_back((mirrored ? r + "| " + l : l + "| " + r) + line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

}  // namespace

TEST_CASE("the comparison the other way round is the mirror image, for any two programs") {
  std::vector<std::shared_ptr<const Program>> programs;
  std::vector<std::string> paths;
  for (const char* folder : {PT2_TEST_DATA "/programs", PT2_TEST_DATA "/pairs", PT2_SOURCE_DIR "/assets/samples"})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto file = open_file(entry.path().string());
      if (!file || !(*file)->program()) continue;
      programs.push_back((*file)->program());
      paths.push_back(entry.path().filename().string());
    }
  REQUIRE(programs.size() >= 25);
  for (size_t a = 0; a < programs.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      for (const bool use_provenance : {true, false}) {
        CAPTURE(paths[a]);
        CAPTURE(paths[b]);
        DiffOptions options;
        options.use_provenance = use_provenance;
        const Diff one = diff_programs(*programs[a], *programs[b], options), other = diff_programs(*programs[b], *programs[a], options);
        CHECK(lines_of(one, *programs[a], *programs[b], false) == lines_of(other, *programs[b], *programs[a], true));
        CHECK(one.matched_fraction_left == other.matched_fraction_right);
      }
}

TEST_CASE("what changed is named with both values") {
  auto program = [](const std::string& slope, const std::string& alpha) {
    return test::JsonProgram().input("x")
        .node(R"({"target": "torch.ops.aten.leaky_relu.default", "name": "leaky_relu", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("x") +
              R"(}, {"name": "negative_slope", "kind": 1, "arg": {"as_float": )" + slope + R"(}}], "outputs": [)" + test::JsonProgram::tensor("leaky_relu") + R"(], "metadata": {}})")
        .value("leaky_relu", "2, 3").call("add", "aten.add.Tensor", "self=x, other=1" + alpha).output("add").decode();
  };
  const auto left = program("1e-07", ""), right = program("2e-07", ", alpha=2");
  const Diff diff = diff_programs(*left, *right);
  REQUIRE(diff.groups.size() == 2);
  const Diff back = diff_programs(*right, *left);
  REQUIRE(diff.groups[0].values.size() == 1);  // two small numbers are not the same
  CHECK(diff.groups[0].values[0].what == "negative_slope");
  CHECK(diff.groups[0].values[0].left == "1e-07");
  CHECK(diff.groups[0].values[0].right == "2e-07");
  CHECK(back.groups[0].values[0].left == "2e-07");
  REQUIRE(diff.groups[1].values.size() == 1);  // what is not written is the schema's default
  CHECK(diff.groups[1].values[0].left == "1");
  CHECK(diff.groups[1].values[0].right == "2");
  const Diff same = diff_programs(*program("1e-07", ""), *program("1e-07", ", alpha=1"));
  CHECK(same.count(GroupKind::Same) == 2);
}

TEST_CASE("a type that an argument says too is told once") {
  constexpr int kFloat32 = 7, kFloat64 = 8;
  auto program = [](const std::string& dtype, int result) {
    return test::JsonProgram().input("x")
        .node(R"({"target": "torch.ops.aten.to.dtype", "name": "to", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("x") + R"(}, {"name": "dtype", "kind": 1, "arg": )" +
              dtype + R"(}], "outputs": [)" + test::JsonProgram::tensor("to") + R"(], "metadata": {}})")
        .value("to", "2, 3", result).output("to").decode();
  };
  auto group = [](const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) {
    const Diff diff = diff_programs(*left, *right);
    REQUIRE(diff.groups.size() == 1);
    return diff.groups[0];
  };
  const auto single = program(R"({"as_scalar_type": 7})", kFloat32), twice = program(R"({"as_scalar_type": 8})", kFloat64);
  const auto unsaid = program(R"({"as_none": true})", kFloat32);
  for (const auto& left : {single, unsaid}) {
    const NodeGroup told = group(left, twice);
    CHECK(told.changes == std::vector<std::string>{"arguments", "dtype"});
    REQUIRE(told.values.size() == 1);
    CHECK(told.values[0].what == "dtype");
    CHECK(told.values[0].left == "float32");
    CHECK(told.values[0].right == "float64");
  }
  CHECK(group(unsaid, single).values.size() == 1);  // the results are the same
  const NodeGroup other = group(program(R"({"as_scalar_type": 5})", kFloat32), twice);
  REQUIRE(other.values.size() == 2);  // the argument is no type of the results
  CHECK(other.values[0].left == "torch.int64");
  auto reshaped = [](const char* shape, const char* sizes) {
    return test::JsonProgram().input("x").call("reshape", "aten.reshape.default", std::string("self=x, shape=") + shape, sizes).output("reshape").decode();
  };
  CHECK(group(reshaped("[3; 2]", "3, 2"), reshaped("[6; 1]", "6, 1")).values.size() == 1);
  CHECK(group(reshaped("[3; 2]", "3, 2"), reshaped("[6; -1]", "6, 1")).values.size() == 2);
}

TEST_CASE("of a call with several results the types of all are compared, by their index") {
  struct Result { const char* name; const char* sizes; int dtype; };
  constexpr int kFloat32 = 7, kFloat64 = 8, kInt64 = 5;
  auto program = [](const std::string& target, bool list, const std::vector<Result>& results) {
    test::JsonProgram made = test::JsonProgram().input("x");
    std::string outputs;
    for (const Result& result : results) {
      made.value(result.name, result.sizes, result.dtype);
      outputs += (outputs.empty() ? "" : ", ") + (list ? R"({"name": ")" + std::string(result.name) + R"("})" : test::JsonProgram::tensor(result.name));
    }
    made.node(R"({"target": "torch.ops.aten.)" + target + R"(", "name": "made", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("x") + R"(}], "outputs": [)" +
              (list ? R"({"as_tensors": [)" + outputs + "]}" : outputs) + R"(], "metadata": {}})");
    for (const Result& result : results) made.output(result.name);
    return made.decode();
  };
  auto values = [](const std::shared_ptr<const Program>& left, const std::shared_ptr<const Program>& right) {
    const Diff diff = diff_programs(*left, *right);
    REQUIRE(diff.groups.size() == 1);
    std::string text(group_kind_name(diff.groups[0].kind));
    for (const std::string& change : diff.groups[0].changes) text += " " + change;
    for (const ValueChange& value : diff.groups[0].values) text += "; " + value.what + " " + value.left + " -> " + value.right;
    return text;
  };
  const auto unbound = program("unbind.int", true, {{"a", "3", kFloat32}, {"b", "3", kFloat32}});
  CHECK(values(unbound, unbound) == "same");
  CHECK(values(unbound, program("unbind.int", true, {{"a", "3", kFloat64}, {"b", "3", kFloat64}})) == "changed dtype; dtype float32 -> float64");
  CHECK(values(unbound, program("unbind.int", true, {{"a", "s0", kFloat64}, {"b", "s0", kFloat64}})) == "changed dtype shape; dtype float32 -> float64; shape [3] -> [s0]");
  const auto top = program("topk.default", false, {{"a", "2, 1", kFloat32}, {"b", "2, 1", kInt64}});
  CHECK(values(top, program("topk.default", false, {{"a", "2, 1", kFloat64}, {"b", "2, 1", kInt64}})) == "changed dtype; dtype of result 0 float32 -> float64");
  const auto split = program("split.Tensor", true, {{"a", "2", kFloat32}, {"b", "2", kFloat32}, {"c", "1", kFloat32}});
  CHECK(values(split, program("split.Tensor", true, {{"a", "4", kFloat32}, {"b", "4", kFloat32}, {"c", "2", kFloat32}})) ==
        "changed shape; shape of results 0, 1 [2] -> [4]; shape of result 2 [1] -> [2]");
}

TEST_CASE("another result of one call is another operand") {
  auto program = [](const char* operands) {
    return test::JsonProgram().input("x").value("a", "1, 3").value("b", "1, 3")
        .node(R"({"target": "torch.ops.aten.unbind.int", "name": "unbind", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("x") +
              R"(}], "outputs": [{"as_tensors": [{"name": "a"}, {"name": "b"}]}], "metadata": {}})")
        .call("sub", "aten.sub.Tensor", operands, "1, 3").output("sub").decode();
  };
  const auto left = program("self=a, other=b"), right = program("self=b, other=a");
  CHECK(diff_programs(*left, *left).count(GroupKind::Same) == 2);
  const Diff diff = diff_programs(*left, *right);
  REQUIRE(diff.groups.size() == 2);
  CHECK(diff.groups[1].changes == std::vector<std::string>{"operands"});
  REQUIRE(diff.groups[1].values.size() == 2);
  CHECK(diff.groups[1].values[0].left == "a");
  CHECK(diff.groups[1].values[0].right == "b");
}

TEST_CASE("the nodes of a region called more than once are in one group each, whichever call they are seen from") {
  const auto left = program_at(PT2_TEST_DATA "/pairs/repeated.pt2"), right = program_at(PT2_TEST_DATA "/pairs/repeated_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  CHECK(text_of(diff, *left, *right) ==
        "invoke_subgraph getitem -> invoke_subgraph getitem: same (from_node)\n"
        "invoke_subgraph_1 getitem_1 -> invoke_subgraph_1 getitem_1: same (from_node)\n"
        "invoke_subgraph_2 getitem_2 -> invoke_subgraph_2 getitem_2: same (from_node)\n"
        "repeated_subgraph0/sin -> repeated_subgraph0/sin: same (from_node)\n"
        "repeated_subgraph0/add -> repeated_subgraph0/add: same (from_node)\n");
  REQUIRE(left->graphs.size() == 4);
  for (const Diff& either : {diff, diff_programs(*right, *left)})
    for (size_t g = 1; g < left->graphs.size(); ++g) {
      const NodeRef sine{GraphId(g), left->graphs[GraphId(g)].find("sin")};
      CHECK(either.left_group.at(sine) == 3);
      CHECK(either.right_group.at(sine) == 3);
    }
}

TEST_CASE("what tells where it came from is matched so, also where passes repeated assertions") {
  const auto left = program_at(PT2_TEST_DATA "/pairs/relation.pt2"), right = program_at(PT2_TEST_DATA "/pairs/relation_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  CHECK(diff.groups[diff.left_group.at(node(*left, "view"))].evidence == Evidence::Provenance);
  CHECK(diff.right_group.at(node(*right, "eq_1")) == diff.left_group.at(node(*left, "eq_1")));
  CHECK(diff.right_group.at(node(*right, "_assert_scalar")) == diff.left_group.at(node(*left, "_assert_scalar_default")));
  CHECK(diff.matched_fraction_right == 1);
}

TEST_CASE("pairs can be linked and unlinked by hand") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  DiffOptions options;
  options.linked = {{node(*left, "conv2d"), node(*right, "relu")}};
  Diff diff = diff_programs(*left, *right, options);
  const NodeGroup& linked = diff.groups[diff.right_group.at(node(*right, "relu"))];
  CHECK(linked.evidence == Evidence::Manual);  // although convolution, which it holds too, says where it comes from
  CHECK(linked.right.size() > 1);
  CHECK(evidence_name(linked.evidence) == "by_hand");
  CHECK(diff.right_group.at(node(*right, "relu")) == diff.left_group.at(node(*left, "conv2d")));

  options = {};
  options.unlinked = {{node(*left, "relu"), node(*right, "relu")}};
  diff = diff_programs(*left, *right, options);
  CHECK(diff.groups[diff.left_group.at(node(*left, "relu"))].kind == GroupKind::Removed);
  CHECK(diff.groups[diff.right_group.at(node(*right, "relu"))].kind == GroupKind::Added);
}

TEST_CASE("every operator of both sides is in exactly one group") {
  const auto left = sample("conv_bn_relu.pt2"), right = sample("conv_bn_relu_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  auto calls = [](const Program& program) {
    size_t n = 0;
    for (const Graph& graph : program.graphs)
      n += std::count_if(graph.nodes().begin(), graph.nodes().end(), [](const Node& node) { return node.kind == NodeKind::CallFunction; });
    return n;
  };
  size_t lefts = 0, rights = 0;
  for (const NodeGroup& group : diff.groups) lefts += group.left.size(), rights += group.right.size();
  CHECK(lefts == calls(*left));
  CHECK(rights == calls(*right));
  CHECK(diff.left_group.size() == lefts);
  CHECK(diff.right_group.size() == rights);
}

TEST_CASE("large programs match although one side knows no modules and no call is the same") {
  constexpr int kCalls = 2600;  // too many for one table: such programs are taken module by module
  auto chain = [](const std::string& first, const std::string& metadata) {
    test::JsonProgram program;
    program.input("x");
    std::string before = "x";
    for (int i = 0; i < kCalls; ++i) {
      const std::string name = "n" + std::to_string(i), target = i == 0 ? first : i % 2 ? "aten.sin.default" : "aten.neg.default";
      program.node(R"({"target": "torch.ops.)" + target + R"(", "name": ")" + name + R"(", "inputs": [{"name": "self", "kind": 1, "arg": )" +
                   test::JsonProgram::tensor(before) + R"(}], "outputs": [)" + test::JsonProgram::tensor(name) + R"(], "metadata": {)" + metadata + "}}");
      program.value(name, "2, 3");
      before = name;
    }
    return program.output(before).decode();
  };
  const auto left = chain("aten.neg.default", R"("nn_module_stack": "L['self'],,net.Net;L['self'].a,a,net.Block")"), right = chain("aten.cos.default", "");
  const Diff diff = diff_programs(*left, *right);
  CHECK(diff.matched_fraction_left == 1);
  CHECK(diff.count(GroupKind::Changed) == 1);
  CHECK(diff.count(GroupKind::Same) == kCalls - 1);
}

TEST_CASE("provenance that tells of a third program does not hide that two are the same") {
  const auto told = open_file(PT2_TEST_DATA "/pairs/renumbered.pt2"), stripped = open_file(PT2_TEST_DATA "/pairs/renumbered_stripped.pt2");
  REQUIRE(told.has_value());
  REQUIRE(stripped.has_value());
  const Program &a = *(*told)->program(), &b = *(*stripped)->program();
  for (const auto& [left, right] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    const Diff diff = diff_programs(*left, *right);
    CHECK(diff.count(GroupKind::Same) == diff.groups.size());
    for (const NodeGroup& group : diff.groups) CHECK(group.evidence != Evidence::Provenance);
  }
}

TEST_CASE("provenance of a strict export tells of Dynamo's graph, which is neither program") {
  auto pair = [](const std::string& name) { return program_at(PT2_TEST_DATA "/pairs/" + name + ".pt2"); };
  const auto plain = pair("normed"), strict = pair("normed_strict"), plain_later = pair("normed_decomposed"), strict_later = pair("normed_strict_decomposed");
  for (const auto& [left, right] : {std::pair(plain, strict), std::pair(strict, plain), std::pair(plain_later, strict_later), std::pair(strict_later, plain_later)}) {
    const Diff diff = diff_programs(*left, *right);
    CHECK(diff.count(GroupKind::Same) == diff.groups.size());
    for (const NodeGroup& group : diff.groups) {
      REQUIRE(group.left.size() == group.right.size());
      CHECK(left->node(group.left[0]).name == right->node(group.right[0]).name);
    }
  }
  for (const auto& [left, right] : {std::pair(plain, strict_later), std::pair(strict, plain_later)}) {
    const Diff diff = diff_programs(*left, *right);
    for (const NodeGroup& group : diff.groups) {
      CHECK(group.evidence != Evidence::Provenance);
      CHECK(std::find(group.changes.begin(), group.changes.end(), "shape") == group.changes.end());
    }
    for (const char* name : {"view", "view_1", "view_2", "view_3", "view_4", "view_5"})
      CHECK(diff.left_group.at(node(*left, name)) == diff.right_group.at(node(*right, name)));
  }
  for (const auto& [left, right] : {std::pair(plain, plain_later), std::pair(strict, strict_later)}) {  // these came from each other
    const Diff diff = diff_programs(*left, *right);
    CHECK(diff.groups[diff.left_group.at(node(*left, "view_5"))].evidence == Evidence::Provenance);
  }
}

TEST_CASE("values that callers get in one place belong together, also behind what is returned in place of writes") {
  const auto left = program_at(PT2_TEST_DATA "/pairs/written.pt2"), right = program_at(PT2_TEST_DATA "/pairs/written_decomposed.pt2");
  const Diff diff = diff_programs(*left, *right);
  CHECK(diff.left_group.at(node(*left, "view")) == diff.right_group.at(node(*right, "view_7")));
  CHECK(diff.left_group.at(node(*left, "select_2")) == diff.right_group.at(node(*right, "select_5")));
  DiffOptions apart;
  apart.unlinked = {{node(*left, "view"), node(*right, "view_7")}};
  const Diff without = diff_programs(*left, *right, apart);
  CHECK(without.groups[without.left_group.at(node(*left, "view"))].right.empty());
}

namespace {

// A call in a module; `operands`: of self and other.
void call_in_module(test::JsonProgram& program, const std::string& name, const std::string& target, const std::vector<std::string>& operands, const std::string& module) {
  std::string inputs;
  for (const std::string& operand : operands)
    inputs += std::string(inputs.empty() ? R"({"name": "self")" : R"(, {"name": "other")") + R"(, "kind": 1, "arg": )" + test::JsonProgram::tensor(operand) + "}";
  program.node(R"({"target": "torch.ops.aten.)" + target + R"(", "name": ")" + name + R"(", "inputs": [)" + inputs + R"(], "outputs": [)" + test::JsonProgram::tensor(name) +
               R"(], "metadata": {"nn_module_stack": "L['self'],,net.Net;L['self'].m,)" + module + R"(,net.Block"}})");
  program.value(name, "2, 3");
}

// Two blocks that scale, and between them, where `inserted`, one more scale.
std::shared_ptr<const Program> scaled_twice(const std::string& blocks, bool inserted) {
  test::JsonProgram program;
  for (const std::string block : {"0", "1"})
    program.input("p_" + blocks + "_" + block, "3", "parameter", blocks + "." + block + ".scale.weight");
  if (inserted) program.input("p_ins", "3", "parameter", "ins.weight");
  program.input("x");
  std::string value = "x";
  auto scale = [&](const std::string& name, const std::string& weight, const std::string& module) {
    call_in_module(program, name, "mul.Tensor", {value, weight}, module);
    value = name;
  };
  for (const std::string block : {"0", "1"}) {
    const std::string module = blocks + "." + block;
    if (block == "1" && inserted) scale("ins", "p_ins", "ins");
    scale("scale_" + block, "p_" + blocks + "_" + block, module + ".scale");
    call_in_module(program, "sin_" + block, "sin.default", {value}, module);
    value = "sin_" + block;
  }
  return program.output(value).decode();
}

}  // namespace

TEST_CASE("modules under another name keep their counterparts where a call like theirs was added before them") {
  const auto left = scaled_twice("blocks", false), right = scaled_twice("layers", true);
  auto partner = [](const Diff& diff, const Program& a, const Program& b, std::string_view name) {
    const NodeGroup& group = diff.groups[diff.left_group.at(node(a, name))];
    return group.right.size() == 1 ? std::string(b.node(group.right[0]).name) : "";
  };
  const Diff diff = diff_programs(*left, *right), turned = diff_programs(*right, *left);
  for (const char* name : {"scale_0", "sin_0", "scale_1", "sin_1"}) {
    CHECK(partner(diff, *left, *right, name) == name);
    CHECK(partner(turned, *right, *left, name) == name);
  }
  CHECK(diff.groups[diff.right_group.at(node(*right, "ins"))].kind == GroupKind::Added);
  const NodeGroup& renamed = diff.groups[diff.left_group.at(node(*left, "scale_0"))];
  CHECK(renamed.kind == GroupKind::Changed);  // its weight has another name
  auto module = [modules = module_counts(*left, *right, diff)](std::string_view path) {
    const auto found = std::find_if(modules.begin(), modules.end(), [path](const ModuleCounts& m) { return m.path == path; });
    REQUIRE(found != modules.end());
    return module_sign(*found) + (" " + module_title(*found));
  };
  CHECK(module("blocks.1") == "→ blocks.1 → layers.1");
  CHECK(module("layers.1.scale") == "→ layers.1.scale ← blocks.1.scale");
  CHECK(module("blocks.0.scale") == "~ blocks.0.scale → layers.0.scale");
  CHECK(module("ins") == "+ ins");
}

TEST_CASE("sizes that only one side computes are added by themselves, and the calls between them keep their counterparts") {
  auto program = [](bool dynamic) {
    const std::string first = dynamic ? "s0" : "4";
    test::JsonProgram made;
    made.input("x", first + ", 3").call("sin", "aten.sin.default", "self=x", first + ", 3");
    auto number = [&made](const std::string& name, const std::string& target, const std::string& inputs) {
      made.node(R"({"target": ")" + target + R"(", "name": ")" + name + R"(", "inputs": [)" + inputs + R"(], "outputs": [{"as_sym_int": {"as_name": ")" + name + R"("}}], "metadata": {}})");
      made.symbol(name, "s0");
    };
    auto plus_one = [](const std::string& of) { return R"({"name": "", "kind": 1, "arg": {"as_sym_int": {"as_name": ")" + of + R"("}}}, {"name": "", "kind": 1, "arg": {"as_int": 1}})"; };
    if (dynamic) {
      number("size", "torch.ops.aten.sym_size.int", R"({"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("x") + R"(}, {"name": "dim", "kind": 1, "arg": {"as_int": 0}})");
      number("more", "_operator.add", plus_one("size"));
      number("less", "_operator.sub", plus_one("more"));
      number("half", "_operator.floordiv", plus_one("less"));
    }
    const std::string size = dynamic ? R"({"as_sym_ints": [{"as_name": "half"}, {"as_int": 3}]})" : R"({"as_ints": [4, 3]})";
    made.node(R"({"target": "torch.ops.aten.reshape.default", "name": "reshape", "inputs": [{"name": "self", "kind": 1, "arg": )" + test::JsonProgram::tensor("sin") +
              R"(}, {"name": "shape", "kind": 1, "arg": )" + size + R"(}], "outputs": [)" + test::JsonProgram::tensor("reshape") + R"(], "metadata": {}})").value("reshape", first + ", 3");
    return made.call("permute", "aten.permute.default", "self=reshape, dims=[1; 0]", "3, " + first).call("neg", "aten.neg.default", "self=permute", "3, " + first).output("neg").decode();
  };
  const auto fixed = program(false), dynamic = program(true);
  const Diff diff = diff_programs(*fixed, *dynamic);
  for (const char* name : {"size", "more", "less", "half"}) CHECK(diff.groups[diff.right_group.at(node(*dynamic, name))].left.empty());
  for (const char* name : {"sin", "reshape", "permute", "neg"}) {
    const NodeGroup& group = diff.groups[diff.left_group.at(node(*fixed, name))];
    CHECK(group.right == std::vector{node(*dynamic, name)});
  }
}
