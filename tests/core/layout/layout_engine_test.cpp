#include "core/layout/layout_engine.h"

#include <doctest/doctest.h>

#include <random>

using namespace pt2;

namespace {

bool crosses(const Rect& a, const Rect& b) { return a.x + 0.1f < b.right() && b.x + 0.1f < a.right() && a.y + 0.1f < b.bottom() && b.y + 0.1f < a.bottom(); }

// What every layout promises, in short; the pictures of real programs are checked more closely in tests/views.
std::string problems(const LayoutRequest& request, const Layout& layout) {
  std::string text;
  for (size_t a = 0; a < request.boxes.size(); ++a) {
    const Rect& box = layout.boxes[BoxId(a)];
    for (size_t b = a + 1; b < request.boxes.size(); ++b)
      if (crosses(box, layout.boxes[BoxId(b)])) text += "boxes " + std::to_string(a) + " and " + std::to_string(b) + " overlap\n";
    if (box.w != request.boxes[BoxId(a)].size.w || box.h != request.boxes[BoxId(a)].size.h) text += "box " + std::to_string(a) + " changed its size\n";
    const Rect& frame = layout.clusters[request.boxes[BoxId(a)].cluster];
    if (box.x < frame.x - 0.1f || box.y < frame.y - 0.1f || box.right() > frame.right() + 0.1f || box.bottom() > frame.bottom() + 0.1f) text += "box " + std::to_string(a) + " leaves its cluster\n";
  }
  for (size_t e = 0; e < request.edges.size(); ++e) {
    const auto points = layout.path(layout.edges[e]);
    if (points.size() < 4 || points.size() % 3 != 1) {
      text += "edge " + std::to_string(e) + " has no path\n";
      continue;
    }
    const Rect from = layout.boxes[request.edges[e].from], to = layout.boxes[request.edges[e].to];
    const Rect from_wide{from.x - 1, from.y - 1, from.w + 2, from.h + 2}, to_wide{to.x - 1, to.y - 1, to.w + 2, to.h + 2};
    if (!layout.edges[e].stub && !from_wide.contains(points.front())) text += "edge " + std::to_string(e) + " begins elsewhere\n";
    if (!to_wide.contains(points.back())) text += "edge " + std::to_string(e) + " ends elsewhere\n";
  }
  return text;
}

// Lines of cut edges that strike through tags, and tags that overlap.
std::string problems_of_tags(const Layout& layout) {
  struct Tag { Rect rect; std::span<const Point> line; };
  std::vector<Tag> tags;
  for (const EdgePath& edge : layout.edges)
    if (edge.stub) tags.push_back({edge.stub_tag, layout.path(edge)});
  for (const OutStub& stub : layout.out_stubs) tags.push_back({stub.tag, layout.path(stub)});
  std::string text;
  for (size_t a = 0; a < tags.size(); ++a)
    for (size_t b = 0; b < tags.size(); ++b) {
      const std::string names = std::to_string(a) + " and " + std::to_string(b) + "\n";
      if (a < b && crosses(tags[a].rect, tags[b].rect)) text += "tags overlap: " + names;
      const Rect& r = tags[b].rect;
      const Rect inside{r.x + 0.5f, r.y + 0.5f, r.w - 1, r.h - 1};
      const auto p = tags[a].line;
      bool struck = false;
      for (size_t i = 0; i + 3 < p.size(); i += 3)
        for (int s = 0; s <= 20; ++s) {
          const float t = float(s) / 20, u = 1 - t, k[] = {u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t};
          Point at{0, 0};
          for (size_t j = 0; j < 4; ++j) at.x += k[j] * p[i + j].x, at.y += k[j] * p[i + j].y;
          struck |= inside.contains(at);
        }
      if (struck) text += "line strikes through a tag: " + names;
    }
  return text;
}

// Boxes and clusters in nested order, edges forwards.
LayoutRequest random_request(uint32_t seed, size_t boxes) {
  std::mt19937 random(seed);
  auto below = [&](size_t n) { return random() % n; };
  LayoutRequest request;
  request.direction = seed % 2 ? Direction::LeftRight : Direction::TopDown;
  request.clusters.push_back({});
  std::vector<ClusterId> open{ClusterId(0)};
  for (size_t i = 0; i < boxes; ++i) {
    if (below(4) == 0 && open.size() < 6) {
      request.clusters.push_back({open.back(), {float(below(150)), 13}});
      open.push_back(ClusterId(request.clusters.size() - 1));
    }
    request.boxes.push_back({{float(20 + below(200)), float(15 + below(60))}, open.back()});
    for (size_t k = 0; i && k < 1 + below(3); ++k) {
      const size_t from = below(3) ? i - 1 - below(std::min<size_t>(i, 5)) : below(i);
      const uint32_t value = uint32_t(below(2));
      request.edges.push_back({BoxId(from), BoxId(i), value, value, {float(below(90)), 12}, {40, 12}});
    }
    while (open.size() > 1 && below(4) == 0) open.pop_back();
  }
  // A cluster may only be entered again where that makes no cycle; here none is.
  return request;
}

}  // namespace

