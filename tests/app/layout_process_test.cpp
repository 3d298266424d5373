// The child process that runs Graphviz, with the real binary.
#include "core/layout/layout_process.h"

#include <doctest/doctest.h>
#include <signal.h>

#include "core/layout/layout_engine.h"

using namespace pt2;
using namespace std::chrono_literals;

namespace {

PlacementRequest chain(size_t n) {
  PlacementRequest request;
  for (size_t i = 0; i < n; ++i) request.nodes.push_back({40, 50});
  for (size_t i = 0; i + 1 < n; ++i) request.edges.push_back({uint32_t(i), uint32_t(i + 1)});
  return request;
}

}  // namespace

TEST_CASE("the child answers what Graphviz answers here") {
  LayoutProcess child(PT2_BINARY);
  const PlacementRequest request = chain(6);
  const Result<Placement> there = child.place(request, {}, 20s), here = place_with_graphviz(request);
  REQUIRE(there);
  REQUIRE(here);
  CHECK(there->rank == here->rank);
  CHECK(there->x == here->x);
}

TEST_CASE("a child that is too slow or stopped is ended, and the next request gets a new one") {
  LayoutProcess child(PT2_BINARY);
  const Result<Placement> slow = child.place(chain(50), {}, 0ms);
  REQUIRE_FALSE(slow);
  CHECK(slow.error().kind == ErrorKind::Failed);
  std::stop_source stop;
  stop.request_stop();
  const Result<Placement> stopped = child.place(chain(50), stop.get_token(), 20s);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Stopped);
  CHECK(child.place(chain(50), {}, 20s));
}

TEST_CASE("a program that is no layout child fails, and the engine lays out by itself") {
  LayoutProcess nothing("/bin/true");
  CHECK_FALSE(nothing.place(chain(3), {}, 20s));
  LayoutEngine engine({.child_program = "/bin/false"});
  LayoutRequest request;
  request.clusters.push_back({});
  request.boxes.push_back({{40, 20}});
  request.boxes.push_back({{40, 20}});
  request.edges.push_back({BoxId(0), BoxId(1)});
  const Result<Layout> layout = engine.layout(request);
  REQUIRE(layout);
  CHECK(layout->fallback);
  CHECK(layout->boxes[BoxId(0)].bottom() < layout->boxes[BoxId(1)].y);
}
