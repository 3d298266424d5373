// Every program among the test files, as it opens, fully folded and fully open, in both directions: nothing overlaps, no edge is lost.
// PT2_MORE_FILES names a further folder to look through.
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>

#include "core/layout/layout_engine.h"
#include "core/load.h"
#include "tests/views/workspace/scene_checks.h"
#include "views/workspace/graph_scene.h"

using namespace pt2;
using namespace pt2::views;

namespace {

std::vector<std::string> files() {
  std::vector<std::string> found;
  std::vector<std::string> folders{PT2_TEST_DATA, PT2_SOURCE_DIR "/assets/samples"};
  if (const char* more = std::getenv("PT2_MORE_FILES")) folders.push_back(more);
  for (const std::string& folder : folders) {
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
      if (entry.path().extension() == ".pt2") found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("every test file lays out without overlaps and without losing an edge") {
  LayoutEngine engine;
  const MeasureText measure = default_measure();
  for (const std::string& path : files()) {
    const auto opened = open_file(path);
    if (!opened) continue;  // broken on purpose
    for (const auto& program : (*opened)->programs) {
      const auto tree = std::make_shared<const ScopeTree>(*program);
      for (int variant = 0; variant < 5; ++variant) {
        GraphView view = initial_view(*program, *tree);
        if (variant == 1) expand_levels(view, *tree, 0);
        if (variant >= 2) expand_levels(view, *tree, -1);
        if (variant == 3) view.parameters = ParameterMode::Nodes;
        if (variant == 4) view.direction = Direction::LeftRight, view.show_getitem = true;
        CAPTURE(path);
        CAPTURE(program->name);
        CAPTURE(variant);
        const GraphScene scene = make_scene(program, tree, view, measure);
        CHECK(test::scene_problems(scene) == "");
        const Result<Layout> layout = engine.layout(layout_request(scene, measure));
        REQUIRE(layout);
        CHECK_FALSE(layout->fallback);
        CHECK(test::layout_problems(scene, *layout) == "");
      }
    }
  }
}
