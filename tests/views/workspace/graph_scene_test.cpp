#include "views/workspace/graph_scene.h"

#include <doctest/doctest.h>

#include "core/layout/layout_engine.h"
#include "core/load.h"
#include "tests/support/program_maker.h"
#include "tests/views/workspace/scene_checks.h"
#include "views/workspace/unlifted_form.h"

using namespace pt2;
using namespace pt2::views;
using pt2::test::ProgramMaker;

namespace {

struct Shown {
  GraphScene scene;
  Layout layout;
  const SceneBox* box(std::string_view title) const {
    for (const SceneBox& b : scene.boxes)
      if (b.title == title) return &b;
    return nullptr;
  }
  bool edge(std::string_view from, std::string_view to) const {
    for (const SceneEdge& e : scene.edges)
      if (scene.boxes[e.from].title == from && scene.boxes[e.to].title == to) return true;
    return false;
  }
};

// Everything that must hold is checked for each picture.
Shown show(std::shared_ptr<const Program> program, const std::function<void(GraphView&, const ScopeTree&)>& change = {}) {
  const auto tree = std::make_shared<const ScopeTree>(*program);
  GraphView view = initial_view(*program, *tree);
  if (change) change(view, *tree);
  const MeasureText measure = default_measure();
  Shown shown{make_scene(program, tree, view, measure), {}};
  LayoutEngine engine;
  Result<Layout> layout = engine.layout(layout_request(shown.scene, measure));
  REQUIRE(layout);
  shown.layout = *layout;
  CHECK(test::scene_problems(shown.scene) == "");
  CHECK(test::layout_problems(shown.scene, shown.layout) == "");
  return shown;
}

const char* const kRelu = "torch.ops.aten.relu.default";
const char* const kAdd = "torch.ops.aten.add.Tensor";

}  // namespace

TEST_CASE("three modules in a row are three clusters in a column, with chips and labelled edges") {
  ProgramMaker maker;
  const NodeId weight = maker.parameter("p_conv_weight", "conv.weight"), x = maker.input("x");
  const NodeId conv = maker.call("conv2d", "torch.ops.aten.conv2d.default", {x, weight}, "conv");
  const NodeId bn = maker.call("batch_norm", "torch.ops.aten.batch_norm.default", {conv}, "bn");
  const Shown shown = show(maker.finish({maker.call("relu", kRelu, {bn}, "relu")}));
  REQUIRE(shown.scene.clusters.size() == 4);
  CHECK(shown.scene.clusters[ClusterId(1)].title == "conv : Block");
  CHECK(shown.scene.boxes.size() == 5);
  const SceneBox& box = *shown.box("conv2d");
  CHECK(box.subtitle == "aten.conv2d.default");
  CHECK(box.family == OpFamily::Convolution);
  REQUIRE(box.chip_count == 1);
  CHECK(shown.scene.chips_of(box)[0].text == "weight f32[2,8]");
  CHECK(shown.edge("x", "conv2d"));
  CHECK(shown.edge("relu", "output"));
  CHECK(shown.scene.edges[0].label == "f32[2,8]");
  // Straight down: all lines in one column.
  const float column = shown.layout.boxes[BoxId(0)].center().x;
  for (const Rect& r : shown.layout.boxes) CHECK(r.center().x == doctest::Approx(column));
}

TEST_CASE("a folded module is one box with the edges of everything inside") {
  ProgramMaker maker;
  const NodeId x = maker.input("x");
  const NodeId a = maker.call("a", kRelu, {x}, "block.one"), b = maker.call("b", kRelu, {a}, "block.two");
  const auto program = maker.finish({maker.call("sum", kAdd, {b, x})});
  const Shown shown = show(program, [&](GraphView& view, const ScopeTree& tree) { set_expanded(view, tree, tree.scopes_of(program->modules.find("block"))[0], false); });
  const SceneBox* block = shown.box("block : Block");
  REQUIRE(block);
  CHECK(block->kind == BoxKind::Module);
  CHECK(block->subtitle == "2 ops");
  CHECK(shown.scene.box_of({GraphId(0), b}) == shown.scene.box_of({GraphId(0), a}));
  CHECK(shown.edge("x", "block : Block"));
  CHECK(shown.edge("block : Block", "sum"));
  CHECK(shown.edge("x", "sum"));
}

