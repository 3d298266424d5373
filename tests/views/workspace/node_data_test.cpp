#include <doctest/doctest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/load.h"
#include "core/node_table.h"
#include "views/workspace/document.h"
#include "views/workspace/graph_scene.h"
#include "views/workspace/node_data.h"
#include "views/workspace/overlay.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::shared_ptr<const Program> sample() {
  auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
  REQUIRE(file.has_value());
  return (*file)->program();
}

}  // namespace

TEST_CASE("a table's values are found by node; names the program does not have are counted") {
  const auto program = sample();
  const auto table = parse_node_table("node,ms,where\nconv2d,-2,gpu\nrelu,6,cpu\nfoo,1,cpu\nbar,1,\n");
  REQUIRE(table.has_value());
  const NodeData data = match_nodes(*program, *table, "/somewhere/cost.csv");
  CHECK(data.matched == 2);
  CHECK(data.unknown == std::vector<std::string>{"foo", "bar"});
  CHECK(data.summary() == "cost.csv: values for 2 nodes, 2 names are not in the program: foo, bar");
  REQUIRE(data.columns.size() == 2);
  CHECK_FALSE(data.columns[0].text);
  CHECK(data.columns[1].text);
  CHECK(data.column("where") == std::optional<size_t>(1));
  CHECK_FALSE(data.column("when").has_value());

  const NodeRef conv = find_node(*program, "conv2d"), relu = find_node(*program, "relu"), norm = find_node(*program, "batch_norm");
  const Overlay ms = make_data_overlay(*program, data, 0);
  CHECK(ms.title == "ms");
  CHECK(ms.linear);
  CHECK(ms.part(ms.value(conv)) == 0);
  CHECK(ms.part(ms.value(relu)) == 1);
  CHECK(std::isnan(ms.value(norm)));
  CHECK(overlay_rgb(ms, -2) != overlay_rgb(ms, 6));
  const Overlay where = make_data_overlay(*program, data, 1);
  CHECK(where.node_text(conv) == "gpu");
  CHECK(overlay_rgb(where, where.value(conv)) != overlay_rgb(where, where.value(relu)));
}

TEST_CASE("positive values that reach over many sizes have a logarithmic scale") {
  const auto program = sample();
  const auto table = parse_node_table(R"({"conv2d": 1, "batch_norm": 100, "relu": 10000})");
  REQUIRE(table.has_value());
  const Overlay overlay = make_data_overlay(*program, match_nodes(*program, *table, "a.json"), 0);
  CHECK_FALSE(overlay.linear);
  CHECK(overlay.part(100) == doctest::Approx(0.5));
}

TEST_CASE("FILE:COLUMN, and a file whose own name has a colon") {
  CHECK(split_column("a.csv:ms") == std::pair<std::string, std::string>("a.csv", "ms"));
  CHECK(split_column("a.csv") == std::pair<std::string, std::string>("a.csv", ""));
  const auto path = (std::filesystem::temp_directory_path() / ("pt2scope_" + std::to_string(::getpid()) + ":x.csv")).string();
  std::ofstream(path) << "node,ms\n";
  CHECK(split_column(path).first == path);
  std::filesystem::remove(path);
}

TEST_CASE("a folded module has the text its nodes share, else several, and the largest number") {
  auto file = open_file(PT2_TEST_DATA "/programs/shared_module.pt2");
  REQUIRE(file.has_value());
  const auto program = (*file)->program();
  const auto tree = std::make_shared<const ScopeTree>(*program);
  GraphView view = initial_view(*program, *tree);
  expand_levels(view, *tree, 0);
  const GraphScene scene = make_scene(program, tree, view, default_measure());
  BoxId folded;
  std::vector<NodeRef> inside;
  for (size_t n = 0; n < program->root_graph().nodes().size(); ++n) {
    const NodeRef ref{program->root(), NodeId(n)};
    const BoxId box = scene.box_of(ref);
    if (!box || scene.boxes[box].kind != BoxKind::Module || (folded && box != folded)) continue;
    folded = box;
    inside.push_back(ref);
  }
  REQUIRE(inside.size() > 1);
  NodeTable table{{"device", "ms"}, {}};
  for (size_t i = 0; i < inside.size(); ++i) table.rows.push_back({node_path(*program, inside[i]), {{0, i ? "npu" : "cpu"}, {1, std::to_string(i)}}});
  const NodeData data = match_nodes(*program, table, "t.csv");
  Overlay device = make_data_overlay(*program, data, 0);
  const std::vector<double> classes = box_values(device, scene);
  CHECK(device.text(classes[folded.index]) == "several");
  Overlay ms = make_data_overlay(*program, data, 1);
  CHECK(box_values(ms, scene)[folded.index] == double(inside.size() - 1));
}
