// Each rule is proven by a program that breaks it and one that does not.
#include "core/verify/verify.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "tests/support/json_program.h"
#include "tests/support/test_files.h"

using namespace pt2;
using pt2::test::JsonProgram;

namespace {

// `where: message` of the findings of one rule, a line each.
std::string found(const Program& program, std::string_view rule, const Archive* archive = nullptr) {
  std::string lines;
  for (const Finding& finding : verify(program, archive))
    if (finding.rule == rule) lines += finding.where + ": " + finding.message + "\n";
  return lines;
}
std::string found(const JsonProgram& text, std::string_view rule) { return found(*text.decode(), rule); }

JsonProgram fine() { return JsonProgram().input("x").call("relu", "aten.relu.default", "self=x").output("relu"); }

std::string cond(const JsonProgram& yes, const JsonProgram& no) {
  auto graph = [](const std::string& name, const JsonProgram& text) {
    return R"({"name": "", "arg": {"as_graph": {"name": ")" + name + R"(", "graph": )" + text.graph() + R"(}}, "kind": 1})";
  };
  return R"({"target": "torch.ops.higher_order.cond", "inputs": [{"name": "", "arg": {"as_bool": true}, "kind": 1}, )" + graph("yes", yes) + ", " + graph("no", no) +
         R"(, {"name": "", "arg": {"as_tensors": [{"name": "x"}]}, "kind": 1}], "outputs": [{"as_tensors": [{"name": "y"}]}], "metadata": {}})";
}

JsonProgram branch(int inputs, int outputs) {
  JsonProgram text;
  for (int i = 0; i < inputs; ++i) text.input("a" + std::to_string(i));
  text.call("b", "aten.relu.default", "self=a0");
  for (int i = 0; i < outputs; ++i) text.output("b");
  return text;
}

}  // namespace

TEST_CASE("a sound program has no findings") { CHECK(verify(*fine().decode(), nullptr).empty()); }

TEST_CASE("PyTorch's own programs have no errors") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PT2_TEST_DATA)) {
    if (entry.path().extension() != ".pt2") continue;
    const auto file = open_file(entry.path().string());
    if (!file) continue;
    for (const auto& program : (*file)->programs)
      for (const Finding& finding : verify(*program, (*file)->archive.get()))
        CHECK_MESSAGE(finding.severity != Severity::Error, entry.path().filename().string() << ": " << finding.where << ": " << finding.message);
  }
}

TEST_CASE("every rule has a name of its own and says why it matters") {
  std::set<std::string_view> names;
  for (const VerifyRule& rule : verify_rules()) {
    CHECK(names.insert(rule.name).second);
    CHECK(!rule.title.empty());
    CHECK(!rule.explanation.empty());
  }
}

TEST_CASE("structure.order, structure.names and structure.get-attr") {
  // The decoder cannot make such graphs; other producers of graphs might.
  Program program;
  program.node_metas.emplace_back();
  GraphBuilder builder;
  auto add = [&](NodeKind kind, std::string_view name) {
    Node node{.kind = kind, .name = name, .target = name, .meta = &program.node_metas.front(), .module = ModuleId(0)};
    if (kind == NodeKind::Output) node.inputs.push_back({"", {TupleArg{}}, false});
    builder.add(std::move(node));
  };
  add(NodeKind::CallFunction, "a");
  add(NodeKind::Placeholder, "a");
  add(NodeKind::GetAttr, "constant");
  add(NodeKind::Output, "output");
  program.graphs.push_back(std::move(builder).finish());
  CHECK(found(program, "structure.order") == "node \"a\": a placeholder comes after other nodes\n");
  CHECK(found(program, "structure.names") == "node \"a\": a node before it has the same name, \"a\"\n");
  CHECK(found(program, "structure.get-attr") == "node \"constant\": it reads the attribute \"constant\", which is no sub-graph\n");
  CHECK(found(fine(), "structure.get-attr").empty());
  CHECK(found(fine(), "structure.order").empty());
  CHECK(found(fine(), "structure.names").empty());
}

