#pragma once
// What must hold for every picture, whatever the program and however it is folded.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "core/layout/layout.h"
#include "views/workspace/graph_scene.h"

namespace pt2::test {

using namespace pt2::views;

inline std::string box_name(const GraphScene& scene, BoxId id) { return std::string(scene.boxes[id].title) + " (box " + std::to_string(id.index) + ")"; }

inline Rect shrunk(Rect r, float by) { return {r.x + by, r.y + by, r.w - 2 * by, r.h - 2 * by}; }

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Calls `found(i, j)` for every pair of rectangles that intersect.
template <class Found>
void for_each_overlap(const std::vector<Rect>& rects, Found&& found) {
  std::vector<size_t> order(rects.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rects[a].y < rects[b].y; });
  for (size_t i = 0; i < order.size(); ++i)
    for (size_t j = i + 1; j < order.size() && rects[order[j]].y < rects[order[i]].bottom(); ++j)
      if (rects[order[i]].intersects(rects[order[j]])) found(order[i], order[j]);
}

// One a line; empty when all is well.
inline std::string layout_problems(const GraphScene& scene, const Layout& layout) {
  std::vector<std::string> problems;
  auto say = [&](std::string text) {
    if (problems.size() < 20) problems.push_back(std::move(text));
  };
  // Boxes, and frames of open groups with their own kind.
  std::vector<Rect> boxes;
  for (const Rect& r : layout.boxes) boxes.push_back(shrunk(r, 0.1f));
  for_each_overlap(boxes, [&](size_t a, size_t b) { say("boxes overlap: " + box_name(scene, BoxId(a)) + ", " + box_name(scene, BoxId(b))); });
  auto within = [](const Rect& inner, const Rect& outer) {
    return inner.x >= outer.x - 0.1f && inner.y >= outer.y - 0.1f && inner.right() <= outer.right() + 0.1f && inner.bottom() <= outer.bottom() + 0.1f;
  };
  auto inside = [&](ClusterId inner, ClusterId outer) {
    for (; inner; inner = scene.clusters[inner].parent)
      if (inner == outer) return true;
    return false;
  };
  for (size_t i = 0; i < scene.boxes.size(); ++i)
    if (!within(layout.boxes[BoxId(i)], layout.clusters[scene.boxes[BoxId(i)].cluster])) say(box_name(scene, BoxId(i)) + " reaches out of its group");
  std::vector<Rect> clusters;
  for (size_t i = 1; i < scene.clusters.size(); ++i) {
    clusters.push_back(shrunk(layout.clusters[ClusterId(i)], 0.1f));
    if (!within(layout.clusters[ClusterId(i)], layout.clusters[scene.clusters[ClusterId(i)].parent])) say("a group reaches out of the one around it");
  }
  for_each_overlap(clusters, [&](size_t a, size_t b) {
    if (!inside(ClusterId(a + 1), ClusterId(b + 1)) && !inside(ClusterId(b + 1), ClusterId(a + 1))) say("groups overlap");
  });
  for (size_t i = 0; i < clusters.size(); ++i)
    for (size_t b = 0; b < boxes.size(); ++b)
      if (clusters[i].intersects(boxes[b]) && !inside(scene.boxes[BoxId(b)].cluster, ClusterId(i + 1))) say(box_name(scene, BoxId(b)) + " lies in a group it is not of");

  // Labels and tags keep off boxes and each other.
  std::vector<Rect> marks = boxes;
  for (const EdgePath& edge : layout.edges)
    for (const Rect& r : {edge.label, edge.stub_tag})
      if (!r.empty()) marks.push_back(shrunk(r, 0.1f));
  for (const OutStub& stub : layout.out_stubs) marks.push_back(shrunk(stub.tag, 0.1f));
  for_each_overlap(marks, [&](size_t a, size_t b) {
    if (std::max(a, b) >= boxes.size()) say("a label or tag covers something near " + std::to_string(int(marks[a].x)) + "," + std::to_string(int(marks[a].y)));
  });

  // Edges run from border to border and through no box.
  for (size_t e = 0; e < scene.edges.size(); ++e) {
    const auto points = layout.path(layout.edges[e]);
    const Rect &from = layout.boxes[scene.edges[e].from], &to = layout.boxes[scene.edges[e].to];
    const std::string name = box_name(scene, scene.edges[e].from) + " → " + box_name(scene, scene.edges[e].to);
    if (points.size() < 4 || points.size() % 3 != 1) {
      say("no path: " + name);
      continue;
    }
    auto on_border = [](Point p, const Rect& r) { return Rect{r.x - 1, r.y - 1, r.w + 2, r.h + 2}.contains(p) && !shrunk(r, 1).contains(p); };
    if (!layout.edges[e].stub && !on_border(points.front(), from)) say("does not begin at its writer: " + name);
    if (!on_border(points.back(), to)) say("does not end at its reader: " + name);
    for (size_t i = 0; i + 3 < points.size(); i += 3)
      for (int s = 1; s < 12; ++s) {
        const float t = float(s) / 12, u = 1 - t;
        auto mix = [&](float a, float b, float c, float d) { return u * u * u * a + 3 * u * u * t * b + 3 * u * t * t * c + t * t * t * d; };
        const Point p{mix(points[i].x, points[i + 1].x, points[i + 2].x, points[i + 3].x), mix(points[i].y, points[i + 1].y, points[i + 2].y, points[i + 3].y)};
        if (!std::isfinite(p.x) || !std::isfinite(p.y)) say("not a number: " + name);
        for (size_t b = 0; b < boxes.size() && problems.size() < 20; ++b)
          if (shrunk(boxes[b], 1).contains(p)) {
            say("runs through " + box_name(scene, BoxId(b)) + ": " + name);
            i = points.size();
            break;
          }
        if (i == points.size()) break;
      }
  }
  for (size_t e = 0; e < layout.edges.size(); ++e)
    if (layout.edges[e].stub && std::none_of(layout.out_stubs.begin(), layout.out_stubs.end(), [&](const OutStub& s) { return s.number == layout.edges[e].stub && s.from == scene.edges[e].from; }))
      say("a cut edge has no beginning: " + box_name(scene, scene.edges[e].from));
  return joined(problems);
}