TEST_CASE("a module that would need itself comes in parts, any other stays whole") {
  ProgramMaker maker;
  const NodeId x = maker.input("x");
  const NodeId a1 = maker.call("a1", kRelu, {x}, "a"), outside = maker.call("outside", kRelu, {a1});
  const NodeId b1 = maker.call("b1", kRelu, {x}, "b"), between = maker.call("between", kRelu, {x});
  const NodeId b2 = maker.call("b2", kAdd, {b1, between}, "b"), a2 = maker.call("a2", kRelu, {outside}, "a");
  const auto program = maker.finish({a2, b2});
  const ScopeTree tree(*program);
  CHECK(tree.scopes_of(program->modules.find("a")).size() == 2);
  CHECK(tree[tree.scopes_of(program->modules.find("a"))[1]].title == "a : Block · part 2/2");
  CHECK(tree.scopes_of(program->modules.find("b")).size() == 1);
  show(program);
  const Shown folded = show(program, [](GraphView& view, const ScopeTree& t) { expand_levels(view, t, 0); });
  CHECK(folded.edge("a : Block · part 1/2", "outside"));
  CHECK(folded.edge("outside", "a : Block · part 2/2"));
  CHECK(folded.edge("between", "b : Block"));
}

TEST_CASE("getitem is an edge label, and a node on request") {
  ProgramMaker maker;
  const NodeId x = maker.input("x"), split = maker.call("split", "torch.ops.aten.split.Tensor", {x});
  const NodeId first = maker.getitem("getitem", split, 0), second = maker.getitem("getitem_1", split, 1);
  const auto program = maker.finish({maker.call("sum", kAdd, {first, second})});
  const Shown shown = show(program);
  CHECK_FALSE(shown.box("getitem"));
  std::vector<std::string> labels;
  for (const SceneEdge& e : shown.scene.edges)
    if (shown.scene.boxes[e.from].title == "split") labels.emplace_back(e.label);
  CHECK(labels == std::vector<std::string>{"#0 f32[2,8]", "#1 f32[2,8]"});
  CHECK(show(program, [](GraphView& view, const ScopeTree&) { view.show_getitem = true; }).box("getitem"));
}

TEST_CASE("parameters are chips, boxes or hidden") {
  ProgramMaker maker;
  const NodeId weight = maker.parameter("p_w", "w"), x = maker.input("x");
  const auto program = maker.finish({maker.call("mm", "torch.ops.aten.mm.default", {x, weight}, "layer")});
  const Shown nodes = show(program, [](GraphView& view, const ScopeTree&) { view.parameters = ParameterMode::Nodes; });
  CHECK(nodes.edge("w", "mm"));
  CHECK(nodes.box("mm")->chip_count == 0);
  CHECK(nodes.box("w")->cluster == nodes.box("mm")->cluster);
  const Shown hidden = show(program, [](GraphView& view, const ScopeTree&) { view.parameters = ParameterMode::Hidden; });
  CHECK_FALSE(hidden.box("w"));
}

TEST_CASE("the new value of a buffer is a chip on its writer, not a line to the output") {
  ProgramMaker maker;
  const NodeId count = maker.parameter("b_count", "count", InputKind::Buffer), x = maker.input("x");
  const NodeId next = maker.call("add", kAdd, {count, x});
  auto program = maker.finish({next});
  std::const_pointer_cast<Program>(program)->signature.outputs[0].kind = OutputKind::BufferMutation;
  std::const_pointer_cast<Program>(program)->signature.outputs[0].target = "count";
  const Shown shown = show(program);
  CHECK(shown.box("add")->mutates);
  CHECK(shown.scene.chips_of(*shown.box("add"))[0].written);
  CHECK_FALSE(shown.edge("add", "output"));
}

