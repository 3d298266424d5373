#include <doctest/doctest.h>

#include "core/load.h"
#include "tests/support/program_maker.h"
#include "views/workspace/labels.h"
#include "views/workspace/search.h"

using namespace pt2;
using namespace pt2::views;

namespace {

ValueMeta tensor_of(DType dtype, std::vector<int64_t> sizes) {
  auto meta = std::make_shared<TensorMeta>();
  meta->dtype = dtype;
  for (int64_t size : sizes) meta->sizes.push_back({size, true, nullptr});
  return std::shared_ptr<const TensorMeta>(meta);
}

// x → conv2d (module layer1.conv) → relu → output, with a source line.
Program small_program() {
  Program program;
  auto& modules = program.modules.modules;
  modules.push_back({"", "", "pkg.nets.Net", {}, {ModuleId(1)}, {}, 2});
  modules.push_back({"layer1", "layer1", "pkg.blocks.ResBlock", ModuleId(0), {}, {}, 2});
  NodeMeta& meta = program.node_metas.emplace_back();
  meta.stack_trace = "  File \"/src/net/model.py\", line 42, in forward\n    x = self.conv(x)\n";
  NodeMeta& none = program.node_metas.emplace_back();

  GraphBuilder builder;
  auto add = [&](NodeKind kind, std::string_view name, std::string_view target, const NodeMeta& m, ModuleId module) {
    Node node;
    node.kind = kind;
    node.name = node.stored_name = name;
    node.target = target;
    node.meta = &m;
    node.module = module;
    return builder.add(std::move(node));
  };
  NodeId x = add(NodeKind::Placeholder, "x", "x", none, ModuleId(0));
  builder.node(x).val = tensor_of(DType::Float32, {1, 3, 32, 32});
  NodeId conv = add(NodeKind::CallFunction, "conv2d", "torch.ops.aten.conv2d.default", meta, ModuleId(1));
  builder.node(conv).inputs.push_back({"input", {x}, false});
  builder.node(conv).inputs.push_back({"groups", {int64_t{1}}, false});
  builder.node(conv).val = tensor_of(DType::Float16, {1, 16, 32, 32});
  NodeId relu = add(NodeKind::CallFunction, "relu", "torch.ops.aten.relu_.default", none, ModuleId(1));
  builder.node(relu).inputs.push_back({"self", {conv}, false});
  NodeId output = add(NodeKind::Output, "output", "output", none, ModuleId(0));
  builder.node(output).inputs.push_back({"", {TupleArg{{{relu}}}}, false});
  program.graphs.push_back(std::move(builder).finish());
  return program;
}

std::string found(const Program& program, std::string_view query, SearchFacts facts = {}) {
  std::string names;
  for (NodeRef ref : search_nodes(program, parse_search_query(query), facts)) {
    if (!names.empty()) names += ' ';
    names += program.node(ref).name;
  }
  return names;
}

}  // namespace

TEST_CASE("nodes are found by the class of a module they are in, with its package and without") {
  const Program program = small_program();
  for (const char* query : {"pkg.blocks.ResBlock", "ResBlock", "resbl", "blocks.res", "mod:ResBlock", "mod:pkg.blocks.ResBlock", "mod:blocks.resblock", "mod:Res*", "mod:/^pkg\\.blocks/"}) {
    CAPTURE(std::string(query));
    CHECK(found(program, query) == "conv2d relu");
  }
  CHECK(found(program, "blocks") == "");        // a package is in the classes of all that is in it
  CHECK(found(program, "mod:Block") == "");     // a whole name
  CHECK(found(program, "mod:Net") == "x conv2d relu output");
  CHECK(found(program, "-mod:ResBlock") == "x output");
}

TEST_CASE("search fields look at their own part of a node") {
  Program program = small_program();
  CHECK(found(program, "") == "");
  CHECK(found(program, "conv") == "conv2d");
  CHECK(found(program, "CONV") == "conv2d");
  CHECK(found(program, "layer1") == "conv2d relu");
  CHECK(found(program, "model.py") == "conv2d");
  CHECK(found(program, "op:relu") == "relu");
  CHECK(found(program, "op:aten.re*") == "relu");
  CHECK(found(program, "mod:layer1 -op:relu") == "conv2d");
  CHECK(found(program, "dt:f16") == "conv2d");
  CHECK(found(program, "dt:float32") == "x");
  CHECK(found(program, "shape:[*,16,*,*]") == "conv2d");
  CHECK(found(program, "shape:[*, 16, *, *]") == "conv2d");
  CHECK(found(program, "shape:[16]") == "");
  CHECK(found(program, "file:model.py:42") == "conv2d");
  CHECK(found(program, "file:model.py:43") == "");
  CHECK(found(program, "user:conv2d") == "x");
  CHECK(found(program, "const:groups") == "conv2d");
  CHECK(found(program, "/^re.u$/") == "relu");
  CHECK(found(program, "name:/^x/") == "x");
  CHECK(found(program, "-conv -output -op:relu") == "x");
}