TEST_CASE("an empty request is an empty picture") {
  LayoutEngine engine;
  const Result<Layout> layout = engine.layout({});
  REQUIRE(layout);
  CHECK(layout->boxes.size() == 0);
  CHECK(layout->bounds.w > 0);
}

TEST_CASE("a chain stands in one column, or in one row") {
  for (Direction direction : {Direction::TopDown, Direction::LeftRight}) {
    LayoutRequest request;
    request.direction = direction;
    request.clusters.push_back({});
    for (int i = 0; i < 5; ++i) request.boxes.push_back({{float(60 + 20 * i), 30}});
    for (size_t i = 0; i + 1 < 5; ++i) request.edges.push_back({BoxId(i), BoxId(i + 1), 0, 0, {50, 12}});
    LayoutEngine engine;
    const Result<Layout> layout = engine.layout(request);
    REQUIRE(layout);
    CHECK(problems(request, *layout) == "");
    for (size_t i = 1; i < 5; ++i) {
      const Point a = layout->boxes[BoxId(i - 1)].center(), b = layout->boxes[BoxId(i)].center();
      CHECK((direction == Direction::TopDown ? a.x : a.y) == doctest::Approx(direction == Direction::TopDown ? b.x : b.y));
      CHECK((direction == Direction::TopDown ? a.y < b.y : a.x < b.x));
    }
  }
}

TEST_CASE("random pictures keep their promises, by Graphviz and by our own method") {
  LayoutEngine graphviz, own({.child_program = "/nonexistent/program"});
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    const LayoutRequest request = random_request(seed, 4 + seed);
    const Result<Layout> by_graphviz = graphviz.layout(request), by_us = own.layout(request);
    REQUIRE(by_graphviz);
    REQUIRE(by_us);
    CHECK_FALSE(by_graphviz->fallback);
    CHECK(by_us->fallback);
    CHECK(problems(request, *by_graphviz) == "");
    CHECK(problems(request, *by_us) == "");
  }
}

TEST_CASE("lines to and from the tags of cut edges strike through no tag, however many there are") {
  constexpr size_t kFar = 12;
  LayoutEngine engine;
  for (Direction direction : {Direction::TopDown, Direction::LeftRight})
    for (size_t count : {1, 2, 3, 5, 14, 40, 300}) {
      CAPTURE(count);
      CAPTURE(int(direction));
      LayoutRequest request;
      request.direction = direction;
      request.clusters.push_back({});
      const size_t last = count + kFar;
      for (size_t i = 0; i <= last; ++i) request.boxes.push_back({{90, 34}});
      for (size_t i = 0; i < last; ++i) request.edges.push_back({BoxId(i), BoxId(i + 1), 0, 0, {120, 12}});
      for (size_t i = 0; i < count; ++i) {
        request.edges.push_back({BoxId(i), BoxId(last), 1, 1, {}, {float(30 + i * 37 % 90), 12}});          // many tags at the last
        request.edges.push_back({BoxId(0), BoxId(kFar + i), uint32_t(i + 2), uint32_t(i + 2), {}, {40, 12}});  // and at the first
      }
      const Result<Layout> layout = engine.layout(request);
      REQUIRE(layout);
      CHECK(layout->out_stubs.size() >= count);
      CHECK(problems(request, *layout) == "");
      CHECK(problems_of_tags(*layout) == "");
    }
}

TEST_CASE("the same request gives the same picture, from memory too") {
  const LayoutRequest request = random_request(7, 40);
  LayoutEngine one, two;
  const Result<Layout> a = one.layout(request), b = one.layout(request), c = two.layout(request);
  REQUIRE((a && b && c));
  CHECK(a->points == b->points);
  CHECK(a->points == c->points);
  CHECK(a->boxes.raw() == c->boxes.raw());
}

TEST_CASE("stopping gives an error, and the next request works") {
  LayoutEngine engine;
  std::stop_source stop;
  stop.request_stop();
  const LayoutRequest request = random_request(3, 20);
  const Result<Layout> stopped = engine.layout(request, stop.get_token());
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().kind == ErrorKind::Stopped);
  CHECK(engine.layout(request));
}

TEST_CASE("one value with thousands of readers, thousands of values for one reader, a very long chain") {
  LayoutEngine engine;
  LayoutRequest out, in, chain;
  for (LayoutRequest* r : {&out, &in, &chain}) {
    r->clusters.push_back({});
    for (int i = 0; i < 3000; ++i) r->boxes.push_back({{80, 30}});
  }
  for (size_t i = 1; i < 3000; ++i) {
    out.edges.push_back({BoxId(0), BoxId(i), 0, 0, {40, 12}, {40, 12}});
    in.edges.push_back({BoxId(i - 1), BoxId(2999), 0, 0, {40, 12}, {40, 12}});
    chain.edges.push_back({BoxId(i - 1), BoxId(i), 0, 0, {40, 12}, {40, 12}});
  }
  for (const LayoutRequest* r : {&out, &in, &chain}) {
    const Result<Layout> layout = engine.layout(*r);
    REQUIRE(layout);
    CHECK(layout->edges.size() == 2999);
    CHECK(problems(*r, *layout) == "");
  }
}