TEST_CASE("what is written to in place has the sign, an input, too, and through a view") {
  constexpr const char* kAddInPlace = "torch.ops.aten.add_.Tensor";
  ProgramMaker maker;
  const NodeId scratch = maker.parameter("b_scratch", "scratch", InputKind::Buffer), x = maker.input("x"), y = maker.input("y");
  const NodeId own = maker.call("own", kAdd, {x, y});
  maker.call("into_own", kAddInPlace, {own, y});
  maker.call("into_buffer", kAddInPlace, {scratch, y});
  maker.call("into_input", kAddInPlace, {x, y});
  const NodeId part = maker.getitem("part", maker.call("split", "torch.ops.aten.split.Tensor", {x}), 0);
  maker.call("into_view", kAddInPlace, {maker.call("view", "torch.ops.aten.view.default", {part}), y});
  const auto program = std::const_pointer_cast<Program>(maker.finish({own}));
  // Names of arguments, as files have them.
  GraphBuilder root;
  for (Node node : program->root_graph().nodes()) {
    if (node.kind == NodeKind::CallFunction && !node.inputs.empty()) node.inputs[0].name = "self";
    root.add(std::move(node));
  }
  program->graphs[program->root()] = std::move(root).finish();
  const Shown shown = show(program);
  for (const char* name : {"into_buffer", "into_input", "into_view"}) CHECK_MESSAGE(shown.box(name)->mutates, name);
  for (const char* name : {"own", "into_own", "view", "split"}) CHECK_FALSE_MESSAGE(shown.box(name)->mutates, name);
  CHECK(shown.box("x")->written);
  CHECK_FALSE(shown.box("y")->written);
  CHECK(shown.scene.chips_of(*shown.box("into_buffer"))[0].written);
  const Shown nodes = show(program, [](GraphView& view, const ScopeTree&) { view.parameters = ParameterMode::Nodes; });
  CHECK(nodes.box("scratch")->written);
}

TEST_CASE("the unlifted form has the signs of what is written, too") {
  const auto file = open_file(PT2_SOURCE_DIR "/tests/data/programs/mutations.pt2");
  REQUIRE(file);
  const auto program = (*file)->program("");
  const auto form = make_unlifted_form(**file, program);
  GraphView view = initial_view(*form->program, *form->scopes);
  view.unlifted = true;
  const MeasureText measure = default_measure();
  Shown shown{make_unlifted_scene(*form, view, measure), {}};
  for (const char* name : {"add_", "mul_", "add__1"}) CHECK_MESSAGE(shown.box(name)->mutates, name);
  for (const char* name : {"get_attr count", "get_attr scratch", "x"}) CHECK_MESSAGE(shown.box(name)->written, name);
}

TEST_CASE("a sub-graph is folded at first, feeds its operator, and opens in place") {
  ProgramMaker maker;
  const NodeId x = maker.input("x"), body = maker.subgraph("true_graph_0");
  const auto program = maker.finish({maker.call("cond", "torch.ops.higher_order.cond", {x, body})});
  const Shown folded = show(program);
  REQUIRE(folded.box("true_graph_0"));
  CHECK(folded.box("true_graph_0")->kind == BoxKind::Subgraph);
  CHECK(folded.edge("true_graph_0", "cond"));
  const Shown open = show(program, [](GraphView& view, const ScopeTree& tree) { expand_levels(view, tree, -1); });
  REQUIRE(open.scene.clusters.size() == 2);
  CHECK(open.scene.clusters[ClusterId(1)].kind == ScopeKind::Subgraph);
  CHECK(open.box("relu"));
  CHECK(open.edge("output", "cond"));
}

TEST_CASE("a module shown alone has what comes in and goes out as pills") {
  ProgramMaker maker;
  const NodeId x = maker.input("x"), a = maker.call("a", kRelu, {x}, "m"), b = maker.call("b", kRelu, {a}, "m");
  const auto program = maker.finish({maker.call("last", kRelu, {b})});
  const Shown shown = show(program, [&](GraphView& view, const ScopeTree&) { view.root = program->modules.find("m"); });
  CHECK(shown.scene.boxes.size() == 4);
  CHECK(shown.edge("x", "a"));
  CHECK(shown.edge("b", "output of m: b"));
  CHECK_FALSE(shown.box("last"));
}