// Every use of a value between two boxes is an edge, a chip or, for a new buffer value, a written chip.
inline std::string scene_problems(const GraphScene& scene) {
  std::vector<std::string> problems;
  const Program& program = *scene.program;
  std::set<std::tuple<BoxId, BoxId, NodeRef>> drawn;
  for (const SceneEdge& edge : scene.edges)
    for (NodeRef value : scene.values_of(edge)) drawn.emplace(edge.from, edge.to, value);
  std::set<NodeId> parameters, mutated;
  for (const InputSpec& input : program.signature.inputs)
    if (input.kind != InputKind::UserInput && input.kind != InputKind::Token) parameters.insert(input.node);
  for (const OutputSpec& output : program.signature.outputs)
    if (const NodeId* value = output.value.as<NodeId>(); value && (output.kind == OutputKind::BufferMutation || output.kind == OutputKind::ParameterMutation)) mutated.insert(*value);
  for (size_t g = 0; g < program.graphs.size(); ++g) {
    const GraphId gid(g);
    const Graph& graph = program.graphs[gid];
    for (size_t i = 0; i < graph.nodes().size(); ++i) {
      const NodeRef reader{gid, NodeId(i)};
      const BoxId to = scene.box_of(reader);
      if (!to) continue;
      for (const NodeArgument& argument : graph.node(reader.node).inputs)
        for_each_node(argument.value, [&](NodeId value) {
          const BoxId from = scene.box_of({gid, value});
          if (g == 0 && parameters.contains(value) && scene.view.parameters == ParameterMode::Attached && graph.node(reader.node).kind != NodeKind::Output) {
            const auto chips = scene.chips_of(scene.boxes[to]);
            if (scene.boxes[to].kind == BoxKind::Operator && std::none_of(chips.begin(), chips.end(), [&](const Chip& c) { return c.placeholder == value; }))
              problems.push_back("no chip for " + std::string(graph.node(value).name) + " on " + box_name(scene, to));
            return;
          }
          if (from == to || !from || drawn.contains({from, to, {gid, value}})) return;
          if (g == 0 && mutated.contains(value) && graph.node(reader.node).kind == NodeKind::Output && scene.boxes[from].mutates) return;
          problems.push_back("no edge for " + std::string(graph.node(value).name) + " → " + std::string(graph.node(reader.node).name));
        });
    }
  }
  return joined(problems);
}

}  // namespace pt2::test
