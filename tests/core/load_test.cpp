// Real files, and the graphs PyTorch makes of them.
#include "core/load.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "tests/support/test_files.h"

using namespace pt2;
using pt2::test::data_path;

namespace {

// A line "name kind target" for each node of a printed graph: `    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = …`.
std::map<std::string, std::string> printed_graphs(const std::string& text) {
  std::map<std::string, std::string> graphs;
  std::string graph, line;
  for (std::istringstream in(text); std::getline(in, line);) {
    if (line.rfind("=== ", 0) == 0) graph = line.substr(4);
    if (line.rfind("    %", 0) != 0) continue;
    const size_t name_end = line.find(' ', 5), kind = line.find("] = ") + 4, bracket = line.find("[target=", kind);
    graphs[graph] += line.substr(5, name_end - 5) + " " + line.substr(kind, bracket - kind) + " " +
                     line.substr(bracket + 8, line.find(']', bracket) - bracket - 8) + "\n";
  }
  return graphs;
}

std::string lines_of(const Graph& graph) {
  std::string lines;
  for (const Node& node : graph.nodes()) {
    if (node.kind == NodeKind::Output) continue;
    const char* kind = node.kind == NodeKind::Placeholder ? "placeholder" : node.kind == NodeKind::GetAttr ? "get_attr" : "call_function";
    std::string target(node.target);
    if (target.rfind("_operator.", 0) == 0) target = target.substr(1);
    lines += std::string(node.name) + " " + kind + " " + target + "\n";
  }
  return lines;
}

std::string path_of(const Program& program, const Graph& graph) {
  std::string path(graph.name);
  for (GraphId parent = graph.parent; parent.valid() && parent.index != 0; parent = program.graphs[parent].parent)
    path = std::string(program.graphs[parent].name) + "." + path;
  return path;
}

void check_against_print(const std::string& name) {
  CAPTURE(name);
  const auto program = test::program_of(name + ".pt2");
  const auto printed = printed_graphs(test::read_text(name + ".graph.txt"));
  CHECK(lines_of(program->root_graph()) == printed.at(""));
  for (size_t i = 1; i < program->graphs.size(); ++i) {
    const Graph& graph = program->graphs[GraphId(i)];
    if (auto it = printed.find(path_of(*program, graph)); it != printed.end()) CHECK(lines_of(graph) == it->second);
  }
}

}  // namespace

TEST_CASE("every file of tests/data opens, with the nodes PyTorch shows after a load") {
  size_t compared = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PT2_TEST_DATA)) {
    if (entry.path().extension() != ".pt2") continue;
    const std::string name = std::filesystem::relative(entry.path(), PT2_TEST_DATA).replace_extension().string();
    if (name.rfind("programs/", 0) != 0 && name.rfind("releases/", 0) != 0) continue;
    if (std::filesystem::exists(data_path(name + ".graph.txt"))) {
      check_against_print(name);
      ++compared;
    } else {
      CHECK(!test::open_data(name + ".pt2")->programs.empty());
    }
  }
  CHECK(compared > 30);
}

TEST_CASE("versions, dialect and containers of releases") {
  const auto first = test::open_data("releases/2.1.2/cond.pt2");
  CHECK(first->archive->container() == Container::Legacy);
  CHECK(first->programs[0]->schema_version.major == 1);
  CHECK(first->programs[0]->torch_version.empty());
  const auto newest = test::program_of("releases/2.14.1/kw_inputs.pt2");
  CHECK(newest->schema_version.major == 8);
  CHECK(newest->schema_version.minor == 20);
  CHECK(newest->dialect == "TRAINING");
  CHECK(test::program_of("releases/2.4.1/kw_inputs.pt2")->dialect == "ATEN");
}

TEST_CASE("the signature of 2.1 becomes specs") {
  const auto program = test::program_of("releases/2.1.2/convbn_train.pt2");
  const Signature& signature = program->signature;
  REQUIRE(signature.inputs.size() == 7);
  CHECK(signature.inputs[0].kind == InputKind::Parameter);
  CHECK(signature.inputs[0].target == "L__self___conv.weight");
  CHECK(signature.inputs[5].kind == InputKind::Buffer);
  CHECK(signature.inputs[6].kind == InputKind::UserInput);
  REQUIRE(signature.outputs.size() == 4);
  CHECK(signature.outputs[0].kind == OutputKind::BufferMutation);
  CHECK(signature.outputs[0].target == "L__self___bn.running_mean");
  CHECK(signature.outputs[3].kind == OutputKind::UserOutput);
  CHECK(signature.outputs[3].name == "relu");
}