TEST_CASE("what only a run knows finds nothing before a run") {
  Program program = small_program();
  CHECK(found(program, "nan:true") == "");
  SearchFacts facts;
  facts.has_nan = [](NodeRef ref) { return std::optional<bool>(ref.node == NodeId(1)); };
  facts.time_us = [](NodeRef ref) { return std::optional<double>(ref.node.index * 1000.0); };
  CHECK(found(program, "nan:true", facts) == "conv2d");
  CHECK(found(program, "inf:true", facts) == "");
  facts.has_inf = [](NodeRef ref) { return std::optional<bool>(ref.node == NodeId(2)); };
  CHECK(found(program, "inf:true", facts) == "relu");
  CHECK(parse_search_query("inf:maybe").problem == "inf: is true or false");
  CHECK(found(program, "time:>1.5ms", facts) == "relu output");
  CHECK(found(program, "time:<1.5ms", facts) == "x conv2d");
}

TEST_CASE("a broken regular expression is a problem of the query") {
  CHECK(parse_search_query("/a(/").problem != "");
  CHECK(parse_search_query("/a(").problem == "");  // still being typed: a plain text
}

TEST_CASE("labels of types and arguments") {
  Program program = small_program();
  const Graph& graph = program.root_graph();
  CHECK(type_label(graph.node(NodeId(1)).val) == "f16[1,16,32,32]");
  CHECK(argument_label(graph, {TupleArg{{{NodeId(1)}, {ListArg{{{int64_t{1}}, {2.0}, {NoneArg{}}}}}}}}) == "(conv2d, [1, 2.0, None])");
  CHECK(argument_label(graph, {1e-05}) == "1e-05");
  CHECK(argument_pieces(graph, {ListArg{{{NodeId(0)}, {NodeId(1)}}}}).size() == 5);
  CHECK(class_label("torch.nn.modules.conv.Conv2d") == "Conv2d");
}

TEST_CASE("mod: cuts no number of a path and takes what is inside, with wildcards in each part") {
  test::ProgramMaker maker;
  NodeId x = maker.input("x");
  for (const std::string path : {"h.1", "h.1.attn", "h.1.attn.c_proj", "h.10", "h.10.attn", "h.2.attn", "norm@1"}) x = maker.call("in_" + path, "torch.ops.aten.relu.default", {x}, path);
  const auto program = maker.finish({x});
  const std::string one = "in_h.1 in_h.1.attn in_h.1.attn.c_proj";
  for (const char* query : {"mod:h.1", "mod:h.1.", "mod:\"h.1\"", "mod:1", "mod:H.1"}) CHECK_MESSAGE(found(*program, query) == one, query);
  CHECK(found(*program, "mod:h.10") == "in_h.10 in_h.10.attn");
  CHECK(found(*program, "mod:h.?.attn") == "in_h.1.attn in_h.1.attn.c_proj in_h.2.attn");
  CHECK(found(*program, "mod:h.1*") == one + " in_h.10 in_h.10.attn");
  CHECK(found(*program, "mod:attn.c_*") == "in_h.1.attn.c_proj");
  CHECK(found(*program, "mod:norm") == "in_norm@1");
  CHECK(found(*program, "mod:/h.1$/") == "in_h.1");
  CHECK(found(*program, "mod:c_proj.attn") == "");
  CHECK(found(*program, "mod:attn.c_pr") == "in_h.1.attn.c_proj");  // while it is typed
  CHECK(found(*program, "mod:h.1.at") == found(*program, "mod:h.1.attn"));
}

TEST_CASE("shape: takes a size that is an expression as it is, and any result of a call with several") {
  const auto opened = open_file(PT2_TEST_DATA "/pairs/relation.pt2");
  REQUIRE(opened);
  const Program& program = *(*opened)->program();
  CHECK(found(program, "shape:2*s77") == "y");
  CHECK(found(program, "shape:[2*s77]") == "y");
  CHECK(found(program, "shape:\"2 * s77\"") == "y");
  CHECK(found(program, "shape:3*s77") == "");
  CHECK(found(program, "shape:2*s7") == "");
  CHECK(search_for_size("2*s77") == "shape:2*s77");
  CHECK(search_for_size("s77 + 1") == "shape:\"s77 + 1\"");

  test::ProgramMaker maker;
  const NodeId x = maker.input("x"), topk = maker.call("topk", "torch.ops.aten.topk.default", {x}), values = maker.getitem("values", topk, 0), indices = maker.getitem("indices", topk, 1);
  maker.type(topk, {});
  maker.type(values, tensor_of(DType::Float32, {3, 5}));
  maker.type(indices, tensor_of(DType::Int64, {3, 5}));
  const auto made = maker.finish({values, indices});
  CHECK(found(*made, "op:topk dt:i64") == "topk");
  CHECK(found(*made, "op:topk shape:[3,*]") == "topk");
  CHECK(found(*made, "op:topk dt:f16") == "");
}
