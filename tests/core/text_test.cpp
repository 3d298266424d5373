// The texts of the sample programs are what PyTorch 2.13 printed after loading the same files (tests/data/make_data.py).
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "core/graph/unlift.h"
#include "core/load.h"
#include "core/symbolic/guards.h"
#include "core/text/print_program.h"
#include "core/text/print_table.h"
#include "core/text/python_text.h"

using namespace pt2;

namespace {

const std::string kPrograms = std::string(PT2_TEST_DATA) + "/programs/";

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::shared_ptr<const Program> program_of(const std::string& name) {
  const auto file = open_file(kPrograms + name + ".pt2");
  REQUIRE(file);
  return (*file)->program();
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(kPrograms))
    if (entry.path().string().ends_with(".readable.txt")) found.push_back(entry.path().filename().string().substr(0, entry.path().filename().string().size() - 13));
  return found;
}

}  // namespace

TEST_CASE("programs print as PyTorch prints them") {
  const auto all = names();
  CHECK(all.size() >= 14);
  for (const std::string& name : all) {
    CAPTURE(name);
    const auto program = program_of(name);
    REQUIRE(program);
    const std::string base = kPrograms + name;
    const std::string readable = file_text(base + ".readable.txt");
    CHECK(joined(readable_lines(*program)) + "\n" == readable);
    CHECK(signature_text(*program) == file_text(base + ".signature.txt"));
    const std::string graphs = file_text(base + ".graph.txt");
    CHECK(joined(graph_lines(*program, program->root())) == graphs.substr(0, graphs.find("\n=== ")));
    CHECK("Range constraints: " + range_constraints_text(*program) + "\n" == readable.substr(readable.rfind("Range constraints: ")));
    if (const std::string module = file_text(base + ".module.txt"); !module.empty()) {
      const UnliftedProgram unlifted = unlift(program, GuardsNode::AfterInputs);
      CHECK(joined(graph_lines(*unlifted.program, unlifted.program->root())) == module);
      CHECK(unlifted.source.size() == unlifted.program->root_graph().nodes().size());
    }
  }
}

TEST_CASE("each line of a node leads to that node") {
  const auto program = program_of("conv_bn_train");
  const auto lines = graph_lines(*program, program->root());
  for (size_t i = 1; i < lines.size(); ++i) CHECK(lines[i].node == NodeRef{program->root(), NodeId(i - 1)});
  size_t calls = 0;
  for (const TextLine& line : readable_lines(*program))
    if (line.node.node && line.text.find(" = torch.ops.") != std::string::npos) {
      ++calls;
      CHECK(line.text.find(std::string(program->node(line.node).name)) != std::string::npos);
    }
  CHECK(calls > 0);
}

TEST_CASE("the table has a line a node, and can show one module only") {
  const auto program = program_of("conv_bn_train");
  const auto all = table_lines(*program, {});
  CHECK(all.size() == program->root_graph().nodes().size() + 1);
  CHECK(all[0].text.starts_with("step  name"));
  const auto first = std::find_if(all.begin() + 1, all.end(), [](const TextLine& line) { return !line.text.starts_with(' '); });
  REQUIRE(first != all.end());
  CHECK(first->text.starts_with("1 "));  // as the palette counts
  const ModuleId module = program->modules.modules[program->modules.root()].children.at(0);
  const auto some = table_lines(*program, {module, true});
  CHECK(some.size() > 1);
  CHECK(some.size() < all.size());
  CHECK(some[1].text.find(".py:") != std::string::npos);
}

TEST_CASE("Python's numbers and texts") {
  CHECK(python_float(1e-05) == "1e-05");
  CHECK(python_float(2) == "2.0");
  CHECK(python_float(1e16) == "1e+16");
  CHECK(python_float(123456789012345.678) == "123456789012345.67");
  CHECK(python_float(0.0001) == "0.0001");
  CHECK(python_float(-0.0) == "-0.0");
  CHECK(python_float(1e300 * 1e10) == "inf");
  CHECK(python_complex({1, 2}) == "(1+2j)");
  CHECK(python_complex({0, -1.5}) == "-1.5j");
  CHECK(python_complex({-0.0, 1}) == "(-0+1j)");
  CHECK(python_repr("it's") == "\"it's\"");
  CHECK(python_repr("a'b\"c\\\n\x01é\u200b") == "'a\\'b\"c\\\\\\n\\x01é\\u200b'");
  CHECK(python_annotation(R"({"a": [1, 2.50, null, true], "b": "it's"})") == "{'a': [1, 2.5, None, True], 'b': \"it's\"}");
  CHECK(python_annotation(R"({"a": ")" + std::string(50, 'x') + "\"}") == "{'a': '" + std::string(40, 'x') + "...'}");
  CHECK(python_annotation("{}").empty());
  CHECK(python_annotation("not json").empty());
}

TEST_CASE("guards are read, shown and checked") {
  const auto truth = [](const std::string& text, std::map<std::string, int64_t> sizes) {
    Guard guard{Guard::Origin::Code, text, parse_guard(text), {}};
    return holds(guard, [&](std::string_view path) -> std::optional<SymNumber> {
      const auto it = sizes.find(std::string(path));
      return it == sizes.end() ? std::nullopt : std::optional<SymNumber>(it->second);
    });
  };
  CHECK(truth("x.size()[0] >= 3", {{"x.size()[0]", 3}}) == true);
  CHECK(truth("L['args'][0][0].size()[0] >= 3", {{"L['args'][0][0].size()[0]", 2}}) == false);
  CHECK(truth("((-1) + L['x'].size()[0]) != 0", {{"L['x'].size()[0]", 1}}) == false);
  CHECK(truth("(z.size()[0] % 2) == 0 and not z.size()[0] > 9", {{"z.size()[0]", 4}}) == true);
  CHECK(truth("min(2, 4*x.size()[0]) == torch.sym_max(2, 1)", {{"x.size()[0]", 1}}) == true);
  CHECK(truth("3 <= d[\"a]b\"].size()[1] <= 5", {{"d[\"a]b\"].size()[1]", 6}}) == false);
  CHECK(!truth("y.size()[0] == 1", {}));
  CHECK(!truth("x.size()[", {}));

  const auto program = program_of("symbolic");
  const auto guards = program_guards(*program);
  CHECK(!guards.empty());
  for (const Guard& guard : guards) {
    CAPTURE(guard.text);
    CHECK(guard.text.find("L[") == std::string::npos);
    CHECK(!guard.condition.problem);
  }
}
