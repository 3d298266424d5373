// The limits of programs, tensors and expressions (core/base/limits.h), each from both sides: what is just inside is read, what is just past
// it is refused, or cut, with the number.
#include "core/base/limits.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/archive/npy_header.h"
#include "core/archive/safetensors_header.h"
#include "core/archive/unpickler.h"
#include "core/base/text.h"
#include "core/decode/decode.h"
#include "core/layout/group_layout.h"
#include "core/symbolic/sym_expr.h"
#include "core/tensor/view.h"

using namespace pt2;

namespace {

std::string program_json(const std::string& nodes) {
  return R"({"graph_module": {"graph": {"inputs": [], "outputs": [], "nodes": [)" + nodes +
         R"(], "tensor_values": {}}, "signature": {"input_specs": [], "output_specs": []}}, "schema_version": {"major": 8, "minor": 20}})";
}
std::string node_json(const std::string& name, const std::string& inputs) {
  return R"({"target": "torch.ops.a.b.c", "inputs": [)" + inputs + R"(], "outputs": [], "metadata": {}, "name": ")" + name + "\"}";
}
std::string list_of(size_t count, const std::string& item) {
  std::string list;
  list.reserve(count * (item.size() + 1));
  for (size_t i = 0; i < count; ++i) list += (i ? "," : "") + item;
  return list;
}

// "" where it is decoded, else the kind and the words.
std::string decoded(const std::string& json) {
  const auto program = decode_program("model", json, "models/model.json");
  return program ? "" : (program.error().kind == ErrorKind::Limit ? "limit: " : "error: ") + program.error().message;
}

std::string problem_of(const std::string& expression) { return parse_sym_expr(expression).problem.value_or(""); }
std::string nested(const std::string& open, const std::string& inside, const std::string& close, size_t times) {
  std::string text;
  for (size_t i = 0; i < times; ++i) text += open;
  text += inside;
  for (size_t i = 0; i < times; ++i) text += close;
  return text;
}

}  // namespace

TEST_CASE("limit json_depth") {
  const auto with = [](size_t depth) {
    std::string json = program_json("");
    return decoded(json.insert(1, R"("later": )" + nested("[", "", "]", depth) + ", "));
  };
  CHECK(with(limits::kJsonDepth) == "");
  CHECK(with(limits::kJsonDepth + 1).find("nested deeper than 512 levels (limit)") != std::string::npos);
}

TEST_CASE("limit subgraph_depth") {
  const auto graphs = [](size_t depth) {
    std::string nodes;
    for (size_t i = 0; i < depth; ++i)
      nodes = node_json("n", R"({"name": "", "arg": {"as_graph": {"name": "g", "graph": {"inputs": [], "outputs": [], "nodes": [)" + nodes + R"(], "tensor_values": {}}}}})");
    return decoded(program_json(nodes));
  };
  CHECK(graphs(limits::kSubgraphDepth) == "");
  CHECK(graphs(limits::kSubgraphDepth + 1) == "limit: sub-graphs are nested deeper than 32 levels (limit)");
}

TEST_CASE("limit node_arguments") {
  const auto arguments = [](size_t count) { return decoded(program_json(node_json("n", list_of(count, R"({"name":"","arg":{"as_int":1}})")))); };
  CHECK(arguments(limits::kNodeArguments) == "");
  CHECK(arguments(limits::kNodeArguments + 1) == "limit: more than 1,000,000 arguments (limit)");
}

// Gigabytes and a minute: run it by hand, with -ns.
TEST_CASE("limit nodes" * doctest::skip()) {
  const auto nodes = [](size_t count) {
    std::string list;
    for (size_t i = 0; i < count; ++i) list += (i ? "," : "") + node_json("n" + std::to_string(i), "");
    return decoded(program_json(list));
  };
  CHECK(nodes(limits::kNodes - 1) == "");  // and the output
  CHECK(nodes(limits::kNodes) == "limit: more than 4,000,000 nodes (limit)");
}

TEST_CASE("limit string: the rest of a longer one is cut off, between two characters, and it says so") {
  const auto kept = [](const std::string& text) {
    const auto program = decode_program("model", program_json(node_json("n", R"({"name": "text", "arg": {"as_string": ")" + text + "\"}}")), "models/model.json");
    REQUIRE(program);
    return std::string(*(*program)->root_graph().nodes()[NodeId(0)].inputs[0].value.as<std::string_view>());
  };
  const std::string whole(limits::kStringBytes, 'x');
  CHECK(kept(whole) == whole);
  CHECK(kept(whole + "y") == whole + "… (cut: 16,777,216 of 16,777,217 bytes are kept)");
  CHECK(kept("\\n" + whole).substr(0, 3) == "\nxx");
  const std::string between = std::string(limits::kStringBytes - 1, 'x');
  CHECK(kept(between + "é") == between + "… (cut: 16,777,216 of 16,777,217 bytes are kept)");
}

