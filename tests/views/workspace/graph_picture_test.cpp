#include <doctest/doctest.h>

#include "core/load.h"
#include "views/workspace/document.h"
#include "views/workspace/graph_picture.h"

using namespace pt2;
using namespace pt2::views;

namespace {

struct Pictured {
  std::shared_ptr<const Program> program;
  std::shared_ptr<const ScopeTree> tree;
  GraphView view;
  LayoutEngine engine;

  Pictured() {
    auto file = open_file(PT2_SOURCE_DIR "/assets/samples/conv_bn_relu.pt2");
    REQUIRE(file.has_value());
    program = (*file)->program();
    tree = std::make_shared<ScopeTree>(*program);
    view = initial_view(*program, *tree);
  }
  std::shared_ptr<const GraphPicture> make(size_t max_boxes = 1000) {
    auto picture = make_picture(program, tree, view, engine, max_boxes);
    REQUIRE(picture.has_value());
    return *picture;
  }
  NodeRef node(std::string_view name) const { return find_node(*program, name); }
};

}  // namespace

TEST_CASE("points of a picture hit what is drawn there") {
  Pictured p;
  const auto picture = p.make();
  for (size_t i = 0; i < picture->scene.boxes.size(); ++i) CHECK(picture->box_at(picture->layout.boxes[BoxId(i)].center()) == BoxId(i));
  for (size_t i = 0; i < picture->scene.edges.size(); ++i) CHECK(picture->edge_at(picture->edge_middle(i), 3) == i);
  CHECK_FALSE(picture->box_at({-50, -50}));
  const ClusterId conv = picture->cluster_of(p.program->modules.find("conv"));
  REQUIRE(conv);
  CHECK(picture->cluster_at(picture->cluster_title(conv).center(), true) == conv);
  CHECK_FALSE(picture->minimap.empty());
}

TEST_CASE("arrow keys walk along edges") {
  Pictured p;
  const auto picture = p.make();
  auto box = [&](std::string_view name) { return picture->scene.box_of(p.node(name)); };
  CHECK(walk(*picture, box("batch_norm"), Walk::Producer) == box("conv2d"));
  CHECK(walk(*picture, box("conv2d"), Walk::Consumer) == box("batch_norm"));
  CHECK(walk(*picture, box("x"), Walk::Producer) == box("x"));
  CHECK(walk(*picture, {}, Walk::First) == BoxId(0));
  CHECK(walk(*picture, box("conv2d"), Walk::After) == box("batch_norm"));
  CHECK(walk(*picture, box("conv2d"), Walk::NextSibling) == box("conv2d"));
  CHECK(selection_of(picture->scene, box("relu")).node == p.node("relu"));
}

TEST_CASE("a folded module is one box and is selected as a module") {
  Pictured p;
  const ModuleId bn = p.program->modules.find("bn");
  for (ScopeId scope : p.tree->scopes_of(bn)) set_expanded(p.view, *p.tree, scope, false);
  const auto picture = p.make();
  const BoxId box = picture->scene.box_of(p.node("batch_norm"));
  REQUIRE(box);
  CHECK(picture->scene.boxes[box].kind == BoxKind::Module);
  CHECK(selection_of(picture->scene, box).module == bn);
  CHECK(picture->box_of(Selection::of_module(bn)) == box);
  CHECK_FALSE(picture->cluster_of(bn));
}

TEST_CASE("a picture of too many boxes is not made unasked") {
  Pictured p;
  auto picture = make_picture(p.program, p.tree, p.view, p.engine, 2);
  REQUIRE_FALSE(picture.has_value());
  CHECK(picture.error().kind == ErrorKind::Limit);
}

TEST_CASE("the grid finds every rectangle that touches a view, once") {
  std::vector<Rect> rects;
  for (int i = 0; i < 500; ++i) rects.push_back({float(i % 25) * 40, float(i / 25) * 30, i % 7 == 0 ? 700.0f : 30.0f, 20});
  const Rect bounds{0, 0, 1700, 620};
  const SpatialGrid grid(rects, bounds);
  for (const Rect& view : {Rect{100, 100, 300, 200}, Rect{-100, -100, 3000, 3000}, Rect{55, 33, 0.01f, 0.01f}, Rect{1650, 0, 10, 600}}) {
    std::vector<int> seen(rects.size());
    grid.visit(view, [&](uint32_t i) { ++seen[i]; });
    for (size_t i = 0; i < rects.size(); ++i) CHECK(seen[i] == (rects[i].intersects(view) ? 1 : 0));
  }
}
