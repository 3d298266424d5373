#include "views/workspace/printed_text.h"

#include "tests/support/test_files.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::string shown(const PrintedText& text) {
  std::string all;
  for (const FxLine& line : text.lines()) {
    if (line.count) all += "\n";
    for (const FxPiece& piece : text.pieces(line)) all += piece.text;
  }
  return all;
}

// The pieces of the line where the node is defined: names of nodes in square brackets, the one defined in curly ones.
std::string line_of(const Program& program, const PrintedText& text, std::string_view name) {
  const size_t at = text.line_of({program.root(), program.root_graph().find(name)});
  REQUIRE(at < text.lines().size());
  std::string line;
  for (const FxPiece& piece : text.pieces(text.lines()[at])) line += !piece.node ? piece.text : piece.role == FxTextRole::Defined ? "{" + piece.text + "}" : "[" + piece.text + "]";
  return line;
}

}  // namespace

TEST_CASE("printed text: what PyTorch prints, character for character") {
  for (const std::string name : {"while_loop", "mutations", "symbolic", "containers", "nested_cond"}) {
    CAPTURE(name);
    const auto program = test::program_of("programs/" + name + ".pt2");
    CHECK(shown(PrintedText(program, TextForm::Readable)) + "\n" == test::read_text("programs/" + name + ".readable.txt"));
    // In the data sub-graphs are parted by lines of its own making.
    const std::string graphs = test::read_text("programs/" + name + ".graph.txt");
    CHECK((shown(PrintedText(program, TextForm::Graph)) + "\n").starts_with(graphs.substr(0, graphs.find("\n===")) + "\n"));
  }
}

TEST_CASE("printed text: nodes have their lines, names lead to nodes and words that are none do not") {
  const auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  const PrintedText readable(program, TextForm::Readable), graph(program, TextForm::Graph);
  CHECK(line_of(*program, readable, "relu") == "            {relu}: \"f32[1, 16, 32, 32]\" = torch.ops.aten.relu.default([batch_norm]);  [batch_norm] = None");
  CHECK(line_of(*program, graph, "relu") == "    {%relu} : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = ([%batch_norm],), kwargs = {})");
  // Placeholders are in the heading of the function.
  CHECK(line_of(*program, readable, "x").find("[x]: \"f32[1, 3, 32, 32]\"") != std::string::npos);
  CHECK(line_of(*program, readable, "output").find("return ([relu],)") != std::string::npos);
}

TEST_CASE("printed text: a line of a sub-graph belongs to the sub-graph") {
  const auto program = test::program_of("programs/while_loop.pt2");
  const PrintedText text(program, TextForm::Readable);
  size_t seen = 0;
  for (size_t g = 0; g < program->graphs.size(); ++g)
    for (size_t n = 0; n < program->graphs[GraphId(g)].nodes().size(); ++n) {
      const NodeRef node{GraphId(g), NodeId(n)};
      const size_t at = text.line_of(node);
      REQUIRE(at < text.lines().size());
      CHECK(text.lines()[at].graph == node.graph);
      ++seen;
    }
  CHECK(seen > 10);
}