TEST_CASE("structure.operands and structure.branches") {
  auto with = [](const JsonProgram& yes, const JsonProgram& no) { return JsonProgram().input("x").node(cond(yes, no)).value("y", "2, 3").output("y"); };
  CHECK(found(with(branch(1, 1), branch(1, 1)), "structure.operands").empty());
  CHECK(found(with(branch(1, 1), branch(2, 1)), "structure.operands") == "node \"cond\": it hands 1 values to \"no\", which takes 2\n");
  CHECK(found(with(branch(1, 1), branch(1, 1)), "structure.branches").empty());
  CHECK(found(with(branch(1, 1), branch(1, 2)), "structure.branches") == "node \"cond\": \"yes\" returns 1 values, \"no\" returns 2\n");
}

TEST_CASE("signature rules") {
  auto with = [] { return JsonProgram().input("p_w", "2, 3", "parameter", "w").input("b_n", "2, 3", "buffer", "n").input("x"); };
  auto sum = [](JsonProgram text) { return text.call("add", "aten.add.Tensor", "self=x, other=p_w").call("mul", "aten.mul.Tensor", "self=add, other=b_n"); };
  const JsonProgram sound = sum(with()).output("mul", "buffer_mutation", "n").output("add");
  for (std::string_view rule : {"signature.input-order", "signature.output-order", "signature.targets", "signature.mutations", "signature.names", "signature.in-place"})
    CHECK(found(sound, rule).empty());

  CHECK(found(JsonProgram().misnamed_input("x", "z").call("relu", "aten.relu.default", "self=x").output("relu"), "signature.names") ==
        "signature, input 0: it is called \"z\", the placeholder \"x\"\n");
  CHECK(found(JsonProgram().input("x").input("p_w", "2, 3", "parameter", "w").output("x"), "signature.input-order") ==
        "signature, input 1: the parameter \"p_w\" comes after inputs of later kinds\n");
  CHECK(found(sum(with()).output("add").output("mul", "buffer_mutation", "n"), "signature.output-order") ==
        "signature, output 1: the buffer_mutation of \"n\" comes after user outputs\n");
  CHECK(found(JsonProgram().input("a", "2", "parameter", "w").input("b", "2", "parameter", "w").output("a"), "signature.targets") ==
        "signature, input 1: \"w\" is input 0 already\n");
  CHECK(found(sum(with()).output("mul", "buffer_mutation", "w"), "signature.mutations") ==
        "signature, output 0: the buffer_mutation names \"w\", which is no buffer of the program\n");
  CHECK(found(with().call("add_", "aten.add_.Tensor", "self=b_n, other=x").output("add_"), "signature.in-place") ==
        "node \"add_\" at net.py:7: it writes to the buffer \"n\"\n");
  CHECK(found(with().call("t", "aten.t.default", "self=b_n", "3, 2").call("add_", "aten.add_.Tensor", "self=t, other=x").output("add_"), "signature.in-place") ==
        "node \"add_\" at net.py:7: it writes to the buffer \"n\"\n");
}

TEST_CASE("weights rules") {
  const auto file = test::open_data("programs/conv_bn_train.pt2");
  CHECK(found(*file->programs[0], "weights.missing", file->archive.get()).empty());
  CHECK(found(*file->programs[0], "weights.meta", file->archive.get()).empty());
  const JsonProgram other = JsonProgram().input("p_w", "4, 2, 3, 5", "parameter", "conv.weight").input("p_v", "2", "parameter", "nowhere").output("p_w");
  CHECK(found(*other.decode(), "weights.missing", file->archive.get()) == "signature, input 1: the parameter \"nowhere\" is not in the file\n");
  CHECK(found(*other.decode(), "weights.meta", file->archive.get()) ==
        "signature, input 0: \"conv.weight\" is declared as float32[4, 2, 3, 5], the file has float32[4, 2, 3, 3]\n");
}