TEST_CASE("limit label") {
  const std::string name(limits::kLabelCharacters, 'n');
  CHECK(pickle_call_message(name).starts_with("calls " + name + ", which"));
  CHECK(pickle_call_message(name + "m").starts_with("calls " + name + "…, which"));
}

TEST_CASE("limit tensor_rank: views, .npy and .safetensors") {
  const auto view = [](size_t rank) { return view_problem(DType::Float32, Shape(rank, 1), Shape(rank, 1), 0, 4); };
  CHECK(view(limits::kTensorRank) == "");
  CHECK(view(limits::kTensorRank + 1) == "has 65 dimensions (limit 64)");
  const auto npy = [](size_t rank) {
    const std::string dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + list_of(rank, "1") + ",), }";
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += char(dict.size() & 255);
    bytes += char(dict.size() >> 8);
    const auto header = parse_npy_header(bytes + dict);
    return header ? std::string() : header.error().message;
  };
  CHECK(npy(limits::kTensorRank) == "");
  CHECK(npy(limits::kTensorRank + 1) == "shape: more than 64 dimensions (limit)");
  const auto safetensors = [](size_t rank) {
    const auto header = parse_safetensors_header(R"({"a": {"dtype": "F32", "shape": [)" + list_of(rank, "1") + R"(], "data_offsets": [0, 4]}})", 4);
    return header ? std::string() : header.error().message;
  };
  CHECK(safetensors(limits::kTensorRank) == "");
  CHECK(safetensors(limits::kTensorRank + 1).find("has 65 dimensions (limit 64)") != std::string::npos);
}

TEST_CASE("limit tensor_bytes") {
  const int64_t most = INT64_MAX;  // 7 · 1317624576693539401
  CHECK(checked_numel(Shape{7, most / 7}) == most);
  CHECK(checked_numel(Shape{8, most / 7}) == std::nullopt);
  // One stored element, read again and again.
  const auto expanded = [](int64_t elements, DType dtype) { return view_problem(dtype, Shape{elements}, Shape{0}, 0, 8); };
  CHECK(expanded(most, DType::UInt8) == "");
  CHECK(expanded(most / 4, DType::Float32) == "");
  CHECK(expanded(most / 4 + 1, DType::Float32).starts_with("needs more bytes than 64 bits can count"));
  CHECK(view_problem(DType::UInt8, Shape{2}, Shape{most - 1}, 0, 8).starts_with("needs 9,223,372,036,854,775,807 bytes"));
  CHECK(view_problem(DType::UInt8, Shape{2}, Shape{most}, 0, 8).starts_with("needs more bytes than 64 bits can count"));
}

TEST_CASE("limits symexpr_characters, symexpr_depth, symexpr_terms") {
  const auto spaced = [](size_t characters) { return "s0" + std::string(characters - 6, ' ') + " + 1"; };
  CHECK(problem_of(spaced(limits::kSymExprCharacters)) == "");
  CHECK(problem_of(spaced(limits::kSymExprCharacters + 1)) == "4097 characters, more than 4096");
  // The symbol is a level of its own.
  const auto deep = [](size_t levels) { return nested("FloorDiv(", "s0", ", 2)", levels - 1); };
  CHECK(problem_of(deep(limits::kSymExprDepth)) == "");
  CHECK(problem_of(deep(limits::kSymExprDepth + 1)) == "deeper than 64 levels");
  // Symbols, and the sums between them; a minus makes it even.
  const auto terms = [](size_t count) {
    std::string text = count % 2 ? "s0" : "-s0";
    for (size_t i = 1; i < (count + 1) / 2; ++i) text += "+s0";
    return problem_of(text);
  };
  CHECK(terms(limits::kSymExprTerms) == "");
  CHECK(terms(limits::kSymExprTerms + 1) == "more than 1000 terms");
}

TEST_CASE("limit layout_nodes: larger groups are not given to Graphviz") {
  const auto asked = [](size_t members) {
    GroupProblem problem;
    problem.members.resize(members);
    bool graphviz = false;
    const auto result = lay_out_group(problem, [&](const PlacementRequest&) -> Result<Placement> {
      graphviz = true;
      return Error{ErrorKind::Failed, "not here", "", ""};
    });
    REQUIRE(result);
    return graphviz;
  };
  CHECK(asked(limits::kLayoutNodes));
  CHECK_FALSE(asked(limits::kLayoutNodes + 1));
}

TEST_CASE("every limit has a test") {
  std::string tests;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PT2_SOURCE_DIR "/tests")) {
    if (!entry.path().filename().string().ends_with("limits_test.cpp")) continue;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);)
      if (line.starts_with("TEST_CASE(\"limit")) tests += line + "\n";
  }
  for (const limits::Limit& limit : limits::all()) CHECK_MESSAGE(tests.find(limit.name) != std::string::npos, limit.name);
}