TEST_CASE("in a module shown alone what is hidden leaves no pills of what it read or of who read it") {
  ProgramMaker maker;
  const NodeId x = maker.input("x"), y = maker.input("y"), a = maker.call("a", kRelu, {x}, "m"), b = maker.call("b", kRelu, {a}, "m"), c = maker.call("c", kAdd, {b, y}, "m");
  const NodeId last = maker.call("last", kRelu, {c});
  const auto program = maker.finish({last});
  auto boxes = [&](std::vector<NodeId> hidden) {
    return show(program, [&](GraphView& view, const ScopeTree&) {
      view.root = program->modules.find("m");
      for (NodeId node : hidden) view.hidden.insert({program->root(), node});
    });
  };
  const Shown isolated = boxes({y, c, last});
  CHECK(isolated.scene.boxes.size() == 3);
  CHECK(isolated.edge("x", "a"));
  CHECK(boxes({c}).scene.boxes.size() == 3);     // neither y nor an output of c
  CHECK(boxes({x}).scene.boxes.size() == 5);     // a, b, c, y and the output
  CHECK(boxes({last}).scene.boxes.size() == 5);  // x, y, a, b, c
}

TEST_CASE("a long flat graph comes in runs of nodes; all levels and both directions lay out cleanly") {
  ProgramMaker maker;
  std::vector<NodeId> values{maker.input("x")};
  for (int i = 0; i < 300; ++i) {
    const std::string name = "n" + std::to_string(i);
    values.push_back(maker.call(name, kAdd, {values.back(), values[size_t(i) / 3]}));
  }
  const auto program = maker.finish({values.back()});
  const ScopeTree tree(*program);
  CHECK(tree[tree.root()].items.size() == 2 + 5);
  CHECK(tree[ScopeId(1)].title == "nodes 1–60");
  CHECK(show(program).scene.boxes.size() == 7);
  for (Direction direction : {Direction::TopDown, Direction::LeftRight})
    CHECK(show(program, [&](GraphView& view, const ScopeTree& t) {
            expand_levels(view, t, -1);
            view.direction = direction;
          }).scene.boxes.size() == 302);
}

TEST_CASE("a value with many distant readers is cut into numbered stubs") {
  ProgramMaker maker;
  const NodeId x = maker.input("x"), shared = maker.input("shared");
  NodeId last = x;
  for (int i = 0; i < 40; ++i) last = maker.call("step" + std::to_string(i), kAdd, {last, shared});
  const Shown shown = show(maker.finish({last}));
  size_t cut = 0;
  for (const EdgePath& edge : shown.layout.edges) cut += edge.stub != 0;
  CHECK(cut == 32);
  REQUIRE(shown.layout.out_stubs.size() == 1);
  CHECK(shown.scene.boxes[shown.layout.out_stubs[0].from].title == "shared");
}

TEST_CASE("opening a module lays out it and the groups around it; equal modules share one layout") {
  ProgramMaker maker;
  NodeId last = maker.input("x");
  for (int i = 0; i < 50; ++i)
    for (const char* part : {"a", "b"}) {
      const std::string path = "layers.layer" + std::string(i < 10 ? "0" : "") + std::to_string(i);
      last = maker.call("n" + std::to_string(i < 10 ? 10 + i : i + 100) + part, kRelu, {last}, path + "." + part);
    }
  const auto program = maker.finish({last});
  const auto tree = std::make_shared<const ScopeTree>(*program);
  const MeasureText measure = default_measure();
  GraphView view = initial_view(*program, *tree);
  LayoutEngine engine;
  auto groups_for = [&] {
    const size_t before = engine.groups_laid_out();
    const GraphScene scene = make_scene(program, tree, view, measure);
    REQUIRE(engine.layout(layout_request(scene, measure)));
    return engine.groups_laid_out() - before;
  };
  expand_levels(view, *tree, 1);
  CHECK(groups_for() == 2);  // the canvas and "layers"
  set_expanded(view, *tree, tree->scopes_of(program->modules.find("layers.layer20"))[0], true);
  CHECK(groups_for() == 3);
  set_expanded(view, *tree, tree->scopes_of(program->modules.find("layers.layer20"))[0], false);
  CHECK(groups_for() == 0);
  expand_levels(view, *tree, -1);
  CHECK(groups_for() <= 2 + 2 * 3);  // two widths of names
}