TEST_CASE("meta rules") {
  for (std::string_view rule : {"meta.missing", "meta.shape", "meta.elements", "meta.dtype"}) CHECK(found(fine(), rule).empty());
  auto call = [](const std::string& op, const std::string& arguments, const std::string& sizes, int dtype = 7) {
    return JsonProgram().input("x").input("w", "5, 3").call("y", op, arguments, sizes, dtype).output("y");
  };
  CHECK(found(call("aten.relu.default", "self=x", ""), "meta.missing") == "node \"y\" at net.py:7: the file does not say what torch.ops.aten.relu.default returns here\n");
  CHECK(found(call("aten.linear.default", "input=x, weight=w", "2, 5"), "meta.shape").empty());
  CHECK(found(call("aten.linear.default", "input=x, weight=w", "2, 4"), "meta.shape") ==
        "node \"y\" at net.py:7: it is declared as [2, 4], from its arguments it is [2, 5]\n");
  CHECK(found(call("aten.permute.default", "self=x, dims=[1; 0]", "2, 3"), "meta.shape") ==
        "node \"y\" at net.py:7: it is declared as [2, 3], from its arguments it is [3, 2]\n");
  CHECK(found(JsonProgram().input("x", "s0, 1").input("z", "4").range("s0", "2", "9").call("y", "aten.add.Tensor", "self=x, other=z", "s0, 4").output("y"), "meta.shape").empty());
  CHECK(found(call("aten.view.default", "self=x, size=[6]", "6"), "meta.elements").empty());
  CHECK(found(call("aten.view.default", "self=x, size=[5]", "5"), "meta.elements") ==
        "node \"y\" at net.py:7: it makes [5] of [2, 3], which has another number of elements\n");
  CHECK(found(call("aten.permute.default", "self=x, dims=[1; 0]", "3, 2", 8), "meta.dtype") ==
        "node \"y\" at net.py:7: it is declared as float64, its argument is float32\n");
}

TEST_CASE("dialect rules") {
  auto call = [](const std::string& op, const char* verifier) {
    return JsonProgram().verifier(verifier).input("x").call("y", op, "self=x").output("y");
  };
  CHECK(found(call("aten.relu_.default", "ATEN"), "dialect.functional") == "node \"y\" at net.py:7: aten.relu_.default writes to its argument \"self\"\n");
  CHECK(found(call("aten.relu_.default", "TRAINING"), "dialect.functional").empty());
  CHECK(found(call("aten.relu.default", "ATEN"), "dialect.functional").empty());
  CHECK(found(call("my.op.default", "ATEN"), "dialect.known") == "node \"y\" at net.py:7: the operator my.op.default is none of PyTorch's own\n");
  CHECK(found(call("aten.relu.default", "ATEN"), "dialect.known").empty());
  CHECK(found(call("aten.silu.default", "ATEN"), "dialect.core") == "node \"y\" at net.py:7: aten.silu.default is no core operator\n");
  CHECK(found(call("aten.relu.default", "ATEN"), "dialect.core").empty());
}

TEST_CASE("symbol rules") {
  auto with = [](const std::string& sizes, const std::string& min, const std::string& max, const std::string& unbacked_max = "null") {
    return JsonProgram().input("x", "s0").range("s0", min, max).range("u0", "0", unbacked_max).call("y", "my.op.default", "self=x", sizes).output("y");
  };
  for (std::string_view rule : {"symbol.unbound", "symbol.range", "symbol.specialized", "symbol.hint", "symbol.unchecked"}) CHECK(found(with("s0", "2", "64"), rule).empty());
  CHECK(found(with("u9 + 1", "2", "64"), "symbol.unbound") == "node \"y\" at net.py:7: the symbol \"u9\" in the size u9 + 1 is declared nowhere\n");
  CHECK(found(with("s0", "9", "2"), "symbol.range") == "program \"model\": the range of \"s0\" is empty: from 9 to 2\n");
  CHECK(found(with("s0", "4", "4"), "symbol.specialized") == "program \"model\": the size \"s0\" can only be 4\n");
  CHECK(found(with("s0", "5", "null"), "symbol.hint") == "node \"x\": \"s0\" was 4 for the example inputs, outside of its range from 5 to ∞\n");
  for (const char* max : {"null", "9223372036854775806"})
    CHECK(found(with("u0", "2", "64", max), "symbol.unchecked") == "node \"y\" at net.py:7: the data-dependent size \"u0\" has no upper bound\n");
  CHECK(found(with("u0", "2", "64", "100"), "symbol.unchecked").empty());
}