TEST_CASE("constant inputs keep their value and get FX's name") {
  const auto program = test::program_of("programs/constant_inputs.pt2");
  const auto& inputs = program->signature.inputs;
  REQUIRE(inputs.size() == 7);
  CHECK(*inputs[1].constant->as<int64_t>() == 5);
  CHECK(*inputs[2].constant->as<bool>() == true);
  CHECK(*inputs[3].constant->as<std::string_view>() == "a b");
  CHECK(inputs[5].constant->is_none());
  const Node& renamed = program->root_graph().node(inputs[6].node);
  CHECK(renamed.name == "input_1");
  CHECK(renamed.target == "input");
  CHECK(inputs[6].name == "input");
}

TEST_CASE("buffers, constants and mutations of a signature") {
  const auto program = test::program_of("programs/mutations.pt2");
  std::map<std::string_view, const InputSpec*> by_target;
  for (const InputSpec& input : program->signature.inputs) by_target[input.target] = &input;
  CHECK(by_target.at("count")->persistent == true);
  CHECK(by_target.at("scratch")->persistent == false);
  CHECK(by_target.at("offset")->kind == InputKind::TensorConstant);
  CHECK(by_target.at("weight")->kind == InputKind::Parameter);
  const TensorMeta* meta = tensor_meta(program->root_graph().node(by_target.at("weight")->node).val);
  REQUIRE(meta);
  CHECK(meta->dtype == DType::Float32);
  CHECK(meta->requires_grad);
  CHECK(meta->sizes[0].value == 2);
}

TEST_CASE("sizes keep their expressions and hints") {
  const auto program = test::program_of("programs/symbolic.pt2");
  const TensorMeta* x = tensor_meta(program->root_graph().node(program->root_graph().find("x")).val);
  REQUIRE(x);
  CHECK(x->sizes[0].is_symbolic());
  CHECK(x->sizes[0].value == 4);
  CHECK(x->sizes[1].value == 6);
  REQUIRE(program->range_constraints.size() == 3);
  for (const auto& [symbol, range] : program->range_constraints)
    if (symbol == x->sizes[0].text()) {
      CHECK(range.min == 2);
      CHECK(range.max == 100);
    }
}

TEST_CASE("sub-graphs know where they are called") {
  const auto program = test::program_of("programs/nested_cond.pt2");
  REQUIRE(program->graphs.size() == 5);
  for (size_t i = 1; i < program->graphs.size(); ++i) {
    const Graph& graph = program->graphs[GraphId(i)];
    const Node& get_attr = program->graphs[graph.parent].node(graph.parent_node);
    CHECK(get_attr.kind == NodeKind::GetAttr);
    CHECK(get_attr.subgraph == GraphId(i));
    CHECK(get_attr.target == graph.name);
    CHECK(graph.parent.index < i);
  }
}

TEST_CASE("each call of a module is a module of the tree") {
  const auto program = test::program_of("programs/shared_module.pt2");
  const ModuleTree& tree = program->modules;
  CHECK(tree.modules[tree.root()].type == "models.SharedModule");
  std::vector<std::string> paths;
  for (const Module& module : tree.modules) paths.push_back(module.path);
  CHECK(paths == std::vector<std::string>{"", "block", "block.linear", "block.linear@1", "block@1", "block@1.linear@2", "block@1.linear@3", "tail",
                                          "tail.0", "tail.0.linear", "tail.0.linear@1", "tail.1"});
  const Module& again = tree.modules[tree.find("block@1")];
  CHECK(again.name == "block@1");
  CHECK(again.node_count == 3);
  CHECK(again.nodes.size() == 1);
  CHECK(tree.modules[tree.root()].node_count == 11);
}

TEST_CASE("several programs in one archive") {
  const auto file = test::open_data("programs/two_programs.pt2");
  REQUIRE(file->programs.size() == 2);
  CHECK(file->program()->name == "first");
  CHECK(file->program("second")->name == "second");
  CHECK(file->program("third") == nullptr);
  CHECK(file->archive->extra_files() == std::vector<std::string>{"notes/read me.txt"});
  LoadOptions options;
  options.only_program = "second";
  CHECK((*open_file(data_path("programs/two_programs.pt2"), options))->programs.size() == 1);
  options.only_program = "third";
  const auto missing = open_file(data_path("programs/two_programs.pt2"), options);
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().advice == "It holds \"first\", \"second\".");
}

TEST_CASE("FILE#NAME is split unless a file is called so") {
  CHECK(split_program_name("a.pt2#two") == std::pair<std::string, std::string>("a.pt2", "two"));
  CHECK(split_program_name("a.pt2").second == "");
}

TEST_CASE("loading can be stopped") {
  std::stop_source source;
  source.request_stop();
  LoadOptions options;
  options.stop = source.get_token();
  const auto stopped = open_file(data_path("programs/lists.pt2"), options);
  REQUIRE_FALSE(stopped.has_value());
  CHECK(stopped.error().kind == ErrorKind::Stopped);
}