TEST_CASE("trap rules") {
  for (std::string_view rule : {"trap.unused", "trap.shared", "trap.training", "trap.float64", "trap.fixed-size", "trap.layout", "trap.random", "trap.uninitialized"})
    CHECK(found(fine(), rule).empty());
  auto call = [](const std::string& op, const std::string& arguments, const std::string& x = "2, 3", const std::string& sizes = "2, 3", int dtype = 7) {
    return JsonProgram().input("x", x).range("s0", "2", "9").call("y", op, arguments, sizes, dtype).output("y");
  };
  CHECK(found(JsonProgram().input("p_w", "2", "parameter", "w").input("x").output("x"), "trap.unused") == "signature, input 0: the parameter \"w\" is used by nothing\n");
  CHECK(found(call("aten.dropout.default", "input=x, p=0.5, train=True"), "trap.training") ==
        "node \"y\" at net.py:7: aten.dropout.default runs in training mode: train is True\n");
  CHECK(found(call("aten.dropout.default", "input=x, p=0.5, train=False"), "trap.training").empty());
  CHECK(found(call("aten.dropout.default", "input=x, p=0.5, train=True"), "trap.random") == "node \"y\" at net.py:7: aten.dropout.default draws random numbers\n");
  CHECK(found(call("aten.dropout.default", "input=x, p=0.5, train=False"), "trap.random").empty());
  // Where nothing is dropped, and where a normalization has no statistics but its input's, either mode is the same.
  for (std::string_view rule : {"trap.training", "trap.random"}) CHECK(found(call("aten.dropout.default", "input=x, p=0.0, train=True"), rule).empty());
  CHECK(found(call("aten.batch_norm.default", "input=x, training=True"), "trap.training").empty());
  CHECK(found(call("aten.batch_norm.default", "input=x, running_mean=x, running_var=x, training=True"), "trap.training") == "node \"y\" at net.py:7: aten.batch_norm.default runs in training mode: training is True\n");
  auto lstm = [&](const std::string& layers, const std::string& dropout) {
    return found(call("aten.lstm.input", "input=x, num_layers=" + layers + ", dropout=" + dropout + ", train=True"), "trap.random");
  };
  CHECK(lstm("2", "0.5") == "node \"y\" at net.py:7: aten.lstm.input draws random numbers\n");
  CHECK(lstm("2", "0.0").empty());
  CHECK(lstm("1", "0.5").empty());
  CHECK(found(call("quantized_decomposed.choose_qparams.tensor", "input=x", "2, 3", "1", 8), "trap.float64").empty());
  CHECK(found(call("aten._to_copy.default", "self=x", "2, 3", "2, 3", 8), "trap.float64") == "node \"y\" at net.py:7: it computes in float64, though no input does\n");
  CHECK(found(call("aten.view.default", "self=x, size=[4; 3]", "s0, 3", "4, 3"), "trap.fixed-size") ==
        "node \"y\" at net.py:7: it gives a dynamic tensor sizes that are all numbers\n");
  CHECK(found(call("aten.view.default", "self=x, size=[-1; 3]", "s0, 3", "s0, 3"), "trap.fixed-size").empty());
  CHECK(found(call("aten.view.default", "self=x, size=[6]", "2, 3 / 1, 2", "6"), "trap.layout").find("is not contiguous") != std::string::npos);
  // To the sizes there are, and of a weight alone, a view works whatever the caller gives.
  CHECK(found(call("aten.view.default", "self=x, size=[2; 3]", "2, 3 / 1, 2"), "trap.layout").empty());
  auto view_of_weight = [](const std::string& other) {
    return JsonProgram().input("p_w", "2, 3", "parameter", "w").input("x").call("t", "aten.mul.Tensor", "self=p_w, other=" + other, "2, 3 / 1, 2").call("y", "aten.view.default", "self=t, size=[6]", "6").output("y");
  };
  CHECK(found(view_of_weight("p_w"), "trap.layout").empty());
  CHECK(found(view_of_weight("x"), "trap.layout").find("is not contiguous") != std::string::npos);
  CHECK(found(JsonProgram().call("e", "aten.empty.memory_format", "size=[2; 3]").call("y", "aten.relu.default", "self=e").output("y"), "trap.uninitialized") ==
        "node \"e\" at net.py:7: its values are whatever the memory held, and they are read\n");
  CHECK(found(JsonProgram().input("x").call("e", "aten.empty.memory_format", "size=[2; 3]").call("y", "aten.copy_.default", "self=e, src=x").output("y"), "trap.uninitialized").empty());
  const auto tied = test::open_data("releases/2.9.1/tied_bf16.pt2");
  CHECK(found(*tied->programs[0], "trap.shared", tied->archive.get()) == "signature, input 1: \"head.weight\" is the same tensor as \"emb.weight\"\n");
  CHECK(found(*tied->programs[0], "trap.unused", tied->archive.get()).empty());  // emb.weight has no reader of its own
}
